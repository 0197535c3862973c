// `ampersat webhooks`: the endpoints that are told of events.
import { type Command, Option } from 'commander';
import type {
  CreateWebhookEndpointParams,
  NewWebhookEndpoint,
  SendTestEventParams,
  WebhookEndpoint,
} from '../../sdk/index.ts';
import { EVENT_TYPES } from '../domain/events.ts';
import { ROLL_HOURS } from '../domain/webhookEndpoint.ts';
import { withApi } from './api.ts';
import { readId, readList, wholeNumber } from './flags.ts';
import { type Column, facts, type Paint, type Shell, writeResult, writeResults } from './shell.ts';

const stateOf = ({ status, disabled_reason: reason }: WebhookEndpoint) => (reason ? `${status}: ${reason}` : status);
const COLUMNS: Column<WebhookEndpoint>[] = [
  { title: 'endpoint', cell: ({ id }) => id },
  { title: 'state', cell: stateOf, tone: ({ status }) => (status === 'enabled' ? 'green' : 'red') },
  { title: 'events', cell: ({ enabled_events: types }) => types.join(' ') },
  { title: 'url', cell: ({ url }) => url },
];
const ENDPOINT = ['<endpoint>', 'its id, whs_…'] as const;

export function addWebhooks(program: Command, shell: Shell): void {
  const webhooks = program.command('webhooks').description('the endpoints that are told of events');

  webhooks
    .command('list')
    .description('the endpoints of the workspace, newest first')
    .action((_given: object, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const found: WebhookEndpoint[] = [];
        for await (const one of ampersat.webhookEndpoints.all({}, { signal: shell.signal })) found.push(one);
        writeResults(
          shell,
          found,
          COLUMNS,
          'There are no endpoints. Make one: ampersat webhooks create --url https://…',
        );
      }),
    );

  webhooks
    .command('create')
    .description('makes an endpoint and shows its signing secret, this once')
    .requiredOption('--url <url>', 'where events are posted to')
    .option('--events <types>', 'by commas; all of them when left out', readList)
    .option('--description <text>', 'for yourself')
    .action((given: { url: string; events?: string[]; description?: string }, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const { url, events, description } = given;
        const params = { url, ...(events ? { enabled_events: events } : {}), ...(description ? { description } : {}) };
        const how = { signal: shell.signal };
        // What types there are is the service’s to say.
        const made = await ampersat.webhookEndpoints.create(params as CreateWebhookEndpointParams, how);
        writeResult(shell, made, words);
      }),
    );

  webhooks
    .command('delete')
    .description('deletes an endpoint for good')
    .argument(...ENDPOINT, readId)
    .action((id: string, _given: object, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const gone = await ampersat.webhookEndpoints.delete(id, { signal: shell.signal });
        writeResult(shell, gone, () => `${id} is deleted.`);
      }),
    );

  webhooks
    .command('roll')
    .description('draws a new signing secret and shows it, this once; the former one is in force for some hours more')
    .argument(...ENDPOINT, readId)
    .option('--overlap-hours <hours>', `for how long (default: ${ROLL_HOURS.usual})`, wholeNumber(ROLL_HOURS))
    .action((id: string, { overlapHours }: { overlapHours?: number }, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const params = overlapHours === undefined ? {} : { overlap_hours: overlapHours };
        writeResult(shell, await ampersat.webhookEndpoints.rollSecret(id, params, { signal: shell.signal }), words);
      }),
    );

  webhooks
    .command('test')
    .description('sends an event of something that never was')
    .argument(...ENDPOINT, readId)
    .addOption(new Option('--type <type>', 'what it says').choices(EVENT_TYPES))
    .action((id: string, given: { type?: string }, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const event = await ampersat.webhookEndpoints.test(id, given as SendTestEventParams, { signal: shell.signal });
        writeResult(shell, event, (one) => `${one.type} ${one.id} is on its way. See what comes of it: ampersat logs`);
      }),
    );
}

function words(endpoint: NewWebhookEndpoint, paint: Paint): string {
  return facts(
    [
      ['endpoint', endpoint.id],
      ['url', endpoint.url],
      ['events', endpoint.enabled_events.join(' ')],
      ['state', stateOf(endpoint)],
      ['description', endpoint.description],
      ['former secret until', endpoint.former_secret_until],
      ['secret', endpoint.secret ?? 'shown before; roll it to get another one'],
    ],
    paint,
  );
}
