// `ampersat listen`: print events as they happen, and forward them to a program on this machine, signed as the service signs.
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Ampersat, AmpersatEvent } from '../../sdk/index.ts';
import { EVENT_TYPES, type EventType } from '../domain/events.ts';
import { drawSecret } from '../services/webhooks/signatures.ts';
import { withApi } from './api.ts';
import { eventLine, tellForward } from './eventWords.ts';
import { forwardEvent, type Receiver, readSecret, readUrl } from './forward.ts';
import { jsonLine, paintOf, plainLine, type Shell, wholeJson, writeLine, writeNote } from './shell.ts';

type Options = { forwardTo?: URL; events: EventType[]; print: 'compact' | 'json'; secret?: string };

/** As many as a page has. */
const RECENT = 100;

const EXAMPLES = `
Forwarded events aren’t retried. To resend one:
  ampersat events resend <event> --forward-to <url> --secret <secret>

Examples:
  ampersat listen
  ampersat listen --forward-to localhost:3000/webhooks --events 'order.*'
  ampersat listen --json | jq .type`;

export function addListen(program: Command, shell: Shell): void {
  program
    .command('listen')
    .description('Print events as they happen and forward them to your machine')
    .option('--forward-to <url>', 'Forward each event, signed: localhost:3000/webhooks, or a port', readUrl)
    .addOption(
      new Option('--events <types>', 'Event types, comma-separated, such as order.completed or order.*')
        .argParser(readTypes)
        .default([...EVENT_TYPES], 'all'),
    )
    .addOption(
      new Option('--print <how>', 'One line per event, or the whole event')
        .choices(['compact', 'json'])
        .default('compact'),
    )
    .option('--secret <secret>', 'Sign with this whsec_… (default: a new one per session)', readSecret)
    .addHelpText('after', EXAMPLES)
    .action((options: Options, command: Command) =>
      withApi(shell, command, ({ ampersat, connection }) => listen(shell, options, ampersat, connection.baseUrl)),
    );
}

/** @returns the types that any of the patterns names */
function readTypes(text: string): EventType[] {
  const patterns = text.split(',').map((one) => one.trim());
  const named = (pattern: string) =>
    EVENT_TYPES.filter((type) => pattern === '*' || type === pattern || pattern === `${type.split('.')[0]}.*`);
  const unknown = patterns.find((pattern) => named(pattern).length === 0);
  if (unknown === undefined) return [...new Set(patterns.flatMap(named))];
  throw new InvalidArgumentError(`Unknown event type: ${plainLine(unknown)}. Types: ${EVENT_TYPES.join(', ')}.`);
}

/** Runs until the shell’s signal, which is no failure. @throws AmpersatError such as for an invalid key */
async function listen(shell: Shell, options: Options, api: Ampersat, baseUrl: string): Promise<void> {
  const { signal } = shell;
  const { forwardTo: url, secret = drawSecret() } = options;
  const receiver = url ? { url, secret } : null;
  try {
    // A stream waits for a service that is away; at the start an error is shown at once, also that of an invalid key.
    const { data: before } = await api.events.list({ limit: RECENT }, { signal });
    const from = before[0] ? { lastEventId: before[0].id } : {};
    const stream = api.events.stream({ ...from, signal, onState: stateTeller(shell, receiver, baseUrl) });
    // A stream that continues may repeat events from shortly before.
    await printAll(shell, without(stream, new Set(before.map(({ id }) => id))), options, receiver);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function tellReceiver(shell: Shell, { url, secret }: Receiver): void {
  if (shell.isJson) writeLine(shell, jsonLine({ object: 'listen', forward_to: url.href, secret }));
  else writeLine(shell, `Your signing secret for this session is ${secret}`);
  writeNote(shell, `Forwarding to ${url.href}`);
}

/** From the first “open” on nothing is missed, so nothing is promised before. */
function stateTeller(shell: Shell, receiver: Receiver | null, baseUrl: string): (state: 'open' | 'lost') => void {
  let last: 'open' | 'lost' | null = null;
  let hasBegun = false;
  return (state) => {
    if (state === last) return;
    if (state === 'lost') writeNote(shell, 'Connection lost. Reconnecting…');
    else if (hasBegun) writeNote(shell, 'Reconnected. Continuing where it left off.');
    else {
      hasBegun = true;
      if (receiver) tellReceiver(shell, receiver);
      writeNote(shell, `Listening to ${baseUrl}. Press Ctrl-C to stop.`);
    }
    last = state;
  };
}

async function* without(stream: AsyncIterable<AmpersatEvent>, ids: Set<string>): AsyncGenerator<AmpersatEvent> {
  for await (const event of stream) if (!ids.has(event.id)) yield event;
}

/** Prints each at once; forwards one after the other, so that their order stays. */
async function printAll(
  shell: Shell,
  events: AsyncIterable<AmpersatEvent>,
  { events: wanted, print }: Options,
  receiver: Receiver | null,
): Promise<void> {
  const paint = paintOf(shell);
  let forwards = Promise.resolve();
  for await (const event of events) {
    if (!wanted.includes(event.type)) continue;
    if (shell.isJson) writeLine(shell, jsonLine(event));
    else writeLine(shell, print === 'json' ? wholeJson(event) : eventLine(event, paint));
    if (receiver) forwards = forwards.then(() => forward(shell, receiver, event));
  }
  await forwards;
}

/** A forward that Ctrl-C cut off is not reported. */
async function forward(shell: Shell, receiver: Receiver, event: AmpersatEvent): Promise<void> {
  const forwarded = await forwardEvent(receiver, event, shell);
  if (!shell.signal.aborted) tellForward(shell, receiver, event, forwarded);
}
