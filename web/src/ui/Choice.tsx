// One of a few, each in plain sight.
import { useId } from 'react';

export function Choice<Value extends string>({
  label,
  value,
  choices,
  onValue,
}: {
  label: string;
  value: Value;
  choices: readonly (readonly [Value, string])[];
  onValue: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map(([one, words]) => (
          <label
            key={one}
            className="relative inline-flex min-h-10 cursor-pointer items-center rounded-lg border border-edge px-4 text-sm has-checked:border-accent has-checked:bg-soft has-checked:font-semibold has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              value={one}
              checked={one === value}
              onChange={() => onValue(one)}
              className="absolute inset-0 opacity-0"
            />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
