// The right to spend: the handle's wallet signs which chat account may spend for it, and how much at most. Without that, a connection only receives.

import type { Chain } from '../../chain/chain.ts';
import { proveRight, type RightToSign, rightToSign } from '../../chain/signing/rights.ts';
import { type Ctx, newId } from '../../context.ts';
import type { Json, Row, Tx } from '../../db.ts';
import { directChatId } from '../../domain/chat.ts';
import { AppError } from '../../domain/errors.ts';
import { MAX_COMMAND_CAP, MAX_DAY_CAP, RIGHT_SIGNATURE_MS } from '../../domain/limits.ts';
import { formatUsd } from '../../domain/money.ts';
import { type ConnectionView, viewConnection } from '../accounts/connectionViews.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { site } from '../accounts/signIn.ts';
import { checkDeadline, signingChain, walletOnFamily } from '../accounts/signing.ts';
import { servedChain } from '../chains.ts';
import { lockSender } from '../locks.ts';
import { directChatsOf } from '../outbox/directMessages.ts';
import { wantReply } from '../outbox/replies.ts';
import { readCap } from './callTerms.ts';

/** Caps are decimal strings of US dollars, fees included. `chain` is only where the signature is made. */
export type RightChoice = {
  kind: 'right';
  connection_id: string;
  command_cap: string;
  day_cap: string;
  chain?: string;
};
export type SignableRight = Required<RightChoice> & { nonce: string; deadline: number };
export type RightView = {
  right: { connection: ConnectionView };
  caps: { command_cap: string; day_cap: string };
};

/** What the wallet is to sign: typed data, or a text. @throws AppError `resource_missing`, `parameter_invalid`, `state_conflict` */
export async function prepareRight(
  ctx: Ctx,
  handle: SessionHandle,
  choice: RightChoice,
): Promise<RightToSign & { submit: SignableRight }> {
  const connection = await connectionOf(ctx.db, handle.id, choice.connection_id);
  const submit = {
    ...choice,
    chain: choice.chain ?? (await usualChain(ctx, handle)),
    nonce: String(connection.spendNonce),
    deadline: Math.floor((ctx.clock.now() + RIGHT_SIGNATURE_MS) / 1_000),
  };
  const { toSign } = await signedRight(ctx, handle, connection, submit);
  return { ...toSign, submit };
}

/** Where the handle's wallet signs unless the choice says so: its EVM wallet before the other one. */
async function usualChain(ctx: Ctx, handle: SessionHandle): Promise<string> {
  if (handle.wallet) return signingChain(ctx, handle);
  const wallets = await ctx.db.wallet.findMany({ where: { handleId: handle.id }, select: { family: true } });
  const own = Object.values(ctx.chains).find(({ facts }) => wallets.some(({ family }) => family === facts.family));
  return own?.name ?? handle.preferredChain;
}

/** The same address can hold another code with other owners elsewhere: a contract wallet's word counts where it signed in. */
function isProvenOn({ wallet }: SessionHandle, chain: string): boolean {
  return wallet?.kind === 'contract' && wallet.provenChains.includes(chain);
}

async function connectionOf(tx: Tx, handleId: string, id: string): Promise<Row<'Connection'>> {
  const row = await tx.connection.findFirst({ where: { id, handleId, disconnectedAt: null } });
  if (!row) throw new AppError('resource_missing', 'No such connection.');
  return row;
}

type SignedRight = { chain: Chain; wallet: Row<'Wallet'>; toSign: RightToSign };

async function signedRight(
  ctx: Ctx,
  handle: SessionHandle,
  connection: Row<'Connection'>,
  terms: SignableRight,
): Promise<SignedRight> {
  const { commandCap, dayCap } = readCaps(terms);
  const chain = servedChain(ctx, terms.chain);
  const wallet = await walletOnFamily(ctx.db, handle.id, chain.facts.family);
  const toSign = rightToSign(chain, {
    ...site(ctx),
    wallet: wallet.address,
    platform: connection.platform,
    platformUserId: connection.platformUserId,
    username: connection.username ?? '',
    handle: handle.slug,
    commandCap: formatUsd(commandCap),
    dayCap: formatUsd(dayCap),
    nonce: Number(terms.nonce),
    deadline: terms.deadline,
  });
  return { chain, wallet, toSign };
}

function readCaps({ command_cap, day_cap }: SignableRight) {
  const commandCap = readCap('command_cap', command_cap, MAX_COMMAND_CAP);
  const dayCap = readCap('day_cap', day_cap, MAX_DAY_CAP);
  if (commandCap > dayCap)
    throw new AppError('parameter_invalid', 'command_cap can’t be greater than the limit for 24 hours.', {
      param: 'command_cap',
    });
  return { commandCap, dayCap };
}

/**
 * Puts a signed right in force: the connection may spend, and the handle has these caps. Every chat of the handle is notified.
 * @throws AppError `signature_invalid`, `state_conflict` when the signature was used or the connection changed, `resource_missing`
 */
export async function submitRight(
  ctx: Ctx,
  handle: SessionHandle,
  terms: SignableRight,
  signature: string,
): Promise<RightView> {
  checkDeadline(ctx, terms.deadline, RIGHT_SIGNATURE_MS);
  const connection = await connectionOf(ctx.db, handle.id, terms.connection_id);
  const { chain, wallet, toSign } = await signedRight(ctx, handle, connection, terms);
  const { address, family } = wallet;
  const proof = await proveRight(chain, address, toSign, signature);
  if (proof === null || (proof === 'contract' && !isProvenOn(handle, chain.name)))
    throw new AppError('signature_invalid');
  const { commandCap, dayCap } = readCaps(terms);
  const caps = { command_cap: formatUsd(commandCap), day_cap: formatUsd(dayCap) };
  const nonce = Number(terms.nonce);

  const updated = await ctx.db.$transaction(async (tx) => {
    await lockSender(tx, handle.id);
    const stillTheirs = await tx.wallet.count({ where: { handleId: handle.id, family, address } });
    const { count } = await tx.connection.updateMany({
      where: { id: connection.id, handleId: handle.id, disconnectedAt: null, spendNonce: nonce },
      data: { canSpend: true, spendNonce: { increment: 1 } },
    });
    if (count === 0 || stillTheirs === 0)
      throw new AppError(
        'state_conflict',
        'This signature was already used, or the connection has changed. Please start again.',
      );
    await tx.handle.update({
      where: { id: handle.id },
      data: { commandCapMicros: commandCap, dayCapMicros: dayCap },
    });
    await tx.spendingRight.create({
      data: {
        id: newId(ctx, 'spr'),
        connectionId: connection.id,
        handleId: handle.id,
        address,
        message: ('text' in toSign ? toSign : toSign.typed_data) as Json,
        signature,
        nonce,
        signedAt: new Date(ctx.clock.now()),
      },
    });
    await tellChats(ctx, tx, handle.id, connection, nonce, caps);
    return tx.connection.findUniqueOrThrow({ where: { id: connection.id } });
  });
  await ctx.queues.flush(ctx.db);
  return { right: { connection: viewConnection(updated) }, caps };
}

async function tellChats(
  ctx: Ctx,
  tx: Tx,
  handleId: string,
  connection: Row<'Connection'>,
  nonce: number,
  caps: RightView['caps'],
): Promise<void> {
  for (const to of await directChatsOf(tx, handleId)) {
    const own =
      to.platform === connection.platform && to.chatId === directChatId(connection.platform, connection.platformUserId);
    await wantReply(ctx, tx, {
      key: `right:${connection.id}:${nonce}:${to.platform}:${to.chatId}`,
      to,
      replyTo: null,
      kind: 'right',
      data: { own, commandCap: caps.command_cap, dayCap: caps.day_cap },
    });
  }
}
