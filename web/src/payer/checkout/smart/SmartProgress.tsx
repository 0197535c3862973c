// A payment from elsewhere under way, and how it ended: its four steps with their times, and each leg by itself.
import { ExternalLink } from 'lucide-react';
import { useRef, useState } from 'react';
import { padAmount } from '../../../app/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { noTimes, type Step, Steps } from '../../../ui/Steps.tsx';
import { useWallets, usualWallet } from '../../../wallet/wallets.ts';
import { useWords } from '../language.ts';
import { problemWords } from '../problems.ts';
import { LARGE_BUTTON, WalletProblem } from '../usePayerWallet.tsx';
import type { Words } from '../words/en.ts';
import type { SmartLeg, SmartPayment } from './smartApi.ts';
import type { SmartRun } from './useSmart.ts';

const IN_ORDER: readonly SmartPayment['step'][] = [
  'preparing',
  'waiting_for_confirmation',
  'bridge_processing',
  'bridge_complete',
];

export function SmartProgress({ payment, run }: { payment: SmartPayment; run: SmartRun }) {
  const words = useWords();
  const { smart } = words;
  const steps = useSteps(words, payment);
  const [shown] = useState(noTimes);
  const wallets = useWallets();
  const wallet = wallets && usualWallet(wallets);
  const waits = payment.legs.filter(({ status }) => status === 'prepared');
  const { give, kept } = run;
  return (
    <section
      aria-label={words.progress}
      data-smart={payment.status}
      className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4"
    >
      <Steps steps={steps} endedAt={null} failed={false} shown={shown} />
      <Legs payment={payment} />
      {waits.length > 0 && !give.isPending && kept && (
        <>
          <p className="text-sm">{smart.partLeft(waits.length)}</p>
          <Button
            kind="filled"
            className={LARGE_BUTTON}
            disabled={!wallet}
            onClick={() =>
              wallet && give.mutate({ provider: wallet.provider, candidateId: kept.candidateId, payer: kept.payer })
            }
          >
            {smart.goOn}
          </Button>
        </>
      )}
      {give.isError && <WalletProblem error={give.error} declined={smart.declinedPart} wordsOf={problemWords} />}
      {payment.step === 'bridge_complete' ? (
        <p className="text-sm text-muted">{words.settling}</p>
      ) : (
        waits.length === 0 && <p className="text-sm text-muted">{words.closePage}</p>
      )}
    </section>
  );
}

/** A payment that is over and did not bring everything. */
export function SmartEnding({ payment, onDone }: { payment: SmartPayment; onDone: () => void }) {
  const { smart } = useWords();
  const text = { partly: smart.partly, refunded: smart.refunded, failed: smart.failed, succeeded: '', pending: '' };
  return (
    <section data-smart={payment.status} className="flex flex-col gap-3 rounded-2xl border border-line bg-surface p-4">
      <p role="status" className="rounded-lg bg-amber-soft p-4 text-sm text-amber">
        {text[payment.status]}
      </p>
      <Legs payment={payment} />
      <Button kind="filled" className={LARGE_BUTTON} onClick={onDone}>
        {payment.status === 'partly' ? smart.payRest : smart.payAgain}
      </Button>
    </section>
  );
}

function Legs({ payment }: { payment: SmartPayment }) {
  const { legs, currency } = payment;
  const words = useWords();
  const { smart } = words;
  if (legs.length === 1 && payment.status === 'pending') return null;
  return (
    <ul className="flex flex-col gap-2 text-sm">
      {legs.map((leg) => (
        <li key={leg.n} data-leg={leg.status} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="font-medium">{smart.assetOn(leg.asset, leg.chain_label)}</span>
          <span className="amount text-muted">
            {padAmount(leg.arrives)} {currency}
          </span>
          <LegStatus leg={leg} />
          {leg.status === 'refunded' && <span className="w-full text-muted">{smart.cameBack}</span>}
          {leg.status === 'failed' && (
            <span className="w-full text-muted">
              {leg.txHashes.origin === null ? smart.notSent : smart.atBridge(leg.requestId)}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function LegStatus({ leg }: { leg: SmartLeg }) {
  const { smart } = useWords();
  const { origin, destination, refund } = leg.explorerUrls;
  const link = refund ?? destination ?? origin;
  const word = smart.legs[leg.status];
  if (link === null) return <span className="ml-auto">{word}</span>;
  return (
    <a
      href={link}
      target="_blank"
      rel="noopener noreferrer"
      className="ml-auto inline-flex items-center gap-1 text-accent underline-offset-4 hover:underline"
    >
      {word}
      <ExternalLink aria-hidden="true" className="size-4" />
    </a>
  );
}

/** The steps that this page saw, with the times at which it did. */
function useSteps(words: Words, { step }: SmartPayment): Step[] {
  const seen = useRef(new Map<string, number>());
  const reached = IN_ORDER.slice(0, IN_ORDER.indexOf(step) + 1);
  for (const name of reached) if (!seen.current.has(name)) seen.current.set(name, Date.now());
  return reached.map((name) => ({ key: name, at: seen.current.get(name) ?? 0, ...words.smart.steps[name] }));
}
