-- Every posting of a corpus: what was sorted last, and what was written since.
create or replace macro postings_of(which) as table
select term_hash, row_id, tf, dl from postings where corpus = which
union all
select term_hash, row_id, tf, dl from postings_delta where corpus = which;
