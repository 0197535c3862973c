// Tabs on Solana: what the cluster says of one, and the instructions that open, claim and refund it.
import { randomInt } from 'node:crypto';
import { type Connection, PublicKey } from '@solana/web3.js';
import { AppError } from '../../domain/errors.ts';
import type { TabTerms } from '../../domain/typedData/escrow.ts';
import type { EscrowChainStatus } from '../routers/escrow.ts';
import { decodeLimits, decodeTab } from './accounts.ts';
import { limitsOf, tabIdOf, tabOf, tokenAccount } from './addresses.ts';
import { readingSolana, type SolanaCall, type SolanaChain } from './client.ts';
import { CLOCK_SYSVAR, timeOfClock } from './clock.ts';
import type { SolanaAddress } from './codec.ts';
import { buildInstruction } from './instructions.ts';
import { createTokenAccount } from './tips.ts';
import { readTokenAccount } from './tokens.ts';
import { receiptAt } from './transactions.ts';

/** Measured at 4,100 for a claim, about 20,000 more where a token account is created. */
const TAB_UNITS = 60_000;
/** Measured at 9,000, and at 12,200 where the sender's limits are created. */
const OPEN_UNITS = 40_000;
/** The nonce of a tab that a wallet opens has its second above these bits. */
const NONCE_BITS = 20n;
/** Slots by which endpoints may differ and still speak of one moment: as many as lie between the newest and the final one. */
const MOST_APART = 32;
const PAGE = 100;
/** Anyone can name a tab's address in a transaction: more of them than this hide how it ended. */
const MOST_LOOKED_AT = 1_000;

export type ClaimOf = { terms: TabTerms; recipient: SolanaAddress; notAfter: bigint };

const idOf = (chain: SolanaChain, { sender, senderNonce }: TabTerms) => tabIdOf(chain.program.id, sender, senderNonce);
const addressOf = (chain: SolanaChain, terms: TabTerms) => tabOf(chain.program.id, idOf(chain, terms)).address;

/**
 * Queries every endpoint about a tab with exactly these terms, and believes them only when all agree.
 * @returns its state and the cluster's time then, the earliest that an endpoint shows, in Unix seconds; null when they do not agree
 * @throws AppError `provider_unavailable`
 */
export async function proveSolanaTab(
  chain: SolanaChain,
  terms: TabTerms,
): Promise<{ state: EscrowChainStatus; time: bigint } | null> {
  const answers = await Promise.all(chain.endpoints.map((at) => queryTab(chain, at, terms))).catch((cause: unknown) => {
    throw new AppError('provider_unavailable', `${chain.facts.label} does not answer`, { cause });
  });
  const [first] = answers;
  const slots = answers.map(({ slot }) => slot);
  if (!first || first.state === null || Math.max(...slots) - Math.min(...slots) > MOST_APART) return null;
  if (answers.some(({ state }) => state !== first.state)) return null;
  return { state: first.state, time: answers.reduce((least, { time }) => (time < least ? time : least), first.time) };
}

/** `state` is null while an endpoint contradicts itself: its accounts and its history are of two moments. */
async function queryTab(
  chain: SolanaChain,
  at: Connection,
  terms: TabTerms,
): Promise<{ state: EscrowChainStatus | null; slot: number; time: bigint }> {
  const keys = [addressOf(chain, terms), CLOCK_SYSVAR].map((address) => new PublicKey(address));
  const { context, value } = await at.getMultipleAccountsInfoAndContext(keys, 'confirmed');
  const [account, clock] = value;
  const found = { slot: context.slot, time: timeOfClock(clock) };
  if (account?.owner.toBase58() !== chain.program.id) return { ...found, state: await endOf(chain, at, terms) };
  return { ...found, state: hasTerms(chain, account.data, terms) ? 'open' : 'unknown' };
}

function hasTerms(chain: SolanaChain, data: Uint8Array, terms: TabTerms): boolean {
  const tab = decodeTab(data);
  return (
    tab?.id === idOf(chain, terms) &&
    tab.sender === terms.sender &&
    tokenOf(chain, tab.asset) === terms.token &&
    tab.handleKey === terms.handleKey &&
    tab.amount === terms.amount &&
    tab.deadline === terms.deadline &&
    tab.revocable === terms.revocable
  );
}

/** The mint that an asset of the program stands for. */
export function tokenOf(chain: SolanaChain, asset: number): SolanaAddress {
  return asset === 0 ? chain.usdc : chain.wrappedNative;
}

/** How a tab ended that has no account, by its own events; `unknown` for one that never was. */
async function endOf(chain: SolanaChain, at: Connection, terms: TabTerms): Promise<EscrowChainStatus | null> {
  const [tabId, key] = [idOf(chain, terms), new PublicKey(addressOf(chain, terms))];
  let before: string | undefined;
  for (let looked = 0; looked < MOST_LOOKED_AT; looked += PAGE) {
    const options = { limit: PAGE, ...(before !== undefined && { before }) };
    const page = await at.getSignaturesForAddress(key, options, 'confirmed');
    for (const { signature, err } of page) {
      const receipt = err === null ? await receiptAt(chain, at, signature, 'confirmed') : null;
      for (const event of receipt?.events ?? []) {
        if (event.name === 'tabClaimed' && event.tabId === tabId) return 'claimed';
        if (event.name === 'tabRefunded' && event.tabId === tabId) return 'refunded';
        if (event.name === 'tabOpened' && event.tabId === tabId) return null;
      }
    }
    before = page.at(-1)?.signature;
    if (page.length < PAGE) return 'unknown';
  }
  return null;
}

/**
 * A nonce for the next tab that a wallet opens by itself: they rise, and have their time in front.
 * @param now Unix milliseconds
 * @throws AppError `provider_unavailable`
 */
export async function nextTabNonce(chain: SolanaChain, sender: SolanaAddress, now: number): Promise<bigint> {
  const { address } = limitsOf(chain.program.id, sender);
  const account = await readingSolana(chain, (at) => at.getAccountInfo(new PublicKey(address)));
  const last = (account && decodeLimits(account.data)?.nonce) ?? 0n;
  const timed = (BigInt(Math.floor(now / 1_000)) << NONCE_BITS) + BigInt(randomInt(2 ** Number(NONCE_BITS)));
  return timed > last ? timed : last + 1n;
}

/** The sender's USDC goes into the vault; `payer` has the rent of the tab's account back when it closes. The sender signs it. */
export function solanaOpenCall(chain: SolanaChain, terms: TabTerms, payer: SolanaAddress): SolanaCall {
  const { sender, token, senderNonce: nonce, handleKey, amount, deadline, revocable } = terms;
  if (token !== chain.usdc) throw new RangeError('a wallet opens tabs in USDC');
  const { tab, vaultAccount, to: source } = placesOf(chain, terms, sender);
  const limits = limitsOf(chain.program.id, sender).address;
  const open = buildInstruction(chain.program, 'openTab', {
    args: { nonce, handleKey, amount, deadline, revocable },
    accounts: { payer, sender, limits, source, tab, vaultAccount },
  });
  return { units: OPEN_UNITS, instructions: [open] };
}

/** Who gets the rent of a tab's account back; null where no tab is open. @throws AppError `provider_unavailable` */
async function rentAddress(chain: SolanaChain, terms: TabTerms): Promise<SolanaAddress | null> {
  const account = await readingSolana(chain, (at) => at.getAccountInfo(new PublicKey(addressOf(chain, terms))));
  const isOurs = account?.owner.toBase58() === chain.program.id;
  return (isOurs && decodeTab(account.data)?.rentTo) || null;
}

/**
 * The whole tab to the recipient's token account, which is created at the executor's cost where it is missing. Two keys sign it.
 * @returns null where no tab is open
 * @throws AppError `provider_unavailable`
 */
export async function solanaClaimCall(
  chain: SolanaChain,
  { terms, recipient, notAfter }: ClaimOf,
  { executor, authority }: { executor: SolanaAddress; authority: SolanaAddress },
): Promise<SolanaCall | null> {
  const rentTo = await rentAddress(chain, terms);
  if (rentTo === null) return null;
  const claim = buildInstruction(chain.program, 'claimTab', {
    args: { recipient, notAfter },
    accounts: { executor, authority, ...placesOf(chain, terms, recipient), rentTo },
  });
  return { units: TAB_UNITS, instructions: [createTokenAccount(executor, recipient, terms.token), claim] };
}

/**
 * The whole tab back to its sender's token account. The sender as the caller pays for that account where it is missing; for another caller it is there.
 * @returns null where no tab is open
 * @throws AppError `provider_unavailable`
 */
export async function solanaRefundCall(
  chain: SolanaChain,
  terms: TabTerms,
  caller: SolanaAddress,
): Promise<SolanaCall | null> {
  const rentTo = await rentAddress(chain, terms);
  if (rentTo === null) return null;
  const { sender, token } = terms;
  const accounts = { caller, ...placesOf(chain, terms, sender), rentTo };
  const refund = buildInstruction(chain.program, 'refundTab', { args: {}, accounts });
  const own = caller === sender ? [createTokenAccount(sender, sender, token)] : [];
  return { units: TAB_UNITS, instructions: [...own, refund] };
}

function placesOf(chain: SolanaChain, terms: TabTerms, wallet: SolanaAddress) {
  return {
    tab: addressOf(chain, terms),
    vaultAccount: tokenAccount(chain.program.fixed.vault, terms.token).address,
    to: tokenAccount(wallet, terms.token).address,
  };
}

/** Whether a wallet has a token account that can be paid. @throws AppError `provider_unavailable` */
export async function hasTokenAccount(
  chain: SolanaChain,
  owner: SolanaAddress,
  token: SolanaAddress,
): Promise<boolean> {
  const { address } = tokenAccount(owner, token);
  return readTokenAccount(await readingSolana(chain, (at) => at.getAccountInfo(new PublicKey(address)))) !== null;
}
