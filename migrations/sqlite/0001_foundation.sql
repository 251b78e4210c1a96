-- Why: the whole truth about every request lives here, so that any process that opens this file knows where each one
-- stands and why. What the database can forbid, it forbids. Times are milliseconds since 1970 in UTC.

CREATE TABLE operation (
    operation_id    TEXT PRIMARY KEY,
    kind            TEXT NOT NULL,
    workflow        TEXT NOT NULL,
    subject_id      TEXT NOT NULL,
    target_key      TEXT NOT NULL,
    flow_order      TEXT NOT NULL CHECK (flow_order IN ('approval-first', 'mr-first')),
    step            INTEGER NOT NULL,
    status          TEXT NOT NULL,
    outlook         TEXT NOT NULL CHECK (outlook IN ('running', 'waiting', 'unknown', 'failed', 'done')),
    -- counts what people must know of before they act; what they saw is compared with it
    version         INTEGER NOT NULL CHECK (version > 0),
    -- counts rows of history, those that moved nothing among them
    last_seq        INTEGER NOT NULL DEFAULT 1 CHECK (last_seq >= version),
    fields          TEXT NOT NULL CHECK (json_valid(fields)),
    comment         TEXT,
    requested_by    TEXT NOT NULL,
    idempotency_key TEXT,
    fingerprint     TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    entered_at      INTEGER NOT NULL,
    -- the schedule: who works on it and when it is looked at next
    due_at          INTEGER,
    look            INTEGER NOT NULL DEFAULT 0 CHECK (look >= 0),
    lease_owner     TEXT,
    lease_until     INTEGER,
    wish            TEXT CHECK (wish IN ('reconcile', 'read')),
    attempts        INTEGER NOT NULL DEFAULT 1,
    -- what the remotes know it as
    project         TEXT NOT NULL,
    project_id      INTEGER,
    mr_iid          INTEGER,
    ticket_id       TEXT,
    facts           TEXT NOT NULL CHECK (json_valid(facts)),
    error_class     TEXT,
    error_message   TEXT,
    error_at        INTEGER,
    CHECK ((lease_owner IS NULL) = (lease_until IS NULL)),
    CHECK ((error_class IS NULL) = (error_at IS NULL)),
    -- a running request always has somebody who will come for it
    CHECK (outlook <> 'running' OR due_at IS NOT NULL)
) STRICT;

CREATE UNIQUE INDEX operation_key ON operation (kind, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX operation_due ON operation (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX operation_newest ON operation (created_at DESC, operation_id DESC);
CREATE INDEX operation_step ON operation (step, created_at DESC);
CREATE INDEX operation_outlook ON operation (outlook, created_at DESC);
CREATE INDEX operation_mr ON operation (project, mr_iid) WHERE mr_iid IS NOT NULL;

-- The files as they were rendered for the requester.
CREATE TABLE rendered_file (
    operation_id TEXT NOT NULL REFERENCES operation (operation_id) DEFERRABLE INITIALLY DEFERRED,
    path         TEXT NOT NULL,
    action       TEXT NOT NULL CHECK (action IN ('create', 'update', 'delete')),
    before_text  TEXT,
    after_text   TEXT,
    diff         TEXT NOT NULL,
    PRIMARY KEY (operation_id, path)
) STRICT, WITHOUT ROWID;

-- One row for each subject-target relation; it points at the operation that owns it now.
CREATE TABLE binding (
    subject_id   TEXT NOT NULL,
    target_key   TEXT NOT NULL,
    operation_id TEXT NOT NULL UNIQUE REFERENCES operation (operation_id) DEFERRABLE INITIALLY DEFERRED,
    status       TEXT NOT NULL,
    updated_at   INTEGER NOT NULL,
    PRIMARY KEY (subject_id, target_key)
) STRICT;

-- Every move, and every act that moved nothing. version is the one the operation had after it.
CREATE TABLE history (
    operation_id TEXT NOT NULL REFERENCES operation (operation_id),
    seq          INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    event        TEXT NOT NULL,
    from_step    INTEGER,
    from_status  TEXT,
    to_step      INTEGER NOT NULL,
    to_status    TEXT NOT NULL,
    actor_kind   TEXT NOT NULL CHECK (actor_kind IN ('operator', 'system', 'approval', 'gitlab', 'deploy', 'sweep')),
    actor_name   TEXT NOT NULL,
    reason       TEXT CHECK (reason IS NULL OR json_valid(reason)),
    evidence     TEXT CHECK (evidence IN ('exact', 'watermark')),
    duration_ms  INTEGER,
    PRIMARY KEY (operation_id, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX history_step ON history (to_step);
CREATE INDEX history_left ON history (from_step, duration_ms) WHERE duration_ms IS NOT NULL;

CREATE TABLE diff (
    operation_id TEXT NOT NULL REFERENCES operation (operation_id),
    seq          INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    kind         TEXT NOT NULL CHECK (kind IN ('state', 'field')),
    actor_kind   TEXT NOT NULL,
    actor_name   TEXT NOT NULL,
    comment      TEXT,
    changes      TEXT NOT NULL CHECK (json_valid(changes)),
    PRIMARY KEY (operation_id, seq, kind)
) STRICT, WITHOUT ROWID;

-- Everything that came in from outside, applied or not. The first delivery of an id is the event; repeats are kept as such.
CREATE TABLE inbox (
    id           INTEGER PRIMARY KEY,
    source       TEXT NOT NULL CHECK (source IN ('approval', 'deploy', 'gitlab', 'platform')),
    delivery_id  TEXT NOT NULL,
    operation_id TEXT,
    received_at  INTEGER NOT NULL,
    verdict      TEXT NOT NULL CHECK (verdict IN
        ('applied', 'parked', 'duplicate', 'ignored_stale', 'ignored_foreign', 'rejected_signature')),
    reason       TEXT NOT NULL CHECK (json_valid(reason)),
    says         TEXT,
    body         TEXT NOT NULL CHECK (json_valid(body))
) STRICT;

CREATE UNIQUE INDEX inbox_delivery ON inbox (source, delivery_id) WHERE verdict <> 'duplicate';
CREATE INDEX inbox_operation ON inbox (operation_id, id);

-- Deliveries that were not authentic: nothing of them is kept but how many and why.
CREATE TABLE refused_delivery (
    source  TEXT NOT NULL,
    reason  TEXT NOT NULL,
    count   INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (source, reason)
) STRICT;

-- What the deploy pipeline said of each merge request, ours or not: the watermark is read from here.
CREATE TABLE deploy_mark (
    project TEXT NOT NULL,
    mr_iid  INTEGER NOT NULL,
    sha     TEXT,
    at      INTEGER NOT NULL,
    PRIMARY KEY (project, mr_iid)
) STRICT, WITHOUT ROWID;

-- What goes out after a commit: one row for each thing that changed, in the order of the commits.
CREATE TABLE outbox (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    topic        TEXT NOT NULL,
    operation_id TEXT NOT NULL,
    history_seq  INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    step         INTEGER NOT NULL,
    status       TEXT NOT NULL,
    at           INTEGER NOT NULL,
    UNIQUE (operation_id, history_seq, topic)
) STRICT;

-- The journal of remote calls: a write stands here before it is sent.
CREATE TABLE remote_call (
    id           INTEGER PRIMARY KEY,
    operation_id TEXT NOT NULL REFERENCES operation (operation_id),
    version      INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    remote       TEXT NOT NULL,
    account      TEXT NOT NULL,
    method       TEXT NOT NULL,
    path         TEXT NOT NULL,
    effect       TEXT NOT NULL CHECK (effect IN ('read', 'write')),
    attempt      INTEGER NOT NULL,
    detail       TEXT,
    outcome      TEXT NOT NULL CHECK (outcome IN ('intended', 'answered', 'refused', 'no_answer')),
    http_status  INTEGER,
    duration_ms  INTEGER,
    error_class  TEXT,
    error        TEXT,
    request_id   TEXT
) STRICT;

CREATE INDEX remote_call_operation ON remote_call (operation_id, id);

-- Work that may be retried by a person or a job (workflow.md, section 8).
CREATE TABLE compensation (
    code            TEXT PRIMARY KEY,
    kind            TEXT NOT NULL,
    operation_id    TEXT NOT NULL REFERENCES operation (operation_id),
    step            INTEGER NOT NULL,
    idempotency_key TEXT NOT NULL UNIQUE,
    retry_count     INTEGER NOT NULL DEFAULT 0,
    max_retries     INTEGER NOT NULL,
    error_class     TEXT,
    error_message   TEXT,
    effect          TEXT NOT NULL DEFAULT 'unknown' CHECK (effect IN ('none', 'applied', 'unknown')),
    status          TEXT NOT NULL CHECK (status IN
        ('INIT', 'PROCESSING', 'SUCCESS', 'FAIL', 'WAIT_COMPENSATE', 'IGNORED', 'FINAL_FAIL')),
    content         TEXT NOT NULL CHECK (json_valid(content)),
    reason          TEXT,
    due_at          INTEGER,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL
) STRICT;

CREATE INDEX compensation_due ON compensation (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE timer (
    name   TEXT PRIMARY KEY,
    due_at INTEGER NOT NULL
) STRICT;

-- Switches that were turned while running; they win over the settings file.
CREATE TABLE setting (
    name       TEXT PRIMARY KEY,
    value      TEXT NOT NULL CHECK (json_valid(value)),
    updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE setting_change (
    seq        INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    actor_name TEXT NOT NULL,
    changes    TEXT NOT NULL CHECK (json_valid(changes))
) STRICT;

-- Text search over ids, subject, target, fields, MR and messages, in any language.
CREATE VIRTUAL TABLE operation_text USING fts5 (operation_id UNINDEXED, text, tokenize = 'trigram');

-- A history row, once written, stays as it is.
CREATE TRIGGER history_is_kept BEFORE UPDATE ON history
BEGIN SELECT RAISE(ABORT, 'the history is never rewritten'); END;
CREATE TRIGGER history_is_not_deleted BEFORE DELETE ON history
BEGIN SELECT RAISE(ABORT, 'the history is never deleted'); END;

-- A step never moves without a new version.
CREATE TRIGGER operation_version BEFORE UPDATE OF step, version ON operation
WHEN NEW.version < OLD.version OR (NEW.step <> OLD.step AND NEW.version = OLD.version)
BEGIN SELECT RAISE(ABORT, 'a step moves only together with its version'); END;
