// The filters of the orders.
import { X } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { FilterBar } from '../../ui/FilterBar.tsx';
import { chainsOf, useMode, useWorkspace } from '../business/workspaceApi.ts';
import type { Filters } from './ordersApi.ts';

export function OrderFilterBar({ filters, onFilters }: { filters: Filters; onFilters: (filters: Filters) => void }) {
  const workspace = useWorkspace().data;
  const mode = useMode();
  const chains = workspace ? chainsOf(workspace, mode) : [];
  const currencies = [...new Set(chains.flatMap((chain) => chain.currencies))];
  return (
    <FilterBar
      filters={filters}
      onFilters={onFilters}
      placeholder="Description, ID, amount, payer, metadata…"
      compact
      selects={[
        { name: 'chain', label: 'Network', choices: chains.map(({ chain, label }) => [chain, label] as const) },
        { name: 'currency', label: 'Currency', choices: currencies.map((currency) => [currency, currency] as const) },
      ]}
    >
      {filters.link && (
        <Button className="self-start" onClick={() => onFilters({ ...filters, link: '' })}>
          <X aria-hidden="true" className="size-4" />
          Clear link filter
        </Button>
      )}
    </FilterBar>
  );
}
