// The seed: people with handles and connections in the database; money, allowance and limits on every chain. Repeating it changes nothing, and
// after a start that was killed in the middle of it only what is missing is added.
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  parseEther,
  parseUnits,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { botRouterAbi } from '../../src/chain/routers/abis/BotRouter.ts';
import type { Address, Hex } from '../../src/chain/rpc/client.ts';
import { waitForReceipt } from '../../src/chain/rpc/receipts.ts';
import { rpcTransport } from '../../src/chain/rpc/transport.ts';
import { type Clock, type Ctx, createContext } from '../../src/context.ts';
import { SCOPES } from '../../src/domain/apiKey.ts';
import { CHAINS } from '../../src/domain/chains.ts';
import { readEnv } from '../../src/env.ts';
import { createConnection, createHandle } from '../../src/services/accounts/handles.ts';
import { createSession } from '../../src/services/accounts/sessions.ts';
import { authenticateKey, createApiKey } from '../../src/services/workspaces/apiKeys.ts';
import { openLocalChain, sendAll } from '../chains/deploy/send.ts';
import { mintUsdc } from '../chains/deploy/usdc.ts';
import { wrappedNativeAbi } from '../chains/deploy/wrappedNative.ts';
import type { EmbeddedChain } from '../chains/embeddedChains.ts';
import { localSolanaKey } from '../solana/keys.ts';
import { PEOPLE, type Person } from './people.ts';
import { ROLES } from './roles.ts';

/** In US dollars, of USDC and of the wrapped native asset alike. */
export const FUNDS = 1_000;
export const LIMITS = { perTip: 100, perDay: 500, maxFee: 0.5 };

/** For each person who has a handle, by name: a value of the session cookie, and a test key of the API with every scope. */
export type Seeded = { sessions: Record<string, string>; apiKeys: Record<string, string> };

/**
 * @param formerKeys of the start before, by person: those that are still good stay, so that programs that have them go on
 * @param clock of the stack, whose sessions and keys these are
 */
export async function seed(
  processEnv: Record<string, string>,
  chains: EmbeddedChain[],
  formerKeys: Seeded['apiKeys'] = {},
  clock?: Clock,
): Promise<Seeded> {
  const options = clock ? { clock } : {};
  const [seeded] = await Promise.all([seedPeople(processEnv, PEOPLE, formerKeys, options), ...chains.map(seedChain)]);
  return seeded;
}

const PLATFORMS = ['telegram', 'discord', 'x'] as const;
/** Where people are connected, and whether each has a session and an API key. */
type PeopleOptions = { platforms?: readonly (typeof PLATFORMS)[number][]; isSignedIn?: boolean; clock?: Clock };

/** Adds people beyond the usual ones, funded and connected: what a load needs. */
export async function seedMore(
  processEnv: Record<string, string>,
  chains: Pick<EmbeddedChain, 'name' | 'config'>[],
  people: Person[],
  options: PeopleOptions = {},
): Promise<Seeded> {
  const seeded = await seedPeople(processEnv, people, {}, options);
  for (const chain of chains) await seedCrowd(chain, people);
  return seeded;
}

/** Wallets that are set up at the same time. */
const CROWD_STEP = 25;

/** Money, allowance and limits in USDC for many, in few rounds. */
async function seedCrowd({ name, config }: Pick<EmbeddedChain, 'name' | 'config'>, people: Person[]): Promise<void> {
  const rpcUrl = config.rpcUrls[0] ?? '';
  const usdc = config.usdc as Address;
  const { usdcDecimals } = CHAINS[name];
  const inUsdc = (usd: number) => parseUnits(String(usd), usdcDecimals);
  await mintUsdc({ rpcUrl, usdc, to: people.map((person) => person.address), amount: inUsdc(FUNDS) });
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [config.routers.bot as Address, maxUint256],
  });
  const setLimits = encodeFunctionData({
    abi: botRouterAbi,
    functionName: 'setLimits',
    args: [usdc, inUsdc(LIMITS.perTip), inUsdc(LIMITS.perDay), inUsdc(LIMITS.maxFee)],
  });
  const calls = [
    { to: usdc, data: approve },
    { to: config.routers.bot as Address, data: setLimits },
  ];
  for (let from = 0; from < people.length; from += CROWD_STEP) {
    const step = people.slice(from, from + CROWD_STEP);
    await Promise.all(step.map(async (person) => sendAll(await openLocalChain(rpcUrl, person.key), calls)));
  }
}

async function seedPeople(
  processEnv: Record<string, string>,
  people: Person[],
  formerKeys: Seeded['apiKeys'],
  { platforms = PLATFORMS, isSignedIn = true, clock }: PeopleOptions = {},
): Promise<Seeded> {
  const ctx = await createContext(readEnv({ ...processEnv, LOG_LEVEL: 'silent' }), 'seed', clock ? { clock } : {});
  try {
    for (const person of people) {
      if (person.handle === null) continue;
      const { handle: slug, kind, address: evmAddress } = person;
      const known = await ctx.db.handle.findUnique({ where: { slug }, select: { id: true } });
      const handleId = known?.id ?? (await createHandle(ctx, { slug, kind, evmAddress }));
      if (ctx.chains.solana) await addSolanaWallet(ctx, handleId, localSolanaKey(person.name).address);
      if (person.connected) await seedConnections(ctx, person, handleId, platforms);
    }
    return isSignedIn ? await openDoors(ctx, people, formerKeys) : { sessions: {}, apiKeys: {} };
  } finally {
    await ctx.shutdown.close();
  }
}

/** A handle that has changed it keeps the other one. */
async function addSolanaWallet(ctx: Ctx, handleId: string, address: string): Promise<void> {
  const createdAt = new Date(ctx.clock.now());
  await ctx.db.wallet.createMany({ data: [{ handleId, family: 'solana', address, createdAt }], skipDuplicates: true });
}

/** A connection that was ended has its row still, and stays ended. */
async function seedConnections(
  ctx: Ctx,
  person: Person,
  handleId: string,
  platforms: readonly (typeof PLATFORMS)[number][],
): Promise<void> {
  for (const platform of platforms) {
    const platformUserId = String(person[platform].id);
    if (await ctx.db.connection.findUnique({ where: { platform_platformUserId: { platform, platformUserId } } }))
      continue;
    const { username } = person[platform];
    await createConnection(ctx, { platform, platformUserId, username, handleId, canSpend: true });
  }
}

/** By this name the rows of a start are known to the next one. */
const LABEL = 'Local stack';

/** A signed-in browser and an API key for everybody with a handle. The database cannot tell them again: new ones take the place of those that are unknown. */
async function openDoors(ctx: Ctx, people: Person[], formerKeys: Seeded['apiKeys']): Promise<Seeded> {
  const seeded: Seeded = { sessions: {}, apiKeys: {} };
  for (const { name, handle: slug, address } of people) {
    if (slug === null) continue;
    const { id: handleId } = await ctx.db.handle.findUniqueOrThrow({ where: { slug } });
    await ctx.db.session.deleteMany({ where: { handleId, userAgent: LABEL } });
    const browser = { address, kind: 'account', chain: null, handleId, userAgent: LABEL } as const;
    seeded.sessions[name] = (await createSession(ctx, ctx.db, browser)).token;
    seeded.apiKeys[name] = await keyFor(ctx, handleId, formerKeys[name]);
  }
  return seeded;
}

async function keyFor(ctx: Ctx, handleId: string, former: string | undefined): Promise<string> {
  const own = { handleId, label: LABEL };
  const known = await authenticateKey(ctx, former).catch(() => null);
  const isGood = known !== null && SCOPES.every((scope) => known.scopes.includes(scope));
  if (former && isGood && (await ctx.db.apiKey.findFirst({ where: { ...own, id: known.keyId } }))) return former;
  await ctx.db.apiKey.deleteMany({ where: own });
  return (await createApiKey(ctx, handleId, { label: LABEL, mode: 'test', scopes: [...SCOPES] })).secret;
}

/** What a chain has of the seed: money, allowances and limits. */
export async function seedChain(chain: EmbeddedChain): Promise<void> {
  const admin = createTestClient({
    mode: 'anvil',
    transport: rpcTransport(chain.config.rpcUrls[0], { timeout: 10_000 }),
  });
  for (const { address } of [...ROLES.executors, ROLES.guardian])
    await admin.setBalance({ address, value: parseEther('1000') });
  for (const person of PEOPLE) if (person.handle !== null) await seedPerson(chain, person);
}

/**
 * What a wallet has done cannot be undone, so the number of its transactions tells how far its seeding came, also when what it holds, allows and
 * limits has changed since. What others do for it comes before its first one, and is done where it holds nothing yet.
 */
async function seedPerson(chain: EmbeddedChain, person: Person): Promise<void> {
  const { address } = person;
  const rpcUrl = chain.config.rpcUrls[0] ?? '';
  const usdc = chain.config.usdc as Address;
  const transport = rpcTransport(rpcUrl, { timeout: 10_000 });
  const reader = createPublicClient({ transport, pollingInterval: 50 });
  const done = await reader.getTransactionCount({ address, blockTag: 'pending' });
  if (done === 0 && (await reader.getBalance({ address })) === 0n) {
    // For gas, and what goes into the wrapped asset: where the native one is cheap that is a lot of it.
    const value = parseEther('100') + inNative(chain, FUNDS);
    await createTestClient({ mode: 'anvil', transport }).setBalance({ address, value });
  }
  if (!person.connected) return;
  const units = { abi: erc20Abi, functionName: 'balanceOf', args: [address] } as const;
  if (done === 0 && (await reader.readContract({ address: usdc, ...units })) === 0n)
    await mintUsdc({ rpcUrl, usdc, to: [address], amount: parseUnits(String(FUNDS), CHAINS[chain.name].usdcDecimals) });
  const wallet = createWalletClient({ account: privateKeyToAccount(person.key), transport });
  const sent: Hex[] = [];
  for (const [nonce, call] of ownCalls(chain).entries())
    if (nonce >= done) sent.push(await wallet.sendTransaction({ ...call, nonce, chain: null }));
  for (const hash of sent) {
    const receipt = await waitForReceipt(reader, hash, { withinMs: 20_000 });
    if (receipt.status !== 'success') throw new Error(`seeding ${person.name} on ${chain.name} failed`);
  }
}

/** US dollars as smallest units of the chain's native asset. */
function inNative({ name, nativeUsdPrice }: EmbeddedChain, usd: number): bigint {
  return parseUnits((usd / nativeUsdPrice).toFixed(9), CHAINS[name].nativeDecimals);
}

/** What a person would do with their own wallet, in this order: wrap money, allow the router some of it, and set their limits. */
function ownCalls(chain: EmbeddedChain): { to: Address; data: Hex; value?: bigint }[] {
  const usdc = chain.config.usdc as Address;
  const wrapped = chain.config.wrappedNative as Address;
  const router = chain.config.routers.bot as Address;
  const inUsdc = (usd: number) => parseUnits(String(usd), CHAINS[chain.name].usdcDecimals);
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [router, maxUint256] });
  const limits = (token: Address, unitsOf: (usd: number) => bigint) => ({
    to: router,
    data: encodeFunctionData({
      abi: botRouterAbi,
      functionName: 'setLimits',
      args: [token, unitsOf(LIMITS.perTip), unitsOf(LIMITS.perDay), unitsOf(LIMITS.maxFee)],
    }),
  });
  return [
    {
      to: wrapped,
      data: encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'deposit' }),
      value: inNative(chain, FUNDS),
    },
    { to: usdc, data: approve },
    { to: wrapped, data: approve },
    limits(wrapped, (usd) => inNative(chain, usd)),
    limits(usdc, inUsdc),
  ];
}
