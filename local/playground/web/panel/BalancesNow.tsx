// The current balances of all accounts, as bars.
import { ToggleGroup } from 'radix-ui';
import { useState } from 'react';
import { chainLabel } from '../../../../src/domain/chains.ts';
import { capitalised, padAmount } from '../../../../web/src/app/format.ts';
import { Avatar } from '../../../../web/src/ui/Avatar.tsx';
import { ErrorNote, Skeleton } from '../../../../web/src/ui/notices.tsx';
import type { Balance, Stack } from '../localApi.ts';
import { useBalances } from '../useTrace.ts';
import { Section } from './Section.tsx';

export function BalancesNow({ stack }: { stack: Stack }) {
  const balances = useBalances();
  const [chain, setChain] = useState(stack.chains[0]?.name ?? '');
  const rows = balances.data?.filter((balance) => balance.chain === chain) ?? [];
  return (
    <Section
      title="Balances now"
      aside={stack.chains.length > 1 && <ChainChoice chains={stack.chains} chain={chain} onPick={setChain} />}
    >
      {balances.isError && (
        <div className="mb-3">
          <ErrorNote retry={() => void balances.refetch()}>{balances.error.message}</ErrorNote>
        </div>
      )}
      {balances.isPending ? (
        <output aria-label="Loading balances" className="flex flex-col gap-2">
          {['a', 'b', 'c', 'd', 'e'].map((key) => (
            <Skeleton key={key} className="h-6" />
          ))}
        </output>
      ) : (
        <Bars rows={rows} />
      )}
    </Section>
  );
}

function Bars({ rows }: { rows: Balance[] }) {
  const most = Math.max(1, ...rows.map((row) => Number(row.amount)));
  return (
    <ul className="flex flex-col gap-2 text-sm">
      {rows.map((row) => (
        <li key={row.name} className="grid grid-cols-[6.5rem_minmax(0,1fr)_auto] items-center gap-3">
          <span className="flex items-center gap-2">
            <Avatar name={row.name} size="small" />
            {capitalised(row.name)}
          </span>
          <svg aria-hidden="true" className="h-2 w-full">
            <rect width="100%" height="8" rx="4" className="fill-sunken" />
            <rect width={`${(Number(row.amount) / most) * 100}%`} height="8" rx="4" className="fill-accent" />
          </svg>
          <span className="min-w-28 text-right amount">
            {padAmount(row.amount)} {row.asset}
          </span>
        </li>
      ))}
    </ul>
  );
}

function ChainChoice({
  chains,
  chain,
  onPick,
}: {
  chains: Stack['chains'];
  chain: string;
  onPick: (chain: string) => void;
}) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label="Network"
      value={chain}
      onValueChange={(next) => next && onPick(next)}
      className="flex flex-wrap rounded-lg bg-sunken p-0.5"
    >
      {chains.map(({ name }) => (
        <ToggleGroup.Item
          key={name}
          value={name}
          className="min-h-8 rounded-lg px-2 text-sm text-muted transition data-[state=on]:bg-surface data-[state=on]:font-medium data-[state=on]:text-ink"
        >
          {chainLabel(name)}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
