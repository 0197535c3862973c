// What a press on the button allows, in one plain line a question of the wallet, and what cannot be taken back.
import { exactTime } from '../format.ts';
import type { Prepared } from './checkoutApi.ts';

export function Terms({ prepared: { order, payment }, isFallback }: { prepared: Prepared; isFallback: boolean }) {
  if (!payment) return null;
  const lines = payment.gasless
    ? payment.sign.map(({ name, allows, until }) => ({ key: name, text: allows, until }))
    : payment.calls.map(({ kind, words }) => ({ key: kind, text: words, until: null }));
  return (
    <div className="flex flex-col gap-2 text-sm">
      {isFallback && (
        <p className="text-amber">Your wallet has to send this one itself, so the network takes its own small fee.</p>
      )}
      <p className="font-medium">
        {lines.length > 1
          ? `Your wallet asks you ${lines.length} times:`
          : payment.gasless
            ? 'Your wallet asks for one signature:'
            : 'Your wallet asks for one transaction:'}
      </p>
      <ol className={lines.length > 1 ? 'flex list-decimal flex-col gap-1 pl-5' : ''}>
        {lines.map(({ key, text, until }) => (
          <li key={key}>
            {text}
            {until && <span className="sr-only"> Until {exactTime(Date.parse(until))}.</span>}
          </li>
        ))}
      </ol>
      <p className="text-muted">
        {payment.gasless && 'You pay no network fee. '}A payment cannot be called back; only @{order.merchant.handle}{' '}
        can refund it.
      </p>
    </div>
  );
}
