-- The documents with a date of one name of which something holds. Braces take parameters and fixed text.
(doc_key in (select doc_key from document_values where part = 'dates' and name = {name} and {inside}))
