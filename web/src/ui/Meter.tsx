// How much of a limit is used: the figures in words, the share as a bar.
export function Meter({
  label,
  used,
  between = 'of',
  of,
  share,
  isGoal = false,
}: {
  label: string;
  used: string;
  between?: string;
  of: string;
  share: number;
  /** Of something that is to be full: then that is no warning. */
  isGoal?: boolean;
}) {
  const percent = Math.round(share * 100);
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
        <span className="text-muted">{label}</span>
        <span className="amount">
          <b className="font-semibold">{used}</b> {between} {of}
        </span>
      </p>
      <meter className="sr-only" aria-label={label} min={0} max={100} value={percent}>
        {used} {between} {of}
      </meter>
      <div aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-sunken">
        <div
          className={`h-full rounded-full transition-[width] ${share >= 0.9 && !isGoal ? 'bg-amber' : 'bg-accent'}`}
          style={{ width: `${percent}%` }}
        />
      </div>
    </div>
  );
}
