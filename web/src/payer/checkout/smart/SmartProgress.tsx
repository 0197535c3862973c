// A payment from elsewhere under way, and how it ended: its four steps with their times, and each leg by itself.
import { ExternalLink } from 'lucide-react';
import { useRef, useState } from 'react';
import { BRIDGE_LABELS } from '../../../../../src/domain/smartLeg.ts';
import { familyOf, type WalletFamily } from '../../../../../src/domain/walletFamily.ts';
import { readClockOffset } from '../../../app/api.ts';
import { padAmount } from '../../../app/format.ts';
import { type SmartLeg, type SmartPayment, withSent } from '../../../smart/smartApi.ts';
import type { LegWallets } from '../../../smart/smartRun.ts';
import { UnseenNote } from '../../../smart/UnseenNote.tsx';
import { Button } from '../../../ui/Button.tsx';
import { noTimes, type Step, Steps } from '../../../ui/Steps.tsx';
import { useDeviceNow } from '../../../ui/TimeAgo.tsx';
import { useSolanaWallets, usualSolanaWallet } from '../../../wallet/solana/wallets.ts';
import { useWallets, usualWallet } from '../../../wallet/wallets.ts';
import { useWords } from '../language.ts';
import { problemWords } from '../problems.ts';
import { LARGE_BUTTON, WalletProblem } from '../usePayerWallet.tsx';
import type { Words } from '../words/en.ts';
import type { SmartRun } from './useSmart.ts';

const IN_ORDER: readonly SmartPayment['step'][] = [
  'preparing',
  'waiting_for_confirmation',
  'bridge_processing',
  'bridge_complete',
];

/** From then on a bridge is slower than it says. */
const SLOW_MS = 120_000;
const TICK_MS = 5_000;

/** @param isOver the order takes nothing more: no part is left to confirm */
export function SmartProgress({
  payment: known,
  run,
  isOver = false,
}: {
  payment: SmartPayment;
  run: SmartRun;
  isOver?: boolean;
}) {
  const words = useWords();
  const { smart } = words;
  const { give, kept, unseen } = run;
  const payment = withSent(known, unseen.legs);
  const steps = useSteps(words, payment);
  const [shown] = useState(noTimes);
  const wallets = useUsualWallets(payment);
  const waits = isOver ? [] : payment.legs.filter(({ status }) => status === 'prepared');
  const now = useDeviceNow(TICK_MS);
  const isSlow = payment.step === 'bridge_processing' && now - (steps.at(-1)?.at ?? now) > SLOW_MS;
  return (
    <section
      aria-label={words.progress}
      data-smart={payment.status}
      className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4"
    >
      <Steps steps={steps} endedAt={null} failed={false} shown={shown} />
      <Legs payment={payment} />
      {unseen.legs.length > 0 && !give.isPending && (
        <UnseenNote
          unseen={unseen}
          words={{ ...smart, slow: words.slow, wasDropped: words.wasDropped }}
          isOver={isOver}
        />
      )}
      {waits.length > 0 && !give.isPending && kept && (
        <>
          <p className="text-sm">{smart.partLeft(waits.length)}</p>
          <Button
            kind="filled"
            className={LARGE_BUTTON}
            disabled={!wallets.evm && !wallets.solana}
            onClick={() => give.mutate({ wallets, candidateId: kept.candidateId, payer: kept.payer })}
          >
            {smart.goOn}
          </Button>
        </>
      )}
      {give.isError && <WalletProblem error={give.error} declined={smart.declinedPart} wordsOf={problemWords} />}
      {isSlow && <p className="text-sm text-amber">{smart.slow}</p>}
      {payment.step !== 'bridge_complete' && waits.length === 0 && (
        <p className="text-sm text-muted">{words.closePage}</p>
      )}
    </section>
  );
}

/** A payment that is over and did not bring everything. */
export function SmartEnding({
  payment,
  rest,
  onDone,
}: {
  payment: SmartPayment;
  /** What is still due, with its currency. */
  rest: string;
  /** Null where nothing more can be paid. */
  onDone: (() => void) | null;
}) {
  const { smart } = useWords();
  const text = {
    partly: smart.partly(rest),
    refunded: smart.refunded,
    failed: smart.failed,
    succeeded: '',
    pending: '',
  };
  return (
    <section data-smart={payment.status} className="flex flex-col gap-3 rounded-2xl border border-line bg-surface p-4">
      <p role="status" className="rounded-lg bg-amber-soft p-4 text-sm text-amber">
        {text[payment.status]}
      </p>
      <Legs payment={payment} />
      {onDone && (
        <Button kind="filled" className={LARGE_BUTTON} onClick={onDone}>
          {payment.status === 'partly' ? smart.payRest : smart.payAgain}
        </Button>
      )}
    </section>
  );
}

/** One that its bridge gave up, beside what is paid now. */
export function PastPayment({ payment }: { payment: SmartPayment }) {
  const { smart } = useWords();
  return (
    <section className="flex flex-col gap-2 rounded-2xl border border-line bg-surface p-4">
      <h2 className="text-sm font-medium">{smart.earlier}</h2>
      <Legs payment={payment} />
      <p className="text-sm text-muted">{smart.earlierToo}</p>
    </section>
  );
}

/** Of an order that is over: what its payer sent before that. */
export function LatePayment({ payment, run, rest }: { payment: SmartPayment; run: SmartRun; rest: string }) {
  const { smart } = useWords();
  if (payment.status !== 'pending' && payment.status !== 'succeeded' && run.unseen.legs.length === 0)
    return <SmartEnding payment={payment} rest={rest} onDone={null} />;
  return (
    <>
      <p className="text-center text-sm">{smart.stillMoving}</p>
      <SmartProgress payment={payment} run={run} isOver />
    </>
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
            <span className="w-full text-muted wrap-anywhere">
              {leg.txHashes.origin === null
                ? smart.notSent
                : smart.atBridge(leg.via === 'direct' ? '' : BRIDGE_LABELS[leg.via], leg.requestId)}
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

/** The steps with the times at which this page saw them; of those that were reached before it was opened, when the payer gave the money. */
function useSteps(words: Words, { step, legs }: SmartPayment): Step[] {
  const seen = useRef(new Map<string, number>());
  const sentAt = legs.flatMap(({ sent_at }) => (sent_at === null ? [] : Date.parse(sent_at) - readClockOffset()));
  const since = seen.current.size === 0 ? Math.min(...sentAt, Date.now()) : Date.now();
  const reached = IN_ORDER.slice(0, IN_ORDER.indexOf(step) + 1);
  for (const name of reached) if (!seen.current.has(name)) seen.current.set(name, since);
  return reached.map((name) => ({ key: name, at: seen.current.get(name) ?? 0, ...words.smart.steps[name] }));
}

/** After a reload: the wallets that were used last, with the addresses that the legs name. */
function useUsualWallets({ legs }: SmartPayment): LegWallets {
  const [wallets, solanaWallets] = [useWallets(), useSolanaWallets()];
  const wallet = wallets && usualWallet(wallets);
  const solana = usualSolanaWallet(solanaWallets);
  const payerOf = (family: WalletFamily) => legs.find(({ payer }) => familyOf(payer) === family)?.payer;
  const [address, solanaAddress] = [payerOf('evm'), payerOf('solana')];
  return {
    evm: wallet && address !== undefined ? { provider: wallet.provider, address } : null,
    solana: solana && solanaAddress !== undefined ? { wallet: solana, address: solanaAddress } : null,
  };
}
