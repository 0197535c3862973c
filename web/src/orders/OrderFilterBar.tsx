// The filters of the orders.
import { X } from 'lucide-react';
import { chainsOf, useMode, useWorkspace } from '../business/workspaceApi.ts';
import { Button } from '../ui/Button.tsx';
import { FilterBar } from '../ui/FilterBar.tsx';
import type { Filters } from './ordersApi.ts';
import { STATUS_CHOICES } from './orderWords.ts';

export function OrderFilterBar({ filters, onFilters }: { filters: Filters; onFilters: (filters: Filters) => void }) {
  const workspace = useWorkspace().data;
  const mode = useMode();
  const chains = workspace ? chainsOf(workspace, mode) : [];
  const currencies = [...new Set(chains.flatMap((chain) => chain.currencies))];
  return (
    <FilterBar
      filters={filters}
      onFilters={onFilters}
      placeholder="Description, id, amount, payer…"
      selects={[
        { name: 'status', label: 'Status', choices: STATUS_CHOICES },
        { name: 'chain', label: 'Chain', choices: chains.map(({ chain, label }) => [chain, label] as const) },
        { name: 'currency', label: 'Currency', choices: currencies.map((currency) => [currency, currency] as const) },
      ]}
    >
      {filters.link && (
        <Button className="self-start" onClick={() => onFilters({ ...filters, link: '' })}>
          <X aria-hidden="true" className="size-4" />
          Only one link’s: show all
        </Button>
      )}
    </FilterBar>
  );
}
