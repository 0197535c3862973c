// The bot's login at X: which tokens are in force. They rest sealed under LINK_KEY, which the bots process alone has: a copy of the database
// posts nothing, and the API, which has no such key, cannot read them.
import { createHash } from 'node:crypto';
import type { Ctx, ReadCtx } from '../../context.ts';
import { leaseTime } from '../leaseTime.ts';
import { binderOf, bindOnce, seal, unseal } from '../sealing.ts';

/** `expiresAt` in Unix milliseconds. */
export type XTokens = { accessToken: string; refreshToken: string; expiresAt: number };
const CLAIM_MS = 60_000;

/** Names the login that the configuration begins: another token there is another login. */
export function seedHashOf(refreshToken: string): string {
  return createHash('sha256').update(`x login:${refreshToken}`).digest('hex');
}

/** Binds the tokens of earlier versions to their login, once. */
export async function bindTokens(ctx: Ctx): Promise<void> {
  await bindOnce(ctx, PURPOSE, async () => {
    const { bind, tally } = binderOf(keyOf(ctx));
    for (const { seedHash, sealedTokens } of await ctx.db.xLogin.findMany()) {
      if (!sealedTokens) continue;
      const data = { sealedTokens: bind(placeOf(seedHash), sealedTokens) };
      await ctx.db.xLogin.updateMany({ where: { seedHash, sealedTokens }, data });
    }
    return tally;
  });
}

/** The newest tokens of a login, or null when none were ever exchanged (or LINK_KEY is another one now). */
export async function readTokens(ctx: Ctx, seedHash: string): Promise<XTokens | null> {
  const row = await ctx.db.xLogin.findUnique({ where: { seedHash } });
  return row?.sealedTokens ? unsealTokens(ctx, seedHash, row.sealedTokens) : null;
}

/** Takes the right to ask for new tokens: a refresh token is good for one use, so one process asks at a time. */
export async function claimRefresh(ctx: Ctx, seedHash: string): Promise<boolean> {
  const updatedAt = new Date(ctx.clock.now());
  await ctx.db.xLogin.createMany({ data: [{ seedHash, updatedAt }], skipDuplicates: true });
  const count = await ctx.db.$executeRaw`
    update x_login set refreshing_until = ${leaseTime(ctx, CLAIM_MS)}
    where seed_hash = ${seedHash} and (refreshing_until is null or refreshing_until <= ${leaseTime(ctx)})`;
  return count === 1;
}

export async function storeTokens(ctx: Ctx, seedHash: string, tokens: XTokens): Promise<void> {
  const sealedTokens = seal(keyOf(ctx), placeOf(seedHash), JSON.stringify(tokens));
  const updatedAt = new Date(ctx.clock.now());
  await ctx.db.xLogin.update({
    where: { seedHash },
    data: { sealedTokens, refreshingUntil: null, problem: null, updatedAt },
  });
}

/** Notes that no new tokens were to be had. @param problem for an operator; null when it was only an outage */
export async function refreshFailed(ctx: Ctx, seedHash: string, problem: string | null): Promise<void> {
  const updatedAt = new Date(ctx.clock.now());
  const told = problem === null ? {} : { problem };
  await ctx.db.xLogin.update({ where: { seedHash }, data: { refreshingUntil: null, ...told, updatedAt } });
}

export type XAccount = { id: string; username: string };

/** Who the login belongs to, as it was read last: for a start while nothing may be read. */
export async function knownAccount(ctx: Ctx, seedHash: string): Promise<XAccount | null> {
  const row = await ctx.db.xLogin.findUnique({ where: { seedHash } });
  return row?.botId && row.username ? { id: row.botId, username: row.username } : null;
}

export async function noteAccount(ctx: Ctx, seedHash: string, account: XAccount): Promise<void> {
  const data = { botId: account.id, username: account.username, updatedAt: new Date(ctx.clock.now()) };
  await ctx.db.xLogin.upsert({ where: { seedHash }, create: { seedHash, ...data }, update: data });
}

/** The problem of the newest login, for the operators. */
export async function loginProblem(ctx: ReadCtx): Promise<string | null> {
  const row = await ctx.db.xLogin.findFirst({ orderBy: { updatedAt: 'desc' } });
  return row?.problem ?? null;
}

const PURPOSE = 'ampersat x tokens';
const placeOf = (seedHash: string) => ({ purpose: PURPOSE, row: seedHash });

function keyOf(ctx: Ctx): string {
  const { LINK_KEY } = ctx.env;
  if (!LINK_KEY) throw new Error('LINK_KEY is needed to read the tokens of X');
  return LINK_KEY;
}

function unsealTokens(ctx: Ctx, seedHash: string, text: string): XTokens | null {
  const plain = unseal(keyOf(ctx), placeOf(seedHash), text);
  if (plain === null) ctx.log.warn('the tokens of X cannot be read with this LINK_KEY; the login starts again');
  return plain === null ? null : (JSON.parse(plain) as XTokens);
}
