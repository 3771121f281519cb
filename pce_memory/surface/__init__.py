"""What people and agents type: the command line, and how it reads and shows things."""
