import { act, screen } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { mockHost } from "../host/mock";
import { show } from "../test/show";
import { Heard } from "./heard";
import { useOperation } from "./hooks";
import { useHeldRows, useRow } from "./lists";
import { LiveContext } from "./live";
import type { Operation } from "./types";

const host = () => mockHost({ archive: 0 });

function Sentence({ row, readAt }: { row: Operation; readAt: number }) {
  return <p>{useRow(row, readAt).sentence}</p>;
}

/** A row that comes into sight when it is asked to. */
function OutOfSight(props: { row: Operation; readAt: number }) {
  const [seen, setSeen] = useState(false);
  return seen ? (
    <Sentence {...props} />
  ) : (
    <button type="button" onClick={() => setSeen(true)}>
      {"see"}
    </button>
  );
}

function showRow(heard: Heard, readAt: number) {
  const engine = host();
  const row = engine.operations[0] as Operation;
  engine.operations[0] = { ...row, sentence: "as it is now" };
  show(
    <LiveContext value={{ link: "live", lastAt: null, heard }}>
      <OutOfSight row={{ ...row, sentence: "as the page had it" }} readAt={readAt} />
    </LiveContext>,
    engine,
  );
  return engine;
}

const see = () => act(() => screen.getByRole("button").click());

describe("a row that comes into sight", () => {
  it("is as its page had it while nothing changed", async () => {
    const engine = showRow(new Heard(), 1000);
    see();
    await screen.findByText("as the page had it");
    expect(engine.calls).toEqual([]);
  });

  it("is read again when the stream named it since", async () => {
    const heard = new Heard();
    const engine = showRow(heard, 1000);
    heard.hear([(engine.operations[0] as Operation).operation_id], 1001);
    see();
    await screen.findByText("as it is now");
  });

  it("is read again when changes may have been missed since", async () => {
    const heard = new Heard();
    showRow(heard, 1000);
    heard.miss(1001);
    see();
    await screen.findByText("as it is now");
  });
});

function Peeked({ operationId }: { operationId: string }) {
  const { data } = useOperation(operationId);
  const held = useHeldRows({});
  return (
    <>
      <p>{data?.sentence}</p>
      <i>{held.isSuccess ? "held" : "on the way"}</i>
    </>
  );
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a page of rows", () => {
  it("takes no request back to an older state", async () => {
    const engine = host();
    const call = engine.call.bind(engine);
    const [row] = engine.operations as [Operation];
    engine.call = async (method, path) => {
      const page = path.startsWith("/api/v1/operations?");
      if (!page) await pause(20);
      const reply = await call(method, path);
      if (page) {
        engine.operations[0] = { ...row, version: row.version + 1, sentence: "as it is now" };
        await pause(60);
      }
      return reply;
    };
    show(<Peeked operationId={row.operation_id} />, engine);
    await screen.findByText("as it is now");
    await screen.findByText("held");
    expect(screen.getByText("as it is now")).toBeTruthy();
  });

  it("brings the request as it is now to where it is shown", async () => {
    const engine = host();
    const call = engine.call.bind(engine);
    const [row] = engine.operations as [Operation];
    engine.call = async (method, path) => {
      const page = path.startsWith("/api/v1/operations?");
      if (page) {
        await pause(40);
        engine.operations[0] = { ...row, version: row.version + 1, sentence: "as it is now" };
      }
      return call(method, path);
    };
    show(<Peeked operationId={row.operation_id} />, engine);
    await screen.findByText(row.sentence);
    await screen.findByText("as it is now");
  });
});
