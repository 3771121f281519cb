"""What a search reads, kept in memory: columns of claims, postings and vectors."""
