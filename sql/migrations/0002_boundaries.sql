-- Who put a policy in force and what it rests on; the review queue; the audit trail; what was erased.

alter table policies add column approver varchar;
alter table policies add column bases json;           -- the texts it extends, by name

create table policy_history (
    seq         bigint not null,                      -- the order in which policies were in force
    version     varchar not null,
    sha256      varchar not null,
    approver    varchar,
    action      varchar not null,                     -- apply or downgrade
    applied_at  timestamp not null
);

insert into policy_history
select seq, version, sha256, null, 'apply', applied_at from policies;

create table reviews (
    id              varchar primary key,
    claim_id        varchar not null,
    reason          varchar not null,
    scope           varchar not null,
    boundary_class  varchar not null,
    policy_version  varchar not null,
    status          varchar not null,                 -- pending, approved or rejected
    requested_at    timestamp not null,
    deadline        timestamp not null,
    reviewer        varchar,
    note            varchar,
    decided_at      timestamp
);

create table audit (
    id              varchar not null,
    ts              timestamp not null,
    request_id      varchar not null,
    who             varchar,                          -- the boundary's actor, a reviewer or approver
    tool            varchar not null,                 -- the operation
    scopes          json not null,
    classes         json not null,
    policy_version  varchar not null,
    decision        varchar not null,                 -- allowed, redacted, queued or denied
    reason          varchar,
    counts          json not null,
    digests         json not null                     -- hmac under the file's key
);

create table erasures (
    id           varchar not null,
    subject      varchar not null,                    -- claim or observation
    subject_id   varchar not null,
    digest       varchar not null,                    -- hmac of the text under the file's key
    why          varchar not null,                    -- forgotten, expired or rejected
    erased_at    timestamp not null
);
