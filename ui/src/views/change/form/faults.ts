import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { TFunction } from "i18next";

/** One thing wrong with the values: where, as a JSON Pointer into them, and in words. */
export interface Fault {
  pointer: string;
  message: string;
  /** The field is empty and must not be. */
  missing?: boolean;
}

type Say = TFunction<"form">;

/** These only say that something inside of them is wrong, and that is said by itself. */
const WRAPPERS = new Set([
  "properties",
  "patternProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "if",
  "allOf",
  "$ref",
  "$recursiveRef",
  "dependentSchemas",
  "propertyNames",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
]);
const COUNTED = [
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
] as const;
const PLAIN = ["uniqueItems", "contains", "dependentRequired", "oneOf", "anyOf", "not"] as const;
const TYPES = ["string", "integer", "number", "boolean", "array", "object", "null"] as const;

const validators = new WeakMap<object, Validator>();

function validatorOf(schema: object): Validator {
  const known = validators.get(schema);
  if (known) return known;
  const made = new Validator(schema as Schema, "2020-12", false);
  validators.set(schema, made);
  return made;
}

/** Checks values against a JSON Schema without evaluating generated code; the first fault of each field comes first. */
export function findFaults(schema: object, values: unknown, say: Say): Fault[] {
  const { errors } = validatorOf(schema).validate(values ?? {});
  const said = errors.filter((unit) => !WRAPPERS.has(unit.keyword) && !insideOfAlternative(unit, errors));
  const faults = said
    .filter((unit) => !isOnlyUnevaluated(unit, said))
    .map((unit) => ({
      pointer: pointerOf(unit),
      message: messageOf(unit, schema, say),
      ...(unit.keyword === "required" ? { missing: true } : {}),
    }));
  return faults.filter(
    (fault, index) => faults.findIndex((f) => f.pointer === fault.pointer && f.message === fault.message) === index,
  );
}

/** Whether values fit a part of a schema; a part that cannot be read fits nothing. */
export function fits(schema: unknown, values: unknown, root: { [key: string]: unknown }): boolean {
  if (typeof schema === "boolean") return schema;
  const defs = { $defs: root.$defs, definitions: root.definitions };
  try {
    return new Validator({ ...defs, ...(schema as Schema) }, "2020-12", true).validate(values).valid;
  } catch {
    return false;
  }
}

/** What is wrong inside of one alternative says nothing: the alternatives as a whole have their own fault. */
function insideOfAlternative(unit: OutputUnit, all: OutputUnit[]): boolean {
  return all.some(
    (outer) =>
      (outer.keyword === "oneOf" || outer.keyword === "anyOf") &&
      unit !== outer &&
      unit.keywordLocation.startsWith(`${outer.keywordLocation}/`),
  );
}

/** A field with a fault of its own also counts as not evaluated, and so as unknown: the fault of its own is the one to say. */
function isOnlyUnevaluated(unit: OutputUnit, said: OutputUnit[]): boolean {
  if (unit.keyword !== "false") return false;
  const at = pointerOf(unit);
  return said.some(
    (other) => other.keyword !== "false" && (pointerOf(other) === at || pointerOf(other).startsWith(`${at}/`)),
  );
}

const missingIn = (error: string) => /required property "(.*)"\.$/.exec(error)?.[1];

function pointerOf(unit: OutputUnit): string {
  const at = decodeURI(unit.instanceLocation).replace(/^#/, "");
  const missing = unit.keyword === "required" ? missingIn(unit.error) : undefined;
  return missing === undefined ? at : `${at}/${missing.replace(/~/g, "~0").replace(/\//g, "~1")}`;
}

function messageOf(unit: OutputUnit, schema: object, say: Say): string {
  const value = valueAt(schema, unit.keywordLocation);
  const counted = COUNTED.find((keyword) => keyword === unit.keyword);
  if (counted) return say(`errors.${counted}`, { n: String(value) });
  const plain = PLAIN.find((keyword) => keyword === unit.keyword);
  if (plain) return say(`errors.${plain}`);
  switch (unit.keyword) {
    case "required":
      return say("errors.required");
    case "type":
      return say("errors.type", { type: typeWords(value, say) });
    case "enum":
      return say("errors.enum", { values: Array.isArray(value) ? value.map(String).join(", ") : String(value) });
    case "const":
      return say("errors.const", { value: JSON.stringify(value) });
    case "pattern":
      return say("errors.pattern", { pattern: String(value) });
    case "format":
      return say("errors.format", { format: String(value) });
    case "false":
      return say("errors.additional");
    default:
      return unit.error;
  }
}

function typeWords(value: unknown, say: Say): string {
  const names = Array.isArray(value) ? value : [value];
  return names
    .map((name) => {
      const known = TYPES.find((type) => type === name);
      return known ? say(`types.${known}`) : String(name);
    })
    .join(" / ");
}

/** The value of a keyword, found by the way that the validator went; a `$ref` on that way is followed. */
function valueAt(root: object, location: string): unknown {
  let here: unknown = root;
  for (const raw of location.replace(/^#\/?/, "").split("/")) {
    const part = decodeURIComponent(raw).replace(/~1/g, "/").replace(/~0/g, "~");
    if (here === null || typeof here !== "object") return undefined;
    here = (here as { [key: string]: unknown })[part];
    if (part === "$ref" && typeof here === "string" && here.startsWith("#")) here = valueAt(root, here);
  }
  return here;
}
