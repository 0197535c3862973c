// The filters of a list; each change goes into the address bar, so that a view can be kept and shared.
import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from './Button.tsx';
import { Field, SelectField } from './Field.tsx';
import { SearchField } from './SearchField.tsx';

/** What is searched for, and the days between which; a page has more of its own. */
type Usual = { q?: string; from?: string; to?: string };

export type FilterChoice<Filters> = {
  name: keyof Filters & string;
  label: string;
  choices: readonly (readonly [string, string])[];
};

/** By how many choices there are beside the two days. */
const COLUMNS: Record<number, string> = {
  2: 'lg:grid-cols-[repeat(2,1fr)_repeat(2,10rem)_auto]',
  3: 'lg:grid-cols-[repeat(3,1fr)_repeat(2,10rem)_auto]',
  4: 'lg:grid-cols-4',
};

/**
 * @param selects from two to four of them
 * @param children what is below
 */
export function FilterBar<Filters extends Usual & Partial<Record<keyof Filters, string>>>({
  filters,
  onFilters,
  placeholder,
  selects,
  compact = false,
  children,
}: {
  filters: Filters;
  onFilters: (filters: Filters) => void;
  placeholder: string;
  selects: readonly FilterChoice<Filters>[];
  /** Everything but the search is behind a button on wide screens too: the rows below are what matters. */
  compact?: boolean;
  children?: ReactNode;
}) {
  const set = (name: keyof Filters) => (event: { target: { value: string } }) =>
    onFilters({ ...filters, [name]: event.target.value });
  const count = Object.keys(filters).filter((name) => name !== 'q' && (!compact || name !== 'status')).length;
  const [isOpen, setIsOpen] = useState(count > 0);
  return (
    <search className="flex flex-col gap-3 print:hidden">
      <div className="flex items-end gap-3">
        <SearchField
          value={filters.q ?? ''}
          onValue={(q) => onFilters({ ...filters, q })}
          placeholder={placeholder}
          className="grow"
          isLabelHidden={compact}
        />
        <Button
          className={`min-h-12! whitespace-nowrap ${compact ? '' : 'lg:hidden'}`}
          aria-expanded={isOpen}
          aria-controls="filters"
          onClick={() => setIsOpen(!isOpen)}
        >
          <SlidersHorizontal aria-hidden="true" className="size-4" />
          Filters{count > 0 && ` (${count})`}
        </Button>
      </div>
      <div
        id="filters"
        className={`grid grid-cols-2 items-end gap-3 ${COLUMNS[selects.length] ?? ''} ${isOpen ? '' : compact ? 'hidden!' : 'max-lg:hidden'}`}
      >
        {selects.map(({ name, label, choices }) => (
          <SelectField key={name} label={label} value={filters[name] ?? ''} onChange={set(name)}>
            <option value="">All</option>
            {withOwn(choices, filters[name]).map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </SelectField>
        ))}
        <Field label="From" type="date" max={filters.to} value={filters.from ?? ''} onChange={set('from')} />
        <Field label="To" type="date" min={filters.from} value={filters.to ?? ''} onChange={set('to')} />
        <Button
          className="min-h-12!"
          disabled={Object.keys(filters).length === 0}
          onClick={() => onFilters({} as Filters)}
        >
          Clear
        </Button>
      </div>
      {children}
    </search>
  );
}

/** What the address bar asks for is shown, even when it is no choice here. */
function withOwn(choices: FilterChoice<unknown>['choices'], own: string | undefined) {
  return !own || choices.some(([value]) => value === own) ? choices : [[own, own] as const, ...choices];
}
