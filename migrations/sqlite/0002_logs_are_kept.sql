-- Why: the log of moves and edits, what came in, and the requests themselves are evidence. Nothing in the program
-- rewrites or removes them, and from here on the database refuses it to everybody else as well.

-- REPLACE removes the old row without asking the triggers of DELETE.
CREATE TRIGGER history_is_not_replaced BEFORE INSERT ON history
WHEN EXISTS (SELECT 1 FROM history WHERE operation_id = NEW.operation_id AND seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the history is never rewritten'); END;

CREATE TRIGGER diff_is_kept BEFORE UPDATE ON diff
BEGIN SELECT RAISE(ABORT, 'the log of changes is never rewritten'); END;
CREATE TRIGGER diff_is_not_deleted BEFORE DELETE ON diff
BEGIN SELECT RAISE(ABORT, 'the log of changes is never deleted'); END;
CREATE TRIGGER diff_is_not_replaced BEFORE INSERT ON diff
WHEN EXISTS (SELECT 1 FROM diff WHERE operation_id = NEW.operation_id AND seq = NEW.seq AND kind = NEW.kind)
BEGIN SELECT RAISE(ABORT, 'the log of changes is never rewritten'); END;

CREATE TRIGGER inbox_is_not_deleted BEFORE DELETE ON inbox
BEGIN SELECT RAISE(ABORT, 'what came in is never thrown away'); END;

CREATE TRIGGER operation_is_not_deleted BEFORE DELETE ON operation
BEGIN SELECT RAISE(ABORT, 'a request is never deleted'); END;
