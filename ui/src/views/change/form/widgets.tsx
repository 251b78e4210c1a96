import { generateTheme } from "@rjsf/mantine";
import type { BaseInputTemplateProps, RJSFSchema, WidgetProps } from "@rjsf/utils";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import type { FormNeeds, Values } from "./validator";

type Widget = WidgetProps<Values, RJSFSchema, FormNeeds>;
const mantine = generateTheme<Values, RJSFSchema, FormNeeds>();

/** Faults are shown as one types; those of a field that is still empty only once it was left. */
function faultsToShow({ id, value, rawErrors, registry }: Widget): string[] {
  const isEmpty = value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  if (isEmpty && !registry.formContext.wasLeft(id)) return [];
  return rawErrors ?? [];
}

/** The name and the meaning stand outside, in the field's template. */
const bare = (props: Widget): Widget => ({ ...props, hideLabel: true, rawErrors: faultsToShow(props) });

function plain(name: keyof NonNullable<typeof mantine.widgets>): ComponentType<Widget> {
  const Inner = mantine.widgets?.[name] as ComponentType<Widget>;
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each widget, while the module loads
  return function PlainWidget(props: Widget) {
    return <Inner {...bare(props)} />;
  };
}

export function BaseInputTemplate(props: BaseInputTemplateProps<Values, RJSFSchema, FormNeeds>) {
  const Inner = mantine.templates?.BaseInputTemplate as ComponentType<Widget>;
  const isNumber = props.schema.type === "number" || props.schema.type === "integer";
  // A number out of its limits stays as it was typed, with its fault beside it.
  const options = isNumber ? { ...props.options, clampBehavior: "none", hideControls: true } : props.options;
  return <Inner {...bare(props)} options={options} value={props.value ?? ""} />;
}

const SHORT_CHOICES = 4;
const SHORT_LETTERS = 36;

interface Choice {
  label: string;
  value: unknown;
}

/** A few short choices side by side, one of them chosen. */
function Segments(props: Widget & { choices: Choice[] }) {
  const { id, value, choices, disabled, readonly, onChange, onBlur } = props;
  const faults = faultsToShow(props);
  return (
    <>
      <div role="radiogroup" className="seg" id={id} aria-labelledby={`${id}-label`} aria-invalid={faults.length > 0}>
        {choices.map((choice, index) => (
          <label key={String(choice.value)} className={choice.value === value ? "on" : ""}>
            <input
              type="radio"
              className="vh"
              name={id}
              id={index === 0 ? `${id}-first` : undefined}
              checked={choice.value === value}
              disabled={disabled || readonly}
              onChange={() => onChange(choice.value)}
              onBlur={() => onBlur(id, choice.value)}
            />
            {choice.label}
          </label>
        ))}
      </div>
      {faults.length > 0 && <p className="seg-fault">{faults.join(" ")}</p>}
    </>
  );
}

const MantineSelect = plain("SelectWidget");

/** Few short choices that must be made are buttons in a row; all others are a list with search. */
function SelectWidget(props: Widget) {
  const choices = (props.options.enumOptions ?? []) as Choice[];
  const letters = choices.reduce((sum, choice) => sum + choice.label.length, 0);
  const fewChoices = !props.multiple && props.required && choices.length <= SHORT_CHOICES && letters <= SHORT_LETTERS;
  if (fewChoices) return <Segments {...props} choices={choices} />;
  const options = { ...props.options, clearable: !props.required, nothingFoundMessage: "\u2013" };
  return <MantineSelect {...props} options={options} />;
}

function CheckboxWidget(props: Widget) {
  const { t } = useTranslation("form");
  const choices = [
    { label: t("no"), value: false },
    { label: t("yes"), value: true },
  ];
  return <Segments {...props} choices={choices} />;
}

/** Mantine's inputs with our own names and faults around them. */
export const widgets = {
  ...mantine.widgets,
  SelectWidget,
  CheckboxWidget,
  CheckboxesWidget: plain("CheckboxesWidget"),
  DateWidget: plain("DateWidget"),
  DateTimeWidget: plain("DateTimeWidget"),
  TimeWidget: plain("TimeWidget"),
  PasswordWidget: plain("PasswordWidget"),
  RadioWidget: plain("RadioWidget"),
  RangeWidget: plain("RangeWidget"),
  TextareaWidget: plain("TextareaWidget"),
};

export const mantineTemplates = mantine.templates;
