-- The progress bar would write into a host's terminal, or into an MCP stream.
set enable_progress_bar = false;
set global TimeZone = 'UTC';
-- ALP makes scans of vectors two to four times slower. As a setting of connect() it has no effect.
-- What compresses texts in a file of today's format has to unpack many to read one: it made a search
-- of 10,000 claims a fifth slower.
set disabled_compression_methods = 'alprd,alp,dict_fsst,zstd';
-- A key looked up in a list of literals is found by its index; making a join of the list besides
-- costs as much again. Long lists are written as a subquery (see `integers` and `literals`).
set disabled_optimizers = 'in_clause';
-- How long the log may get before it is written into the file.
set global checkpoint_threshold = '{longest_log} bytes';
-- Snapshots are made in the memory's own folder; nothing else is read or written.
set allowed_directories = ['{folder}'];
set enable_external_access = false;
