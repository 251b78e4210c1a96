-- Why: what every look at the list asks for is answered from an index alone. With 100,000 requests stored, the counts, how
-- many are one's own and how long a step usually takes read every row of two tables before, seconds for each look.

CREATE INDEX operation_count ON operation (status, step, outlook);
CREATE INDEX operation_requester ON operation (requested_by);
CREATE INDEX history_lately ON history (at, from_step, duration_ms) WHERE duration_ms IS NOT NULL;
