// Paying an order from elsewhere: what leaves the wallet, and one press.
import { padAmount } from '../../../app/format.ts';
import type { Candidate } from '../../../smart/smartApi.ts';
import type { LegWallets } from '../../../smart/smartRun.ts';
import { Button } from '../../../ui/Button.tsx';
import type { Away } from '../Away.tsx';
import type { PublicOrder } from '../checkoutApi.ts';
import { useWords } from '../language.ts';
import { problemWords } from '../problems.ts';
import { LARGE_BUTTON, WalletProblem } from '../usePayerWallet.tsx';
import { linesOf } from './PayWith.tsx';
import type { SmartRun } from './useSmart.ts';

export function SmartPay({
  order,
  candidate,
  wallets,
  run,
  away,
}: {
  order: PublicOrder;
  candidate: Candidate;
  wallets: LegWallets;
  run: SmartRun;
  away: Away;
}) {
  const words = useWords();
  const { smart } = words;
  const { give } = run;
  const lines = linesOf(words, candidate, order.currency);
  const isBridged = candidate.legs.some(({ via }) => via !== 'direct');
  return (
    <>
      <div className="flex flex-col gap-2 text-sm">
        <ol className={lines.length > 1 ? 'flex list-decimal flex-col gap-1 pl-5' : ''}>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ol>
        <p className="text-muted">
          {candidate.gasless && `${words.noNetworkFee} `}
          {isBridged && smart.comesBack}
        </p>
      </div>
      <Button
        kind="filled"
        className={LARGE_BUTTON}
        disabled={give.isPending || away !== null || !candidate.balance_ok}
        onClick={() => give.mutate({ wallets, candidateId: candidate.id, payer: candidate.legs[0]?.payer ?? '' })}
      >
        {give.isPending ? words.waiting : words.payAmount(`${padAmount(order.amount_due)} ${order.currency}`)}
      </Button>
      {give.isError && <WalletProblem error={give.error} declined={words.declinedPay} wordsOf={problemWords} />}
    </>
  );
}
