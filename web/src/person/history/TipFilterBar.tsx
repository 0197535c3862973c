// The filters of the history.

import { FilterBar } from '../../ui/FilterBar.tsx';
import { useSpending } from '../spending/spendingApi.ts';
import type { Filters } from './historyApi.ts';

const DIRECTIONS = [
  ['sent', 'Sent'],
  ['received', 'Received'],
] as const;
const STATUSES = [
  ['paid', 'Paid'],
  ['pending', 'Pending'],
  ['failed', 'Not paid'],
] as const;

export function TipFilterBar({ filters, onFilters }: { filters: Filters; onFilters: (filters: Filters) => void }) {
  const chains = useSpending().data?.chains ?? [];
  return (
    <FilterBar
      filters={filters}
      onFilters={onFilters}
      placeholder="A name, an address or a transaction"
      selects={[
        { name: 'direction', label: 'Direction', choices: DIRECTIONS },
        { name: 'status', label: 'Status', choices: STATUSES },
        { name: 'chain', label: 'Network', choices: chains.map(({ chain, label }) => [chain, label] as const) },
      ]}
    />
  );
}
