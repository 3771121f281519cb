-- The documents with an id of one type of which something holds. Braces take parameters and fixed text.
(doc_key in (select doc_key from document_ids where type = {name} and {inside}))
