-- What runs list, as the inside of a list of keys. Braces take integers only.
select key from run_docs where run_seq in ({row_ids})
