-- The documents with a code of one taxonomy of which something holds. Braces take parameters and fixed text.
(doc_key in (select doc_key from document_codes where taxonomy = {name} and {inside}))
