/** The requests. */
export function ListPage() {
  return <div className="views" />;
}
