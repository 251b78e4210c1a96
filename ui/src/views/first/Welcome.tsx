import type { ReactNode } from "react";

/** A page without the frame: before there is an engine to speak to. */
export function Welcome({ title, why, children }: { title: string; why?: string; children: ReactNode }) {
  return (
    <main className="welcome">
      <div className="welcome-in">
        <svg viewBox="0 0 32 32" aria-hidden="true" fill="none" stroke="currentColor" strokeLinecap="round">
          <path d="M3 24h26M9 24l8.5-8.5" strokeWidth="4" />
          <circle cx="22" cy="10.5" r="4" strokeWidth="3" />
        </svg>
        <h1>{title}</h1>
        {why && <p className="welcome-why">{why}</p>}
        {children}
      </div>
    </main>
  );
}
