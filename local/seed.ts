// The seed: people with handles and connections in the database; money, allowance and limits on every chain. Repeating it changes nothing.
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  http,
  maxUint256,
  parseEther,
  parseUnits,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { botRouterAbi } from '../src/chain/abis/BotRouter.ts';
import type { Address, Hex } from '../src/chain/evm.ts';
import { receiptOf } from '../src/chain/receipt.ts';
import { type Ctx, createContext } from '../src/context.ts';
import { CHAINS } from '../src/domain/chains.ts';
import { readEnv } from '../src/env.ts';
import { createConnection, createHandle } from '../src/services/handles.ts';
import { createSession } from '../src/services/sessions.ts';
import { openLocalChain, sendAll } from './deploy/send.ts';
import { mintUsdc } from './deploy/usdc.ts';
import { wrappedNativeAbi } from './deploy/wrappedNative.ts';
import type { EmbeddedChain } from './embeddedChains.ts';
import { PEOPLE, type Person } from './people.ts';
import { ROLES } from './roles.ts';

/** In US dollars, of USDC and of the wrapped native asset alike. */
const FUNDS = 1_000;
const LIMITS = { perTip: 100, perDay: 500, maxFee: 0.5 };

/** A value of the session cookie for each person who has a handle, by name. */
export type SeededSessions = Record<string, string>;

export async function seed(processEnv: Record<string, string>, chains: EmbeddedChain[]): Promise<SeededSessions> {
  const [sessions] = await Promise.all([seedPeople(processEnv), ...chains.map(seedChain)]);
  return sessions;
}

/** Adds people beyond the usual ones, funded and connected: what a load needs. */
export async function seedMore(
  processEnv: Record<string, string>,
  chains: EmbeddedChain[],
  people: Person[],
): Promise<void> {
  await seedPeople(processEnv, people);
  for (const chain of chains) await seedCrowd(chain, people);
}

/** Wallets that are set up at the same time. */
const CROWD_STEP = 25;

/** Money, allowance and limits in USDC for many, in few rounds. */
async function seedCrowd({ name, config }: EmbeddedChain, people: Person[]): Promise<void> {
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

async function seedPeople(processEnv: Record<string, string>, people: Person[] = PEOPLE): Promise<SeededSessions> {
  const ctx = await createContext(readEnv({ ...processEnv, LOG_LEVEL: 'silent' }), 'seed');
  try {
    for (const person of people) {
      if (person.handle === null || (await ctx.db.handle.findUnique({ where: { slug: person.handle } }))) continue;
      const handleId = await createHandle(ctx, { slug: person.handle, kind: person.kind, evmAddress: person.address });
      if (!person.connected) continue;
      for (const platform of ['telegram', 'discord', 'x'] as const) {
        const { id, username } = person[platform];
        await createConnection(ctx, { platform, platformUserId: String(id), username, handleId, canSpend: true });
      }
    }
    return await openSessions(ctx, people);
  } finally {
    await ctx.shutdown.close();
  }
}

const SEEDED_BROWSER = 'Local stack';

/** A signed-in browser for everybody with a handle. Their values cannot be read again, so each start opens new ones. */
async function openSessions(ctx: Ctx, people: Person[]): Promise<SeededSessions> {
  const sessions: SeededSessions = {};
  for (const { name, handle: slug, address } of people) {
    if (slug === null) continue;
    const { id: handleId } = await ctx.db.handle.findUniqueOrThrow({ where: { slug } });
    await ctx.db.session.deleteMany({ where: { handleId, userAgent: SEEDED_BROWSER } });
    const browser = { address, kind: 'account', chain: null, handleId, userAgent: SEEDED_BROWSER } as const;
    sessions[name] = (await createSession(ctx, ctx.db, browser)).token;
  }
  return sessions;
}

async function seedChain(chain: EmbeddedChain): Promise<void> {
  const admin = createTestClient({ mode: 'anvil', transport: http(chain.config.rpcUrls[0], { timeout: 10_000 }) });
  for (const { address } of ROLES.executors) await admin.setBalance({ address, value: parseEther('1000') });
  for (const person of PEOPLE) if (person.handle !== null) await seedPerson(chain, person);
}

/** A person whose limits stand on this chain was seeded before. */
async function seedPerson(chain: EmbeddedChain, person: Person): Promise<void> {
  const { config } = chain;
  const transport = http(config.rpcUrls[0], { timeout: 10_000 });
  const reader = createPublicClient({ transport, pollingInterval: 50 });
  const [, perDay] = await reader.readContract({
    address: config.routers.bot as Address,
    abi: botRouterAbi,
    functionName: 'limitsOf',
    args: [person.address, config.usdc as Address],
  });
  if (perDay > 0n) return;
  // For gas, and what goes into the wrapped asset: where the native one is cheap that is a lot of it.
  const value = parseEther('100') + inNative(chain, FUNDS);
  await createTestClient({ mode: 'anvil', transport }).setBalance({ address: person.address, value });
  if (person.connected) await fund(chain, person);
}

/** US dollars as smallest units of the chain's native asset. */
function inNative({ name, nativeUsdPrice }: EmbeddedChain, usd: number): bigint {
  return parseUnits((usd / nativeUsdPrice).toFixed(9), CHAINS[name].nativeDecimals);
}

/** What a person would do with their own wallet: hold money, allow the router some of it, and set their limits. */
async function fund(chain: EmbeddedChain, person: Person): Promise<void> {
  const { name, config } = chain;
  const rpcUrl = config.rpcUrls[0] ?? '';
  const transport = http(rpcUrl, { timeout: 10_000 });
  const reader = createPublicClient({ transport, pollingInterval: 50 });
  const wallet = createWalletClient({ account: privateKeyToAccount(person.key), transport });
  const usdc = config.usdc as Address;
  const wrapped = config.wrappedNative as Address;
  const router = config.routers.bot as Address;
  const { usdcDecimals } = CHAINS[name];
  await mintUsdc({ rpcUrl, usdc, to: [person.address], amount: parseUnits(String(FUNDS), usdcDecimals) });
  let nonce = await reader.getTransactionCount({ address: person.address });
  const sent: Hex[] = [];
  const limits = (token: Address, unitsOf: (usd: number) => bigint) =>
    wallet.writeContract({
      address: router,
      abi: botRouterAbi,
      functionName: 'setLimits',
      args: [token, unitsOf(LIMITS.perTip), unitsOf(LIMITS.perDay), unitsOf(LIMITS.maxFee)],
      chain: null,
      nonce: nonce++,
    });
  const inUsdc = (usd: number) => parseUnits(String(usd), usdcDecimals);
  const approve = (token: Address) =>
    wallet.writeContract({
      address: token,
      abi: erc20Abi,
      functionName: 'approve',
      args: [router, maxUint256],
      chain: null,
      nonce: nonce++,
    });
  sent.push(
    await wallet.writeContract({
      address: wrapped,
      abi: wrappedNativeAbi,
      functionName: 'deposit',
      value: inNative(chain, FUNDS),
      chain: null,
      nonce: nonce++,
    }),
  );
  sent.push(await approve(usdc));
  sent.push(await approve(wrapped));
  sent.push(await limits(wrapped, (usd) => inNative(chain, usd)));
  sent.push(await limits(usdc, inUsdc));
  for (const hash of sent) {
    const receipt = await receiptOf(reader, hash, { withinMs: 20_000 });
    if (receipt.status !== 'success') throw new Error(`seeding ${person.name} on ${name} failed`);
  }
}
