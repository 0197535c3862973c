// How long a tab waits: a few lengths to choose from, or one's own.
import { Field, SelectField } from '../../ui/Field.tsx';
import { type Draft, hoursOf, LENGTHS } from './draft.ts';

const LOOK =
  'flex min-h-10 items-center justify-center rounded-lg border border-edge bg-surface px-1 text-sm whitespace-nowrap transition hover:border-accent has-checked:border-accent has-checked:bg-soft has-checked:font-semibold has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent has-disabled:opacity-60';

export function LengthField({ draft, onChange }: { draft: Draft; onChange: (change: Partial<Draft>) => void }) {
  const choices = [
    ...LENGTHS.map(({ hours, words }) => ({ value: hours, words })),
    { value: 'own', words: 'Other' },
  ] as const;
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Claim period</legend>
      <div className="grid grid-cols-5 gap-1.5">
        {choices.map(({ value, words }) => (
          <label key={value} className={LOOK}>
            <input
              type="radio"
              name="length"
              className="sr-only"
              checked={draft.length === value}
              onChange={() => onChange({ length: value })}
            />
            {words}
          </label>
        ))}
      </div>
      {draft.length === 'own' && (
        <div className="grid grid-cols-2 gap-4">
          <Field
            label="Number"
            name="length"
            inputMode="numeric"
            maxLength={4}
            value={draft.ownLength}
            error={draft.ownLength !== '' && hoursOf(draft) === null ? 'From 1 hour to 90 days.' : null}
            hint="From 1 hour to 90 days."
            onChange={(event) => onChange({ ownLength: event.target.value })}
          />
          <SelectField
            label="Unit"
            value={draft.ownUnit}
            onChange={(event) => onChange({ ownUnit: event.target.value as Draft['ownUnit'] })}
          >
            <option value="hours">hours</option>
            <option value="days">days</option>
          </SelectField>
        </div>
      )}
    </fieldset>
  );
}
