// Whether this deployment can do its work: one answer a part, soon, whatever is dead, and without anything secret.
import type { Ctx } from '../../context.ts';
import { missingMigrations } from '../../db.ts';
import type { ChainName } from '../../domain/chains.ts';
import { listProcesses, SILENT_AFTER_MS } from './heartbeats.ts';

export type HealthPart = { name: string; ok: boolean; problem: string | null };
export type Health = { ok: boolean; parts: HealthPart[] };

const PART_WITHIN_MS = 2_000;
const PROBE_FRESH_MS = 60_000;

/** The database, its migrations, the queues, every chain (by its last look) and the processes that work. Never throws. */
export async function readHealth(ctx: Ctx): Promise<Health> {
  const parts = await Promise.all([
    checked('database', () => answers(ctx.db.$queryRaw`select 1`), 'it does not answer'),
    checked('migrations', () => migrationProblem(ctx), 'the database does not answer'),
    checked('queues', () => answers(ctx.queues.counts()), 'they do not answer'),
    ...Object.keys(ctx.chains).map((name) =>
      checked(`chain ${name}`, async () => chainProblem(ctx, name), 'it was not looked at'),
    ),
    ...[...ctx.refused].map(([name, problem]) =>
      checked(`chain ${name}`, async () => `it is not served: ${problem}`, 'it is not served'),
    ),
    ...(['workers', 'bots', 'signer'] as const).map((name) =>
      checked(name, () => processProblem(ctx, name), 'the database does not answer'),
    ),
  ]);
  return { ok: parts.every((part) => part.ok), parts };
}

/** @param silence what to say when the check throws or takes too long: what it throws may hold addresses */
async function checked(name: string, check: () => Promise<string | undefined>, silence: string): Promise<HealthPart> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(silence), PART_WITHIN_MS);
  });
  const problem = (await Promise.race([check().catch(() => silence), late])) ?? null;
  clearTimeout(timer);
  return { name, ok: problem === null, problem };
}

async function answers(question: Promise<unknown>): Promise<undefined> {
  await question;
}

async function migrationProblem(ctx: Ctx): Promise<string | undefined> {
  const missing = await missingMigrations(ctx.db);
  return missing.length === 0 ? undefined : `${missing.length} are missing; restart a process to apply them`;
}

function chainProblem(ctx: Ctx, name: string): string | undefined {
  const probe = ctx.probes.get(name as ChainName);
  if (!probe || ctx.clock.now() - probe.at > PROBE_FRESH_MS) return 'it was not looked at';
  const [first] = probe.endpoints;
  if (probe.endpoints.some((endpoint) => endpoint.problem === null)) return undefined;
  return probe.endpoints.length === 1 ? (first?.problem ?? undefined) : 'none of its endpoints is well';
}

/** Whether a process of this kind sent a recent heartbeat: the health check of its container. @returns the problem, undefined when healthy */
export async function processProblem(ctx: Pick<Ctx, 'db' | 'clock'>, name: string): Promise<string | undefined> {
  const found = (await listProcesses(ctx)).find(({ process }) => process === name);
  if (found && found.silentMs <= SILENT_AFTER_MS) return undefined;
  return found ? `no heartbeat for ${Math.round(found.silentMs / 1_000)} s` : 'it never ran';
}
