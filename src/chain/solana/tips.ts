// Tips on Solana: the instructions that pay legs, what a sender can pay, which leg an event proves, and whether a message was processed.
import { PublicKey, SYSVAR_CLOCK_PUBKEY, TransactionInstruction } from '@solana/web3.js';
import { handleKeyOf } from '../../domain/escrowCalls.ts';
import type { SolanaAddress } from '../../domain/solanaAddress.ts';
import type { SolanaReceipt } from '../receipt.ts';
import type { LegOutcome, SenderState } from '../routers/bot.ts';
import { decodeConfig, decodeLimits, holdsKey, spentOf } from './accounts.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  bucketOf,
  limitsOf,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  tabIdOf,
  tabOf,
  tokenAccount,
} from './addresses.ts';
import { fitsTransaction, readingSolana, type SolanaCall, type SolanaChain } from './client.ts';
import type { Bytes32 } from './codec.ts';
import { buildInstruction } from './instructions.ts';
import { EXECUTOR } from './payload.ts';
import { readTokenAccount } from './tokens.ts';
import { receiptOfSolana } from './transactions.ts';

/** One leg as the program takes it: smallest units, Unix seconds. A leg to a tab has no fee. */
export type SolanaTip = {
  /** 24 bytes of a hash, then the time of the message. */
  messageKey: Bytes32;
  sender: SolanaAddress;
  token: SolanaAddress;
  amount: bigint;
  validUntil: bigint;
} & (
  | { to: 'wallet'; recipient: SolanaAddress; fee: bigint; opensAccount: boolean }
  | { to: 'tab'; handleSlug: string; deadline: bigint }
);

/** Legs that one instruction pays. */
export const MOST_LEGS = 8;
const HOUR = 3_600n;
/** A bucket can be closed so long after its hour began. */
const CLOSABLE_HOURS = 25n;
/** Measured at 7,300 a leg, 12,000 with a bucket's new level; creating a token account costs about 20,000. */
const LEG_UNITS = 20_000;
const ACCOUNT_UNITS = 30_000;
const TAB_UNITS = 60_000;

function tipUnits(legs: number, accounts: number): number {
  return LEG_UNITS * (legs + 1) + ACCOUNT_UNITS * accounts;
}

/** What a full batch is given, each recipient without a token account. */
export const BATCH_UNITS = tipUnits(MOST_LEGS, MOST_LEGS);

/** The time of the message that a key names, in Unix seconds. */
export function messageTimeOf(messageKey: Bytes32): bigint {
  return BigInt(`0x${messageKey.slice(50)}`);
}

/** Which bucket has a key, by the shards of its hour. */
function bucketFor(chain: SolanaChain, messageKey: Bytes32, shardBits: number): SolanaAddress {
  const hour = messageTimeOf(messageKey) / HOUR;
  const shard = shardBits === 0 ? 0 : Number.parseInt(messageKey.slice(2, 4), 16) >> (8 - shardBits);
  return bucketOf(chain.program.id, hour, shard).address;
}

/** What building a call must know of the chain: the treasury, and how the hours are split. */
export type TipTerms = {
  treasury: SolanaAddress;
  shardBits(hour: bigint): number;
  /** The chain's time, in Unix seconds. */
  now: bigint;
};

/** @throws AppError `provider_unavailable` */
export async function readTipTerms(chain: SolanaChain): Promise<TipTerms> {
  const [account, clock] = await readingSolana(chain, (at) =>
    at.getMultipleAccountsInfo([new PublicKey(chain.program.fixed.config), SYSVAR_CLOCK_PUBKEY]),
  );
  const config = account && decodeConfig(account.data);
  if (!config || !clock) throw new Error('the program is not initialized');
  const { treasury, shardsFrom, shardBits, nextShardBits } = config;
  return {
    treasury,
    shardBits: (hour) => (hour >= shardsFrom ? nextShardBits : shardBits),
    now: clock.data.readBigInt64LE(32),
  };
}

/** Legs that one transaction pays: they share token and bucket, and fit its size. Tabs are opened alone. */
export function packSolanaTips<Leg extends SolanaTip>(
  chain: SolanaChain,
  terms: TipTerms,
  legs: readonly Leg[],
): Leg[][] {
  const packs: { key: string; legs: Leg[] }[] = [];
  for (const leg of legs) {
    const shardBits = terms.shardBits(messageTimeOf(leg.messageKey) / HOUR);
    const key = leg.to === 'tab' ? leg.messageKey : `${leg.token} ${bucketFor(chain, leg.messageKey, shardBits)}`;
    const open = packs.find(
      (pack) => pack.key === key && pack.legs.length < MOST_LEGS && fits(chain, terms, [...pack.legs, leg]),
    );
    if (open) open.legs.push(leg);
    else packs.push({ key, legs: [leg] });
  }
  return packs.map((pack) => pack.legs);
}

function fits(chain: SolanaChain, terms: TipTerms, legs: readonly SolanaTip[]): boolean {
  return fitsTransaction(EXECUTOR, solanaTipCall(chain, terms, legs));
}

/** The call that pays a pack. A leg may open its recipient's token account first, at the executor's cost. */
export function solanaTipCall(chain: SolanaChain, terms: TipTerms, pack: readonly SolanaTip[]): SolanaCall {
  const [first] = pack;
  if (!first) throw new Error('a pack has a leg');
  const bucket = bucketFor(chain, first.messageKey, terms.shardBits(messageTimeOf(first.messageKey) / HOUR));
  if (first.to === 'tab') return tabCall(chain, first, bucket);
  const validUntil = pack.reduce((least, leg) => (leg.validUntil < least ? leg.validUntil : least), first.validUntil);
  const wallets = pack.flatMap((leg) => (leg.to === 'wallet' ? [leg] : []));
  const accounts = [...new Set(wallets.flatMap((leg) => (leg.opensAccount ? [leg.recipient] : [])))];
  return {
    units: tipUnits(wallets.length, accounts.length),
    instructions: [
      ...accounts.map((owner) => createTokenAccount(EXECUTOR, owner, first.token)),
      buildInstruction(chain.program, 'tip', {
        args: { validUntil },
        accounts: { executor: EXECUTOR, treasury: tokenAccount(terms.treasury, first.token).address, bucket },
        each: wallets.map(({ messageKey, sender, recipient, amount, fee }) => ({
          messageKey,
          amount,
          fee,
          bump: tokenAccount(recipient, first.token).bump,
          source: tokenAccount(sender, first.token).address,
          limits: limitsOf(chain.program.id, sender).address,
          recipient: tokenAccount(recipient, first.token).address,
        })),
      }),
    ],
  };
}

function tabCall(chain: SolanaChain, leg: SolanaTip & { to: 'tab' }, bucket: SolanaAddress): SolanaCall {
  const { messageKey, sender, token, amount, validUntil, deadline, handleSlug } = leg;
  const { id, fixed } = chain.program;
  return {
    units: TAB_UNITS,
    instructions: [
      buildInstruction(chain.program, 'tipToTab', {
        args: { validUntil, messageKey, amount, deadline, handleKey: handleKeyOf(handleSlug) as Bytes32 },
        accounts: {
          executor: EXECUTOR,
          bucket,
          source: tokenAccount(sender, token).address,
          limits: limitsOf(id, sender).address,
          tab: tabOf(id, tabIdOf(id, sender, messageKey)).address,
          vaultAccount: tokenAccount(fixed.vault, token).address,
        },
      }),
    ],
  };
}

/** Creates a wallet's token account unless it exists. */
export function createTokenAccount(
  payer: SolanaAddress,
  owner: SolanaAddress,
  mint: SolanaAddress,
): TransactionInstruction {
  const key = (address: SolanaAddress, isSigner = false, isWritable = false) => ({
    pubkey: new PublicKey(address),
    isSigner,
    isWritable,
  });
  return new TransactionInstruction({
    programId: new PublicKey(ASSOCIATED_TOKEN_PROGRAM),
    keys: [
      key(payer, true, true),
      key(tokenAccount(owner, mint).address, false, true),
      key(owner),
      key(mint),
      key(SYSTEM_PROGRAM),
      key(TOKEN_PROGRAM),
    ],
    data: Buffer.from([1]),
  });
}

/** What the program remembers of a message: a bucket that is gone was closed, 25 hours after its hour, or never opened. @throws AppError `provider_unavailable` */
export async function recallOnSolana(
  chain: SolanaChain,
  terms: TipTerms,
  messageKey: Bytes32,
  commitment: 'confirmed' | 'finalized' = 'confirmed',
): Promise<'processed' | 'unknown' | 'forgotten'> {
  const hour = messageTimeOf(messageKey) / HOUR;
  const bucket = bucketFor(chain, messageKey, terms.shardBits(hour));
  const account = await readingSolana(chain, (at) => at.getAccountInfo(new PublicKey(bucket), commitment));
  if (account !== null) return holdsKey(account.data, messageKey) ? 'processed' : 'unknown';
  return terms.now >= (hour + CLOSABLE_HOURS) * HOUR ? 'forgotten' : 'unknown';
}

/** The legs that a transaction paid, by message key: the program's own events. */
export function solanaLegOutcomes(receipt: SolanaReceipt): Map<string, LegOutcome> {
  const outcomes = new Map<string, LegOutcome>();
  for (const event of receipt.events)
    if (event.name === 'tipSettled' || event.name === 'tabTipSettled') outcomes.set(event.messageKey, { paid: true });
  return outcomes;
}

/** Signatures of one page. */
const PAGE = 200;

/**
 * The transaction in which exactly these terms were paid since a time, or null: every tip of a sender writes the sender's limits.
 * @param since Unix seconds
 * @throws AppError `provider_unavailable`
 */
export async function findPaidOnSolana(chain: SolanaChain, tip: SolanaTip, since: bigint): Promise<string | null> {
  const limits = new PublicKey(limitsOf(chain.program.id, tip.sender).address);
  let before: string | undefined;
  for (;;) {
    const page = await readingSolana(chain, (at) =>
      at.getSignaturesForAddress(limits, { limit: PAGE, ...(before !== undefined && { before }) }, 'confirmed'),
    );
    for (const { signature, err } of page) {
      if (err !== null) continue;
      const receipt = await receiptOfSolana(chain, signature);
      if (receipt?.events.some((event) => isPaymentOf(tip, event))) return signature;
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE || BigInt(last.blockTime ?? 0) < since) return null;
    before = last.signature;
  }
}

function isPaymentOf(tip: SolanaTip, event: SolanaReceipt['events'][number]): boolean {
  if (event.name === 'tipSettled' && tip.to === 'wallet')
    return event.messageKey === tip.messageKey && event.recipient === tip.recipient && event.amount === tip.amount;
  if (event.name === 'tabTipSettled' && tip.to === 'tab')
    return event.messageKey === tip.messageKey && event.amount === tip.amount && event.deadline === tip.deadline;
  return false;
}

/** Accounts that one question names. */
const ACCOUNTS_AT_ONCE = 99;

/** Everything that decides whether senders can pay at a Unix second, in their order. @throws AppError `provider_unavailable` */
export async function solanaSenderStates(
  chain: SolanaChain,
  senders: readonly { sender: SolanaAddress; token: SolanaAddress }[],
  nowSeconds: bigint,
): Promise<SenderState[]> {
  const { config: configAddress, spender } = chain.program.fixed;
  const states: SenderState[] = [];
  for (let from = 0; from < senders.length; from += ACCOUNTS_AT_ONCE / 3) {
    const step = senders.slice(from, from + ACCOUNTS_AT_ONCE / 3);
    const addresses = step.flatMap(({ sender, token }) => [
      tokenAccount(sender, token).address,
      limitsOf(chain.program.id, sender).address,
    ]);
    const [head, ...found] = await readingSolana(chain, (at) =>
      at.getMultipleAccountsInfo([configAddress, ...addresses].map((one) => new PublicKey(one))),
    );
    const config = head && decodeConfig(head.data);
    for (const [index, { token }] of step.entries()) {
      const held = readTokenAccount(found[index * 2] ?? null);
      const data = found[index * 2 + 1]?.data;
      const limits = data ? decodeLimits(data) : null;
      const ofAsset = limits && (token === chain.usdc ? limits.usdc : limits.wrapped);
      states.push({
        balance: held?.isFrozen ? 0n : (held?.amount ?? 0n),
        allowance: held?.delegate === spender ? held.delegated : 0n,
        perTip: ofAsset?.perTip ?? 0n,
        perDay: ofAsset?.perDay ?? 0n,
        maxFee: ofAsset?.maxFee ?? 0n,
        spent24h: ofAsset ? spentOf(ofAsset, nowSeconds) : 0n,
        paused: limits?.paused ?? false,
        routerPaused: (config?.pausedUntil ?? 0n) > nowSeconds,
      });
    }
  }
  return states;
}
