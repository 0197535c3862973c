// The playground's calls, on the API of the local stack alone: its accounts, their balances, and the trace of one message.
import type { Express, Request, Response } from 'express';
import { z } from 'zod';
import type { Chain } from '../../src/chain/chain.ts';
import type { Ctx } from '../../src/context.ts';
import { AppError } from '../../src/domain/errors.ts';
import { discordInteractionKey, discordMessageKey, telegramMessageKey, xPostKey } from '../../src/domain/messageKey.ts';
import { formatUnits } from '../../src/domain/money.ts';
import { mountPlayWallets } from '../chains/playWallets.ts';
import type { LocalFile } from '../stack/localFile.ts';
import { requireOwnPage } from '../stack/ownPage.ts';
import { allBalances, balancesAround, holdersOn, newestBlocks } from './balances.ts';
import { resume } from './resume.ts';
import { type Activity, solanaActivity, solanaEffects } from './solanaEffects.ts';

/** The platforms of local.json; all but Telegram are optional. */
type Platforms = LocalFile['platforms'] & {
  discord?: { url: string; application_id: string; guild?: { id: string; name: string }; channel_id?: string };
  x?: { url: string; bot?: { id: string; username: string } };
};
const PLATFORMS = ['telegram', 'discord', 'x'] as const;

const id = z.string().regex(/^\d{1,20}$/);
/** One message, by the IDs of its platform. */
const traceQuery = z.discriminatedUnion('platform', [
  z.object({
    platform: z.literal('telegram'),
    chat_id: z.coerce.number().int(),
    message_id: z.coerce.number().int(),
  }),
  z.object({ platform: z.literal('discord'), message_id: id.optional(), interaction_id: id.optional() }),
  z.object({ platform: z.literal('x'), post_id: id }),
]);

export function mountPlayground(app: Express, ctx: Ctx, local: LocalFile): void {
  app.use(
    '/api/local',
    requireOwnPage(() => local.base_url),
  );
  mountPlayWallets(app, local);
  app.get('/api/local/stack', async (_request: Request, response: Response) => {
    response.json(await describeStack(ctx, local));
  });
  app.get('/api/local/balances', async (_request: Request, response: Response) => {
    const [balances, blocks] = await Promise.all([allBalances(ctx, local), newestBlocks(ctx)]);
    response.json({ balances, blocks });
  });
  app.get('/api/local/activity', async (_request: Request, response: Response) => {
    response.json({ transactions: await activity(ctx, local) });
  });
  app.get('/api/local/trace', async (request: Request, response: Response) => {
    const query = traceQuery.safeParse(request.query);
    if (!query.success) throw new AppError('parameter_invalid', 'platform and the message’s ids on it are needed');
    response.json(await trace(ctx, local, keyOf(local.platforms, query.data)));
  });
  app.post('/api/local/resume', async (request: Request, response: Response) => {
    const body = z.object({ name: z.string() }).safeParse(request.body);
    const account = body.success ? local.accounts[body.data.name] : undefined;
    if (!account) throw new AppError('parameter_invalid', 'name is one of the people of the local stack');
    response.json({ transactions: await resume(ctx, local, account) });
  });
}

function keyOf(platforms: Platforms, query: z.infer<typeof traceQuery>): string {
  const { telegram, discord, x } = platforms;
  if (query.platform === 'telegram')
    return telegramMessageKey(String(telegram.bot.id), String(query.chat_id), String(query.message_id));
  if (query.platform === 'x') return xPostKey(x?.bot?.id ?? '0', query.post_id);
  const application = discord?.application_id ?? '0';
  if (query.interaction_id !== undefined) return discordInteractionKey(application, query.interaction_id);
  return discordMessageKey(application, query.message_id ?? '0');
}

async function describeStack(ctx: Ctx, local: LocalFile) {
  const { telegram, discord, x }: Platforms = local.platforms;
  const connections = await ctx.db.connection.findMany({ where: { disconnectedAt: null }, include: { handle: true } });
  return {
    people: Object.entries(local.accounts).map(([name, account]) => ({
      name,
      handle: account.handle,
      kind: account.kind,
      address: account.evm_address,
      solana_address: account.solana_address,
      telegram: account.telegram,
      discord: account.discord,
      x: account.x,
      // From the database: people connect and disconnect on the pages.
      on: Object.fromEntries(
        PLATFORMS.map((platform) => {
          const own = String(account[platform].id);
          const row = connections.find((one) => one.platform === platform && one.platformUserId === own);
          return [platform, row ? { handle: row.handle.slug, can_spend: row.canSpend } : null];
        }),
      ),
    })),
    telegram: { url: telegram.url, bot: telegram.bot, group_chat_id: telegram.group_chat_id },
    discord: discord?.url
      ? {
          url: discord.url,
          application_id: discord.application_id,
          channel_id: discord.channel_id ?? null,
          guild_name: discord.guild?.name ?? 'Friends',
        }
      : null,
    x: x?.url ? { url: x.url, bot: x.bot ?? null } : null,
    chains: Object.entries(local.chains).map(([name, chain]) => ({ name, chain_id: chain.chain_id })),
    treasury: local.treasury,
  };
}

/** The names of wallets on a chain, by address. */
function namesOn(local: LocalFile, chain: Chain): Map<string, string> {
  const capital = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return new Map(holdersOn(local, chain).map(({ name, address }) => [address, capital(name)]));
}

/** What a transaction of ours did, where its chain says it in words. */
async function effectsOf(ctx: Ctx, local: LocalFile, name: string, hash: string | null): Promise<string[]> {
  const chain = ctx.chains[name as keyof typeof ctx.chains];
  if (chain?.family !== 'solana' || hash === null) return [];
  return solanaEffects(chain, hash, namesOn(local, chain));
}

async function activity(ctx: Ctx, local: LocalFile): Promise<Activity[]> {
  const { solana: chain } = ctx.chains;
  const rpcUrl = local.chains.solana?.rpc_url;
  if (chain?.family !== 'solana' || rpcUrl === undefined) return [];
  return solanaActivity(chain, rpcUrl, namesOn(local, chain));
}

/** All rows that one message led to. */
async function trace(ctx: Ctx, local: LocalFile, key: string) {
  const inbox = await ctx.db.inbox.findUnique({ where: { key } });
  if (!inbox)
    return {
      key,
      inbox: null,
      command: null,
      intent: null,
      legs: [],
      transactions: [],
      steps: [],
      reply: null,
      balances: [],
    };
  const intent = await ctx.db.intent.findUnique({
    where: { inboxKey: key },
    include: { tips: { orderBy: { leg: 'asc' }, include: { crossing: { include: { legs: true } } } } },
  });
  const txIds = [...new Set((intent?.tips ?? []).map((tip) => tip.outgoingTxId).filter((id) => id !== null))];
  const transactions = await ctx.db.outgoingTx.findMany({
    where: { id: { in: txIds } },
    include: { attempts: { orderBy: { number: 'asc' } } },
  });
  const effects = await Promise.all(transactions.map((tx) => effectsOf(ctx, local, tx.chain, tx.minedHash)));
  const bridged = (intent?.tips ?? []).flatMap((tip) => tip.crossing?.legs ?? []).map((leg) => leg.id);
  const ids = [intent?.id ?? '', ...(intent?.tips ?? []).map((tip) => tip.id), ...bridged, ...txIds];
  const steps = await ctx.db.transition.findMany({
    where: { resourceId: { in: ids } },
    orderBy: { id: 'asc' },
    take: 200,
  });
  const reply = await ctx.db.reply.findFirst({ where: { key: { in: [`intent:${intent?.id}`, `answer:${key}`] } } });
  return {
    key,
    inbox: {
      status: inbox.status,
      outcome: inbox.outcome,
      received_at: inbox.receivedAt,
      processed_at: inbox.processedAt,
    },
    command: (inbox.payload as { command?: unknown }).command ?? null,
    intent: intent && {
      id: intent.id,
      status: intent.status,
      accepted_at: intent.acceptedAt,
      valid_until: intent.validUntil,
      detail: intent.detail,
    },
    legs: (intent?.tips ?? []).map((tip) => ({
      id: tip.id,
      recipient: tip.recipientLabel,
      recipient_address: tip.recipientAddress,
      amount: formatUnits(BigInt(tip.units.toFixed(0)), tip.decimals),
      fee: formatUnits(BigInt(tip.feeUnits.toFixed(0)), tip.decimals),
      asset: tip.asset,
      chain: tip.chain,
      status: tip.status,
      failure: tip.failure,
      message_key: tip.messageKey,
      tx_hash: tip.txHash,
      crossing: tip.crossing && {
        chain: tip.crossing.chain,
        status: tip.crossing.status,
        bridge_fee: formatUnits(BigInt(tip.bridgeUnits.toFixed(0)), tip.decimals),
      },
    })),
    transactions: transactions.map((tx, index) => ({
      id: tx.id,
      effects: effects[index] ?? [],
      chain: tx.chain,
      executor: tx.executor,
      nonce: tx.nonce,
      status: tx.status,
      block: tx.minedBlock === null ? null : Number(tx.minedBlock),
      hash: tx.minedHash ?? tx.attempts.at(-1)?.hash ?? null,
      attempts: tx.attempts.length,
    })),
    steps: steps.map((step) => ({
      at: step.at,
      resource: step.resource,
      action: step.action,
      from: step.fromStatus,
      to: step.toStatus,
    })),
    reply: reply && {
      version: reply.version,
      sent_version: reply.sentVersion,
      message_id: reply.platformMessageId,
      sent_at: reply.sentAt,
      failure: reply.failure,
    },
    balances: await balancesAround(ctx, local, transactions),
  };
}
