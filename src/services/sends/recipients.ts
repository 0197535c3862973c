// To whom a send goes: a handle of Ampersat, or an address of an EVM chain. Names on other platforms change hands, so money for them waits in a tab.

import { type Address, type EvmChain, reading } from '../../chain/rpc/client.ts';
import { delegateIn } from '../../chain/signing/gasless.ts';
import { checkedAddress } from '../../chain/signing/signatures.ts';
import { ownAddresses } from '../../chain/tips.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { platformLabel, readEscrowSlug } from '../../domain/escrowSlug.ts';
import { HANDLE_PATTERN } from '../../domain/handles.ts';
import { readSolanaAddress } from '../../domain/solanaAddress.ts';
import { isSameAddress } from '../../domain/walletFamily.ts';
import { PAYOUT_COLUMNS, type PayoutRow, payeeOn, payoutOf } from '../workspaces/payouts.ts';

export type SendRecipient = {
  handleId: string | null;
  /** "bob@ampersat", or the address. */
  label: string;
  payee: Address;
  /** What the sender has to know before signing. */
  warning: 'contract' | null;
};

const ZERO = /^0x0{40}$/;
/** Where tokens are burnt by custom: it has no key, like zero. */
const BURN = '0x000000000000000000000000000000000000dead';

/**
 * @param text `alice`, `@alice`, `alice@ampersat` or an address
 * @throws AppError `parameter_invalid` for what is none, for an address with a wrong checksum, and for one that money would be lost at; `handle_not_found`;
 * `state_conflict` for a handle that cannot be paid on the chain; `provider_unavailable`
 */
export async function readRecipient(
  ctx: Ctx,
  chain: EvmChain,
  { handleId, wallet }: { handleId: string; wallet: Address },
  text: string,
): Promise<SendRecipient> {
  const typed = text.trim();
  const found = /^0x/i.test(typed) ? await byAddress(ctx, chain, typed) : await byHandle(ctx, chain, typed);
  if (found.handleId === handleId || isSameAddress(found.payee, wallet))
    throw invalid('This is your own account. Enter another recipient.');
  return found;
}

async function byHandle(ctx: Ctx, chain: EvmChain, typed: string): Promise<SendRecipient> {
  const slug = typed
    .toLowerCase()
    .replace(/^@/, '')
    .replace(/@ampersat$/, '');
  const elsewhere = readEscrowSlug(slug);
  if (elsewhere && elsewhere.kind !== 'handle') {
    const words = `Names on ${platformLabel(elsewhere.platform)} are paid by a tab: it keeps the money until its owner claims it.`;
    throw new AppError('handle_not_found', words, { param: 'to', more: { tab_for: elsewhere.slug } });
  }
  if (readSolanaAddress(typed))
    throw invalid('Sending to Solana addresses isn’t available yet. Send from your Solana wallet’s own app.');
  if (!HANDLE_PATTERN.test(slug)) throw invalid('Enter a handle such as @alice, or an address that begins with 0x.');
  const [row] = await ctx.db.$queryRaw<PayoutRow[]>`
    select ${PAYOUT_COLUMNS} from handle h left join wallet w on w.handle_id = h.id and w.family = 'evm' where h.slug = ${slug}`;
  if (!row) {
    const words = `@${slug} isn’t on Ampersat. If it’s a name on Telegram, Discord or X, keep the money for them in a tab.`;
    throw new AppError('handle_not_found', words, { param: 'to' });
  }
  const payout = payoutOf(row);
  const payee = payeeOn(payout, chain).payee as Address;
  return { handleId: payout.id, label: `${payout.slug}@ampersat`, payee, warning: null };
}

async function byAddress(ctx: Ctx, chain: EvmChain, typed: string): Promise<SendRecipient> {
  const payee = checkedAddress(typed);
  if (!payee) throw invalid('This isn’t a valid address. Copy it again: one character is wrong or missing.');
  const lower = payee.toLowerCase();
  if (ZERO.test(lower) || lower === BURN) throw invalid('No one has this address. Money sent there is lost.');
  if (ownAddresses(chain).includes(lower))
    throw invalid('This is the address of a token or a contract of Ampersat. Money sent there is lost.');
  const wallet = await ctx.db.wallet.findUnique({ where: { family_address: { family: 'evm', address: payee } } });
  const code = await reading(chain, () => chain.client.getCode({ address: payee }));
  const isContract = code !== undefined && code !== '0x' && delegateIn(code) === null;
  // A contract wallet is its owner's only where it has proven itself.
  const isOwners = wallet !== null && (wallet.kind === 'account' || wallet.provenChains.includes(chain.name));
  return {
    handleId: isOwners ? wallet.handleId : null,
    label: payee,
    payee,
    warning: isContract && !isOwners ? 'contract' : null,
  };
}

function invalid(words: string): AppError {
  return new AppError('parameter_invalid', words, { param: 'to' });
}
