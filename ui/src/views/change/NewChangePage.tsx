import { useTranslation } from "react-i18next";
import { useSearchParams } from "wouter";
import { useKinds, useOperation } from "../../api/hooks";
import { Empty, ErrorNote, Loading } from "../../parts/Notes";
import { Change } from "./Change";
import { KindPicker } from "./KindPicker";

/** A new change: first its kind, then the form with the preview beside it. */
export function NewChangePage() {
  const { t } = useTranslation("form");
  const [params, setParams] = useSearchParams();
  const kinds = useKinds();
  const name = params.get("kind");
  const kind = kinds.data?.items.find((each) => each.kind === name);
  const from = params.get("from");
  const before = useOperation(from ?? "", from !== null);
  const pick = (next: string) => setParams(next === "" ? {} : { kind: next }, { replace: true });

  if (kind && from !== null && before.isPending) return <Loading what={t("fromWhat")} />;
  if (kind) {
    const start = before.data?.kind === kind.kind ? before.data : undefined;
    return <Change key={`${kind.kind} ${start?.operation_id}`} kind={kind} from={start} onPickAgain={() => pick("")} />;
  }
  return (
    <>
      <div className="views">
        <h1>{t("title")}</h1>
      </div>
      <div className="scroll">
        {kinds.isPending && <Loading what={t("pick.reading")} />}
        {kinds.error && !kinds.data && <ErrorNote error={kinds.error} again={() => void kinds.refetch()} />}
        {kinds.data && name && <p className="note-line">{t("pick.unknown", { kind: name })}</p>}
        {kinds.data?.items.length === 0 && (
          <Empty title={t("pick.empty")}>
            <p>{t("pick.emptyWhy")}</p>
          </Empty>
        )}
        {kinds.data && kinds.data.items.length > 0 && <KindPicker kinds={kinds.data.items} onPick={pick} />}
      </div>
    </>
  );
}
