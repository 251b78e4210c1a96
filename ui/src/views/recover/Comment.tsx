import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useStatus } from "../../api/hooks";

/** The comment that is kept with an act. */
export function Comment({
  value,
  disabled,
  onChange,
}: {
  value: string;
  disabled: boolean;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation("recover");
  const id = useId();
  const person = useStatus().data?.person;
  return (
    <div className="cmt">
      <label htmlFor={id}>
        {t("comment")} <span className="opt">{person ? t("commentWhy", { person }) : t("commentWhyNoName")}</span>
      </label>
      <input
        id={id}
        className="inp"
        data-autofocus
        autoComplete="off"
        value={value}
        readOnly={disabled}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
