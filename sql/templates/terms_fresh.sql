-- The postings of some terms that were written since the others were sorted.
select term_hash, row_id, tf, dl from postings_delta where corpus = 0 and term_hash in ({terms})
