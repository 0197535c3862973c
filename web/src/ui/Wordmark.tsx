// The name beside its sign; leads to the front page.
export function Wordmark() {
  return (
    <a href="/" className="inline-flex items-center gap-2 text-lg font-semibold tracking-tight">
      <span
        aria-hidden="true"
        className="inline-flex size-8 items-center justify-center rounded-lg bg-accent pb-0.5 text-lg font-semibold text-on-accent"
      >
        @
      </span>
      Ampersat
    </a>
  );
}
