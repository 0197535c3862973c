// `ampersat events`: list events, show one, and resend it.
import { type Command, Option } from 'commander';
import type { Ampersat, AmpersatEvent, ListEventsParams } from '../../sdk/index.ts';
import { withApi } from './api.ts';
import { tellForward } from './eventWords.ts';
import { EXIT, UsageError } from './failure.ts';
import { firstOf, idFlag, limitOption } from './flags.ts';
import { forwardEvent, type Receiver, readSecret, readUrl, wasAccepted } from './forward.ts';
import { wholeOrder } from './orderWords.ts';
import { type Shell, wholeJson, writeResult } from './shell.ts';
import { wholeId } from './shortIds.ts';
import { type Column, localTime, writeResults } from './tables.ts';
import { wholeEndpoint } from './webhooks.ts';

const COLUMNS: Column<AmpersatEvent>[] = [
  { title: 'event', cell: ({ id }) => id, isId: true },
  { title: 'created', cell: ({ created_at }) => localTime(created_at) },
  { title: 'type', cell: ({ type }) => type },
  { title: 'resource', cell: resourceOf, isId: true },
  {
    title: 'pending',
    cell: ({ pending_webhooks: count }) => String(count),
    tone: ({ pending_webhooks: count }) => (count > 0 ? 'yellow' : undefined),
  },
];

export function addEvents(program: Command, shell: Shell): void {
  const events = program.command('events').description('List and resend events');

  events
    .command('list')
    .description('List events, newest first')
    .option('--type <type>', 'Event type, such as order.completed or order.*')
    .addOption(new Option('--resource <id>', 'Only events of this order or tab').argParser(idFlag))
    .addOption(limitOption())
    .action(({ type, resource, limit }: { type?: string; resource?: string; limit: number }, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const query: ListEventsParams = {
          limit: Math.min(limit, 100),
          ...(type ? { type } : {}),
          ...(resource ? { resource: await wholeResource(shell, ampersat, resource) } : {}),
        };
        const found = await firstOf(ampersat.events.all(query, { signal: shell.signal }), limit);
        writeResults(shell, found, COLUMNS, type || resource ? 'No events match these filters.' : 'No events yet.');
      }),
    );

  events
    .command('get')
    .description('Show an event as endpoints receive it')
    .argument('<event>', 'Event ID (evt_…)', idFlag)
    .action((event: string, _given: object, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const id = await wholeEvent(shell, ampersat, event);
        writeResult(shell, await ampersat.events.get(id, { signal: shell.signal }), wholeJson);
      }),
    );

  events
    .command('resend')
    .description('Resend an event to your endpoints')
    .argument('<event>', 'Event ID (evt_…)', idFlag)
    .addOption(new Option('--endpoint <id>', 'Only to this endpoint').argParser(idFlag))
    .option('--forward-to <url>', 'Send it from here to your machine instead, such as localhost:3000/webhooks', readUrl)
    .option('--secret <secret>', 'With --forward-to: signing secret that `ampersat listen` showed', readSecret)
    .addHelpText('after', '\nExample:\n  ampersat events resend evt_c9q9gq6e')
    .action((given: string, { forwardTo: url, secret, endpoint }: Resend, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const { signal } = shell;
        const receiver = url && readReceiver(url, secret);
        const id = await wholeEvent(shell, ampersat, given);
        if (receiver) return forwardAgain(shell, receiver, await ampersat.events.get(id, { signal }));
        const where = endpoint === undefined ? {} : { endpoint: await wholeEndpoint(shell, ampersat, endpoint) };
        const event = await ampersat.events.replay(id, where, { signal });
        writeResult(
          shell,
          event,
          (one) => `Resending ${one.type} ${one.id}. See the delivery: ${shell.env.command} logs --event ${one.id}`,
        );
      }),
    );
}

function wholeEvent({ signal }: Shell, { events }: Ampersat, id: string): Promise<string> {
  return wholeId(id, () => events.all({}, { signal }));
}

/** Orders are listed by the API; a tab is given in full. */
async function wholeResource(shell: Shell, ampersat: Ampersat, id: string): Promise<string> {
  return id.startsWith('ord_') ? wholeOrder(shell, ampersat, id) : id;
}

type Resend = { endpoint?: string; forwardTo?: URL; secret?: string };

/** @throws UsageError without a secret, with which it could not be verified */
function readReceiver(url: URL, secret: string | undefined): Receiver {
  if (secret !== undefined) return { url, secret };
  throw new UsageError('No signing secret. Pass --secret, as `ampersat listen` showed it.');
}

async function forwardAgain(shell: Shell, receiver: Receiver, event: AmpersatEvent): Promise<void> {
  const forwarded = await forwardEvent(receiver, event, shell);
  tellForward(shell, receiver, event, forwarded);
  if (!wasAccepted(forwarded)) shell.exitCode = EXIT.failed;
}

/** The order or the tab that it is about. */
function resourceOf({ data }: AmpersatEvent): string {
  return Object.values(data.object as Record<string, { id: string }>)[0]?.id ?? '';
}
