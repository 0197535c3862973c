// The transactions of a message.

import { chainLabel, findChain } from '../../../../src/domain/chains.ts';
import { Hex } from '../../../../web/src/ui/Hex.tsx';
import type { Stack, Trace, Transaction } from '../localApi.ts';
import { Section } from './Section.tsx';

/** The ID of the section. */
export const TRANSACTIONS = 'transactions';

const STATUS_WORDS: Record<Transaction['status'], string> = {
  queued: 'waiting for an executor',
  cancelled: 'cancelled before it was signed',
  signed: 'signed and saved',
  sent: 'sent, waiting for a block',
  mined: 'in a block, confirming',
  final: 'final',
  lost: 'never mined: the payments are sent again',
};

export function Transactions({ stack, trace }: { stack: Stack; trace: Trace }) {
  return (
    <Section id={TRANSACTIONS} title={trace.transactions.length > 1 ? 'Transactions' : 'Transaction'}>
      {trace.transactions.map((transaction) => (
        <dl
          key={transaction.id}
          className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1 text-sm [&_dt]:text-muted"
        >
          <dt>Hash</dt>
          <dd>{transaction.hash ? <Hex value={transaction.hash} what="the transaction’s hash" /> : 'none yet'}</dd>
          <dt>Status</dt>
          <dd>
            {STATUS_WORDS[transaction.status]}
            {transaction.attempts > 1 && `, signed ${transaction.attempts} times with rising fees`}
          </dd>
          {transaction.effects.length > 0 && (
            <>
              <dt className="self-start">Effect</dt>
              <dd className="break-words">
                {transaction.effects.map((effect) => (
                  <p key={effect}>{effect}</p>
                ))}
              </dd>
            </>
          )}
          <dt>Network</dt>
          <dd>{networkOf(stack, transaction.chain)}</dd>
          <dt>{isSolana(transaction.chain) ? 'Slot' : 'Block'}</dt>
          <dd className="amount">{transaction.block ?? 'none yet'}</dd>
          {transaction.nonce !== null && (
            <>
              <dt>Nonce</dt>
              <dd className="amount">{transaction.nonce}</dd>
            </>
          )}
          <dt>Sent by</dt>
          <dd>
            <Hex value={transaction.executor} what="the executor’s address" />
          </dd>
        </dl>
      ))}
    </Section>
  );
}

const isSolana = (chain: string) => findChain(chain)?.family === 'solana';

function networkOf({ chains }: Stack, name: string): string {
  if (isSolana(name)) return `${chainLabel(name)} (local cluster)`;
  const id = chains.find((chain) => chain.name === name)?.chain_id ?? 'unknown';
  return `${chainLabel(name)} (local copy, ID ${id})`;
}
