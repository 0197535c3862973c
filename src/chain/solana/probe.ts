// How a look goes on Solana: each endpoint's confirmed slot and its time, then the keys' SOL and what the program's config says.
import { type Connection, PublicKey } from '@solana/web3.js';
import type { ContractsProbe, Look, Rest, Seen } from '../probing.ts';
import { stillProblem } from '../probing.ts';
import type { ConfigAccount } from './accounts.ts';
import { tokenAccount } from './addresses.ts';
import { type SolanaChain, unitPrice } from './client.ts';
import type { SolanaAddress } from './codec.ts';
import { BATCH_UNITS, MOST_LEGS } from './tips.ts';
import { readTokenAccount, TOKEN_ACCOUNT_BYTES } from './tokens.ts';
import { MAINNET_GENESIS, readConfig } from './verify.ts';

const CLOCK = new PublicKey('SysvarC1ock11111111111111111111111111111111');
/** Where the clock has its Unix time. */
const TIME_AT = 32;
/** About 20 seconds: an endpoint that is further behind another one answers with what is over. */
const MOST_BEHIND = 50n;
const LAMPORTS_PER_SIGNATURE = 5_000n;

export function solanaLook(chain: SolanaChain, addresses: readonly string[], now: number): Look<Connection> {
  return {
    endpoints: chain.endpoints,
    async see(at) {
      const [genesis, { context, value }] = await Promise.all([
        at.getGenesisHash(),
        at.getAccountInfoAndContext(CLOCK),
      ]);
      if (!value) throw new Error('a cluster has a clock');
      const headAgeMs = Math.max(0, now - Number(value.data.readBigInt64LE(TIME_AT)) * 1_000);
      const isOther = !chain.local && genesis !== MAINNET_GENESIS;
      const problem = isOther ? `is another cluster (${genesis})` : stillProblem(headAgeMs, chain.facts.blockTimeMs);
      return { head: BigInt(context.slot), headAgeMs, problem };
    },
    compare: (one, all) => behindProblem(one, all),
    rest: (at) => readRest({ ...chain, endpoints: [at] }, addresses, now),
  };
}

function behindProblem({ head }: Seen, all: readonly Seen[]): string | null {
  if (head === null) return null;
  const behind = all.reduce((most, other) => ((other.head ?? 0n) > most ? (other.head ?? 0n) : most), head) - head;
  return behind > MOST_BEHIND ? `it is ${behind} slots behind another endpoint` : null;
}

async function readRest(chain: SolanaChain, addresses: readonly string[], now: number): Promise<Rest> {
  const [at] = chain.endpoints;
  const config = await readConfig(chain);
  if (!at || !config) throw new Error('the program is not initialized');
  const fees = [chain.usdc, chain.wrappedNative].map((mint) => tokenAccount(config.treasury, mint).address);
  const [accounts, rent, price] = await Promise.all([
    at.getMultipleAccountsInfo([...fees, ...addresses].map((one) => new PublicKey(one))),
    at.getMinimumBalanceForRentExemption(TOKEN_ACCOUNT_BYTES),
    unitPrice(chain, fees.slice(0, 1), 0),
  ]);
  const [ofUsdc, ofWrapped, ...ofKeys] = accounts;
  const nonce = null;
  const keys = addresses.map((key, index) => [key, { balance: BigInt(ofKeys[index]?.lamports ?? 0), nonce }] as const);
  const feeAccounts = { USDC: readTokenAccount(ofUsdc ?? null), SOL: readTokenAccount(ofWrapped ?? null) };
  return {
    keys: new Map(keys),
    batchCost: LAMPORTS_PER_SIGNATURE + BigInt(MOST_LEGS * rent) + BigInt(Math.ceil((BATCH_UNITS * price) / 1e6)),
    price: null,
    contracts: contractsOf(config, addresses, feeAccounts, BigInt(Math.floor(now / 1_000))),
  };
}

type FeeAccounts = Record<string, ReturnType<typeof readTokenAccount>>;

function contractsOf(
  config: ConfigAccount,
  addresses: readonly SolanaAddress[],
  feeAccounts: FeeAccounts,
  nowSeconds: bigint,
): ContractsProbe {
  const { pausedUntil, nextAuthority, nextAuthorityAt, nextTreasury, nextTreasuryAt, executors } = config;
  const blocked: Record<string, string> = {};
  if (pausedUntil > nowSeconds) blocked['paused'] = `new work is paused until ${inWords(pausedUntil)}`;
  for (const [asset, account] of Object.entries(feeAccounts))
    if (!account || account.isFrozen)
      blocked[`treasury ${asset}`] =
        `the treasury’s token account for ${asset} ${account ? 'is frozen' : 'does not exist'}, so nothing with a fee is paid in it`;
  const changes: Record<string, string> = {};
  if (nextAuthorityAt > 0n)
    changes['authority'] = `the handle authority becomes ${nextAuthority}, from ${inWords(nextAuthorityAt)} on`;
  if (nextTreasuryAt > 0n)
    changes['treasury'] = `the treasury becomes ${nextTreasury}, from ${inWords(nextTreasuryAt)} on`;
  const powerless = addresses.flatMap((address) => {
    const problem = powerProblem(executors, address, nowSeconds);
    return problem ? [[address, problem] as const] : [];
  });
  return { blocked, changes, powerless: Object.fromEntries(powerless) };
}

/** Why the program does not let a key act as an executor now, or null. */
export function powerProblem(
  executors: ConfigAccount['executors'],
  address: SolanaAddress,
  nowSeconds: bigint,
): string | null {
  const found = executors.find(({ key }) => key === address);
  if (!found) return 'the program does not know it as an executor';
  return found.activeFrom > nowSeconds ? `it is an executor from ${inWords(found.activeFrom)} on` : null;
}

function inWords(seconds: bigint): string {
  return `${new Date(Number(seconds) * 1_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
