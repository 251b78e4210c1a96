/** Placeholder. */
export function PracticePage() {
  return <div className="views" />;
}
