// Staging an escrow: what a person wants is checked and written down, together with the exact call that their wallet is to make.
import type { Chain } from '../../chain/chain.ts';
import { handleKey } from '../../chain/routers/escrow.ts';
import { newTabNonce, tabContract, tabOnChainId } from '../../chain/tabs.ts';
import { type Ctx, newId } from '../../context.ts';
import { canonicalChain } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { DUE_HOURS, stagedDeadline } from '../../domain/escrow.ts';
import { type EscrowSlug, readEscrowSlug } from '../../domain/escrowSlug.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { readPlainText } from '../plainText.ts';
import { walletOnChain } from '../spending/callTerms.ts';
import { readUsdcAmount } from '../usdcAmounts.ts';
import { labelOf, slugsOf } from './rows.ts';
import { type EscrowView, viewEscrow } from './views.ts';

/** USDC is written with six decimals everywhere, whatever the chain's token has. */

export type EscrowWish = {
  handleSlug: string;
  amount: string;
  chain: string;
  dueInHours?: number | undefined;
  note?: string | null | undefined;
};
/** What the wallet sends to the router: `open(stable, handleKey, amount, deadline, senderNonce, revocable)`; on Solana, of `open_tab` of the program. */
export type OnChainArgs = {
  /** Of the contract, or the program. */
  router: string;
  stable: string;
  handleSlug: string;
  handleKey: string;
  /** Smallest units of the chain's token. */
  amount: string;
  /** Unix seconds. */
  deadline: number;
  senderNonce: string;
  revocable: boolean;
  /** Of EIP-155; null for other chains. */
  chainId: number | null;
};

/**
 * Promises nothing, and locks nothing yet.
 * @throws AppError `handle_not_found` for a handle that does not exist, `amount_out_of_range`, `unsupported_chain`, `parameter_invalid`,
 * `state_conflict` for a handle without a wallet
 */
export async function stageEscrow(
  ctx: Ctx,
  handle: SessionHandle,
  wish: EscrowWish,
): Promise<{ escrow: EscrowView; onChainArgs: OnChainArgs }> {
  if (!Object.hasOwn(ctx.chains, canonicalChain(wish.chain)))
    throw new AppError('unsupported_chain', undefined, { param: 'chain' });
  const { chain, wallet: sender } = await walletOnChain(ctx, handle.id, wish.chain);
  const slug = await recipientSlug(ctx, handle, wish.handleSlug);
  const units = readUsdcAmount(chain, wish.amount);
  const deadline = stagedDeadline(ctx.clock.now(), hours(wish.dueInHours));
  const note = readPlainText(wish.note, 'note');
  const senderNonce = await newTabNonce(chain, sender, ctx.clock.now());
  const revocable = slug.kind === 'username';
  const row = await ctx.db.escrow.create({
    data: {
      id: newId(ctx, 'esc'),
      chain: chain.name,
      tabId: tabOnChainId(chain, sender, senderNonce),
      origin: 'page',
      senderHandleId: handle.id,
      senderAddress: sender,
      handleSlug: slug.slug,
      handleKey: handleKey(slug.slug),
      recipientLabel: await labelOf(ctx.db, slug),
      asset: 'USDC',
      token: chain.usdc,
      decimals: chain.facts.usdcDecimals,
      units: String(units),
      deadline: BigInt(deadline),
      senderNonce: String(senderNonce),
      revocable,
      note,
      status: 'pending_create',
      createdAt: new Date(ctx.clock.now()),
    },
  });
  return { escrow: await viewEscrow(ctx, handle, row), onChainArgs: argsOf(chain, row.handleSlug ?? '', row) };
}

function argsOf(
  chain: Chain,
  handleSlug: string,
  row: {
    handleKey: string;
    units: { toFixed(): string };
    deadline: bigint;
    senderNonce: { toFixed(): string };
    revocable: boolean;
  },
): OnChainArgs {
  return {
    router: tabContract(chain),
    stable: chain.usdc,
    handleSlug,
    handleKey: row.handleKey,
    amount: row.units.toFixed(),
    deadline: Number(row.deadline),
    senderNonce: row.senderNonce.toFixed(),
    revocable: row.revocable,
    chainId: chain.facts.chainId || null,
  };
}

/** A handle has to exist; an account or a username may come later. */
async function recipientSlug(ctx: Ctx, handle: SessionHandle, text: string): Promise<EscrowSlug> {
  const param = 'handleSlug';
  const slug = readEscrowSlug(text);
  if (!slug) {
    const words =
      'handleSlug must be a handle such as alice, or an account such as x:name, telegram:name or discord:name.';
    throw new AppError('parameter_invalid', words, { param });
  }
  if (slug.kind === 'handle' && (await ctx.db.handle.count({ where: { slug: slug.slug } })) === 0)
    throw new AppError('handle_not_found', undefined, { param });
  if ((await slugsOf(ctx.db, handle.id)).has(handleKey(slug.slug)))
    throw new AppError('parameter_invalid', 'handleSlug can’t be your own handle.', { param });
  return slug;
}

function hours(given: number | undefined): number {
  const dueInHours = given ?? DUE_HOURS.usual;
  if (Number.isInteger(dueInHours) && dueInHours >= DUE_HOURS.least && dueInHours <= DUE_HOURS.most) return dueInHours;
  const words = `dueInHours must be a whole number of hours from ${DUE_HOURS.least} to ${DUE_HOURS.most}.`;
  throw new AppError('parameter_invalid', words, { param: 'dueInHours' });
}
