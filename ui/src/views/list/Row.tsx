import { useTranslation } from "react-i18next";
import { useRow } from "../../api/lists";
import type { Operation } from "../../api/types";
import { useOpenOutside } from "../../host/outside";
import { useTimedText } from "../../parts/clock";
import { leadOf } from "../../parts/lead";
import { OutlookMark } from "../../parts/OutlookMark";
import { StageBar } from "../../parts/StageBar";
import { Ago } from "../../parts/Time";
import { durationText } from "../../parts/time";
import { ageMoments, ageOf } from "./age";

/** Two lines of the narrowest column; what has no room stands in the panel and in the tooltip. */
const SENTENCE_LETTERS = 100;

/** A row as it was read, and when that was. */
export interface HeldRow {
  operation: Operation;
  readAt: number;
}

function Age({ operation }: { operation: Operation }) {
  const { t } = useTranslation("list");
  const words = useTranslation("words").t;
  const age = useTimedText(
    (now) => {
      const { ms, over } = ageOf(operation, now);
      return `${over ? "over" : ""}|${durationText(words, Math.max(1000, ms))}`;
    },
    ...ageMoments(operation),
  );
  const [over, text] = age.split("|");
  const usual =
    operation.outlook === "done"
      ? t("row.took")
      : operation.usual_ms === null
        ? t("row.noUsual")
        : t("row.usual", { duration: durationText(words, operation.usual_ms) });
  return (
    <span role="gridcell" className={`two age ${over ?? ""}`} title={over === "over" ? t("row.over") : undefined}>
      <b>
        {text}
        {over === "over" && <span className="vh">{t("row.over")}</span>}
      </b>
      <i>{usual}</i>
    </span>
  );
}

/** The merge request as a link that opens outside; nothing else in a row can be pressed. */
function MergeRequestLink({ mr }: { mr: Operation["mr"] }) {
  const { t } = useTranslation("list");
  const open = useOpenOutside();
  if (!mr) return t("row.noMr");
  const name = `!${mr.iid}`;
  const url = mr.web_url;
  if (!url) return name;
  return (
    <a
      href={url}
      tabIndex={-1}
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
        open(url);
      }}
    >
      {name}
    </a>
  );
}

interface Props {
  row: HeldRow;
  index: number;
  top: number;
  selected: boolean;
  checked: boolean;
  onSelect: (operationId: string) => void;
  onOpen: (operationId: string) => void;
}

/** One request in two lines; it changes in place when the stream names it, and never moves. */
export function Row({ row, index, top, selected, checked, onSelect, onOpen }: Props) {
  const { t } = useTranslation("list");
  const operation = useRow(row.operation, row.readAt);
  const id = operation.operation_id;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys for the row it names as active
    <div
      id={`row-${id}`}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={`r${selected ? " sel" : ""}${checked ? " chk" : ""}`}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onSelect(id)}
      onDoubleClick={() => onOpen(id)}
    >
      <span role="gridcell" className="st">
        <OutlookMark outlook={operation.outlook} />
        {checked && <span className="vh">{t("row.selected")}</span>}
      </span>
      <span role="gridcell" className="two">
        <b className="clip sub" title={operation.subject_id}>
          {operation.subject_id}
        </b>
        <i className="clip" title={operation.target_key}>
          {t("row.target", { target: operation.target_key })}
        </i>
      </span>
      <span role="gridcell" className="two">
        <b className="clip kind" title={operation.title}>
          {operation.kind}
        </b>
        <i className="clip">
          <MergeRequestLink mr={operation.mr} />
        </i>
      </span>
      <span role="gridcell">
        <StageBar operation={operation} />
      </span>
      <span role="gridcell" className="sen" title={operation.sentence}>
        {leadOf(operation.sentence, SENTENCE_LETTERS)}
      </span>
      <Age operation={operation} />
      <span role="gridcell" className="chg num">
        <Ago at={operation.updated_at} bare />
      </span>
    </div>
  );
}
