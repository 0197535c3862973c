// A whole small world in one process: a real database, real chains, the local Telegram server and our services, driven step by step with a clock
// that tests move. Nothing runs by itself, so a test decides what happens between any two steps.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from 'grammy';
import { createPublicClient, createTestClient } from 'viem';
import type { Adapter } from '../../bots/adapter.ts';
import { deliverReplies } from '../../bots/delivery.ts';
import { handleEntries } from '../../bots/ingest.ts';
import { createTelegram } from '../../bots/telegram/adapter.ts';
import { ALLOWED_UPDATES } from '../../bots/telegram/source.ts';
import { storeUpdates } from '../../bots/telegram/store.ts';
import { refreshPrices } from '../../local/chains/deploy/chain.ts';
import type { EmbeddedChain } from '../../local/chains/embeddedChains.ts';
import { startTelegramServer } from '../../local/platforms/telegram/server.ts';
import { PEOPLE, type Person, TELEGRAM_BOT, TELEGRAM_GROUP } from '../../local/stack/people.ts';
import { ROLES } from '../../local/stack/roles.ts';
import { seed } from '../../local/stack/seed.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { tokenBalance } from '../../src/chain/routers/bot.ts';
import type { Address, EvmChain } from '../../src/chain/rpc/client.ts';
import { rpcTransport } from '../../src/chain/rpc/transport.ts';
import { type Ctx, createContext, evmChains } from '../../src/context.ts';
import { CHAINS, type ChainName } from '../../src/domain/chains.ts';
import { isAway } from '../../src/domain/errors.ts';
import { readEnv } from '../../src/env.ts';
import { expireLinks } from '../../src/services/accounts/connectLinks.ts';
import { applyWalletChanges } from '../../src/services/accounts/walletChanges.ts';
import { pendingInbox } from '../../src/services/chat/inbox.ts';
import { followOutgoing } from '../../src/services/outgoing/follow.ts';
import { sendQueued } from '../../src/services/outgoing/send.ts';
import { settleSends } from '../../src/services/sends/settle.ts';
import { queuePauses } from '../../src/services/spending/pauses.ts';
import { lapseIntents, prepareIntents } from '../../src/services/tips/preparation.ts';
import { postDailyReceived, postReceived } from '../../src/services/tips/receivedNotices.ts';
import { settleChain } from '../../src/services/tips/settle.ts';
import { KINDS } from '../../workers/kinds.ts';
import { freshDatabase, seededDatabase } from './database.ts';
import { type DiscordOptions, type DiscordSide, discordEnv, startDiscordSide, startLocalDiscord } from './discord.ts';
import type { HostedAnvil } from './host.ts';
import { type HostedChain, hostedAnvil } from './hosted.ts';
import { callJson } from './http.ts';
import { backendEnv } from './redis.ts';
import { baseEnv, seededChain, setUpChain } from './seeded.ts';
import { openSolanaSide, type SolanaSide, type SolanaSideOptions } from './solanaSide.ts';
import { tellOf } from './tellings.ts';
import { openXWorld, startXWorldServer, type XWorld, type XWorldOptions } from './xWorld.ts';

export type SaidOptions = { chat?: number; replyTo?: number; edit?: number };
export type Shown = {
  message_id: number;
  from: { id: number; is_bot?: boolean };
  text: string;
  reply_markup?: Keyboard;
  reply_to_message?: { message_id: number };
};
type Keyboard = { inline_keyboard: { text: string; callback_data?: string; url?: string }[][] };

/** More than any test takes back. */
const OWN_BLOCKS = 12;
const TAKEN_LIMIT_MS = 1_000;

export type World = Awaited<ReturnType<typeof startWorld>>;

export function localPerson(name: string): Person {
  const found = PEOPLE.find((one) => one.name === name);
  if (!found) throw new Error(`no person is called ${name}`);
  return found;
}

/** Everything that is queued on a chain is looked at now, also what was to wait; a chain that is away sends nothing. */
export async function sendNow(ctx: Ctx, chain: Chain): Promise<void> {
  await queuePauses(ctx);
  await ctx.db.outgoingTx.updateMany({ where: { status: 'queued' }, data: { retryAt: null } });
  await sendQueued(ctx, chain, KINDS).catch((error: unknown) => {
    if (!isAway(error)) throw error;
  });
}

type Clients = ReturnType<typeof clientsAt>;
const clientsAt = (rpcUrl: string) => ({
  admin: createTestClient({ mode: 'anvil', transport: rpcTransport(rpcUrl) }),
  reader: createPublicClient({ transport: rpcTransport(rpcUrl), cacheTime: 0 }),
});

export async function startWorld({
  chains: names = ['base'] as ChainName[],
  anvil: anvilOptions = {} as Partial<HostedAnvil>,
  rpcUrls = {} as Partial<Record<ChainName, (direct: string) => Promise<string>>>,
  /** What differs from the suite's own backend: a Redis of the test's own. */
  env = backendEnv(),
  /** A database of the test's own, on a server that it may kill. */
  database = freshDatabase,
  /** Adds a local X, its adapter and people who post there. */
  x: withX = false as boolean | XWorldOptions,
  /** A Discord as well, with its bot connected to the gateway. */
  discord: withDiscord = false as boolean | DiscordOptions,
  /** A Solana chain beside the others, on which everybody who has a handle has a wallet. */
  solana: withSolana = false as boolean | SolanaSideOptions,
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'ampersat-world-'));
  const isCopied = database === freshDatabase;
  const { url: databaseUrl, drop } = await (isCopied ? seededDatabase : database)();
  const anvils: Partial<Record<ChainName, HostedChain>> = {};
  const embedded: EmbeddedChain[] = await Promise.all(
    names.map(async (name) => {
      const template = isCopied ? await seededChain(name) : null;
      const anvil = await hostedAnvil({
        chainId: CHAINS[name].chainId,
        blockTimeSeconds: 0,
        mixedMining: true,
        ...anvilOptions,
        ...(template ? { extraArgs: ['--load-state', template.stateFile, ...(anvilOptions.extraArgs ?? [])] } : {}),
      });
      anvils[name] = anvil;
      if (!template) return setUpChain(name, anvil.rpcUrl);
      // The node has the state of its newest blocks only from here on: what goes back by some of them needs them, and a current head.
      const client = createTestClient({ mode: 'anvil', transport: rpcTransport(anvil.rpcUrl) });
      await client.mine({ blocks: OWN_BLOCKS, interval: 0 });
      return { ...template.chain, config: { ...template.chain.config, rpcUrls: [anvil.rpcUrl] } };
    }),
  );
  let offsetMs = 0;
  const clock = { now: () => Date.now() + offsetMs, ofLeases: 'this' as const };
  const telegram = await startTelegramServer({ bots: [TELEGRAM_BOT], clock: clock.now });
  const discordServer = withDiscord ? await startLocalDiscord(clock.now) : null;
  const chainsFile = join(folder, 'chains.json');
  const writeChains = (more: object = {}) => {
    const ofEvm = Object.fromEntries(embedded.map((one) => [one.name, one.config]));
    writeFileSync(chainsFile, JSON.stringify({ ...ofEvm, ...more }));
  };
  writeChains();
  const processEnv: Record<string, string> = {
    ...baseEnv(databaseUrl, chainsFile),
    TELEGRAM_BOT_TOKEN: TELEGRAM_BOT.token,
    TELEGRAM_API_ROOT: telegram.url,
    ...(discordServer ? await discordEnv(discordServer, withDiscord === true ? {} : withDiscord || {}) : {}),
    ...env,
  };
  const xServer = withX ? await startXWorldServer(clock.now, withX === true ? {} : withX) : null;
  Object.assign(processEnv, xServer?.env ?? {}, withX && withX !== true ? withX.env : {});
  if (!isCopied) await seed(processEnv, embedded);
  for (const one of embedded) {
    const through = rpcUrls[one.name];
    if (through) one.config.rpcUrls = [await through(one.config.rpcUrls[0] ?? '')];
  }
  writeChains();

  const ctx: Ctx = await createContext(readEnv(processEnv), 'test', { clock });
  const untold = tellOf({ db: ctx.db, folder });
  const adapter: Adapter = await createTelegram(ctx, TELEGRAM_BOT.token, () => {});
  const adapters = new Map([['telegram', adapter]]);
  const x = xServer ? await openXWorld(ctx, xServer, adapters) : null;
  const discord = discordServer ? await startDiscordSide(ctx, discordServer, adapters) : null;
  const solana = withSolana ? await openSolanaSide(ctx, embedded[0], withSolana === true ? {} : withSolana) : null;
  if (solana) {
    writeChains({ solana: solana.config });
    Object.assign(processEnv, solana.env);
  }
  const me = { id: String(TELEGRAM_BOT.id), username: TELEGRAM_BOT.username };
  const api = new Api(TELEGRAM_BOT.token, { apiRoot: telegram.url });
  let updateOffset = 0;

  const user = <T>(path: string, body?: object) => callJson<T>(`${telegram.url}/_user/${path}`, body);
  /** Telegram's faults that were ordered end; calls that are held stay so until their caller is gone. */
  async function endFaults(): Promise<void> {
    await fetch(`${telegram.url}/_user/faults`, { method: 'DELETE' });
  }
  const evmChain = (name: ChainName = 'base'): EvmChain => {
    const chain = evmChains(ctx)[name];
    if (!chain) throw new Error(`${name} is not in this world`);
    return chain;
  };
  const anvilOf = (name: ChainName = 'base'): HostedChain => {
    const anvil = anvils[name];
    if (!anvil) throw new Error(`${name} is not in this world`);
    return anvil;
  };

  const clients = new Map<ChainName, Clients>();
  const clientsOf = (name: ChainName): Clients => {
    const known = clients.get(name) ?? clientsAt(anvilOf(name).rpcUrl);
    clients.set(name, known);
    return known;
  };

  /**
   * Waits until a chain that mines on demand has mined what it accepted: it answers a sender first and mines a moment later (6 of 100 times
   * after the next call), so a step that looked at once would depend on who is faster. What pays too little to be mined stays.
   */
  async function taken(name: ChainName = 'base'): Promise<void> {
    const admin = world.admin(name);
    const waits = async () => (await admin.getTxpoolStatus()).pending > 0;
    if (!(await waits()) || !(await admin.getAutomine())) return;
    const limit = Date.now() + TAKEN_LIMIT_MS;
    while ((await waits()) && Date.now() < limit);
  }

  const world = {
    ctx,
    adapter,
    adapters,
    processEnv,
    databaseUrl,
    telegramUrl: telegram.url,
    /** What people do on Discord; for a world that was started with it. */
    get discord(): DiscordSide {
      if (!discord) throw new Error('this world has no Discord: start it with { discord: true }');
      return discord;
    },
    /** The Solana chain, in a world that was started with it. */
    get solana(): SolanaSide {
      if (!solana) throw new Error('this world has no Solana: startWorld({ solana: true })');
      return solana;
    },
    embedded,
    folder,
    evmChain,
    group: TELEGRAM_GROUP,
    anvilOf,
    /** The local X, in a world that asked for it. */
    get x(): XWorld {
      if (!x) throw new Error('this world has no X: startWorld({ x: true })');
      return x;
    },
    user,
    endFaults,
    taken,
    /** A test client that talks to the chain itself, past any proxy. */
    admin: (name: ChainName = 'base') => clientsOf(name).admin,
    reader: (name: ChainName = 'base') => clientsOf(name).reader,
    /** Moves our clock and Telegram's, and Solana's, whose program compares its own with a message's; the other chains keep their own time. */
    later: (ms: number) => {
      offsetMs += ms;
      solana?.later(ms);
    },
    /** A user types; the message is at Telegram until it is fetched. */
    async type(name: string, text: string, { chat = TELEGRAM_GROUP, replyTo, edit }: SaidOptions = {}) {
      const from = { ...localPerson(name).telegram, first_name: name };
      return user<{ message_id: number; update_id: number }>('messages', {
        chat_id: chat,
        from,
        text,
        ...(replyTo === undefined ? {} : { reply_to_message_id: replyTo }),
        ...(edit === undefined ? {} : { edit_message_id: edit }),
      });
    },
    press: (name: string, message: Shown, data: string, chat = TELEGRAM_GROUP) =>
      user<object>('callbacks', {
        message_id: message.message_id,
        chat_id: chat,
        from: localPerson(name).telegram,
        data,
      }),
    /** Fetches what lies at Telegram into the inbox. */
    async fetchUpdates() {
      await discord?.settled();
      const updates = await api.getUpdates({
        offset: updateOffset,
        timeout: 0,
        allowed_updates: [...ALLOWED_UPDATES],
      });
      await storeUpdates(ctx, updates, me);
      for (const update of updates) {
        updateOffset = update.update_id + 1;
      }
      return updates;
    },
    /** Works through the inbox. */
    async ingest() {
      for (const one of adapters.values()) await handleEntries(ctx, one, await pendingInbox(ctx, one.platform, 100));
    },
    async prepare() {
      const intents = await ctx.db.intent.findMany({ where: { status: 'accepted' }, orderBy: { id: 'asc' } });
      await prepareIntents(
        ctx,
        intents.map((row) => row.id),
      );
    },
    settle: (name: ChainName = 'base') => settleChain(ctx, name),
    /** Sends what is queued: pauses, claims, payments, what wallets signed. */
    send: (name: ChainName = 'base') => sendNow(ctx, evmChain(name)),
    watch: async (name: ChainName = 'base') => {
      await taken(name);
      return followOutgoing(ctx, evmChain(name), KINDS);
    },
    async reply() {
      const open = await ctx.db.reply.findMany({ where: { open: true }, orderBy: { id: 'asc' }, select: { id: true } });
      if (open.length === 0) return;
      await deliverReplies(
        ctx,
        adapters,
        open.map((row) => row.id),
      );
    },
    mine: async (blocks: number, name: ChainName = 'base') => {
      await taken(name);
      await world.admin(name).mine({ blocks });
    },
    /** New answers of the price feeds, as a feed gives them in time. */
    async freshPrices(name: ChainName = 'base', price = 3_000) {
      const feeds = evmChain(name).priceFeeds as [Address, Address];
      await refreshPrices({ rpcUrl: anvilOf(name).rpcUrl, feeds, price, owner: ROLES.deployer.key });
    },
    /** Everything once in order, with blocks enough to be final: what processes do by themselves. */
    async run() {
      for (const name of names) await taken(name);
      await world.fetchUpdates();
      await x?.poll();
      await world.ingest();
      await lapseIntents(ctx);
      await expireLinks(ctx);
      await applyWalletChanges(ctx);
      for (const name of names) await world.send(name);
      await world.prepare();
      for (const name of names) await world.settle(name);
      for (const name of names) await world.watch(name);
      await world.reply();
      for (const name of names) await world.mine(3, name);
      for (const name of names) await world.watch(name);
      for (const name of names) await settleSends(ctx, evmChain(name));
      await world.reply();
      if (solana) await world.runSolana();
    },
    /** The same of the Solana chain alone. */
    async runSolana() {
      const { chain, step, settle } = world.solana;
      await sendNow(ctx, chain);
      await settleChain(ctx, 'solana');
      step(3);
      await followOutgoing(ctx, chain, KINDS);
      await world.reply();
      settle();
      await followOutgoing(ctx, chain, KINDS);
      await world.reply();
    },
    /** Posts and edits the notices about received money that are due. */
    async notify() {
      await postReceived(ctx);
      await postDailyReceived(ctx);
      await world.reply();
    },
    /** Types, and lets everything happen. @returns the message */
    async say(name: string, text: string, options: SaidOptions = {}) {
      const message = await world.type(name, text, options);
      await world.run();
      return message;
    },
    shown: async (chat = TELEGRAM_GROUP): Promise<Shown[]> => {
      const answer = await user<{ messages?: Shown[] } | Shown[]>(`messages?chat_id=${chat}`);
      return Array.isArray(answer) ? answer : (answer.messages ?? []);
    },
    /** What the bot has said in a chat, oldest first. */
    botSaid: async (chat = TELEGRAM_GROUP): Promise<Shown[]> =>
      (await world.shown(chat)).filter((message) => message.from.id === TELEGRAM_BOT.id),
    usdc: (who: string, name: ChainName = 'base') => {
      const owner: Address = who === 'treasury' ? ROLES.treasury.address : localPerson(who).address;
      return tokenBalance({ ...evmChain(name), client: world.reader(name) as never }, evmChain(name).usdc, owner);
    },
    async stop() {
      untold();
      await ctx.shutdown.close();
      await telegram.close();
      await xServer?.close();
      await discordServer?.close();
      await solana?.stop();
      await Promise.all(Object.values(anvils).map((anvil) => anvil.stop()));
      await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  // Everybody has been seen in the group, as people who talk there are.
  for (const one of PEOPLE) {
    if (one.name !== 'dave') await world.type(one.name, 'hello');
  }
  await world.fetchUpdates();
  return world;
}
