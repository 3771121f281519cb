-- Closing would write the log into the file, over blocks that somebody may still read.
pragma disable_checkpoint_on_shutdown;
