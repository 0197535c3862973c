// The filters of the history; each change goes into the address bar, so that a view can be kept and shared.
import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { isReachable, useSpending } from '../spending/spendingApi.ts';
import { Button } from '../ui/Button.tsx';
import { Field, SelectField } from '../ui/Field.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import type { Filters } from './historyApi.ts';

export function FilterBar({ filters, onFilters }: { filters: Filters; onFilters: (filters: Filters) => void }) {
  const chains = useSpending().data?.chains ?? [];
  const set = (name: keyof Filters) => (event: { target: { value: string } }) =>
    onFilters({ ...filters, [name]: event.target.value });
  const count = Object.keys(filters).filter((name) => name !== 'q').length;
  const [isOpen, setIsOpen] = useState(count > 0);
  const known = chains.some((chain) => isReachable(chain) && chain.chain === filters.chain);
  return (
    <search className="flex flex-col gap-3 print:hidden">
      <div className="flex items-end gap-3">
        <SearchField
          value={filters.q ?? ''}
          onValue={(q) => onFilters({ ...filters, q })}
          placeholder="A name, an address or a transaction"
          className="grow"
        />
        <Button
          className="min-h-12! lg:hidden"
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
        <Select label="Direction" value={filters.direction} onChange={set('direction')}>
          <option value="sent">Sent</option>
          <option value="received">Received</option>
        </Select>
        <Select label="Status" value={filters.status} onChange={set('status')}>
          <option value="paid">Paid</option>
          <option value="pending">On its way</option>
          <option value="failed">Not paid</option>
        </Select>
        <Select label="Chain" value={filters.chain} onChange={set('chain')}>
          {filters.chain && !known && <option value={filters.chain}>{filters.chain}</option>}
          {chains.map((chain) => (
            <option key={chain.chain} value={chain.chain}>
              {chain.label}
            </option>
          ))}
        </Select>
        <Field label="From" type="date" max={filters.to} value={filters.from ?? ''} onChange={set('from')} />
        <Field label="To" type="date" min={filters.from} value={filters.to ?? ''} onChange={set('to')} />
        <Button className="min-h-12!" disabled={Object.keys(filters).length === 0} onClick={() => onFilters({})}>
          Clear
        </Button>
      </div>
    </search>
  );
}

function Select({
  label,
  value,
  onChange,
  children,
}: {
  label: string;
  value: string | undefined;
  onChange: (event: { target: { value: string } }) => void;
  children: ReactNode;
}) {
  return (
    <SelectField label={label} value={value ?? ''} onChange={onChange}>
      <option value="">All</option>
      {children}
    </SelectField>
  );
}
