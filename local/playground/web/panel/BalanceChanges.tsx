// Balances before and after the block of this message.

import { chainLabel } from '../../../../src/domain/chains.ts';
import { capitalised, difference } from '../../../../web/src/app/format.ts';
import { Avatar } from '../../../../web/src/ui/Avatar.tsx';
import type { BalanceChange } from '../localApi.ts';
import { Section } from './Section.tsx';

export function BalanceChanges({ changes }: { changes: BalanceChange[] }) {
  const chains = [...new Set(changes.map((change) => change.chain))];
  return (
    <Section
      title="Before and after"
      aside={<span className="text-sm text-muted">USDC on {chains.map(chainLabel).join(' and ')}</span>}
    >
      <table className="w-full text-sm max-sm:text-xs">
        <thead className="sr-only">
          <tr>
            <th scope="col">Who</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <Row key={`${change.chain}${change.name}`} change={change} showChain={chains.length > 1} />
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function Row({ change, showChain }: { change: BalanceChange; showChain: boolean }) {
  const moved = difference(change.before, change.after);
  const gained = moved.startsWith('+');
  return (
    <tr>
      <th scope="row" className="py-1 text-left font-medium">
        <span className="flex items-center gap-2">
          <Avatar name={change.name} size="small" />
          {capitalised(change.name)}
          {showChain && <span className="font-normal text-muted">{chainLabel(change.chain)}</span>}
        </span>
      </th>
      <td className="py-1 text-right text-muted amount">{change.before}</td>
      <td className="py-1 text-right amount">
        <span aria-hidden="true" className="px-1 text-muted">
          →
        </span>
        {change.after}
      </td>
      <td className={`py-1 pl-3 text-right font-semibold amount ${gained ? 'text-accent' : 'text-brick'}`}>{moved}</td>
    </tr>
  );
}
