import i18next from "i18next";
import { describe, expect, it } from "vitest";
import { kinds } from "../../../host/mock/kinds";
import { findFaults, fits } from "./faults";

const say = () => i18next.getFixedT("en", "form");
const schema = kinds[0]?.schema ?? {};
const good = { service: "order", region: "eu-west-1", resource: "rps", limits: { rps: 10, burst: 20 } };
const faults = (values: unknown) => findFaults(schema, values, say()).map((f) => `${f.pointer}: ${f.message}`);

describe("the faults of a change", () => {
  it("are none when the values fit", () => {
    expect(faults(good)).toEqual([]);
  });

  it("name each missing field by its pointer", () => {
    expect(faults({ service: "order", region: "eu-west-1", limits: { rps: 1 } })).toEqual([
      "/resource: Needed",
      "/limits/burst: Needed",
    ]);
  });

  it("say the limit that was broken", () => {
    expect(faults({ ...good, limits: { rps: 10, burst: 12000 } })).toEqual(["/limits/burst: At most 9600"]);
    expect(faults({ ...good, service: "Order" })).toEqual(["/service: Must match ^[a-z][a-z0-9-]*$"]);
  });

  it("follow a condition", () => {
    expect(faults({ ...good, emergency: true })).toEqual(["/incident: Needed"]);
    expect(faults({ ...good, emergency: true, incident: "INC-1" })).toEqual([]);
  });

  it("tell a field that the kind does not know", () => {
    expect(faults({ ...good, extra: 1 })).toEqual(["/extra: Is not a field of this kind"]);
  });

  it("follow references", () => {
    const withRef = {
      type: "object",
      $defs: { n: { type: "integer", maximum: 5 } },
      properties: { a: { $ref: "#/$defs/n" } },
    };
    expect(findFaults(withRef, { a: 6 }, say())).toEqual([{ pointer: "/a", message: "At most 5" }]);
    expect(fits({ $ref: "#/$defs/n" }, 6, withRef)).toBe(false);
    expect(fits({ $ref: "#/$defs/n" }, 5, withRef)).toBe(true);
  });

  it("of alternatives are one", () => {
    const either = { type: "object", properties: { a: { oneOf: [{ type: "integer" }, { type: "boolean" }] } } };
    expect(findFaults(either, { a: "x" }, say())).toEqual([
      { pointer: "/a", message: "Must fit exactly one of the alternatives" },
    ]);
  });
});
