/** Shas, MR and pipeline numbers inside a sentence of the engine. */
const FACT = /(\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b|[!#]\d+)/g;

/** The engine's sentence with its ids in the lettering of ids; nothing of it is cut. */
export function Sentence({ text }: { text: string }) {
  let at = 0;
  return (
    <>
      {text.split(FACT).map((part) => {
        const key = at;
        at += part.length;
        return part.match(FACT) ? (
          <span key={key} className="mono">
            {part}
          </span>
        ) : (
          part
        );
      })}
    </>
  );
}
