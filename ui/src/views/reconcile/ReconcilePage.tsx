/** Placeholder. */
export function ReconcilePage() {
  return <div className="views" />;
}
