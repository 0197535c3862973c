// The payout wallets of a handle, one of each family: which they are, and how they are changed and added. The new wallet always proves itself; the old
// one agrees, or another of the handle where there is none of the family, or 72 hours pass.

import { randomUUID } from 'node:crypto';
import { canonicalAddress } from '../../chain/addresses.ts';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import { isSolanaSignature } from '../../chain/signing/ed25519.ts';
import { isOwnKey, type Proof, proveSignature, type Signed, typedDataHash } from '../../chain/signing/signatures.ts';
import { type Ctx, evmChains, newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { type TypedData, walletAdditionData, walletChangeData } from '../../domain/typedData.ts';
import {
  WALLET_CHANGE_DELAY_HOURS,
  WALLET_CHANGE_DELAY_MS,
  WALLET_CHANGE_SIGN_MS,
  WALLET_CHANGES_PER_WINDOW,
  walletChangeText,
} from '../../domain/walletChange.ts';
import { familyOf, type WalletFamily } from '../../domain/walletFamily.ts';
import { provenOn, type WalletReach } from '../../domain/walletReach.ts';
import { lockSender } from '../locks.ts';
import { hit } from '../rateLimit.ts';
import type { Session, SessionHandle, WalletKind } from './sessions.ts';
import { site } from './signIn.ts';
import { applyChange, cancelChange, pendingChange, tellChats } from './walletChanges.ts';

/** `address` and `kind` are null where the handle has no wallet of the family. */
export type WalletView = {
  address: string | null;
  kind: WalletKind | null;
  /** For a contract wallet: the only chains on which it is paid. */
  proven_chains: string[];
  explorer_url: string | null;
  change: { id: string; new_address: string; requested_at: string; effective_at: string } | null;
};
export type WalletsView = Record<WalletFamily, WalletView>;

export async function walletsView(ctx: Ctx, handleId: string): Promise<WalletsView> {
  const [evm, solana] = await Promise.all([walletView(ctx, handleId, 'evm'), walletView(ctx, handleId, 'solana')]);
  return { evm, solana };
}

async function walletView(ctx: Ctx, handleId: string, family: WalletFamily): Promise<WalletView> {
  const [wallet, change] = await Promise.all([
    ctx.db.wallet.findUnique({ where: { handleId_family: { handleId, family } } }),
    pendingChange(ctx.db, handleId, family),
  ]);
  return {
    address: wallet?.address ?? null,
    kind: (wallet?.kind ?? null) as WalletKind | null,
    proven_chains: wallet?.provenChains ?? [],
    explorer_url: wallet && explorerUrl(ctx, family, wallet.address),
    change: change && {
      id: change.id,
      new_address: change.newAddress,
      requested_at: change.requestedAt.toISOString(),
      effective_at: change.effectiveAt.toISOString(),
    },
  };
}

/** An EVM wallet is on many chains, each with an explorer of its own; a local stack has none. */
function explorerUrl(ctx: Ctx, family: WalletFamily, address: string): string | null {
  const isLocal = Object.values(ctx.chains).some(({ local }) => local);
  return family === 'evm' || isLocal ? null : `${CHAINS.solana.explorerUrl}/account/${address}`;
}

/** `chain` is where a contract wallet proves itself; keys are the same on every chain. */
export type WantedWallet = { newAddress: string; chain?: ChainName | undefined };
type Signer = { family: WalletFamily; address: string };
export type PreparedChange = {
  /** What a wallet of EVM signs, and the text that one of Solana signs; null where none of the two signers is of that family. */
  typed_data: TypedData | null;
  text: string | null;
  new_wallet: Signer;
  /** The wallet whose signature makes it a change at once. */
  current_wallet: Signer;
  nonce: number;
  deadline: number;
  /** Null where no EVM wallet signs. */
  chain: string | null;
  delay_hours: number;
};

/** What the wallets are to sign. Changes nothing. @throws AppError `parameter_invalid`, `state_conflict` for a wallet that has a handle */
export async function prepareWalletChange(
  ctx: Ctx,
  handle: SessionHandle,
  wanted: WantedWallet,
): Promise<PreparedChange> {
  const deadline = Math.floor((ctx.clock.now() + WALLET_CHANGE_SIGN_MS) / 1_000);
  const change = await readChange(ctx, handle, wanted);
  const { nonce, newWallet, current, chain } = change;
  const { typedData, text } = signedOf(ctx, { ...change, deadline });
  return {
    typed_data: typedData,
    text,
    new_wallet: newWallet,
    current_wallet: { family: current.family as WalletFamily, address: current.address },
    nonce,
    deadline,
    chain: typedData && chain.name,
    delay_hours: WALLET_CHANGE_DELAY_HOURS,
  };
}

/** A wanted change: the wallet that it replaces, if any, and the wallet of the handle that agrees: the replaced one, or that of the other family. */
type WantedChange = {
  handle: SessionHandle;
  newWallet: Signer;
  old: Row<'Wallet'> | null;
  current: Row<'Wallet'>;
  nonce: number;
  chain: EvmChain;
};

async function readChange(ctx: Ctx, handle: SessionHandle, wanted: WantedWallet): Promise<WantedChange> {
  const chain = provingChain(ctx, handle, wanted.chain);
  const newWallet = await freeAddress(ctx.db, wanted.newAddress);
  const [wallets, nonce] = await Promise.all([walletRows(ctx.db, handle.id), changesSoFar(ctx.db, handle.id)]);
  return { handle, newWallet, nonce, chain, ...walletsFor(wallets, newWallet.family) };
}

function walletsFor(wallets: Row<'Wallet'>[], family: WalletFamily) {
  const old = wallets.find((one) => one.family === family) ?? null;
  const current = old ?? wallets[0];
  if (!current) throw new Error('a handle has a wallet from its first moment');
  return { old, current };
}

function walletRows(tx: Tx, handleId: string): Promise<Row<'Wallet'>[]> {
  return tx.wallet.findMany({ where: { handleId } });
}

/** What each family's wallets sign for it. */
type ToSign = { typedData: TypedData | null; text: string | null };

function signedOf(ctx: Ctx, change: WantedChange & { deadline: number }): ToSign {
  const { handle, newWallet, old, current, nonce, deadline, chain } = change;
  const signs = (family: WalletFamily) => newWallet.family === family || current.family === family;
  const terms = { handle: handle.slug, newWallet: newWallet.address, nonce, deadline };
  const { chainId } = chain.facts;
  const currentWallet = current.address;
  const typedData =
    old?.family === 'evm'
      ? walletChangeData({ ...terms, chainId, oldWallet: old.address })
      : walletAdditionData({ ...terms, chainId, currentWallet });
  const text = { ...site(ctx), ...terms, family: newWallet.family, oldWallet: old?.address ?? null, currentWallet };
  return {
    typedData: signs('evm') ? typedData : null,
    text: signs('solana') ? walletChangeText(text) : null,
  };
}

/** Signatures are `0x…` of an EVM wallet, base58 of one of Solana. */
export type SignedChange = WantedWallet & {
  nonce: number;
  deadline: number;
  newSignature: string;
  oldSignature?: string | undefined;
};

/**
 * Requests another payout wallet, or a first one of its family, or changes it at once when a wallet of the handle signed as well.
 * @throws AppError `signature_invalid`; `parameter_invalid` for a signature that came too late; `state_conflict` when another change was requested
 * since it was prepared, one is waiting, or the wallet has a handle; `rate_limited`; `provider_unavailable`
 */
export async function requestWalletChange(
  ctx: Ctx,
  session: Session & { handle: SessionHandle },
  signed: SignedChange,
): Promise<WalletsView> {
  const { handle } = session;
  const now = ctx.clock.now();
  const change = await readChange(ctx, handle, signed);
  const { nonce, deadline } = signed;
  if (nonce !== change.nonce) throw overtaken();
  if (deadline * 1_000 <= now || deadline * 1_000 > now + WALLET_CHANGE_SIGN_MS)
    throw new AppError('parameter_invalid', 'This request has expired. Prepare it again, then sign.', {
      param: 'deadline',
    });
  const { newWallet, current, chain } = change;
  const toSign = signedOf(ctx, { ...change, deadline });
  const proof = await proofOf(chain, newWallet, toSign, signed.newSignature);
  if (!proof)
    throw new AppError('signature_invalid', 'The new wallet’s signature doesn’t match. Sign with that wallet.');
  const agreed = signed.oldSignature !== undefined;
  if (signed.oldSignature !== undefined && !(await agrees(ctx, current, toSign, signed.oldSignature)))
    throw new AppError('signature_invalid', 'The current wallet’s signature doesn’t match. Sign with that wallet.');

  await ctx.db.$transaction(async (tx) => {
    await lockSender(tx, handle.id);
    await mustStillFit(tx, change);
    const pending = await pendingChange(tx, handle.id, newWallet.family);
    if (pending && !agreed)
      throw new AppError('state_conflict', 'A wallet change is already pending. Cancel it first.');
    await countChange(ctx, tx, handle.id, agreed);
    if (pending) await cancelChange(ctx, tx, pending);
    const row = await insertChange(ctx, tx, change, proof, agreed);
    if (agreed) await applyChange(ctx, tx, row, session.id);
    else await tellChats(ctx, tx, row, 'requested');
  });
  await ctx.queues.flush(ctx.db);
  return walletsView(ctx, handle.id);
}

/** Any browser that is signed in may stop a change that waits. @throws AppError `resource_missing` when none does */
export async function stopWalletChange(ctx: Ctx, handleId: string, family: WalletFamily): Promise<WalletsView> {
  await ctx.db.$transaction(async (tx) => {
    await lockSender(tx, handleId);
    const pending = await pendingChange(tx, handleId, family);
    if (!pending || !(await cancelChange(ctx, tx, pending)))
      throw new AppError('resource_missing', 'No payout wallet change is pending.');
  });
  await ctx.queues.flush(ctx.db);
  return walletsView(ctx, handleId);
}

function provingChain(ctx: Ctx, handle: SessionHandle, wanted: ChainName | undefined): EvmChain {
  const chains = Object.values(evmChains(ctx));
  const named = (name: string) => chains.find((one) => one.name === name);
  const chain = wanted ? named(wanted) : (named(handle.preferredChain) ?? chains[0]);
  if (!chain) throw new AppError('parameter_invalid', 'This chain isn’t supported.', { param: 'chain' });
  return chain;
}

async function freeAddress(tx: Tx, text: string): Promise<Signer> {
  const family = familyOf(text);
  const address = canonicalAddress(family, text);
  if (!address)
    throw new AppError('parameter_invalid', 'Invalid address. Check it and try again.', { param: 'new_address' });
  const owner = await tx.wallet.findUnique({ where: { family_address: { family, address } } });
  if (owner) throw new AppError('state_conflict', 'That wallet already has a handle. Choose another wallet.');
  return { family, address };
}

function changesSoFar(tx: Tx, handleId: string): Promise<number> {
  return tx.walletChange.count({ where: { handleId } });
}

/** A contract wallet agrees only on a chain where it is known to be this person's. */
export async function walletAgrees(
  ctx: Ctx,
  wallet: { address: string } & WalletReach,
  hash: Hex,
  signature: Hex,
): Promise<boolean> {
  const signed: Signed = { address: wallet.address as Address, hash, signature };
  if (await isOwnKey(signed)) return true;
  for (const name of provenOn(wallet) ?? []) {
    const chain = evmChains(ctx)[name as ChainName];
    if (chain && (await proveSignature(chain, signed)) !== null) return true;
  }
  return false;
}

/** How the new wallet proves itself, or null when it does not. */
async function proofOf(chain: EvmChain, wallet: Signer, toSign: ToSign, signature: string): Promise<Proof | null> {
  if (wallet.family === 'solana') return isSignedText(wallet, toSign, signature) ? 'account' : null;
  const { address } = wallet;
  if (toSign.typedData === null || !isHex(signature)) return null;
  return proveSignature(chain, { address: address as Address, hash: typedDataHash(toSign.typedData), signature });
}

/** Whether a wallet of the handle signed it too. */
async function agrees(ctx: Ctx, wallet: Row<'Wallet'>, toSign: ToSign, signature: string): Promise<boolean> {
  if (wallet.family === 'solana') return isSignedText(wallet, toSign, signature);
  if (toSign.typedData === null || !isHex(signature)) return false;
  return walletAgrees(ctx, wallet, typedDataHash(toSign.typedData), signature);
}

function isSignedText({ address }: { address: string }, { text }: ToSign, signature: string): boolean {
  return text !== null && isSolanaSignature({ address, text, signature });
}

function isHex(text: string): text is Hex {
  return text.startsWith('0x');
}

/** The signed request must match the current one. Run it under {@link lockSender}. */
async function mustStillFit(tx: Tx, { handle, newWallet, old, current, nonce }: WantedChange): Promise<void> {
  const now = walletsFor(await walletRows(tx, handle.id), newWallet.family);
  const isSame = now.old?.address === old?.address && now.current.address === current.address;
  if (!isSame || nonce !== (await changesSoFar(tx, handle.id))) throw overtaken();
  await freeAddress(tx, newWallet.address);
}

function overtaken(): AppError {
  return new AppError('state_conflict', 'Another change was requested in the meantime. Prepare it again, then sign.');
}

/** What both wallets agreed to is counted by itself, so that a thief of a session, who asks and cancels all day, uses none of it up. */
async function countChange(ctx: Ctx, tx: Tx, handleId: string, agreed: boolean): Promise<void> {
  const now = ctx.clock.now();
  const limits = [{ key: `${agreed ? 'agreed-wallet' : 'wallet'}:${handleId}`, window: WALLET_CHANGES_PER_WINDOW }];
  const answer = await hit(ctx, tx, { id: randomUUID(), limits }, now);
  if (!answer.allowed) throw new AppError('rate_limited', undefined, { retryAfterMs: answer.retryAt - now });
}

function insertChange(
  ctx: Ctx,
  tx: Tx,
  { handle, newWallet, old, chain }: WantedChange,
  proof: Proof,
  agreed: boolean,
): Promise<Row<'WalletChange'>> {
  const now = ctx.clock.now();
  return tx.walletChange.create({
    data: {
      id: newId(ctx, 'wch'),
      handleId: handle.id,
      family: newWallet.family,
      oldAddress: old?.address ?? null,
      newAddress: newWallet.address,
      newKind: proof,
      newChain: proof === 'contract' ? chain.name : null,
      status: 'pending',
      requestedAt: new Date(now),
      effectiveAt: new Date(agreed ? now : now + WALLET_CHANGE_DELAY_MS),
    },
  });
}
