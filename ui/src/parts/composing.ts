/** The code of every key that an input method takes for itself. */
const TAKEN = 229;

/** Whether a key belongs to an input method: the Enter or Escape that ends a composition is no answer to the page. */
export function isComposing(event: KeyboardEvent): boolean {
  // WebKit has ended the composition before it tells of the key that ended it: only the code is left.
  return event.isComposing || event.keyCode === TAKEN;
}
