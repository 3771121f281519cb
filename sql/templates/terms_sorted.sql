-- The sorted postings of many terms.
select term_hash, row_id, tf, dl from postings where corpus = 0 and term_hash in ({terms})
