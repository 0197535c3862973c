// `ampersat logs`: what came of each try to tell an endpoint, oldest first; --follow goes on with what comes.
import { setTimeout as wait } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { Ampersat, ListWebhookDeliveriesParams, WebhookAttempt, WebhookDelivery } from '../../sdk/index.ts';
import { withApi } from './api.ts';
import { firstOf, limitOption, readId } from './flags.ts';
import { jsonLine, type Paint, paintOf, plain, type Shell, writeLine, writeNote } from './shell.ts';

const LOOK_EVERY_MS = 1_000;
const PAGE = 100;
const ANSWER_LENGTH = 80;

type Given = { follow?: boolean; endpoint?: string; event?: string; failed?: boolean; limit: number };
/** One try; without one for what failed before anything was tried. */
type Line = { delivery: WebhookDelivery; attempt: WebhookAttempt | null };

export function addLogs(program: Command, shell: Shell): void {
  program
    .command('logs')
    .description('what your endpoints answered: every try to tell them of an event')
    .option('--follow', 'goes on until Ctrl-C')
    .addOption(new Option('--endpoint <id>', 'only this one').argParser(readId))
    .addOption(new Option('--event <id>', 'only of this one, also when it is old').argParser(readId))
    .option('--failed', 'only deliveries that failed for good')
    .addOption(limitOption())
    .addHelpText('after', '\nExamples:\n  ampersat logs --follow\n  ampersat logs --failed --json')
    .action((given: Given, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const { endpoint, event, failed } = given;
        const query = {
          ...(endpoint ? { endpoint } : {}),
          ...(event ? { event } : {}),
          ...(failed ? FAILED : {}),
        };
        const { all } = ampersat.webhookDeliveries;
        const how = { signal: shell.signal };
        const found = await firstOf(all({ ...query, limit: Math.min(given.limit, PAGE) }, how), given.limit);
        const told = new Set<string>();
        const count = tell(shell, found, told);
        if (given.follow) await follow(shell, ampersat, query, found, told);
        else if (count === 0) writeNote(shell, 'Nothing was delivered, or tried.');
      }),
    );
}

const FAILED = { status: 'failed' } as const;

/**
 * Looks every second at the newest deliveries and at those that wait for another try, until the shell’s signal says that it is enough. A delivery that
 * is over leaves those that wait, so it is read once more by its event.
 */
async function follow(
  shell: Shell,
  { webhookDeliveries: { list } }: Ampersat,
  query: ListWebhookDeliveriesParams,
  found: WebhookDelivery[],
  told: Set<string>,
): Promise<void> {
  const { signal } = shell;
  const how = { signal };
  const page = { ...query, limit: PAGE };
  let waiting = found.filter(isPending);
  try {
    for (;;) {
      const newest = (await list(page, how)).data;
      const pending = query.status ? [] : (await list({ ...page, status: 'pending' }, how)).data;
      const seen = new Set([...newest, ...pending].map(({ id }) => id));
      const left = [...new Set(waiting.filter(({ id }) => !seen.has(id)).map(({ event }) => event))];
      const over = await Promise.all(left.map(async (event) => (await list({ ...query, event }, how)).data));
      tell(shell, [...newest, ...pending, ...over.flat()], told);
      waiting = [...newest, ...pending].filter(isPending);
      await wait(LOOK_EVERY_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const isPending = ({ status }: WebhookDelivery) => status === 'pending';

/** Writes what was not told yet. @returns how many lines */
function tell(shell: Shell, deliveries: WebhookDelivery[], told: Set<string>): number {
  const lines = deliveries.flatMap(linesOf).filter((line) => {
    const name = `${line.delivery.id} ${line.attempt?.number ?? line.delivery.ended_at}`;
    return !told.has(name) && told.add(name);
  });
  lines.sort((a, b) => momentOf(a).localeCompare(momentOf(b)));
  const paint = paintOf(shell);
  for (const line of lines) writeLine(shell, shell.isJson ? jsonLine(resultOf(line)) : words(line, paint));
  return lines.length;
}

function linesOf(delivery: WebhookDelivery): Line[] {
  if (delivery.attempts.length === 0 && delivery.status === 'failed') return [{ delivery, attempt: null }];
  return delivery.attempts.map((attempt) => ({ delivery, attempt }));
}

function momentOf({ delivery, attempt }: Line): string {
  return attempt?.started_at ?? delivery.ended_at ?? delivery.created_at;
}

function resultOf({ delivery, attempt }: Line) {
  const { attempts: _, ...rest } = delivery;
  return { ...rest, object: 'webhook_attempt', delivery: delivery.id, attempt };
}

function words(line: Line, paint: Paint): string {
  const { delivery, attempt } = line;
  const isGood = attempt?.status !== null && attempt !== null && attempt.status >= 200 && attempt.status < 300;
  const outcome = attempt ? String(attempt.status ?? attempt.failure) : String(delivery.failure);
  const next =
    delivery.next_attempt_at && attempt === delivery.attempts[0] ? `next try ${delivery.next_attempt_at}` : '';
  const answer = plain((attempt?.answer ?? '').slice(0, 4 * ANSWER_LENGTH)).slice(0, ANSWER_LENGTH);
  return [
    paint('dim', momentOf(line)),
    delivery.event_type.padEnd(17),
    delivery.event,
    delivery.endpoint,
    paint(isGood ? 'green' : 'red', outcome.padEnd(7)),
    (attempt ? `${attempt.latency_ms} ms` : '').padStart(8),
    ...[answer, next].filter((text) => text !== ''),
  ]
    .join('  ')
    .trimEnd();
}
