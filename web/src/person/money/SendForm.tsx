// To whom, how much and on which network: where the money is comes first. The fee is shown before anything is signed.
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { findChain } from '../../../../src/domain/chains.ts';
import { readSolanaAddress } from '../../../../src/domain/solanaAddress.ts';
import { familyOf, type WalletFamily } from '../../../../src/domain/walletFamily.ts';
import type { PreparedSend, SendView } from '../../../../src/http/api/sendAnswers.ts';
import { queryOf } from '../../app/api.ts';
import { ApiError } from '../../app/apiError.ts';
import { addAmounts, compareAmounts, isAmount, padAmount, typedAmount } from '../../app/format.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Field, SelectField } from '../../ui/Field.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { labelOf, readRecipient, slugOf } from '../escrow/recipient.ts';
import { type ChainHoldings, prepareSend, usdcIn, useBalances, useOwnChains } from './moneyApi.ts';

export type Wish = { to: string; amount: string; chain: string };

/** In USDC; the service says the same before it is signed. */
const FEE = '0.05';

export function SendForm({
  wish,
  draft,
  onChange,
  onPrepared,
  onResume,
}: {
  wish: Wish;
  /** A payment that waits for its signature. */
  draft: SendView | null;
  onChange: (wish: Wish) => void;
  onPrepared: (prepared: PreparedSend) => void;
  onResume: (draft: SendView) => void;
}) {
  const { error, refetch } = useBalances();
  const chains = useOwnChains();
  const prepare = useMutation({ mutationFn: prepareSend, onSuccess: onPrepared });
  const problem = useRef<HTMLDivElement>(null);
  // On a phone what went wrong would stand below the edge.
  useEffect(() => {
    if (prepare.error) problem.current?.scrollIntoView({ block: 'nearest' });
  }, [prepare.error]);
  if (error && !chains) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (!chains) return <Skeleton className="h-80" />;
  const typed = familyTyped(wish.to);
  const reachable = chains.filter(({ unreachable }) => !unreachable);
  const fitting = reachable.filter(({ family }) => typed === null || family === typed);
  const usable = fitting.length > 0 ? fitting : reachable;
  const silent = chains.filter(({ unreachable }) => unreachable).map(({ label }) => label);
  const chain = chosenChain(usable, wish);
  if (!chain) return <NoChain silent={silent} retry={() => void refetch()} />;
  const set = (change: Partial<Wish>) => {
    prepare.reset();
    onChange({ ...wish, ...change });
  };
  const elsewhere = readRecipient(wish.to);
  const isElsewhere = typed === null && elsewhere.platform !== 'ampersat';
  const has = usdcIn(chain) ?? '0';
  const isFree = !paysFee(chain);
  const needs = isFree ? wish.amount : addAmounts([wish.amount, FEE]);
  const isTooMuch = isAmount(wish.amount) && compareAmounts(needs, has) > 0;
  const isUnknown = prepare.error instanceof ApiError && prepare.error.code === 'handle_not_found';
  const tab = (to: string) => `/tabs/new${queryOf({ to, amount: wish.amount, chain: chain.chain })}`;
  return (
    <Card title="Send USDC">
      {draft && (
        <p className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-sunken px-4 py-2 text-sm">
          <span className="min-w-0 break-words">
            {padAmount(draft.amount)} USDC to {draft.to} waits for your confirmation.
          </span>
          <Button onClick={() => onResume(draft)}>Continue</Button>
        </p>
      )}
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          prepare.mutate({ to: wish.to.trim(), amount: wish.amount, chain: chain.chain });
        }}
      >
        <Field
          label="To"
          name="to"
          maxLength={100}
          autoCapitalize="none"
          placeholder="@alice or an address"
          hint={isElsewhere ? null : 'An Ampersat handle, or an address on the network.'}
          error={typed !== null && fitting.length === 0 ? NO_WALLET[typed] : null}
          value={wish.to}
          onChange={(event) => set({ to: event.target.value })}
        />
        {isElsewhere && (
          <p className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-amber-soft px-4 py-2 text-sm text-amber">
            <span className="min-w-0 grow basis-56">
              Names on other platforms change hands. A tab keeps the money for {labelOf(elsewhere)} until its owner
              claims it; unclaimed, it returns to you.
            </span>
            <ButtonLink href={tab(slugOf(elsewhere))}>Open a tab</ButtonLink>
          </p>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Amount"
            name="amount"
            after="USDC"
            inputMode="decimal"
            maxLength={20}
            placeholder="5.00"
            value={wish.amount}
            error={isTooMuch ? `You have ${padAmount(has)} USDC on ${chain.label}.` : null}
            hint={isFree ? 'Your wallet pays the network fee.' : `Fee: $${FEE}. Ampersat pays the network fee.`}
            onChange={(event) => set({ amount: typedAmount(event.target.value) })}
          />
          <SelectField label="Network" value={chain.chain} onChange={(event) => set({ chain: event.target.value })}>
            {usable.map((one) => (
              <option key={one.chain} value={one.chain}>
                {one.label}: {padAmount(usdcIn(one) ?? '0')} USDC
              </option>
            ))}
          </SelectField>
        </div>
        {silent.length > 0 && (
          <p className="text-sm text-amber">
            {silent.join(', ')} {silent.length === 1 ? 'is' : 'are'} unreachable at the moment.
          </p>
        )}
        <Button
          type="submit"
          kind="filled"
          className="min-h-12! self-start text-base! max-sm:w-full"
          disabled={
            prepare.isPending ||
            isElsewhere ||
            fitting.length === 0 ||
            wish.to.trim() === '' ||
            !isAmount(wish.amount) ||
            isTooMuch
          }
        >
          {prepare.isPending ? 'One moment…' : 'Review'}
        </Button>
        <div ref={problem} className="flex scroll-mb-24 flex-col gap-2 empty:hidden">
          {prepare.error && <ErrorNote>{prepare.error.message}</ErrorNote>}
          {isUnknown && (
            <ButtonLink href={tab('')} className="self-start">
              Open a tab
            </ButtonLink>
          )}
        </div>
      </form>
    </Card>
  );
}

/** The family of an address that was typed; null for anything else. */
function familyTyped(to: string): WalletFamily | null {
  const text = to.trim();
  return /^0x/i.test(text) || readSolanaAddress(text) ? familyOf(text.replace(/^0X/, '0x')) : null;
}

const NO_WALLET: Record<WalletFamily, string> = {
  evm: 'This address is on EVM networks, and none of yours is reachable. Add an EVM wallet in the settings.',
  solana: 'This address is on Solana, where you have no wallet that is reachable. Add one in the settings.',
};

/** The chosen one; else one that has enough, and of those one of EVM without a network fee, where most can be paid; else the one with most. */
function chosenChain(usable: ChainHoldings[], { amount, chain }: Wish): ChainHoldings | undefined {
  const chosen = usable.find((one) => one.chain === chain);
  if (chosen) return chosen;
  const needed = isAmount(amount) ? addAmounts([amount, FEE]) : '0';
  const byMoney = usable.toSorted((a, b) => compareAmounts(usdcIn(b) ?? '0', usdcIn(a) ?? '0'));
  const enough = byMoney.filter((one) => compareAmounts(usdcIn(one) ?? '0', needed) >= 0);
  return enough.find((one) => one.family === 'evm' && paysFee(one)) ?? enough.find(paysFee) ?? enough[0] ?? byMoney[0];
}

/** Where the payment is signed and not sent by the wallet, Ampersat pays the network fee and takes its own. */
function paysFee({ chain, family }: ChainHoldings): boolean {
  return family === 'solana' || (findChain(chain)?.permits.includes('eip3009') ?? false);
}

function NoChain({ silent, retry }: { silent: string[]; retry: () => void }) {
  if (silent.length > 0)
    return <ErrorNote retry={retry}>{silent.join(', ')} can’t be reached at the moment.</ErrorNote>;
  return (
    <EmptyNote title="No network here">
      <p className="mb-4">No network of this mode is served for your wallet.</p>
      <ButtonLink href="/settings">Add a wallet</ButtonLink>
    </EmptyNote>
  );
}
