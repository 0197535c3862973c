// Figures of a period of days: how they are chosen and shown.
export function SpanChoice({
  spans,
  days,
  onDays,
}: {
  spans: readonly number[];
  days: number;
  onDays: (days: number) => void;
}) {
  return (
    <fieldset className="flex gap-1 print:hidden">
      <legend className="sr-only">Period</legend>
      {spans.map((span) => (
        <label
          key={span}
          className="relative inline-flex min-h-8 cursor-pointer items-center rounded-lg px-2 text-sm text-muted has-checked:bg-soft has-checked:font-semibold has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="span"
            checked={span === days}
            onChange={() => onDays(span)}
            className="absolute inset-0 opacity-0"
          />
          {span} days
        </label>
      ))}
    </fieldset>
  );
}

/** A figure with its name, in a list of terms. */
export function FigureTerm({ name, value, hint }: { name: string; value: string; hint?: string | undefined }) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="truncate text-lg font-semibold amount">{value}</dd>
      {hint && <dd className="text-sm text-muted">{hint}</dd>}
    </div>
  );
}
