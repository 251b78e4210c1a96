import { Menu } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useKinds } from "../../api/hooks";
import type { Counts } from "../../api/types";
import { Icon } from "../../parts/Icon";
import { OutlookMark } from "../../parts/OutlookMark";
import { type Filter, type ListState, OUTLOOKS } from "./state";

const STAGES = ["104", "100", "101", "103", "102", "105"] as const;
const STATUSES = [
  "APPROVAL_SENDING",
  "APPROVAL_SENT",
  "MR_CREATING",
  "MR_CREATED",
  "MERGING",
  "MERGED",
  "VALIDATED",
  "CREATE_FAILED",
  "HANDLE_FAILED",
  "REJECTED",
  "CLOSED",
] as const;
const TYPING_MS = 60;

interface Choice {
  value: string;
  label: ReactNode;
  count?: number;
}

interface ChipProps {
  name: string;
  value: string;
  shown: string;
  choices: Choice[];
  many?: boolean;
  onChange: (value: string) => void;
}

function Chip({ name, value, shown, choices, many = false, onChange }: ChipProps) {
  const { t } = useTranslation("list");
  const chosen = value === "" ? [] : value.split(",");
  function toggle(each: string) {
    if (!many) onChange(each === value ? "" : each);
    else onChange((chosen.includes(each) ? chosen.filter((c) => c !== each) : [...chosen, each]).join(","));
  }
  return (
    <span className={`chip${value === "" ? "" : " on"}`}>
      <Menu position="bottom-start">
        <Menu.Target>
          <button type="button" className="chip-open">
            {name}
            {shown !== "" && <b className="clip">{shown}</b>}
            {value === "" && <Icon name="down" />}
          </button>
        </Menu.Target>
        <Menu.Dropdown className="chip-menu">
          {choices.map((choice) => (
            <ChipItem
              key={choice.value}
              choice={choice}
              many={many}
              checked={chosen.includes(choice.value)}
              onChoose={() => toggle(choice.value)}
            />
          ))}
        </Menu.Dropdown>
      </Menu>
      {value !== "" && (
        <button type="button" className="chip-x" aria-label={t("filters.clear", { name })} onClick={() => onChange("")}>
          <Icon name="x" />
        </button>
      )}
    </span>
  );
}

interface ChipItemProps {
  choice: Choice;
  many: boolean;
  checked: boolean;
  onChoose: () => void;
}

function ChipItem({ choice, many, checked, onChoose }: ChipItemProps) {
  const count = choice.count === undefined ? null : <span className="muted">{choice.count}</span>;
  const shared = { checked, rightSection: count, checkIcon: <Icon name="check" />, closeMenuOnClick: !many };
  if (many) {
    return (
      <Menu.CheckboxItem {...shared} onChange={onChoose}>
        {choice.label}
      </Menu.CheckboxItem>
    );
  }
  return (
    <Menu.RadioItem {...shared} value={choice.value} onChange={onChoose}>
      {choice.label}
    </Menu.RadioItem>
  );
}

function TextFilter({
  value,
  onChange,
  inputRef,
}: {
  value: string;
  onChange: (text: string) => void;
  inputRef: RefObject<HTMLInputElement | null>;
}) {
  const { t } = useTranslation("list");
  const [text, setText] = useState(value);
  const send = useDebouncedCallback(onChange, TYPING_MS);
  // A view that is chosen elsewhere brings its own text.
  useEffect(() => {
    if (document.activeElement !== inputRef.current) setText(value);
  }, [value, inputRef]);
  return (
    <span className={`chip chip-text${value === "" ? "" : " on"}`}>
      <Icon name="search" />
      <input
        ref={inputRef}
        value={text}
        aria-label={t("filters.text")}
        placeholder={t("filters.textHint")}
        onChange={(event) => {
          setText(event.currentTarget.value);
          send(event.currentTarget.value.trim());
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape" || (event.key === "Enter" && !event.nativeEvent.isComposing))
            event.currentTarget.blur();
        }}
      />
      {text !== "" && (
        <button
          type="button"
          className="chip-x"
          aria-label={t("filters.clear", { name: t("filters.text") })}
          onClick={() => {
            setText("");
            onChange("");
          }}
        >
          <Icon name="x" />
        </button>
      )}
    </span>
  );
}

interface Props {
  filters: ListState["filters"];
  counts: Counts | undefined;
  counted: string;
  /** Who requested the rows that have been read. */
  people: readonly string[];
  onFilter: (name: Filter, value: string) => void;
  inputRef: RefObject<HTMLInputElement | null>;
}

/** The filter chips, and how many requests are left. */
export function Filters({ filters, counts, counted, people, onFilter, inputRef }: Props) {
  const { t } = useTranslation(["list", "words"]);
  const kinds = useKinds().data?.items ?? [];
  const outlooks = filters.outlook === "" ? [] : OUTLOOKS.filter((o) => filters.outlook.split(",").includes(o));
  const stage = STAGES.find((each) => each === filters.stage);
  return (
    <section className="filters" aria-label={t("list:filters.label")}>
      <Chip
        name={t("list:filters.outlook")}
        value={filters.outlook}
        shown={outlooks.map((o) => t(`words:outlook.${o}`)).join(", ")}
        many
        choices={OUTLOOKS.map((o) => ({ value: o, label: <OutlookMark outlook={o} />, count: counts?.by_outlook[o] }))}
        onChange={(value) => onFilter("outlook", value)}
      />
      <Chip
        name={t("list:filters.stage")}
        value={filters.stage}
        shown={stage ? t(`list:stageCode.${stage}`) : filters.stage}
        choices={STAGES.map((code) => ({
          value: code,
          label: t(`list:stageCode.${code}`),
          count: counts?.by_stage[code],
        }))}
        onChange={(value) => onFilter("stage", value)}
      />
      <Chip
        name={t("list:filters.kind")}
        value={filters.kind}
        shown={filters.kind}
        choices={kinds.map((kind) => ({ value: kind.kind, label: kind.title }))}
        onChange={(value) => onFilter("kind", value)}
      />
      <Chip
        name={t("list:filters.status")}
        value={filters.status}
        shown={filters.status}
        choices={STATUSES.map((status) => ({
          value: status,
          label: <span className="mono">{status}</span>,
          count: counts?.by_status[status],
        }))}
        onChange={(value) => onFilter("status", value)}
      />
      <Chip
        name={t("list:filters.who")}
        value={filters.who}
        shown={filters.who}
        choices={people.map((person) => ({ value: person, label: person }))}
        onChange={(value) => onFilter("who", value)}
      />
      <TextFilter value={filters.q} onChange={(text) => onFilter("q", text)} inputRef={inputRef} />
      <span className="end muted nowrap filters-count">{counted}</span>
    </section>
  );
}
