// The current balances of all accounts, as bars.
import { ToggleGroup } from 'radix-ui';
import { useState } from 'react';
import { chainLabel, findChain } from '../../../../src/domain/chains.ts';
import { capitalised, clockTime, dayName, padAmount, shortAmount } from '../../../../web/src/app/format.ts';
import { Avatar } from '../../../../web/src/ui/Avatar.tsx';
import { Hex } from '../../../../web/src/ui/Hex.tsx';
import { ErrorNote, Skeleton } from '../../../../web/src/ui/notices.tsx';
import type { Balance, NewestBlock, Stack } from '../localApi.ts';
import { useBalances } from '../useTrace.ts';
import { Section } from './Section.tsx';

export function BalancesNow({ stack }: { stack: Stack }) {
  const balances = useBalances();
  const [chain, setChain] = useState(stack.chains[0]?.name ?? '');
  const rows = balances.data?.balances.filter((balance) => balance.chain === chain) ?? [];
  const newest = balances.data?.blocks.find((block) => block.chain === chain);
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
        <>
          <Bars rows={rows} />
          {newest && <Newest newest={newest} />}
        </>
      )}
    </Section>
  );
}

/** The chain’s own time: it moves with the clock of the stack. */
function Newest({ newest: { chain, block, at } }: { newest: NewestBlock }) {
  if (block === null || at === null) return <p className="mt-3 text-sm text-brick">The chain doesn’t answer.</p>;
  return (
    <p className="mt-3 text-sm text-muted tabular-nums">
      {findChain(chain)?.family === 'solana' ? 'Slot' : 'Block'} {block.toLocaleString('en-GB')},{' '}
      {dayName(Date.parse(at))} {clockTime(Date.parse(at))}
    </p>
  );
}

function Bars({ rows: all }: { rows: Balance[] }) {
  const rows = all.filter(({ asset }) => asset === 'USDC');
  const most = Math.max(1, ...rows.map((row) => Number(row.amount)));
  const nativeOf = (name: string) => all.find((row) => row.name === name && row.asset !== 'USDC');
  return (
    <ul className="flex flex-col gap-2 text-sm">
      {rows.map((row) => (
        <li key={row.name} className="grid grid-cols-[6.5rem_minmax(0,1fr)_auto] items-center gap-x-3">
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
          <span className="col-span-2 text-muted">
            <Hex value={row.address} what={`${capitalised(row.name)}’s address`} />
          </span>
          <Native balance={nativeOf(row.name)} />
        </li>
      ))}
    </ul>
  );
}

function Native({ balance }: { balance: Balance | undefined }) {
  if (!balance) return null;
  return (
    <span className="text-right text-muted amount" title={`${balance.amount} ${balance.asset}`}>
      {shortAmount(balance.amount, balance.asset)} {balance.asset}
    </span>
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
