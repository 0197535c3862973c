// `ampersat campaigns`: create and list campaigns, import grants from a file, list and cancel them.
import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { Ampersat, Campaign, CreateCampaignParams, Grant } from '../../sdk/index.ts';
import { GRANT_STATUSES, MOST_GRANTS } from '../domain/campaign.ts';
import { type GrantRow, grantCalls, readGrantsFile } from '../domain/grantsFile.ts';
import { withApi } from './api.ts';
import { UsageError } from './failure.ts';
import { amountFlag, chainOption, firstOf, idempotencyOption, idFlag, limitOption, wholeNumber } from './flags.ts';
import { jsonLine, type Paint, type Shell, writeLine, writeNote, writeResult } from './shell.ts';
import { wholeId } from './shortIds.ts';
import { type Column, facts, localTime, writeResults } from './tables.ts';

const TONES = { active: 'green', closed: 'dim', expired: 'dim', pending_create: 'yellow' } as const;
const GRANT_TONES = { paid: 'green', failed: 'red', cancelled: 'dim', queued: 'yellow', sent: 'yellow' } as const;
const COLUMNS: Column<Campaign>[] = [
  { title: 'campaign', cell: ({ id }) => id, isId: true },
  { title: 'status', cell: ({ status }) => status, tone: ({ status }) => TONES[status] },
  { title: 'budget', cell: ({ budget, currency }) => `${budget} ${currency}` },
  { title: 'spent', cell: ({ spent }) => spent },
  { title: 'paid', cell: ({ grants }) => `${grants.paid}/${grants.total}` },
  { title: 'network', cell: ({ chain }) => chain },
  { title: 'until', cell: ({ expires_at: end }) => localTime(end) },
  { title: 'name', cell: ({ name }) => name },
];
const GRANT_COLUMNS: Column<Grant>[] = [
  { title: 'key', cell: ({ key }) => key },
  { title: 'status', cell: stateOf, tone: ({ status }) => GRANT_TONES[status] },
  { title: 'recipient', cell: ({ recipient }) => recipient },
  { title: 'amount', cell: ({ amount, currency }) => `${amount} ${currency}` },
  { title: 'failure', cell: ({ failure }) => failure?.message ?? '' },
];
const CAMPAIGN = ['<campaign>', 'Campaign ID (cgr_…)', idFlag] as const;
const BODY_BYTES = 900_000;

export function addCampaigns(program: Command, shell: Shell): void {
  const campaigns = program
    .command('campaigns')
    .description('Pay many people from one budget')
    .addHelpText('after', '\nThe API key needs the scope campaigns: ampersat keys create --scopes campaigns,read');

  campaigns
    .command('create')
    .description('Create a campaign; your wallet opens it on its page')
    .requiredOption('--name <text>', 'Name, shown to recipients')
    .addOption(chainOption().makeOptionMandatory())
    .requiredOption('--budget <amount>', 'The most that all grants draw, such as 500.00', amountFlag)
    .option('--most-per-grant <amount>', 'The most of one grant (default: the budget)', amountFlag)
    .requiredOption('--expires <time>', 'Until when grants are paid, such as 2027-01-31T00:00:00Z')
    .option(
      '--recipients <number>',
      'On Solana: places for grants, 1 to 65536 (default: 1000)',
      wholeNumber({ least: 1, most: 65_536 }),
    )
    .addOption(idempotencyOption('campaign'))
    .action((given: Given, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const { idempotencyKey } = given;
        const how = { signal: shell.signal, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
        writeResult(shell, await ampersat.campaigns.create(paramsOf(given), how), words);
      }),
    );

  campaigns
    .command('list')
    .description('List campaigns, newest first')
    .addOption(limitOption())
    .action(({ limit }: { limit: number }, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const query = { limit: Math.min(limit, 100) };
        const found = await firstOf(ampersat.campaigns.all(query, { signal: shell.signal }), limit);
        writeResults(shell, found, COLUMNS, 'No campaigns yet.');
      }),
    );

  campaigns
    .command('get')
    .description('Show a campaign')
    .argument(...CAMPAIGN)
    .action((campaign: string, _given: object, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const id = await wholeCampaign(shell, ampersat, campaign);
        writeResult(shell, await ampersat.campaigns.get(id, { signal: shell.signal }), words);
      }),
    );

  campaigns
    .command('grants')
    .description('List the grants of a campaign')
    .argument(...CAMPAIGN)
    .addOption(new Option('--status <status>', 'Only grants in this status').choices([...GRANT_STATUSES]))
    .addOption(limitOption())
    .action((campaign: string, { status, limit }: { status?: Grant['status']; limit: number }, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const id = await wholeCampaign(shell, ampersat, campaign);
        const query = { limit: Math.min(limit, 100), ...(status ? { status } : {}) };
        const found = await firstOf(ampersat.campaigns.grants(id).all(query, { signal: shell.signal }), limit);
        writeResults(shell, found, GRANT_COLUMNS, status ? 'No grants match this filter.' : 'No grants yet.');
      }),
    );

  campaigns
    .command('import')
    .description('Add grants from a CSV file: recipient, amount, key (optional), note (optional)')
    .argument(...CAMPAIGN)
    .argument('<file>', 'CSV file')
    .addHelpText('after', '\nWithout keys, each recipient is paid once, however often the file is imported.')
    .action((campaign: string, file: string, _given: object, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const id = await wholeCampaign(shell, ampersat, campaign);
        await importFile(shell, ampersat, id, file);
      }),
    );

  campaigns
    .command('cancel')
    .description('Cancel grants that are not sent')
    .argument(...CAMPAIGN)
    .option(
      '--key <key>',
      'Only the grant with this key; repeat for more',
      (key: string, all: string[]) => [...all, key],
      [],
    )
    .action((campaign: string, { key }: { key: string[] }, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const id = await wholeCampaign(shell, ampersat, campaign);
        const params = key.length > 0 ? { keys: key } : {};
        writeResult(shell, await ampersat.campaigns.cancel(id, params, { signal: shell.signal }), words);
      }),
    );
}

type Given = {
  name: string;
  chain: CreateCampaignParams['chain'];
  budget: string;
  mostPerGrant?: string;
  expires: string;
  recipients?: number;
  idempotencyKey?: string;
};

function paramsOf({ name, chain, budget, mostPerGrant, expires, recipients }: Given): CreateCampaignParams {
  const most = mostPerGrant === undefined ? {} : { most_per_grant: mostPerGrant };
  const places = recipients === undefined ? {} : { recipients };
  return { name, chain, budget, expires_at: expires, ...most, ...places };
}

/** One line a row that was not queued, then the sum. Exits with 1 when any was not. */
async function importFile(shell: Shell, ampersat: Ampersat, id: string, path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new UsageError(`${path} can’t be read: ${error.message}`);
  });
  const { rows, problems } = readGrantsFile(text);
  const bad: { line: number; message: string }[] = [...problems];
  let queued = 0;
  let existing = 0;
  for (const call of grantCalls(rows, MOST_GRANTS, BODY_BYTES)) {
    const grants = call.map(({ line: _, ...grant }: GrantRow) => grant);
    const added = await ampersat.campaigns.addGrants(id, { grants }, { signal: shell.signal });
    queued += added.grants.length - added.existing.length;
    existing += added.existing.length;
    for (const { index, message } of added.rejected) bad.push({ line: call[index]?.line ?? 0, message });
    if (!shell.isJson) writeNote(shell, `${queued + existing + bad.length} of ${rows.length + problems.length} rows`);
  }
  bad.sort((one, other) => one.line - other.line);
  if (shell.isJson) writeLine(shell, jsonLine({ campaign: id, queued, existing, rejected: bad }));
  else {
    for (const { line, message } of bad) writeLine(shell, `line ${line}: ${message}`);
    const there = existing === 0 ? '' : `, ${existing} in the campaign already`;
    writeLine(shell, `${counted(queued, 'grant')} queued${there}, ${counted(bad.length, 'row')} rejected`);
  }
  if (bad.length > 0) shell.exitCode = 1;
}

function wholeCampaign({ signal }: Shell, { campaigns }: Ampersat, id: string): Promise<string> {
  return wholeId(id, () => campaigns.all({}, { signal }));
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

function stateOf({ status, waiting_for_account: waits }: Grant): string {
  return waits ? 'waiting for an account' : status;
}

function words(campaign: Campaign, paint: Paint): string {
  const { grants, currency, problem, status } = campaign;
  const counts = (['paid', 'sent', 'queued', 'failed', 'cancelled'] as const)
    .flatMap((name) => {
      const waiting = name === 'queued' && grants.waiting > 0 ? ` (${grants.waiting} waiting for an account)` : '';
      return grants[name] > 0 ? [`${grants[name]} ${name}${waiting}`] : [];
    })
    .join(', ');
  return facts(
    [
      ['campaign', campaign.id],
      ['status', status],
      ['name', campaign.name],
      ['budget', `${campaign.budget} ${currency} on ${campaign.chain}, at most ${campaign.most_per_grant} each`],
      ['spent', `${campaign.spent} ${currency}; ${campaign.left} free for more grants`],
      ['grants', counts || 'none'],
      ['places', campaign.recipients === null ? null : `${campaign.recipients} grants at most`],
      ['problem', problem?.message ?? null],
      ['until', localTime(campaign.expires_at)],
      [status === 'pending_create' ? 'open it at' : 'page', campaign.url],
    ],
    paint,
  );
}
