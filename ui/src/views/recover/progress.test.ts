import { describe, expect, it } from "vitest";
import type { CallItem, HistoryItem } from "../../api/types";
import { baselineOf, isBlind, progressOf } from "./progress";

const call = (id: number, effect: "read" | "write") => ({ id, effect }) as CallItem;
const line = (seq: number, event: string, kind: HistoryItem["actor"]["kind"] = "system") =>
  ({ seq, event, actor: { kind, name: kind } }) as HistoryItem;

describe("how far an accepted act has come", () => {
  const baseline = baselineOf([call(4, "write")], [line(9, "approve_failed")]);

  it("counts only what is newer than the press", () => {
    expect(progressOf("resume", true, baseline, [call(4, "write")], [line(9, "approve_failed")])).toEqual({
      sent: null,
      observed: null,
    });
  });

  it("takes nothing for new where what stood there before was not read", () => {
    const unread = baselineOf(null, null);
    const progress = progressOf("resume", true, unread, [call(900, "write")], [line(900, "approved")]);
    expect(progress).toEqual({ sent: null, observed: null });
    expect(isBlind(unread)).toBe(true);
    expect(isBlind(baselineOf(null, []))).toBe(false);
  });

  it("does not take a read for a sent write, nor the press for its effect", () => {
    const history = [line(9, "approve_failed"), line(10, "resume", "operator")];
    expect(progressOf("resume", true, baseline, [call(5, "read")], history)).toEqual({ sent: null, observed: null });
  });

  it("takes a read for sent where nothing is to be written", () => {
    expect(progressOf("reconcile", false, baseline, [call(5, "read")], []).sent?.id).toBe(5);
    expect(progressOf("reconcile", false, baseline, [], [line(10, "reconciled")]).observed?.seq).toBe(10);
  });
});
