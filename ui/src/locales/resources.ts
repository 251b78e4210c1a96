import backupEn from "./en/backup.json";
import firstEn from "./en/first.json";
import formEn from "./en/form.json";
import frameEn from "./en/frame.json";
import listEn from "./en/list.json";
import partsEn from "./en/parts.json";
import reconcileEn from "./en/reconcile.json";
import recoverEn from "./en/recover.json";
import recoveryEn from "./en/recovery.json";
import requestEn from "./en/request.json";
import settingsEn from "./en/settings.json";
import trackEn from "./en/track.json";
import wordsEn from "./en/words.json";
import backupZh from "./zh-CN/backup.json";
import firstZh from "./zh-CN/first.json";
import formZh from "./zh-CN/form.json";
import frameZh from "./zh-CN/frame.json";
import listZh from "./zh-CN/list.json";
import partsZh from "./zh-CN/parts.json";
import reconcileZh from "./zh-CN/reconcile.json";
import recoverZh from "./zh-CN/recover.json";
import recoveryZh from "./zh-CN/recovery.json";
import requestZh from "./zh-CN/request.json";
import settingsZh from "./zh-CN/settings.json";
import trackZh from "./zh-CN/track.json";
import wordsZh from "./zh-CN/words.json";

/** Every text of the UI: language, area, key. English is the source; the parity test holds the two together. */
export const resources = {
  en: {
    words: wordsEn,
    parts: partsEn,
    frame: frameEn,
    list: listEn,
    form: formEn,
    settings: settingsEn,
    first: firstEn,
    reconcile: reconcileEn,
    request: requestEn,
    track: trackEn,
    recover: recoverEn,
    recovery: recoveryEn,
    backup: backupEn,
  },
  "zh-CN": {
    words: wordsZh,
    parts: partsZh,
    frame: frameZh,
    list: listZh,
    form: formZh,
    settings: settingsZh,
    first: firstZh,
    reconcile: reconcileZh,
    request: requestZh,
    track: trackZh,
    recover: recoverZh,
    recovery: recoveryZh,
    backup: backupZh,
  },
} as const;
