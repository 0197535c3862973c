// SOL for the Solana wallet, paid with USDC of the EVM wallet: one amount, and what that wallet asks for.
import { useState } from 'react';
import { BRIDGE_LABELS } from '../../../../src/domain/smartLeg.ts';
import { isAmount, padAmount, typedAmount } from '../../app/format.ts';
import type { SmartLeg, SmartPayment } from '../../smart/smartApi.ts';
import { UnseenNote } from '../../smart/UnseenNote.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import type { ChosenWallet } from '../spending/runCall.ts';
import { useUsualWallet, WalletChoice } from '../spending/walletChoice.tsx';
import { type TopUpStage, useTopUp } from './topUpRun.ts';

/** Some thousand transactions of Solana. */
const USUAL = '0.02';

export function TopUpSol({ evmAddress }: { evmAddress: string }) {
  const usual = useUsualWallet('evm');
  const [picked, setPicked] = useState<ChosenWallet | null>(null);
  const [typed, setTyped] = useState(USUAL);
  const { give, stage, asked, payment, unseen } = useTopUp(evmAddress);
  const chosen = picked ?? usual;
  const amount = typed.replace(/^\./, '0.');
  const isGood = isAmount(amount) && /^\d*(\.\d{1,9})?$/.test(amount);
  const isUnderWay = give.isPending || payment?.status === 'pending';
  return (
    <section aria-label="Get SOL" className="flex flex-col gap-3 border-t border-line pt-4">
      <p className="text-sm">
        Your own transactions on Solana cost a little SOL. You can get some here with the USDC in your EVM wallet.
      </p>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen?.family === 'evm' && isGood && !isUnderWay)
            give.mutate({ provider: chosen.wallet.provider, amount });
        }}
      >
        <Field
          label="SOL to get"
          name="top_up_amount"
          after="SOL"
          inputMode="decimal"
          maxLength={20}
          className="sm:max-w-80"
          value={typed}
          disabled={isUnderWay}
          error={isGood || typed === '' ? null : 'Enter a number with up to 9 decimals, such as 0.02.'}
          hint="Up to 50 USD worth of it in 24 hours."
          onChange={(event) => setTyped(typedAmount(event.target.value))}
        />
        {chosen === null ? (
          <WalletChoice family="evm" disabled={isUnderWay} onChoose={setPicked} />
        ) : (
          <Button className="self-start max-sm:w-full" disabled={!chosen || !isGood || isUnderWay} type="submit">
            Get SOL
          </Button>
        )}
      </form>
      {give.isError && <ErrorNote>{give.error.message}</ErrorNote>}
      {give.isPending && (
        <p role="status" data-top-up={stage} className="text-sm">
          {STAGES[stage]}
          {asked && ` You pay ${paidBy(asked)}.`}
        </p>
      )}
      {payment && !give.isPending && unseen.legs.length > 0 ? (
        <UnseenNote unseen={unseen} words={UNSEEN} />
      ) : (
        payment &&
        !give.isPending && (
          <p role="status" data-top-up={payment.status} className="text-sm wrap-anywhere">
            {wordsOf(payment)}
          </p>
        )
      )}
    </section>
  );
}

const UNSEEN = {
  notSeen: 'Your wallet sent it, and the network doesn’t show it yet. Don’t pay again: this page keeps looking.',
  checkStatus: 'Check status',
  slow: 'This is taking longer than usual. Check your wallet’s activity before trying again.',
  wasDropped: 'It was dropped: pay again',
};

const STAGES: Record<TopUpStage, string> = {
  price: 'Looking for the best price…',
  network: 'Confirm the network in your wallet…',
  sign: 'Confirm in your wallet…',
  approve: 'Allow the payment in your wallet…',
  approving: 'Waiting for the network…',
  confirm: 'Confirm in your wallet…',
  send: 'Sending…',
};

function paidBy({ amount, asset, chain_label: where }: Pick<SmartLeg, 'amount' | 'asset' | 'chain_label'>): string {
  return `${padAmount(amount)} ${asset} on ${where}`;
}

function wordsOf({ status, amount, legs: [leg] }: SmartPayment): string {
  const price = leg ? ` for ${paidBy(leg)}` : '';
  switch (status) {
    case 'pending':
      return `${amount} SOL${price} is on its way. It takes about a minute, and you can leave this page meanwhile.`;
    case 'succeeded':
      return `${amount} SOL has arrived in your Solana wallet.`;
    case 'partly':
      return 'A part of it has arrived in your Solana wallet.';
    case 'refunded':
      return 'It couldn’t be delivered. Your USDC is back in your wallet, less the cost of sending it.';
    case 'failed': {
      const bridge = leg && leg.via !== 'direct' ? BRIDGE_LABELS[leg.via] : 'The bridge';
      return `${bridge} couldn’t deliver it and still has your USDC. Ask its support for it with the number ${leg?.requestId}.`;
    }
  }
}
