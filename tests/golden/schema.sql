CREATE SEQUENCE changes INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START 1 NO CYCLE;

CREATE SEQUENCE claim_row_ids INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START 1 NO CYCLE;

CREATE SEQUENCE document_field_numbers INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START 1 NO CYCLE;

CREATE SEQUENCE document_keys INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START 1 NO CYCLE;

CREATE SEQUENCE judgement_seqs INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START 1 NO CYCLE;

CREATE SEQUENCE postings_seq INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START 1 NO CYCLE;

CREATE SEQUENCE run_seqs INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START 1 NO CYCLE;

CREATE TABLE active_context_items(
    ac_id VARCHAR,
    claim_id VARCHAR,
    rank INTEGER NOT NULL,
    score DOUBLE NOT NULL,
    reason VARCHAR,
    PRIMARY KEY(ac_id, claim_id));

CREATE TABLE active_contexts(
    id VARCHAR PRIMARY KEY,
    span VARCHAR,
    "scope" VARCHAR NOT NULL,
    provenance JSON,
    policy_version VARCHAR NOT NULL,
    boundary JSON NOT NULL,
    query_digest VARCHAR NOT NULL,
    created_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL);

CREATE TABLE audit(
    id VARCHAR NOT NULL,
    ts TIMESTAMP NOT NULL,
    request_id VARCHAR NOT NULL,
    who VARCHAR,
    tool VARCHAR NOT NULL,
    scopes JSON NOT NULL,
    classes JSON NOT NULL,
    policy_version VARCHAR NOT NULL,
    decision VARCHAR NOT NULL,
    reason VARCHAR,
    counts JSON NOT NULL,
    digests JSON NOT NULL);

CREATE TABLE claim_aliases(
    id VARCHAR NOT NULL,
    claim_id VARCHAR NOT NULL,
    created_at TIMESTAMP NOT NULL);

CREATE TABLE claim_entities(
    claim_id VARCHAR,
    entity_id VARCHAR,
    PRIMARY KEY(claim_id, entity_id));

CREATE TABLE claims(
    row_id BIGINT PRIMARY KEY,
    id VARCHAR NOT NULL UNIQUE,
    "text" VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    "scope" VARCHAR NOT NULL,
    boundary_class VARCHAR NOT NULL,
    quality DOUBLE NOT NULL,
    confidence DOUBLE NOT NULL,
    utility DOUBLE NOT NULL,
    content_hash VARCHAR NOT NULL,
    near_key VARCHAR NOT NULL,
    origin_observation_id VARCHAR,
    derived_from JSON NOT NULL,
    tags JSON NOT NULL,
    status VARCHAR NOT NULL,
    superseded_by VARCHAR,
    contains_pii BOOLEAN NOT NULL,
    contains_secret BOOLEAN NOT NULL,
    breaking_change BOOLEAN NOT NULL,
    text_length INTEGER NOT NULL,
    token_count INTEGER NOT NULL,
    validated_under VARCHAR,
    created_at TIMESTAMP NOT NULL,
    updated_at TIMESTAMP NOT NULL,
    recency_anchor TIMESTAMP NOT NULL,
    decayed_at TIMESTAMP NOT NULL,
    retrieval_count BIGINT DEFAULT(0) NOT NULL,
    last_retrieved_at TIMESTAMP,
    changed BIGINT,
    saying BIGINT,
    stream UBIGINT,
    said_by VARCHAR,
    said_at TIMESTAMP,
    embedded UBIGINT,
    marks UTINYINT,
    twin BIGINT,
    CHECK((confidence BETWEEN 0 AND 1)));

CREATE TABLE document_codes(
    doc_key BIGINT NOT NULL,
    taxonomy VARCHAR NOT NULL,
    code VARCHAR NOT NULL);

CREATE TABLE document_field_names(
    field_no USMALLINT PRIMARY KEY,
    "name" VARCHAR NOT NULL UNIQUE);

CREATE TABLE document_fields(
    doc_key BIGINT NOT NULL,
    field_no USMALLINT NOT NULL,
    "text" VARCHAR NOT NULL,
    length UINTEGER NOT NULL);

CREATE TABLE document_ids(
    doc_key BIGINT NOT NULL,
    "type" VARCHAR NOT NULL,
    "value" VARCHAR NOT NULL);

CREATE TABLE document_postings(
    field_no USMALLINT NOT NULL,
    term_hash UBIGINT NOT NULL,
    doc_key BIGINT NOT NULL,
    tf USMALLINT NOT NULL,
    dl UINTEGER NOT NULL);

CREATE TABLE document_values(
    doc_key BIGINT NOT NULL,
    part VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    "text" VARCHAR,
    number DOUBLE);

CREATE TABLE documents(
    doc_key BIGINT PRIMARY KEY,
    id VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    "scope" VARCHAR NOT NULL,
    boundary_class VARCHAR NOT NULL,
    dates JSON NOT NULL,
    attributes JSON NOT NULL,
    digest VARCHAR NOT NULL,
    contains_pii BOOLEAN NOT NULL,
    contains_secret BOOLEAN NOT NULL,
    breaking_change BOOLEAN NOT NULL,
    text_length INTEGER NOT NULL,
    embedded UBIGINT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    updated_at TIMESTAMP NOT NULL,
    recency_anchor TIMESTAMP NOT NULL,
    changed BIGINT NOT NULL);

CREATE TABLE embedding_cache(
    model_id VARCHAR,
    "version" VARCHAR,
    text_key VARCHAR,
    embedding FLOAT[] NOT NULL,
    created_at TIMESTAMP NOT NULL,
    PRIMARY KEY(model_id, "version", text_key));

CREATE TABLE entities(
    id VARCHAR PRIMARY KEY,
    "type" VARCHAR NOT NULL,
    "name" VARCHAR NOT NULL,
    canonical_key VARCHAR NOT NULL,
    attrs JSON,
    created_at TIMESTAMP NOT NULL);

CREATE TABLE erasures(
    id VARCHAR NOT NULL,
    subject VARCHAR NOT NULL,
    subject_id VARCHAR NOT NULL,
    digest VARCHAR NOT NULL,
    why VARCHAR NOT NULL,
    erased_at TIMESTAMP NOT NULL);

CREATE TABLE events(
    id VARCHAR PRIMARY KEY,
    ts TIMESTAMP NOT NULL,
    topic VARCHAR NOT NULL,
    payload JSON NOT NULL,
    request_id VARCHAR,
    trace_id VARCHAR);

CREATE TABLE evidence(
    id VARCHAR PRIMARY KEY,
    claim_id VARCHAR NOT NULL,
    observation_id VARCHAR,
    "method" VARCHAR NOT NULL,
    note VARCHAR,
    source_type VARCHAR,
    source_id VARCHAR,
    snippet VARCHAR,
    provenance JSON,
    created_at TIMESTAMP);

CREATE TABLE feedback(
    id VARCHAR NOT NULL,
    claim_id VARCHAR NOT NULL,
    signal VARCHAR NOT NULL,
    score DOUBLE,
    duplicate_of VARCHAR,
    given_at TIMESTAMP NOT NULL,
    outcome JSON NOT NULL,
    used_under VARCHAR);

CREATE TABLE idempotency(
    key_digest VARCHAR PRIMARY KEY,
    observation_id VARCHAR NOT NULL,
    outcome JSON NOT NULL,
    created_at TIMESTAMP NOT NULL);

CREATE TABLE judgements(
    seq BIGINT NOT NULL,
    id VARCHAR NOT NULL,
    claim_id VARCHAR NOT NULL,
    judge VARCHAR,
    score DOUBLE,
    previous_score DOUBLE,
    score_direction VARCHAR NOT NULL,
    noise_threshold DOUBLE NOT NULL,
    counted BOOLEAN NOT NULL,
    given_at TIMESTAMP NOT NULL,
    outcome JSON NOT NULL,
    used_under VARCHAR);

CREATE TABLE meta(
    "key" VARCHAR PRIMARY KEY,
    "value" VARCHAR NOT NULL);

CREATE TABLE observations(
    id VARCHAR PRIMARY KEY,
    source_type VARCHAR NOT NULL,
    source_id VARCHAR,
    "content" VARCHAR,
    actor VARCHAR,
    tags JSON,
    boundary_class VARCHAR NOT NULL,
    content_digest VARCHAR NOT NULL,
    content_length BIGINT NOT NULL,
    store_mode VARCHAR NOT NULL,
    provenance JSON,
    observed_at TIMESTAMP NOT NULL,
    created_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP);

CREATE TABLE policies(
    seq BIGINT NOT NULL,
    "version" VARCHAR PRIMARY KEY,
    yaml VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    applied_at TIMESTAMP NOT NULL,
    approver VARCHAR,
    bases JSON);

CREATE TABLE policy_history(
    seq BIGINT NOT NULL,
    "version" VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    approver VARCHAR,
    "action" VARCHAR NOT NULL,
    applied_at TIMESTAMP NOT NULL);

CREATE TABLE postings(
    corpus UTINYINT NOT NULL,
    term_hash UBIGINT NOT NULL,
    row_id BIGINT NOT NULL,
    tf USMALLINT NOT NULL,
    dl UINTEGER NOT NULL);

CREATE TABLE postings_delta(
    seq BIGINT NOT NULL,
    corpus UTINYINT NOT NULL,
    term_hash UBIGINT NOT NULL,
    row_id BIGINT NOT NULL,
    tf USMALLINT NOT NULL,
    dl UINTEGER NOT NULL);

CREATE TABLE postings_erased(
    seq BIGINT NOT NULL,
    corpus UTINYINT NOT NULL,
    row_id BIGINT NOT NULL);

CREATE TABLE postings_rebuilt(
    corpus UTINYINT NOT NULL,
    term_hash UBIGINT NOT NULL,
    row_id BIGINT NOT NULL,
    tf USMALLINT NOT NULL,
    dl UINTEGER NOT NULL);

CREATE TABLE rejected_sources(
    review_id VARCHAR NOT NULL,
    "source" VARCHAR NOT NULL);

CREATE TABLE relations(
    id VARCHAR PRIMARY KEY,
    src_id VARCHAR NOT NULL,
    dst_id VARCHAR NOT NULL,
    "type" VARCHAR NOT NULL,
    props JSON,
    evidence_claim_id VARCHAR,
    created_at TIMESTAMP NOT NULL);

CREATE TABLE reviews(
    id VARCHAR PRIMARY KEY,
    claim_id VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    "scope" VARCHAR NOT NULL,
    boundary_class VARCHAR NOT NULL,
    policy_version VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    requested_at TIMESTAMP NOT NULL,
    deadline TIMESTAMP NOT NULL,
    reviewer VARCHAR,
    note VARCHAR,
    decided_at TIMESTAMP);

CREATE TABLE run_docs(
    run_seq BIGINT NOT NULL,
    place INTEGER NOT NULL,
    "key" BIGINT NOT NULL,
    score DOUBLE NOT NULL);

CREATE TABLE run_foreign(
    run_seq BIGINT NOT NULL,
    "key" BIGINT NOT NULL,
    "source" VARCHAR NOT NULL,
    doc_id VARCHAR NOT NULL,
    metadata JSON NOT NULL);

CREATE TABLE runs(
    seq BIGINT NOT NULL,
    run_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    lane VARCHAR,
    lane_name VARCHAR,
    "source" VARCHAR,
    query VARCHAR,
    params JSON NOT NULL,
    recipe JSON,
    metrics JSON,
    parent VARCHAR,
    history JSON NOT NULL,
    boundary JSON NOT NULL,
    policy_version VARCHAR NOT NULL,
    made_by VARCHAR,
    documents BIGINT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL);

CREATE TABLE schema_migrations(
    "version" INTEGER PRIMARY KEY,
    "name" VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    applied_at TIMESTAMP NOT NULL);

CREATE TABLE support(
    evidence_id VARCHAR NOT NULL,
    tags JSON NOT NULL,
    entities JSON NOT NULL);

CREATE TABLE vector_spaces(
    generation INTEGER PRIMARY KEY,
    model_id VARCHAR NOT NULL,
    "version" VARCHAR NOT NULL,
    dimension INTEGER NOT NULL,
    status VARCHAR NOT NULL,
    created_at TIMESTAMP NOT NULL);

CREATE INDEX claim_alias_ids ON claim_aliases(
    id);

CREATE INDEX claim_content_hashes ON claims(
    content_hash);

CREATE INDEX claim_near_keys ON claims(
    near_key);

CREATE INDEX document_ids_by_value ON document_ids(
    "value");

CREATE INDEX documents_by_id ON documents(
    id);

CREATE INDEX evidence_claim_ids ON evidence(
    claim_id);

CREATE INDEX feedback_ids ON feedback(
    id);

CREATE INDEX judgement_ids ON judgements(
    id);

CREATE INDEX judgements_by_claim ON judgements(
    claim_id);

CREATE INDEX support_by_evidence ON support(
    evidence_id);
