// `ampersat logs requests`: the requests of the workspace's keys to the API, newest last; --follow adds new ones as they happen.
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Ampersat, ListRequestLogsParams, RequestLog } from '../../sdk/index.ts';
import { LOGGED_METHODS } from '../domain/requestLog.ts';
import { withApi } from './api.ts';
import { firstOf, limitOption } from './flags.ts';
import { lookAgain } from './follow.ts';
import { jsonLine, type Paint, paintOf, plainLine, type Shell, writeLine, writeNote } from './shell.ts';
import { localTime, shownId } from './tables.ts';

const PAGE = 100;
/** A request is in the log when it has ended, by the time at which it began. */
const LOGGED_WITHIN_MS = 60_000;

type Given = {
  follow?: boolean;
  status?: string;
  method?: RequestLog['method'];
  route?: string;
  code?: string;
  limit: number;
};

export function addRequests(logs: Command, shell: Shell): void {
  logs
    .command('requests')
    .description('Show requests to the API with your keys, newest last')
    .option('--follow', 'Keep showing new requests until Ctrl-C')
    .addOption(new Option('--status <status>', 'Only this status, or class: 404, 4xx').argParser(readStatus))
    .addOption(new Option('--method <method>', 'Only this method').choices(LOGGED_METHODS))
    .option('--route <route>', 'Only this endpoint, as the API reference writes it: /v1/orders/{order_id}')
    .option('--code <code>', 'Only this error code')
    .addOption(limitOption('requests'))
    .addHelpText(
      'after',
      '\nExamples:\n  ampersat logs requests --status 4xx\n  ampersat logs requests --follow --json',
    )
    .action((_: object, command: Command) =>
      // The command above has options of the same names.
      withApi(shell, command, ({ ampersat }) => showRequests(shell, ampersat, command.optsWithGlobals<Given>())),
    );
}

function readStatus(text: string): string {
  if (!/^([2345]xx|[1-5]\d\d)$/.test(text))
    throw new InvalidArgumentError('Must be a status such as 404, or a class such as 4xx.');
  return text;
}

async function showRequests(shell: Shell, ampersat: Ampersat, given: Given): Promise<void> {
  const { status, method, route, code, limit, follow } = given;
  const query = {
    ...(status ? { status } : {}),
    ...(method ? { method } : {}),
    ...(route ? { route } : {}),
    ...(code ? { error_code: code } : {}),
  } as ListRequestLogsParams;
  const { signal } = shell;
  const found = await firstOf(ampersat.requestLogs.all({ ...query, limit: Math.min(limit, PAGE) }, { signal }), limit);
  const shown = new Set<string>();
  show(shell, found, shown);
  const isFiltered = Object.keys(query).length > 0;
  if (found.length === 0 && !follow)
    writeNote(shell, isFiltered ? 'No requests match these filters.' : 'No requests in the last seven days.');
  if (!follow) return;
  writeNote(shell, 'Waiting for new requests. Press Ctrl-C to stop.');
  let newest = found[0]?.created_at ?? '';
  const since = newest;
  let isFirst = true;
  await lookAgain(shell, async () => {
    const recent: RequestLog[] = [];
    const page = { ...query, ...readFrom(newest), limit: PAGE };
    for await (const one of ampersat.requestLogs.all(page, { signal })) recent.push(one);
    // What was there before the newest that is shown is not new.
    if (isFirst) for (const one of recent) if (one.created_at < since) shown.add(one.id);
    isFirst = false;
    show(shell, recent, shown);
    newest = recent[0] && recent[0].created_at > newest ? recent[0].created_at : newest;
  });
}

function readFrom(newest: string): ListRequestLogsParams {
  const from = Date.parse(newest) - LOGGED_WITHIN_MS;
  return from > 0 ? { created: { gte: new Date(from).toISOString() } } : {};
}

/** @param requests the newest first, as lists have them; what was shown already is left out */
function show(shell: Shell, requests: readonly RequestLog[], shown: Set<string>): void {
  const paint = paintOf(shell);
  for (const request of requests.toReversed()) {
    if (shown.has(request.id)) continue;
    shown.add(request.id);
    writeLine(shell, shell.isJson ? jsonLine(request) : words(shell, request, paint));
  }
}

function words(
  shell: Shell,
  { id, created_at, status, method, path, duration_ms, error_code }: RequestLog,
  paint: Paint,
): string {
  return [
    paint('dim', localTime(created_at)),
    paint(status < 400 ? 'green' : status < 500 ? 'yellow' : 'red', String(status)),
    method.padEnd(6),
    plainLine(path),
    `${duration_ms} ms`,
    ...(error_code ? [error_code] : []),
    paint('dim', shownId(shell, id)),
  ].join('  ');
}
