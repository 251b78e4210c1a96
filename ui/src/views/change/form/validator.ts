import {
  type ErrorSchema,
  ErrorSchemaBuilder,
  type FormContextType,
  type RJSFSchema,
  type RJSFValidationError,
  type ValidatorType,
} from "@rjsf/utils";
import type { TFunction } from "i18next";
import { type Fault, findFaults, fits } from "./faults";

/** The values of a form, as RJSF sees them. */
export type Values = { [key: string]: unknown };

/** What the templates and widgets know of the form around them. */
export interface FormNeeds extends FormContextType {
  /** Whether the faults of an empty field are shown already: it was left, or a submission was tried. */
  wasLeft: (id: string) => boolean;
}

/** Places faults as RJSF wants them. */
export function placeFaults(faults: readonly Fault[]): ErrorSchema<Values> {
  const builder = new ErrorSchemaBuilder<Values>();
  for (const { pointer, message } of faults) builder.addErrors(message, partsOf(pointer));
  return builder.ErrorSchema;
}

/** The parts of a JSON Pointer. */
function partsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));
}

function asError({ pointer, message }: Fault): RJSFValidationError {
  return { property: partsOf(pointer).join("."), message, stack: message };
}

/** RJSF's validator on an interpreter of JSON Schema: the content policy of the desktop forbids evaluating text as code. */
export function makeValidator(say: TFunction<"form">): ValidatorType<Values, RJSFSchema, FormNeeds> {
  const check = (schema: RJSFSchema, values: Values | undefined) => findFaults(schema, values, say);
  return {
    validateFormData(values, schema) {
      const faults = check(schema, values);
      return { errors: faults.map(asError), errorSchema: placeFaults(faults) };
    },
    isValid: (schema, values, root) => fits(schema, values, root),
    rawValidation<Result>(schema: RJSFSchema, values?: Values) {
      return { errors: check(schema, values) as Result[] };
    },
  };
}
