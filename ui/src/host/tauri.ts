import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import type { Change, Host, PickedBackup, Restored, StartState } from "./host";
import { HostError } from "./host";

interface Answer {
  status: number;
  contentType: string;
  body: string;
}

/** The host of the desktop: one command for calls and one event for changes. */
export function tauriHost(): Host {
  let language = "en";
  return {
    kind: "desktop",
    async call(method, path, body) {
      const url = new URL(path, "http://signalbox");
      let answer: Answer;
      try {
        answer = await invoke<Answer>("call", {
          method,
          path: url.pathname,
          query: Object.fromEntries(url.searchParams),
          body: body ?? null,
          lang: language,
        });
      } catch (cause) {
        throw new HostError(String(cause));
      }
      if (answer.body === "") return { status: answer.status, body: null };
      return {
        status: answer.status,
        body: answer.contentType.includes("json") ? JSON.parse(answer.body) : answer.body,
      };
    },
    changes(onChange, onState) {
      onState("connecting");
      const listening = listen<Change>("change", (event) => onChange(event.payload));
      listening.then(
        () => onState("live"),
        () => onState("offline"),
      );
      return () => {
        void listening.then((stop) => stop());
      };
    },
    open: (url) => refusing(invoke<void>("open_url", { url })),
    saveEvidence: (operationId) => refusing(invoke<string>("save_evidence", { operationId })),
    start: () => invoke<StartState>("start_state"),
    startPractice: () => invoke<void>("start_practice"),
    backups: {
      pick: () => refusing(invoke<PickedBackup | null>("pick_backup")),
      restore: (file) => refusing(invoke<Restored>("restore_backup", { file })),
    },
    setLanguage: (next) => {
      language = next;
    },
  };
}

/** What a command refuses with is a sentence. */
async function refusing<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (sentence) {
    throw new Error(String(sentence));
  }
}
