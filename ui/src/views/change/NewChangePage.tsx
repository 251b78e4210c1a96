/** Placeholder. */
export function NewChangePage() {
  return <div className="views" />;
}
