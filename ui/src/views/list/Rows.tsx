import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type HeldRow, Row } from "./Row";
import { keepScroll, scrollOf } from "./scroll";

const ROW_PX = 34;
const AHEAD = 30;
const COLUMNS = ["outlook", "subject", "kind", "stage", "sentence", "age", "moved"] as const;

interface Props {
  rows: HeldRow[];
  listKey: string;
  selected: string | null;
  checked: ReadonlySet<string>;
  more: boolean;
  onMore: () => void;
  onSelect: (operationId: string) => void;
  onOpen: (operationId: string) => void;
}

/** The rows, of which only those in sight exist; the place in the list is kept for the next visit. */
export function Rows(props: Props) {
  const { t } = useTranslation("list");
  const { rows, listKey, selected, more, onMore } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const wanted = useRef(scrollOf(listKey));
  const virtual = useVirtualizer({
    count: rows.length + (more ? 1 : 0),
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    initialOffset: wanted.current,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;

  useEffect(() => {
    if (more && last >= rows.length - AHEAD) onMore();
  }, [more, last, rows.length, onMore]);

  // A place further down than what is read yet is gone to page by page.
  useEffect(() => {
    const offset = wanted.current;
    if (offset === 0 || !scroller.current) return;
    scroller.current.scrollTop = offset;
    if (scroller.current.scrollTop >= offset - ROW_PX || !more) wanted.current = 0;
    else if (rows.length > 0) onMore();
  }, [rows.length, more, onMore]);

  const at = rows.findIndex((row) => row.operation.operation_id === selected);
  const shown = useRef(at);
  useEffect(() => {
    if (at >= 0 && at !== shown.current) virtual.scrollToIndex(at, { align: "auto" });
    shown.current = at;
  }, [at, virtual]);

  return (
    <div
      role="grid"
      className="grid"
      tabIndex={0}
      aria-label={t("columns.label")}
      aria-rowcount={more ? -1 : rows.length + 1}
      aria-activedescendant={at >= 0 && items.some((item) => item.index === at) ? `row-${selected}` : undefined}
    >
      <div role="rowgroup" className="rows-head">
        <div className="r h" role="row">
          {COLUMNS.map((column) => (
            <span key={column} role="columnheader" className={column === "moved" ? "num" : undefined}>
              {t(`columns.${column}`)}
            </span>
          ))}
        </div>
      </div>
      <div
        role="rowgroup"
        className="rows"
        ref={scroller}
        onScroll={(event) => {
          if (wanted.current === 0) keepScroll(listKey, event.currentTarget.scrollTop);
        }}
      >
        <div className="rows-all" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index];
            if (!row) {
              return (
                <div key="more" className="rows-more" style={{ transform: `translateY(${item.start}px)` }}>
                  {t("more")}
                </div>
              );
            }
            const id = row.operation.operation_id;
            return (
              <Row
                key={id}
                row={row}
                index={item.index}
                top={item.start}
                selected={id === selected}
                checked={props.checked.has(id)}
                onSelect={props.onSelect}
                onOpen={props.onOpen}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}
