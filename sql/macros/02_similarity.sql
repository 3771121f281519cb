-- Cosine of two vectors, in [-1, 1].
create or replace macro cos_sim(a, b) as array_cosine_similarity(a, b);

-- What one term adds to BM25 (k1 = 1.2, b = 0.75): `length` and `mean_length` count terms.
create or replace macro bm25_term(idf, tf, length, mean_length) as
    idf * (tf * 2.2e0) / (tf + 1.2e0 * (0.25e0 + 0.75e0 * length / mean_length));

-- The weight of a term that `df` of `n` claims hold: log10, as DuckDB's own match_bm25 has it.
create or replace macro bm25_idf(n, df) as log10((n - df + 0.5e0) / (df + 0.5e0) + 1e0);
