// A tip that was typed before its sender was connected: everything it would do, then one yes or no.

import { useState } from 'react';
import type { PendingLeg, PendingTipView } from '../../../../src/http/api/waitingAnswers.ts';
import { addAmounts, capitalised, compareAmounts, exactTime, padAmount, timeUntil } from '../../app/format.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { useNow } from '../../ui/TimeAgo.tsx';
import { isWorthTelling } from './faults.ts';
import { refusalWords } from './refusalWords.ts';
import { type Answer, useAnswer } from './tipsApi.ts';
import { usePress } from './usePress.ts';

/** What the words of the command left open. */
const DOUBT_WORDS: Record<NonNullable<PendingTipView['doubt']>, string> = {
  note_unclear: 'The words behind the amount could be a note or something else. Check that this is what you meant.',
  conditional: 'This reads like a condition or a change of mind. If you confirm, it is sent now.',
  other_amount: 'There was another amount in your message. This amount is sent.',
  other_recipient: 'There was another name in your message. Only the person shown here is paid.',
  sentence: 'This was read out of your sentence. Check that it is what you meant.',
  separator: 'A sign in your message was unclear. Check that this is what you meant.',
  suggestion: 'Your command couldn’t be read in full. Check that this is what you meant.',
};

const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export function TipCard({
  tip,
  isNext,
  onAnswered,
}: {
  tip: PendingTipView;
  /** Its button is the page's next step. */
  isNext: boolean;
  onAnswered: (id: string, answer: Answer) => void;
}) {
  const answer = useAnswer(onAnswered);
  const press = usePress(answer);
  const [shownFirst] = useState(tip.fingerprint);
  const hasChanged = shownFirst !== null && tip.fingerprint !== null && tip.fingerprint !== shownFirst;
  const { id, fingerprint, legs, refusal } = tip;
  const asked = answer.isPending ? answer.variables.answer.action : null;
  return (
    <Card
      title={`You typed a ${tip.kind === 'tip' ? 'tip' : 'payment'} in ${platformName(tip.platform)}`}
      aside={<KeptUntil at={tip.expires_at} />}
    >
      <p className="text-sm text-muted">You weren’t connected then, so you haven’t been charged. Confirm to send it.</p>
      {legs.length > 0 && (
        <>
          <Legs legs={legs} />
          <p className="text-sm text-muted">{takeBackWords(legs)}</p>
        </>
      )}
      {tip.note !== null && legs.length > 0 && (
        <p className="overflow-hidden text-sm break-words">Note: “{tip.note}”</p>
      )}
      {tip.doubt !== null && legs.length > 0 && (
        <p className="rounded-lg bg-amber-soft px-4 py-3 text-sm text-amber">{DOUBT_WORDS[tip.doubt]}</p>
      )}
      {tip.refused.length > 0 && (
        <ul className="flex flex-col gap-1 rounded-lg bg-amber-soft px-4 py-3 text-sm text-amber">
          {tip.refused.map(({ label, code }) => (
            <li key={`${label} ${code}`} className="break-words">
              Left out: {refusalWords(code).text(label)}
            </li>
          ))}
        </ul>
      )}
      {refusal && <RefusalNote code={refusal} />}
      {hasChanged && (
        <p role="status" className="rounded-lg bg-amber-soft px-4 py-3 text-sm text-amber">
          This has changed since you opened the page. Check the details again.
        </p>
      )}
      <div className="grid gap-3 sm:flex">
        {fingerprint !== null && legs.length > 0 && (
          // A press that began on other figures must not count for these.
          <Button
            key={fingerprint}
            kind={isNext ? 'filled' : 'outlined'}
            className="min-h-12! text-base!"
            disabled={answer.isPending}
            onClick={() => press({ id, answer: { action: 'confirm', fingerprint } })}
          >
            {asked === 'confirm' ? 'Sending it…' : `Send ${sumsOf(legs.map(({ amount, asset }) => [amount, asset]))}`}
          </Button>
        )}
        {refusal && <RefusalLink code={refusal} isNext={isNext} />}
        <Button
          className="min-h-12!"
          disabled={answer.isPending}
          onClick={() => press({ id, answer: { action: 'decline' } })}
        >
          {asked === 'decline' ? 'Declining…' : 'Don’t send'}
        </Button>
      </div>
      {isWorthTelling(answer.error) && <ErrorNote>{answer.error.message}</ErrorNote>}
    </Card>
  );
}

/** One recipient is shown as on a receipt, several as a list. */
function Legs({ legs }: { legs: PendingLeg[] }) {
  const [only] = legs;
  const total = sumsOf(legs.flatMap((leg) => [[leg.amount, leg.asset] as const, [feeOf(leg), leg.asset] as const]));
  return (
    <dl className="flex flex-col border-y border-line text-sm">
      {only && legs.length === 1 ? (
        <>
          <Row name="To">
            {only.label}
            {only.tab_days !== null && ', no account yet'}
          </Row>
          <Row name="Amount">{figure(only.amount, only.asset)}</Row>
          <Row name="Fee (added)">
            {hasFee(only) ? figure(feeOf(only), only.asset) : 'none'}
            {only.bridge_fee !== null && (
              <span className="block text-sm font-normal text-muted">
                with {padAmount(only.bridge_fee)} for the bridge
              </span>
            )}
          </Row>
          <Row name="Network">{networkOf(only)}</Row>
        </>
      ) : (
        legs.map((leg, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the legs of a plan have a fixed order, and one name may be in it twice
          <Row key={index} name={leg.tab_days === null ? `To ${leg.label}` : `To ${leg.label}, no account yet`}>
            {figure(leg.amount, leg.asset)}
            <span className="block text-sm font-normal text-muted">
              {hasFee(leg) ? `fee ${padAmount(feeOf(leg))}` : 'no fee'}, on {networkOf(leg)}
            </span>
          </Row>
        ))
      )}
      <Row name="Total">
        <span className="text-xl font-semibold tracking-tight amount">{total}</span>
      </Row>
    </dl>
  );
}

/** With what a bridge takes. */
function feeOf({ fee, bridge_fee }: PendingLeg): string {
  return bridge_fee === null ? fee : addAmounts([fee, bridge_fee]);
}

function networkOf({ chain, to_chain }: PendingLeg): string {
  return to_chain === null ? chain : `${chain} → ${to_chain}`;
}

function hasFee(leg: PendingLeg): boolean {
  return compareAmounts(feeOf(leg), '0') > 0;
}

function takeBackWords(legs: PendingLeg[]): string {
  const kept = legs.filter((leg) => leg.tab_days !== null);
  const days = Math.max(0, ...kept.map(({ tab_days }) => tab_days ?? 0));
  if (kept.length === 0) return 'This can’t be undone.';
  if (kept.length === legs.length)
    return `It is held for ${legs.length === 1 ? kept[0]?.label : 'them'} for ${days} days. You can take it back until it is claimed.`;
  return `Payments to people with an account can’t be undone. Money for people without one is held for ${days} days, and you can take it back until it is claimed.`;
}

function RefusalNote({ code }: { code: string }) {
  return (
    <p role="status" className="rounded-lg bg-amber-soft px-4 py-3 text-sm text-amber">
      {refusalWords(code).text('The person you named')}
    </p>
  );
}

function RefusalLink({ code, isNext }: { code: string; isNext: boolean }) {
  const { next } = refusalWords(code);
  if (!next) return null;
  return (
    <ButtonLink href={next.href} kind={isNext ? 'filled' : 'outlined'} className="min-h-12! text-base!">
      {next.label}
    </ButtonLink>
  );
}

function KeptUntil({ at }: { at: string }) {
  const now = useNow();
  const ms = Date.parse(at);
  return (
    <span className="text-sm text-muted">
      Expires{' '}
      <time dateTime={at} title={`${exactTime(ms)}, ${timeUntil(ms, now)}`}>
        {DAY_AND_TIME.format(ms)}
      </time>
    </span>
  );
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-4 border-line py-1 not-first:border-t">
      <dt className="min-w-0 text-muted break-words">{name}</dt>
      <dd className="min-w-0 text-right font-medium break-words">{children}</dd>
    </div>
  );
}

function figure(amount: string, asset: string) {
  return (
    <span className="amount">
      {padAmount(amount)} {asset}
    </span>
  );
}

/** `5.00 USDC`, `5.00 USDC and 0.01 ETH` */
export function sumsOf(amounts: (readonly [amount: string, asset: string])[]): string {
  const assets = [...new Set(amounts.map(([, asset]) => asset))];
  return assets
    .map((asset) => `${addAmounts(amounts.filter((one) => one[1] === asset).map(([amount]) => amount))} ${asset}`)
    .join(' and ');
}

export function platformName(platform: string): string {
  return platform === 'x' ? 'X' : capitalised(platform);
}
