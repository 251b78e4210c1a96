import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  FieldErrorProps,
  FieldTemplateProps,
  MultiSchemaFieldTemplateProps,
  ObjectFieldTemplateProps,
  RJSFSchema,
} from "@rjsf/utils";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../parts/Icon";
import { OutlookShape } from "../../../parts/OutlookMark";
import type { FormNeeds, Values } from "./validator";

type Of<P> = P & { schema: RJSFSchema };
const LONG_TEXT = 120;

/** Groups, lists and long texts take the whole width; the rest stands in two columns. */
function isWide(schema: RJSFSchema, ui: { [key: string]: unknown } | undefined): boolean {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const long = type === "string" && (schema.maxLength ?? 0) > LONG_TEXT;
  return (
    type === "object" ||
    type === "array" ||
    long ||
    Boolean(schema.oneOf ?? schema.anyOf) ||
    ui?.["ui:widget"] === "textarea"
  );
}

/** One field: its name, the input, and under it what is wrong or else what it means. */
export function FieldTemplate(props: Of<FieldTemplateProps<Values, RJSFSchema, FormNeeds>>) {
  const { t } = useTranslation("form");
  const { id, label, required, displayLabel, hidden, rawDescription, schema, uiSchema, children, errors } = props;
  if (hidden) return <div hidden>{children}</div>;
  const isGroup = schema.type === "object" || schema.type === "array";
  const named = displayLabel || schema.type === "boolean";
  if (id === "root") return <>{children}</>;
  return (
    <div className={`field${isWide(schema, uiSchema) ? " w2" : ""}`}>
      {named && !isGroup && label !== "" && (
        <label htmlFor={id} id={`${id}-label`}>
          {label}
          {!required && schema.type !== "boolean" && <span className="opt">{t("optional")}</span>}
        </label>
      )}
      {children}
      {errors}
      {rawDescription && !isGroup && (
        <p className="help" id={`${id}__description`}>
          {rawDescription}
        </p>
      )}
    </div>
  );
}

/** Faults of a group or list as a whole; a single input says its own. */
export function FieldErrorTemplate({ errors, schema }: FieldErrorProps<Values, RJSFSchema, FormNeeds>) {
  if (!errors || errors.length === 0) return null;
  const isGroup = schema.type === "object" || schema.type === "array" || schema.oneOf || schema.anyOf;
  if (!isGroup) return null;
  return (
    <>
      {errors.map((error) => (
        <p key={String(error)} className="err" role="alert">
          <OutlookShape outlook="failed" />
          {error}
        </p>
      ))}
    </>
  );
}

/** A group of fields under its name; the outermost one is the form itself, one in a list is a line. */
export function ObjectFieldTemplate(props: ObjectFieldTemplateProps<Values, RJSFSchema, FormNeeds>) {
  const { fieldPathId, title, description, properties } = props;
  const path = fieldPathId.path;
  const inList = typeof path.at(-1) === "number";
  const cells = properties.filter((property) => !property.hidden).map((property) => property.content);
  if (path.length === 0) return <div className="form">{cells}</div>;
  if (inList) return <div className="line-fields">{cells}</div>;
  return (
    <fieldset className="group" id={fieldPathId.$id}>
      <legend className="fs">
        <span className="fs-name">{title}</span>
        <span className="mono muted">{path.join(".")}</span>
      </legend>
      {description && <p className="help">{description}</p>}
      <div className="form inner">{cells}</div>
    </fieldset>
  );
}

/** A list of entries, each in its own line, with the count and its limit. */
export function ArrayFieldTemplate(props: ArrayFieldTemplateProps<Values[], RJSFSchema, FormNeeds>) {
  const { t } = useTranslation("form");
  const { fieldPathId, title, items, canAdd, onAddClick, schema, disabled, readonly } = props;
  const n = items.length;
  const entry = typeof schema.items === "object" && !Array.isArray(schema.items) ? schema.items.title : undefined;
  return (
    <fieldset className="group" id={fieldPathId.$id}>
      <legend className="fs">
        <span className="fs-name">{title}</span>
        <span className="mono muted">{`${fieldPathId.path.join(".")}[ ]`}</span>
        <span className="end muted fs-count">
          {schema.maxItems === undefined ? t("entries", { n }) : t("entriesMax", { n, max: schema.maxItems })}
        </span>
      </legend>
      {schema.description && <p className="help">{schema.description}</p>}
      <div className="arr-t">
        {items}
        {canAdd && (
          <div className="ar-add">
            <button type="button" className="btn ghost" disabled={disabled || readonly} onClick={() => onAddClick()}>
              <Icon name="plus" />
              {entry ? t("add", { name: entry }) : t("addPlain")}
            </button>
          </div>
        )}
      </div>
    </fieldset>
  );
}

export function ArrayFieldItemTemplate(props: ArrayFieldItemTemplateProps<Values[], RJSFSchema, FormNeeds>) {
  const { t } = useTranslation("form");
  const { children, buttonsProps, index } = props;
  const n = index + 1;
  return (
    <div className="ar-item">
      <span className="muted num">{n}</span>
      <div className="ar-body">{children}</div>
      <span className="ar-tools">
        {buttonsProps.hasMoveUp && (
          <button
            type="button"
            className="btn ghost icon"
            aria-label={t("up", { n })}
            onClick={buttonsProps.onMoveUpItem}
          >
            <Icon name="up" />
          </button>
        )}
        {buttonsProps.hasMoveDown && (
          <button
            type="button"
            className="btn ghost icon"
            aria-label={t("down", { n })}
            onClick={buttonsProps.onMoveDownItem}
          >
            <Icon name="down" />
          </button>
        )}
        {buttonsProps.hasRemove && (
          <button
            type="button"
            className="btn ghost icon"
            aria-label={t("remove", { n })}
            onClick={buttonsProps.onRemoveItem}
          >
            <Icon name="x" />
          </button>
        )}
      </span>
    </div>
  );
}

/** Alternatives: which one, then its fields. */
export function MultiSchemaFieldTemplate(props: MultiSchemaFieldTemplateProps<Values, RJSFSchema, FormNeeds>) {
  return (
    <div className="alternatives">
      {props.selector}
      {props.optionSchemaField}
    </div>
  );
}
