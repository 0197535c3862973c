// `ampersat logs`: webhook delivery attempts, newest last; --follow adds new ones as they happen, also after a lost connection.
import { type Command, Option } from 'commander';
import type { Ampersat, ListWebhookDeliveriesParams, WebhookAttempt, WebhookDelivery } from '../../sdk/index.ts';
import { withApi } from './api.ts';
import { firstOf, idFlag, limitOption } from './flags.ts';
import { lookAgain } from './follow.ts';
import { addRequests } from './requests.ts';
import { jsonLine, type Paint, paintOf, plainLine, type Shell, writeLine, writeNote } from './shell.ts';
import { wholeId } from './shortIds.ts';
import { localTime, shownId } from './tables.ts';
import { wholeEndpoint } from './webhooks.ts';

const PAGE = 100;
const ANSWER_LENGTH = 80;

type Given = { follow?: boolean; endpoint?: string; event?: string; failed?: boolean; limit: number };
/** One attempt; null for a delivery that failed before the first. */
type Line = { delivery: WebhookDelivery; attempt: WebhookAttempt | null };

export function addLogs(program: Command, shell: Shell): void {
  const logs = program
    .command('logs')
    .description('Show webhook delivery attempts, newest last')
    .option('--follow', 'Keep showing new attempts until Ctrl-C')
    .addOption(new Option('--endpoint <id>', 'Only this endpoint').argParser(idFlag))
    .addOption(new Option('--event <id>', 'Only this event').argParser(idFlag))
    .option('--failed', 'Only deliveries that failed after all retries')
    .addOption(limitOption('deliveries'))
    .addHelpText('after', '\nExamples:\n  ampersat logs --follow\n  ampersat logs --failed --json')
    .action((given: Given, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const { endpoint, event, failed } = given;
        const query = {
          ...(endpoint ? { endpoint: await wholeEndpoint(shell, ampersat, endpoint) } : {}),
          ...(event ? { event: await wholeDelivered(shell, ampersat, event) } : {}),
          ...(failed ? FAILED : {}),
        };
        const { all } = ampersat.webhookDeliveries;
        const how = { signal: shell.signal };
        // Before what is shown, so that nothing falls between: what a look finds that is in neither is new.
        const before = given.follow ? await lookAt(shell, ampersat, query) : [];
        const found = await firstOf(all({ ...query, limit: Math.min(given.limit, PAGE) }, how), given.limit);
        const told = new Set<string>();
        const lines = tell(shell, found, told);
        const isFiltered = Object.keys(query).length > 0;
        if (lines.length > 0) writeNote(shell, countOf(lines));
        else if (!given.follow) writeNote(shell, isFiltered ? 'No deliveries match these filters.' : noneYet(shell));
        if (!given.follow) return;
        writeNote(shell, 'Waiting for new delivery attempts. Press Ctrl-C to stop.');
        for (const line of before.flatMap(linesOf)) told.add(nameOf(line));
        await follow(shell, ampersat, query, { told, since: sinceOf([...before, ...found]) });
      }),
    );
  addRequests(logs, shell);
}

/** Among events that were delivered: sample events are in no other list. */
function wholeDelivered({ signal }: Shell, { webhookDeliveries }: Ampersat, text: string): Promise<string> {
  return wholeId(text, async function* () {
    for await (const { event } of webhookDeliveries.all({}, { signal })) yield { id: event };
  });
}

const FAILED = { status: 'failed' } as const;
const noneYet = ({ env: { command } }: Shell) =>
  `No deliveries yet. Events that occur are sent to your webhook endpoints; add one: ${command} webhooks create --url https://… (events forwarded by listen aren’t listed)`;

function countOf(lines: Line[]): string {
  const attempts = lines.filter(({ attempt }) => attempt !== null).length;
  const counts = [
    ...(attempts > 0 ? [counted(attempts, 'delivery attempt')] : []),
    ...(attempts < lines.length
      ? [counted(lines.length - attempts, 'failure before an attempt', 'failures before an attempt')]
      : []),
  ];
  return `${counts.join(', ')}, newest last`;
}

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** The newest deliveries, and those that wait for a retry. */
async function lookAt(
  { signal }: Shell,
  { webhookDeliveries: { list } }: Ampersat,
  query: ListWebhookDeliveriesParams,
): Promise<WebhookDelivery[]> {
  const page = { ...query, limit: PAGE };
  const newest = (await list(page, { signal })).data;
  const pending = query.status ? [] : (await list({ ...page, status: 'pending' }, { signal })).data;
  return [...newest, ...pending];
}

/** An attempt that began earlier than this before the newest one has ended by then, and is not new. */
const LONGEST_ATTEMPT_MS = 15_000;

function sinceOf(deliveries: WebhookDelivery[]): string {
  const newest = Math.max(0, ...deliveries.flatMap(linesOf).map((line) => Date.parse(momentOf(line))));
  return new Date(Math.max(0, newest - LONGEST_ATTEMPT_MS)).toISOString();
}

/**
 * Reads every second what was attempted lately, until the shell’s signal: by the time of the attempts, so that neither replays of old events nor what
 * happened during a lost connection is missed. Attempts before `since` are not new.
 */
async function follow(
  shell: Shell,
  ampersat: Ampersat,
  query: ListWebhookDeliveriesParams,
  { told, since }: { told: Set<string>; since: string },
): Promise<void> {
  const { signal } = shell;
  let newest = since;
  await lookAgain(shell, async () => {
    const found: WebhookDelivery[] = [];
    const recent = { ...query, ...readFrom(newest), limit: PAGE };
    for await (const one of ampersat.webhookDeliveries.all(recent, { signal })) found.push(one);
    const lines = tell(shell, found, told, since);
    newest = lines.map(momentOf).reduce((latest, moment) => (moment > latest ? moment : latest), newest);
  });
}

/** An attempt is stored when it has ended, and later where the database is slow. */
const STORED_WITHIN_MS = 60_000;

/** Before the first delivery there is nothing to leave out. */
function readFrom(newest: string): ListWebhookDeliveriesParams {
  const from = Date.parse(newest) - STORED_WITHIN_MS;
  return from > 0 ? { active_since: new Date(from).toISOString() } : {};
}

/** Writes what was not written yet, from a moment on. @returns the lines */
function tell(shell: Shell, deliveries: WebhookDelivery[], told: Set<string>, since = ''): Line[] {
  const lines = deliveries.flatMap(linesOf).filter((line) => {
    const name = nameOf(line);
    return !told.has(name) && told.add(name) && momentOf(line) >= since;
  });
  lines.sort((a, b) => momentOf(a).localeCompare(momentOf(b)));
  const paint = paintOf(shell);
  for (const line of lines) writeLine(shell, shell.isJson ? jsonLine(resultOf(line)) : words(shell, line, paint));
  return lines;
}

const nameOf = ({ delivery, attempt }: Line) => `${delivery.id} ${attempt?.number ?? delivery.ended_at}`;

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

function words(shell: Shell, line: Line, paint: Paint): string {
  const { delivery, attempt } = line;
  const isGood = attempt?.status !== null && attempt !== null && attempt.status >= 200 && attempt.status < 300;
  const outcome = attempt ? String(attempt.status ?? attempt.failure) : String(delivery.failure);
  const next =
    delivery.next_attempt_at && attempt === delivery.attempts[0]
      ? `next retry ${localTime(delivery.next_attempt_at)}`
      : '';
  const answer = plainLine((attempt?.answer ?? '').slice(0, 4 * ANSWER_LENGTH)).slice(0, ANSWER_LENGTH);
  return [
    paint('dim', localTime(momentOf(line))),
    delivery.event_type.padEnd(17),
    shownId(shell, delivery.event),
    shownId(shell, delivery.endpoint),
    paint(isGood ? 'green' : 'red', outcome.padEnd(7)),
    (attempt ? `${attempt.latency_ms} ms` : '').padStart(8),
    ...[attempt?.is_replay ? 'replay' : '', answer, next].filter((text) => text !== ''),
  ]
    .join('  ')
    .trimEnd();
}
