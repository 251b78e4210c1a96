import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { MergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";

const COLOURS = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
    { tag: [tags.string, tags.content], color: "var(--ink)" },
    { tag: [tags.number, tags.bool, tags.null], color: "var(--unknown)" },
    { tag: tags.comment, color: "var(--ink-3)", fontStyle: "italic" },
  ]),
);

const LOOK = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--ink)", fontSize: "11.5px" },
  ".cm-content, .cm-gutters": { fontFamily: "var(--mono)", lineHeight: "18px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-3)", border: "none" },
});

function languageOf(path: string): Extension {
  if (/\.ya?ml$/i.test(path)) return yaml();
  if (/\.json$/i.test(path)) return json();
  return [];
}

/** Both versions of a file beside each other, unchanged stretches folded; read only. */
export function SideBySide({ path, before, after }: { path: string; before: string; after: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    const extensions = [
      lineNumbers(),
      COLOURS,
      LOOK,
      languageOf(path),
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({ tabindex: "0", "aria-label": path }),
    ];
    const view = new MergeView({
      a: { doc: before, extensions },
      b: { doc: after, extensions },
      parent,
      collapseUnchanged: { margin: 3, minSize: 6 },
      gutter: true,
    });
    return () => view.destroy();
  }, [path, before, after]);
  return <div ref={place} className="side" />;
}
