import { type ReactNode, useId } from "react";

/** One part of the settings: its name, what it is about, and its rows. */
export function Part({ title, why, children }: { title: string; why?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="part" aria-labelledby={id}>
      <div className="part-h">
        <h2 id={id}>{title}</h2>
        {why && <p className="why">{why}</p>}
      </div>
      <div className="card">{children}</div>
    </section>
  );
}

interface ChoiceProps<V extends string> {
  name: string;
  value: V;
  choices: readonly { value: V; label: string; means?: string }[];
  disabled?: boolean;
  onChoose: (value: V) => void;
}

/** A switch with a few positions; under it, what the chosen position means. */
export function Choice<V extends string>({ name, value, choices, disabled = false, onChoose }: ChoiceProps<V>) {
  const id = useId();
  const means = choices.find((choice) => choice.value === value)?.means;
  return (
    <div className="set-row">
      <span id={id} className="set-name">
        {name}
      </span>
      <div>
        <div role="radiogroup" aria-labelledby={id} className="seg">
          {choices.map((choice) => (
            <label key={choice.value} className={choice.value === value ? "on" : ""}>
              <input
                type="radio"
                className="vh"
                name={id}
                checked={choice.value === value}
                disabled={disabled}
                onChange={() => onChoose(choice.value)}
              />
              {choice.label}
            </label>
          ))}
        </div>
        {means && <p className="help">{means}</p>}
      </div>
    </div>
  );
}
