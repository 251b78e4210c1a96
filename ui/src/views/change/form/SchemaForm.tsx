import { withTheme } from "@rjsf/core";
import type { RJSFSchema, TemplatesType, UiSchema } from "@rjsf/utils";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Fields } from "../../../api/types";
import type { Fault } from "./faults";
import {
  ArrayFieldItemTemplate,
  ArrayFieldTemplate,
  FieldErrorTemplate,
  FieldTemplate,
  MultiSchemaFieldTemplate,
  ObjectFieldTemplate,
} from "./templates";
import { type FormNeeds, makeValidator, placeFaults, type Values } from "./validator";
import { BaseInputTemplate, mantineTemplates, widgets } from "./widgets";

const Nothing = () => null;

const Form = withTheme<Values, RJSFSchema, FormNeeds>({
  widgets,
  templates: {
    ...mantineTemplates,
    ArrayFieldItemTemplate,
    ArrayFieldTemplate,
    BaseInputTemplate,
    DescriptionFieldTemplate: Nothing,
    ErrorListTemplate: Nothing,
    FieldErrorTemplate,
    FieldTemplate,
    MultiSchemaFieldTemplate,
    ObjectFieldTemplate,
  } as unknown as Partial<TemplatesType<Values, RJSFSchema, FormNeeds>>,
});

const LONG_TEXT = 120;

/** Long texts get a text area, wherever they stand among the outermost fields. */
function layoutOf(schema: RJSFSchema): UiSchema<Values, RJSFSchema, FormNeeds> {
  const ui: UiSchema<Values, RJSFSchema, FormNeeds> = { "ui:submitButtonOptions": { norender: true } };
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    if (typeof part !== "boolean" && part.type === "string" && (part.maxLength ?? 0) > LONG_TEXT) {
      ui[name] = { "ui:widget": "textarea" };
    }
  }
  return ui;
}

interface Props {
  schema: RJSFSchema;
  values: Fields;
  /** Faults that the engine found; shown beside those found here. */
  refused: readonly Fault[];
  showAll: boolean;
  /** `byPerson` is false when the form itself fills in the schema's defaults. */
  onChange: (values: Fields, byPerson: boolean) => void;
  onSubmit: () => void;
}

/** The form that a kind's schema describes. */
export function SchemaForm({ schema, values, refused, showAll, onChange, onSubmit }: Props) {
  const { t, i18n } = useTranslation("form");
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  // biome-ignore lint/correctness/useExhaustiveDependencies: messages are made anew when the language changes
  const validator = useMemo(() => makeValidator(t), [i18n.language]);
  const layout = useMemo(() => layoutOf(schema), [schema]);
  const extra = useMemo(() => placeFaults(refused), [refused]);
  const needs = useMemo(() => ({ wasLeft: (id: string) => showAll || left.has(id) }), [showAll, left]);
  return (
    <Form
      tagName="div"
      schema={schema}
      uiSchema={layout}
      validator={validator}
      formData={values}
      formContext={needs}
      extraErrors={extra}
      liveValidate="onChange"
      showErrorList={false}
      noHtml5Validate
      onChange={({ formData }, id) => onChange((formData ?? {}) as Fields, id !== undefined)}
      onBlur={(id) => setLeft((before) => new Set(before).add(id))}
      onSubmit={onSubmit}
    />
  );
}
