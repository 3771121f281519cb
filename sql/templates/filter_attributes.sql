-- The documents with an attribute of one name of which something holds. Braces take parameters and fixed text.
(doc_key in (select doc_key from document_values where part = 'attributes' and name = {name} and {inside}))
