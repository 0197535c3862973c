// The payout wallet of a handle: which one it is, and how it is changed. The new wallet always proves itself; the old one agrees, or 72 hours pass.

import { randomUUID } from 'node:crypto';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import {
  checkedAddress,
  isOwnKey,
  type Proof,
  proveSignature,
  type Signed,
  typedDataHash,
} from '../../chain/signing/signatures.ts';
import { type Ctx, evmChains, newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import type { ChainName } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { type TypedData, walletChangeData } from '../../domain/typedData.ts';
import {
  WALLET_CHANGE_DELAY_HOURS,
  WALLET_CHANGE_DELAY_MS,
  WALLET_CHANGE_SIGN_MS,
  WALLET_CHANGES_PER_WINDOW,
} from '../../domain/walletChange.ts';
import { provenOn, type WalletReach } from '../../domain/walletReach.ts';
import { lockSender } from '../locks.ts';
import { hit } from '../rateLimit.ts';
import type { Session, SessionHandle, WalletKind } from './sessions.ts';
import { applyChange, cancelChange, pendingChange, tellChats } from './walletChanges.ts';

export type WalletView = {
  address: string;
  kind: WalletKind;
  /** For a contract wallet: the only chains on which it is paid. */
  proven_chains: string[];
  change: { id: string; new_address: string; requested_at: string; effective_at: string } | null;
};

export async function walletView(ctx: Ctx, handleId: string): Promise<WalletView> {
  const [wallet, change] = await Promise.all([walletRow(ctx.db, handleId), pendingChange(ctx.db, handleId)]);
  return {
    address: wallet.address,
    kind: wallet.kind as WalletKind,
    proven_chains: wallet.provenChains,
    change: change && {
      id: change.id,
      new_address: change.newAddress,
      requested_at: change.requestedAt.toISOString(),
      effective_at: change.effectiveAt.toISOString(),
    },
  };
}

function walletRow(tx: Tx, handleId: string) {
  return tx.wallet.findUniqueOrThrow({ where: { handleId_family: { handleId, family: 'evm' } } });
}

/** `chain` is where a contract wallet proves itself; keys are the same on every chain. */
export type WantedWallet = { newAddress: string; chain?: ChainName | undefined };
export type PreparedChange = {
  typed_data: TypedData;
  nonce: number;
  deadline: number;
  chain: string;
  delay_hours: number;
};

/** What the wallets are to sign. Changes nothing. @throws AppError `parameter_invalid`, `state_conflict` for a wallet that has a handle */
export async function prepareWalletChange(
  ctx: Ctx,
  handle: SessionHandle,
  wanted: WantedWallet,
): Promise<PreparedChange> {
  const chain = provingChain(ctx, handle, wanted.chain);
  const newWallet = await freeAddress(ctx.db, wanted.newAddress);
  const [{ address: oldWallet }, nonce] = await Promise.all([
    walletRow(ctx.db, handle.id),
    changesSoFar(ctx.db, handle.id),
  ]);
  const deadline = Math.floor((ctx.clock.now() + WALLET_CHANGE_SIGN_MS) / 1_000);
  const terms = { chainId: chain.facts.chainId, handle: handle.slug, oldWallet, newWallet, nonce, deadline };
  const delay_hours = WALLET_CHANGE_DELAY_HOURS;
  return { typed_data: walletChangeData(terms), nonce, deadline, chain: chain.name, delay_hours };
}

export type SignedChange = WantedWallet & {
  nonce: number;
  deadline: number;
  newSignature: Hex;
  oldSignature?: Hex | undefined;
};

/**
 * Requests another payout wallet, or changes it at once when the old one signed as well.
 * @throws AppError `signature_invalid`; `parameter_invalid` for a signature that came too late; `state_conflict` when another change was requested
 * since it was prepared, one is waiting, or the wallet has a handle; `rate_limited`; `provider_unavailable`
 */
export async function requestWalletChange(
  ctx: Ctx,
  session: Session & { handle: SessionHandle },
  signed: SignedChange,
): Promise<WalletView> {
  const { handle } = session;
  const now = ctx.clock.now();
  const chain = provingChain(ctx, handle, signed.chain);
  const newWallet = await freeAddress(ctx.db, signed.newAddress);
  const { nonce, deadline } = signed;
  const wallet = await walletRow(ctx.db, handle.id);
  if (nonce !== (await changesSoFar(ctx.db, handle.id))) throw overtaken();
  if (deadline * 1_000 <= now || deadline * 1_000 > now + WALLET_CHANGE_SIGN_MS)
    throw new AppError('parameter_invalid', 'This request has expired. Prepare it again, then sign.', {
      param: 'deadline',
    });
  const terms = { handle: handle.slug, oldWallet: wallet.address, newWallet, nonce, deadline };
  const hash = typedDataHash(walletChangeData({ chainId: chain.facts.chainId, ...terms }));
  const proof = await proveSignature(chain, { address: newWallet, hash, signature: signed.newSignature });
  if (!proof)
    throw new AppError('signature_invalid', 'The new wallet’s signature doesn’t match. Sign with that wallet.');
  const agreed = signed.oldSignature !== undefined;
  if (signed.oldSignature !== undefined && !(await walletAgrees(ctx, wallet, hash, signed.oldSignature)))
    throw new AppError('signature_invalid', 'The current wallet’s signature doesn’t match. Sign with that wallet.');

  await ctx.db.$transaction(async (tx) => {
    await lockSender(tx, handle.id);
    await mustStillFit(tx, handle.id, terms);
    const pending = await pendingChange(tx, handle.id);
    if (pending && !agreed)
      throw new AppError('state_conflict', 'A wallet change is already pending. Cancel it first.');
    await countChange(ctx, tx, handle.id, agreed);
    if (pending) await cancelChange(ctx, tx, pending);
    const change = await insertChange(ctx, tx, handle.id, { ...terms, proof, chain, agreed });
    if (agreed) await applyChange(ctx, tx, change, session.id);
    else await tellChats(ctx, tx, change, 'requested');
  });
  await ctx.queues.flush(ctx.db);
  return walletView(ctx, handle.id);
}

/** Any browser that is signed in may stop a change that waits. @throws AppError `resource_missing` when none does */
export async function stopWalletChange(ctx: Ctx, handleId: string): Promise<WalletView> {
  await ctx.db.$transaction(async (tx) => {
    await lockSender(tx, handleId);
    const pending = await pendingChange(tx, handleId);
    if (!pending || !(await cancelChange(ctx, tx, pending)))
      throw new AppError('resource_missing', 'No payout wallet change is pending.');
  });
  await ctx.queues.flush(ctx.db);
  return walletView(ctx, handleId);
}

function provingChain(ctx: Ctx, handle: SessionHandle, wanted: ChainName | undefined): EvmChain {
  const [first] = Object.values(evmChains(ctx));
  const chain = wanted ? evmChains(ctx)[wanted] : (evmChains(ctx)[handle.preferredChain as ChainName] ?? first);
  if (!chain) throw new AppError('parameter_invalid', 'This chain isn’t supported.', { param: 'chain' });
  return chain;
}

async function freeAddress(tx: Tx, text: string): Promise<Address> {
  const address = checkedAddress(text);
  if (!address)
    throw new AppError('parameter_invalid', 'Invalid address. Check it and try again.', { param: 'new_address' });
  const owner = await tx.wallet.findUnique({ where: { family_address: { family: 'evm', address } } });
  if (owner) throw new AppError('state_conflict', 'That wallet already has a handle. Choose another wallet.');
  return address;
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

/** The signed request must match the current one. Run it under {@link lockSender}. */
async function mustStillFit(
  tx: Tx,
  handleId: string,
  { nonce, oldWallet, newWallet }: { nonce: number; oldWallet: string; newWallet: string },
): Promise<void> {
  const wallet = await walletRow(tx, handleId);
  if (nonce !== (await changesSoFar(tx, handleId)) || wallet.address !== oldWallet) throw overtaken();
  await freeAddress(tx, newWallet);
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

type Asked = { oldWallet: string; newWallet: string; proof: Proof; chain: EvmChain; agreed: boolean };

function insertChange(ctx: Ctx, tx: Tx, handleId: string, asked: Asked): Promise<Row<'WalletChange'>> {
  const { oldWallet, newWallet, proof, chain, agreed } = asked;
  const now = ctx.clock.now();
  return tx.walletChange.create({
    data: {
      id: newId(ctx, 'wch'),
      handleId,
      family: 'evm',
      oldAddress: oldWallet,
      newAddress: newWallet,
      newKind: proof,
      newChain: proof === 'contract' ? chain.name : null,
      status: 'pending',
      requestedAt: new Date(now),
      effectiveAt: new Date(agreed ? now : now + WALLET_CHANGE_DELAY_MS),
    },
  });
}
