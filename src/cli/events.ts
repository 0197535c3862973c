// `ampersat events`: what happened in the workspace, and sending one of it again.
import { type Command, Option } from 'commander';
import type { AmpersatEvent, ListEventsParams } from '../../sdk/index.ts';
import { withApi } from './api.ts';
import { tellForward } from './eventWords.ts';
import { EXIT, UsageError } from './failure.ts';
import { firstOf, limitOption, readId } from './flags.ts';
import { forwardEvent, type Receiver, readSecret, readUrl, wasTaken } from './forward.ts';
import { type Column, type Shell, wholeJson, writeResult, writeResults } from './shell.ts';

const COLUMNS: Column<AmpersatEvent>[] = [
  { title: 'event', cell: ({ id }) => id },
  { title: 'time', cell: ({ created_at }) => created_at },
  { title: 'type', cell: ({ type }) => type },
  { title: 'of', cell: resourceOf },
  {
    title: 'to be taken',
    cell: ({ pending_webhooks: count }) => String(count),
    tone: ({ pending_webhooks: count }) => (count > 0 ? 'yellow' : undefined),
  },
];

export function addEvents(program: Command, shell: Shell): void {
  const events = program.command('events').description('what happened, and telling your endpoints again');

  events
    .command('list')
    .description('the events of the workspace, newest first')
    .option('--type <type>', 'such as order.completed, or order.* for the group')
    .addOption(new Option('--resource <id>', 'what happened to this order or tab').argParser(readId))
    .addOption(limitOption())
    .action(({ type, resource, limit }: { type?: string; resource?: string; limit: number }, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const query: ListEventsParams = {
          limit: Math.min(limit, 100),
          ...(type ? { type } : {}),
          ...(resource ? { resource } : {}),
        };
        const found = await firstOf(ampersat.events.all(query, { signal: shell.signal }), limit);
        writeResults(shell, found, COLUMNS, 'There are no such events.');
      }),
    );

  events
    .command('get')
    .description('one event, as your endpoints are told of it')
    .argument('<event>', 'its id, evt_…', readId)
    .action((id: string, _given: object, command: Command) =>
      withApi(shell, command, async ({ ampersat }) =>
        writeResult(shell, await ampersat.events.get(id, { signal: shell.signal }), wholeJson),
      ),
    );

  events
    .command('resend')
    .description('sends an event again, to every endpoint that takes its type or to one')
    .argument('<event>', 'its id, evt_…', readId)
    .addOption(new Option('--endpoint <id>', 'only there').argParser(readId))
    .option('--forward-to <url>', 'posts it from here to a program on your machine instead, once', readUrl)
    .option('--secret <secret>', 'with which that is signed, as `ampersat listen` showed it', readSecret)
    .addHelpText('after', '\nExample:\n  ampersat events resend evt_01jd3xkq8fz6m2v7w4t9y5c1bn')
    .action((id: string, { forwardTo: url, secret, ...given }: Resend, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const { signal } = shell;
        if (url) return forwardAgain(shell, readReceiver(url, secret), await ampersat.events.get(id, { signal }));
        const event = await ampersat.events.replay(id, given, { signal });
        writeResult(
          shell,
          event,
          (one) => `${one.type} ${one.id} is on its way again. See what comes of it: ampersat logs --event ${one.id}`,
        );
      }),
    );
}

type Resend = { endpoint?: string; forwardTo?: URL; secret?: string };

/** @throws UsageError where nobody could verify it */
function readReceiver(url: URL, secret: string | undefined): Receiver {
  if (secret !== undefined) return { url, secret };
  throw new UsageError('Signed with which secret? Give --secret, as `ampersat listen` showed it.');
}

async function forwardAgain(shell: Shell, receiver: Receiver, event: AmpersatEvent): Promise<void> {
  const forwarded = await forwardEvent(receiver, event, shell);
  tellForward(shell, receiver, event, forwarded);
  if (!wasTaken(forwarded)) shell.exitCode = EXIT.failed;
}

/** What it is of: an order, a tab. */
function resourceOf({ data }: AmpersatEvent): string {
  return Object.values(data.object as Record<string, { id: string }>)[0]?.id ?? '';
}
