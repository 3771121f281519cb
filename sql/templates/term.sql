-- The sorted postings of one term: an equality is read in one piece, of a list every row is compared.
select term_hash, row_id, tf, dl from postings where corpus = 0 and term_hash = {terms}
