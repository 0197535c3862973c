// Fields of forms: a label above, advice or an error below that is read out with it, and what stands before or after the text.
import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react';

type Around = {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  /** Stands before the text, like @. */
  before?: string;
  /** Stands after the text, like a currency. */
  after?: string;
  /** For those who hear it only: a placeholder says it to those who see. */
  isLabelHidden?: boolean;
};

const BOX =
  'flex min-h-12 items-center gap-1 rounded-lg border bg-surface px-3 has-focus-visible:outline-2 has-focus-visible:outline-accent has-disabled:opacity-60';

export function Field({
  label,
  hint,
  error,
  before,
  after,
  isLabelHidden = false,
  className = '',
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & Around) {
  const id = useId();
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      <span className={`${BOX} ${error ? 'border-brick' : 'border-edge'}`}>
        {before && <span className="text-muted">{before}</span>}
        <input
          id={id}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={Boolean(error)}
          aria-describedby={hint || error ? `${id}-note` : undefined}
          className="min-w-0 grow bg-transparent py-2 outline-none placeholder:text-muted"
          {...rest}
        />
        {after && <span className="text-sm text-muted">{after}</span>}
      </span>
      {(hint || error) && (
        <p id={`${id}-note`} role="status" className={`text-sm ${error ? 'text-brick' : 'text-muted'}`}>
          {error || hint}
        </p>
      )}
    </div>
  );
}

export function SelectField({
  label,
  className = '',
  children,
  ...rest
}: SelectHTMLAttributes<HTMLSelectElement> & { label: string }) {
  const id = useId();
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <select id={id} className="min-h-12 min-w-0 rounded-lg border border-edge bg-surface px-3" {...rest}>
        {children}
      </select>
    </div>
  );
}
