import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Welcome } from "./Welcome";

/** Asks for the token under which calls are made. */
export function SignIn({ refused, onToken }: { refused: boolean; onToken: (token: string) => void }) {
  const { t } = useTranslation("first");
  const [token, setToken] = useState("");
  return (
    <Welcome title={t("sign.title")} why={t("sign.why")}>
      <form
        className="sign"
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== "") onToken(token);
        }}
      >
        <div className="field">
          <label htmlFor="token">{t("sign.token")}</label>
          <input
            id="token"
            className={`inp mono${refused ? " bad" : ""}`}
            type="password"
            autoComplete="off"
            // biome-ignore lint/a11y/noAutofocus: the page has one field
            autoFocus
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
          />
          {refused && (
            <p className="err" role="alert">
              {t("sign.refused")}
            </p>
          )}
        </div>
        <button type="submit" className="btn pri big" disabled={token.trim() === ""}>
          {t("sign.do")}
        </button>
      </form>
    </Welcome>
  );
}
