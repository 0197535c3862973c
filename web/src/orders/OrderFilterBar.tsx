// The filters of the orders; each change goes into the address bar, so that a view can be kept and shared.
import { SlidersHorizontal, X } from 'lucide-react';
import { useState } from 'react';
import { chainsOf, useMode, useWorkspace } from '../business/workspaceApi.ts';
import { Button } from '../ui/Button.tsx';
import { Field, SelectField } from '../ui/Field.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import type { Filters } from './ordersApi.ts';
import { STATUS_CHOICES } from './orderWords.ts';

export function OrderFilterBar({ filters, onFilters }: { filters: Filters; onFilters: (filters: Filters) => void }) {
  const workspace = useWorkspace().data;
  const mode = useMode();
  const chains = workspace ? chainsOf(workspace, mode) : [];
  const currencies = [...new Set(chains.flatMap((chain) => chain.currencies))];
  const set = (name: keyof Filters) => (event: { target: { value: string } }) =>
    onFilters({ ...filters, [name]: event.target.value });
  const count = Object.keys(filters).filter((name) => name !== 'q').length;
  const [isOpen, setIsOpen] = useState(count > 0);
  const choices = {
    status: STATUS_CHOICES as readonly (readonly [string, string])[],
    chain: chains.map(({ chain, label }) => [chain, label] as const),
    currency: currencies.map((currency) => [currency, currency] as const),
  };
  return (
    <search className="flex flex-col gap-3 print:hidden">
      <div className="flex items-end gap-3">
        <SearchField
          value={filters.q ?? ''}
          onValue={(q) => onFilters({ ...filters, q })}
          placeholder="Description, id, amount, payer…"
          className="grow"
        />
        <Button
          className="min-h-12! whitespace-nowrap lg:hidden"
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
        className={`grid grid-cols-2 items-end gap-3 lg:grid-cols-[repeat(3,1fr)_repeat(2,10rem)_auto] ${isOpen ? '' : 'max-lg:hidden'}`}
      >
        {(['status', 'chain', 'currency'] as const).map((name) => (
          <SelectField key={name} label={LABELS[name]} value={filters[name] ?? ''} onChange={set(name)}>
            <option value="">All</option>
            {withOwn(choices[name], filters[name]).map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </SelectField>
        ))}
        <Field label="From" type="date" max={filters.to} value={filters.from ?? ''} onChange={set('from')} />
        <Field label="To" type="date" min={filters.from} value={filters.to ?? ''} onChange={set('to')} />
        <Button className="min-h-12!" disabled={Object.keys(filters).length === 0} onClick={() => onFilters({})}>
          Clear
        </Button>
      </div>
      {filters.link && (
        <Button className="self-start" onClick={() => onFilters({ ...filters, link: '' })}>
          <X aria-hidden="true" className="size-4" />
          Only one link’s: show all
        </Button>
      )}
    </search>
  );
}

const LABELS = { status: 'Status', chain: 'Chain', currency: 'Currency' };

/** What the address bar asks for is shown, even when it is no choice here. */
function withOwn(choices: readonly (readonly [string, string])[], own: string | undefined) {
  return !own || choices.some(([value]) => value === own) ? choices : [[own, own] as const, ...choices];
}
