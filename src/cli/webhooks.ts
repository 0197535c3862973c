// `ampersat webhooks`: manage webhook endpoints.
import { type Command, Option } from 'commander';
import type {
  Ampersat,
  CreateWebhookEndpointParams,
  NewWebhookEndpoint,
  SendTestEventParams,
  WebhookEndpoint,
} from '../../sdk/index.ts';
import { EVENT_TYPES } from '../domain/events.ts';
import { ROLL_HOURS } from '../domain/webhookEndpoint.ts';
import { withApi } from './api.ts';
import { idFlag, readList, wholeNumber } from './flags.ts';
import { type Paint, type Shell, writeResult } from './shell.ts';
import { wholeId } from './shortIds.ts';
import { type Column, facts, localTime, writeResults } from './tables.ts';

const stateOf = ({ status, disabled_reason: reason }: WebhookEndpoint) => (reason ? `${status}: ${reason}` : status);
const COLUMNS: Column<WebhookEndpoint>[] = [
  { title: 'endpoint', cell: ({ id }) => id, isId: true },
  { title: 'status', cell: stateOf, tone: ({ status }) => (status === 'enabled' ? 'green' : 'red') },
  { title: 'events', cell: ({ enabled_events: types }) => types.join(' ') },
  { title: 'URL', cell: ({ url }) => url },
];
const ENDPOINT = ['<endpoint>', 'Endpoint ID (whs_…)'] as const;

export function addWebhooks(program: Command, shell: Shell): void {
  const webhooks = program.command('webhooks').description('Manage webhook endpoints');

  webhooks
    .command('list')
    .description('List webhook endpoints, newest first')
    .action((_given: object, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const found: WebhookEndpoint[] = [];
        for await (const one of ampersat.webhookEndpoints.all({}, { signal: shell.signal })) found.push(one);
        writeResults(
          shell,
          found,
          COLUMNS,
          `No webhook endpoints yet. Create one: ${shell.env.command} webhooks create --url https://…`,
        );
      }),
    );

  webhooks
    .command('create')
    .description('Create a webhook endpoint and show its signing secret once')
    .requiredOption('--url <url>', 'URL that receives events')
    .option('--events <types>', 'Event types, comma-separated (default: all)', readList)
    .option('--description <text>', 'A note for yourself')
    .action((given: { url: string; events?: string[]; description?: string }, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const { url, events, description } = given;
        const params = { url, ...(events ? { enabled_events: events } : {}), ...(description ? { description } : {}) };
        const how = { signal: shell.signal };
        // The service validates the types.
        const made = await ampersat.webhookEndpoints.create(params as CreateWebhookEndpointParams, how);
        writeResult(shell, made, words);
      }),
    );

  webhooks
    .command('delete')
    .description('Permanently delete a webhook endpoint')
    .argument(...ENDPOINT, idFlag)
    .action((endpoint: string, _given: object, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const id = await wholeEndpoint(shell, ampersat, endpoint);
        const gone = await ampersat.webhookEndpoints.delete(id, { signal: shell.signal });
        writeResult(shell, gone, () => `Deleted ${id}.`);
      }),
    );

  webhooks
    .command('roll')
    .description('Roll the signing secret and show the new one once')
    .argument(...ENDPOINT, idFlag)
    .option(
      '--overlap-hours <hours>',
      `Hours the old secret stays valid (default: ${ROLL_HOURS.usual})`,
      wholeNumber(ROLL_HOURS),
    )
    .action((endpoint: string, { overlapHours }: { overlapHours?: number }, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const id = await wholeEndpoint(shell, ampersat, endpoint);
        const params = overlapHours === undefined ? {} : { overlap_hours: overlapHours };
        writeResult(shell, await ampersat.webhookEndpoints.rollSecret(id, params, { signal: shell.signal }), words);
      }),
    );

  webhooks
    .command('test')
    .description('Send a sample event (not backed by real data)')
    .argument(...ENDPOINT, idFlag)
    .addOption(new Option('--type <type>', 'Event type').choices(EVENT_TYPES))
    .action((endpoint: string, given: { type?: string }, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const id = await wholeEndpoint(shell, ampersat, endpoint);
        const event = await ampersat.webhookEndpoints.test(id, given as SendTestEventParams, { signal: shell.signal });
        writeResult(
          shell,
          event,
          (one) => `Sent sample event ${one.type} ${one.id}. See the delivery: ${shell.env.command} logs`,
        );
      }),
    );
}

export function wholeEndpoint({ signal }: Shell, { webhookEndpoints }: Ampersat, id: string): Promise<string> {
  return wholeId(id, () => webhookEndpoints.all({}, { signal }));
}

function words(endpoint: NewWebhookEndpoint, paint: Paint): string {
  const shown = facts(
    [
      ['endpoint', endpoint.id],
      ['URL', endpoint.url],
      ['events', endpoint.enabled_events.join(' ')],
      ['status', stateOf(endpoint)],
      ['description', endpoint.description],
      ['old secret valid until', endpoint.former_secret_until && localTime(endpoint.former_secret_until)],
      ['secret', endpoint.secret ?? 'already shown; roll it to get a new one'],
    ],
    paint,
  );
  return endpoint.secret ? `${shown}\n\nCopy the secret now. It is shown only once.` : shown;
}
