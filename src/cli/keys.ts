// `ampersat keys`: API keys of the local stack, as one of its people who is signed in. Those of a service are managed in its dashboard.
import { type Command, Option } from 'commander';
import { AmpersatConnectionError } from '../../sdk/index.ts';
import { type KeyMode, SCOPES, USUAL_SCOPES } from '../domain/apiKey.ts';
import { callError } from './api.ts';
import { type ConnectionFlags, elsewhere, type LocalSide, pageUrlOf, readLocal } from './connection.ts';
import { CallError, UsageError } from './failure.ts';
import { idFlag, readList } from './flags.ts';
import { type Paint, type Shell, writeResult } from './shell.ts';
import { wholeId } from './shortIds.ts';
import { type Column, facts, localTime, writeResults } from './tables.ts';

type Key = {
  id: string;
  label: string;
  mode: KeyMode;
  scopes: string[];
  last4: string;
  status: string;
  created_at: string;
  last_used_at: string | null;
};

const COLUMNS: Column<Key>[] = [
  { title: 'key', cell: ({ id }) => id, isId: true },
  { title: 'status', cell: ({ status }) => status, tone: ({ status }) => (status === 'active' ? 'green' : 'dim') },
  { title: 'ends in', cell: ({ last4 }) => last4 },
  { title: 'mode', cell: ({ mode }) => mode },
  { title: 'scopes', cell: ({ scopes }) => scopes.join(' ') },
  { title: 'last used', cell: ({ last_used_at }) => (last_used_at ? localTime(last_used_at) : 'never') },
  { title: 'label', cell: ({ label }) => label },
];

const ANSWER_WITHIN_MS = 30_000;

export function addKeys(program: Command, shell: Shell): void {
  const keys = program.command('keys').description('Manage API keys (local stack; elsewhere use the dashboard)');

  keys
    .command('create')
    .description('Create an API key and show it once')
    .option('--label <text>', 'A name for this key', 'Command line')
    .option('--scopes <names>', `Permissions, comma-separated: ${SCOPES.join(', ')}`, readList, [...USUAL_SCOPES])
    .addOption(new Option('--mode <mode>', 'Test or live networks').choices(['test', 'live']).default('test'))
    .action(async (given: { label: string; scopes: string[]; mode: KeyMode }, command: Command) => {
      const made = await ask<{ key: Key; secret: string }>(shell, command, 'POST', '/api/keys', given);
      writeResult(shell, made, (answer, paint) => words(answer, baseUrlOf(command), paint));
    });

  keys
    .command('list')
    .description('List API keys, newest first')
    .action(async (_given: object, command: Command) => {
      const { data } = await ask<{ data: Key[] }>(shell, command, 'GET', '/api/keys');
      writeResults(shell, data, COLUMNS, `No API keys yet. Create one: ${shell.env.command} keys create`);
    });

  keys
    .command('revoke')
    .description('Revoke an API key immediately')
    .argument('<key>', 'Key ID (key_…)', idFlag)
    .action(async (given: string, _given: object, command: Command) => {
      const id = await wholeId(given, async function* () {
        yield* (await ask<{ data: Key[] }>(shell, command, 'GET', '/api/keys')).data;
      });
      const { key } = await ask<{ key: Key }>(shell, command, 'POST', `/api/keys/${id}/revoke`, {});
      writeResult(shell, key, () => `${id} is revoked.`);
    });
}

function words({ key, secret }: { key: Key; secret: string }, baseUrl: string, paint: Paint): string {
  const shown = facts(
    [
      ['id', key.id],
      ['label', key.label],
      ['mode', key.mode],
      ['scopes', key.scopes.join(' ')],
      ['key', secret],
    ],
    paint,
  );
  const example = exampleOf(key);
  const call = example && `curl ${baseUrl}${example} -H 'Authorization: Bearer ${secret}'`;
  return [shown, 'Copy the key now. It is shown only once.', ...(call ? [`Try it:\n  ${call}`] : [])].join('\n\n');
}

/** A call that a key with these scopes may make. */
function exampleOf({ scopes, mode }: Key): string | null {
  const order = `/v1/orders -d amount=25.00 -d currency=USDC -d chain=${mode === 'test' ? 'base-sepolia' : 'base'}`;
  const examples: [scope: string, path: string][] = [
    ['orders', order],
    ['read', '/v1/orders'],
    ['payment_links', '/v1/payment_links'],
    ['events', '/v1/events'],
    ['webhooks', '/v1/webhook_endpoints'],
  ];
  return examples.find(([scope]) => scopes.includes(scope))?.[1] ?? null;
}

const baseUrlOf = (command: Command) => readLocal(command.optsWithGlobals<ConnectionFlags>()).file.base_url;

/** Calls what the dashboard calls, with the session of a local account. @throws UsageError, StartError, CallError */
async function ask<T>(shell: Shell, command: Command, method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const flags = command.optsWithGlobals<ConnectionFlags>();
  const other = elsewhere(flags, shell.env);
  if (other) {
    const page = other.baseUrl === undefined ? 'API keys' : pageUrlOf(other.baseUrl, '/keys');
    throw new UsageError(
      `Manage the API keys of a service in its dashboard: ${page}. This command works on the local stack only.`,
    );
  }
  const local = readLocal(flags);
  const { text, isGood } = await send(shell, local, method, path, body);
  const answer = readAnswer(text);
  if (isGood && Object.keys(answer).length > 0) return answer as T;
  const { error } = answer as { error?: { message: string; code: string } };
  throw error
    ? new CallError(error.message, error)
    : new CallError(`${local.file.base_url} isn’t the service of ${local.path}.`, { code: 'connection_unreadable' });
}

function readAnswer(text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

async function send(shell: Shell, local: LocalSide, method: string, path: string, body?: object) {
  const { base_url: baseUrl, accounts } = local.file;
  const session = accounts[local.account]?.session;
  if (!session) throw new UsageError(`${local.account} in ${local.path} isn’t signed in.`);
  const headers = {
    cookie: `service-session=${session}`,
    origin: new URL(baseUrl).origin,
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
  const signal = AbortSignal.any([shell.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
  try {
    const sent = await fetch(baseUrl + path, {
      method,
      headers,
      signal,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { isGood: sent.ok, text: await sent.text() };
  } catch (cause) {
    throw callError(new AmpersatConnectionError('network', 'No answer.', { cause }), { baseUrl, local });
  }
}
