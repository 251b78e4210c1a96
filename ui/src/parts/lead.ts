const WIDE = /[\u2e80-\u9fff\uff00-\uff60]/;

/** How much room a text takes, in Latin letters. */
function lettersOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + (WIDE.test(letter) ? 2 : 1), 0);
}

/** The sentences of a text, each with its full stop and the space after it. */
function sentencesOf(text: string): string[] {
  return text.match(/.+?(?:\.\s+|\u3002|$)/gsu) ?? [];
}

/** As many whole sentences from the start as have room; never less than one. */
export function leadOf(text: string, letters: number): string {
  const [first = "", ...rest] = sentencesOf(text);
  let lead = first;
  for (const sentence of rest) {
    if (lettersOf(lead + sentence.trimEnd()) > letters) break;
    lead += sentence;
  }
  return lead.trimEnd();
}
