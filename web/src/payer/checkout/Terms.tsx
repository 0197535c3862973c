// What a press on the button allows, one plain line for each wallet request, and what cannot be undone.
import { readClockOffset } from '../../app/api.ts';
import { exactTime, padAmount } from '../../app/format.ts';
import type { Prepared } from './checkoutApi.ts';
import { useWords } from './language.ts';
import type { Words } from './words/en.ts';

export function Terms({ prepared, isFallback }: { prepared: Prepared; isFallback: boolean }) {
  const words = useWords();
  const { order, payment } = prepared;
  if (!payment) return null;
  const lines = linesOf(words, prepared);
  return (
    <div className="flex flex-col gap-2 text-sm">
      {isFallback && <p className="text-amber">{words.fallback}</p>}
      <p className="font-medium">
        {lines.length > 1
          ? words.asksTimes(lines.length)
          : payment.gasless
            ? words.asksSignature
            : words.asksTransaction}
      </p>
      <ol className={lines.length > 1 ? 'flex list-decimal flex-col gap-1 pl-5' : ''}>
        {lines.map(({ key, text, until }) => (
          <li key={key}>
            {text}
            {until && <span className="sr-only"> {words.until(exactTime(Date.parse(until)))}</span>}
          </li>
        ))}
      </ol>
      <p className="text-muted">
        {payment.gasless && `${words.noNetworkFee} `}
        {words.final(order.merchant.handle)}
      </p>
    </div>
  );
}

type Line = { key: string; text: string; until: string | null };
const MINUTE_MS = 60_000;

function linesOf(words: Words, { order, payment }: Prepared): Line[] {
  const { chain_label: network } = order;
  const { handle } = order.merchant;
  const money = `${padAmount(order.amount)} ${order.currency}`;
  if (!payment) return [];
  if (!payment.gasless)
    return payment.calls.map(({ kind }) => ({
      key: kind,
      text: kind === 'approve' ? words.callApprove(money) : words.callPay(money, network, handle),
      until: null,
    }));
  const timeTo = (until: string) =>
    words.minutes(Math.max(1, Math.round((Date.parse(until) - Date.now() - readClockOffset()) / MINUTE_MS)));
  if (payment.way === 'transaction') {
    const { until } = payment.transaction;
    return [{ key: 'transaction', text: words.allowsPay(money, network, handle, timeTo(until)), until }];
  }
  return payment.sign.map(({ name, until }) => {
    const time = timeTo(until);
    const isPermit = name === 'permit' && payment.way !== 'permit2';
    if (name === 'order') return { key: name, text: words.allowsOrder(money, network, handle), until };
    const text = isPermit ? words.allowsPermit(money, network, time) : words.allowsPay(money, network, handle, time);
    return { key: name, text, until };
  });
}
