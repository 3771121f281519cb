-- Write into the file what its log holds.
checkpoint;
