// A figure with what it was in the period before.
import { changeWords } from './overviewWords.ts';

export function Against({
  name,
  value,
  before,
  change,
}: {
  name: string;
  value: string;
  before: string;
  /** In tenths of a percent; null where there was nothing to compare with. */
  change: number | null;
}) {
  const words = changeWords(change);
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-lg font-semibold break-words amount">{value}</dd>
      <dd className="text-sm break-words text-muted tabular-nums">
        {words && <b className="font-medium text-ink">{words} </b>}
        <span className="sr-only">compared with </span>
        <span aria-hidden="true">{words ? 'from ' : 'before: '}</span>
        {before}
      </dd>
    </div>
  );
}
