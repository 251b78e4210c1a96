/** Placeholder. */
export function SettingsPage() {
  return <div className="views" />;
}
