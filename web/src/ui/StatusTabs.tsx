// The statuses of a list side by side, each with how many there are; the chosen one goes into the address bar.
import { useId } from 'react';

export type StatusTab = { value: string; label: string; count?: string | undefined };

export function StatusTabs({
  label,
  tabs,
  value,
  onValue,
}: {
  /** For those who hear it. */
  label: string;
  tabs: readonly StatusTab[];
  value: string;
  onValue: (value: string) => void;
}) {
  const name = useId();
  return (
    <fieldset className="-mx-1 flex min-w-0 gap-1 overflow-x-auto px-1 quiet-scroll print:hidden">
      <legend className="sr-only">{label}</legend>
      {tabs.map((tab) => (
        <label
          key={tab.value}
          className="relative inline-flex min-h-9 shrink-0 cursor-pointer items-center gap-1.5 rounded-lg px-3 text-sm whitespace-nowrap text-muted has-checked:bg-soft has-checked:font-semibold has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            value={tab.value}
            checked={tab.value === value}
            onChange={() => onValue(tab.value)}
            className="absolute inset-0 opacity-0"
          />
          {tab.label}
          {tab.count !== undefined && (
            <span className="min-w-[1ch] font-normal text-muted tabular-nums">{tab.count}</span>
          )}
        </label>
      ))}
    </fieldset>
  );
}
