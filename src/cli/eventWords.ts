// Events as people read them in a terminal, on a line each, and the outcome of forwarding them.
import type { AmpersatEvent } from '../../sdk/index.ts';
import { type Forwarded, type Receiver, wasAccepted } from './forward.ts';
import { type Paint, plainLine, type Shell, writeResult } from './shell.ts';
import { localTime } from './tables.ts';

/** As long as the types that come most often. */
const TYPE_WIDTH = 16;

/** Its time, type and ID, and what it is about. */
export function eventLine({ id, type, created_at, data }: AmpersatEvent, paint: Paint): string {
  const [about = {}] = Object.values(data.object) as { [field: string]: unknown }[];
  const { amount, currency, chain } = about;
  const sum = [amount, currency, chain && `on ${chain}`].filter(Boolean).join(' ');
  const what = [sum, about['id']].filter(Boolean).join(', ');
  return `${paint('dim', timeOf(created_at))}  ${paint('bold', type.padEnd(TYPE_WIDTH))}  ${id}  ${plainLine(what)}`;
}

/** Shows the outcome of a forward. Nothing retries one that failed, so the command that does is shown. */
export function tellForward(
  shell: Shell,
  { url, secret }: Receiver,
  { id }: AmpersatEvent,
  forwarded: Forwarded,
): void {
  const { status, latencyMs, failure } = forwarded;
  const facts = { object: 'forward', event: id, url: url.href, status, latency_ms: latencyMs, failure };
  writeResult(shell, facts, (_, paint) => {
    const answer = status === null ? `no answer: ${plainLine(failure ?? '')}` : `${status} in ${latencyMs} ms`;
    const isAccepted = wasAccepted(forwarded);
    const again = isAccepted
      ? ''
      : `  resend: ${shell.env.command} events resend ${id} --forward-to ${url.href} --secret ${secret}`;
    return `          ${paint(isAccepted ? 'green' : 'red', `→ ${answer}`)}  ${id}${paint('dim', again)}`;
  });
}

/** On the reader’s own clock; with the day where it is another than today, as on a local stack whose clock was moved. */
function timeOf(createdAt: string): string {
  const [day, time = ''] = localTime(createdAt).split(' ');
  const [today] = localTime(new Date().toISOString()).split(' ');
  return day === today ? time : `${day} ${time}`;
}
