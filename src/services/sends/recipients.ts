// To whom a send goes: a handle of Ampersat, or an address of the chain. Names on other platforms change hands, so money for them waits in a tab.

import type { Chain } from '../../chain/chain.ts';
import { recipientStates, type TypedAddress, typedAddress } from '../../chain/recipients.ts';
import { type EvmChain, reading } from '../../chain/rpc/client.ts';
import { delegateIn } from '../../chain/signing/gasless.ts';
import { checkedAddress } from '../../chain/signing/signatures.ts';
import type { SolanaChain } from '../../chain/solana/client.ts';
import { ownAddresses } from '../../chain/tips.ts';
import { type Ctx, chainOf } from '../../context.ts';
import { type Row, sqlPart, type Tx } from '../../db.ts';
import type { ChainName } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { platformLabel, readEscrowSlug } from '../../domain/escrowSlug.ts';
import { HANDLE_PATTERN } from '../../domain/handles.ts';
import { readSolanaAddress } from '../../domain/solanaAddress.ts';
import { isSameAddress } from '../../domain/walletFamily.ts';
import { accountsLeft } from '../spending/newAccounts.ts';
import { PAYOUT_COLUMNS, type Payout, type PayoutRow, payeeOn, payoutOf } from '../workspaces/payouts.ts';

export type SendRecipient = {
  handleId: string | null;
  /** "bob@ampersat", or the address. */
  label: string;
  payee: string;
  /** What the sender has to know before signing. */
  warning: 'contract' | null;
  /** It has no USDC account yet, where one costs rent: we open it. */
  opens: boolean;
};

const ZERO = /^0x0{40}$/;
/** Where tokens are burnt by custom: it has no key, like zero. */
const BURN = '0x000000000000000000000000000000000000dead';

/**
 * @param text `alice`, `@alice`, `alice@ampersat` or an address
 * @throws AppError `parameter_invalid` for what is none, for an address with a wrong checksum or of another family, and for one that money would be lost
 * at; `handle_not_found`; `state_conflict` for a handle that cannot be paid on the chain; `call_refused` for one whose account we open no more;
 * `provider_unavailable`
 */
export async function readRecipient(
  ctx: Ctx,
  chain: Chain,
  { handleId, wallet }: { handleId: string; wallet: string },
  text: string,
): Promise<SendRecipient> {
  const found = await find(ctx, chain, text.trim());
  if (found.handleId === handleId || isSameAddress(found.payee, wallet))
    throw invalid('This is your own account. Enter another recipient.');
  if (found.opens) await requireOpening(ctx, handleId, chain);
  return found;
}

/** Accounts that we open for the recipients of a sender are few a month, as of tips. @throws AppError `call_refused`, `provider_unavailable` */
export async function requireOpening(ctx: Ctx, handleId: string, chain: Chain): Promise<void> {
  if ((await accountsLeft(ctx, handleId, chain.name)) > 0) return;
  const words = `The recipient has no USDC account on ${chain.facts.label} yet, and Ampersat can’t open another one for you this month. Ask them to receive USDC once, which opens it, then try again.`;
  throw new AppError('call_refused', words, { param: 'to' });
}

async function find(ctx: Ctx, chain: Chain, typed: string): Promise<SendRecipient> {
  const { label } = chain.facts;
  const isEvm = /^0x/i.test(typed);
  const isSolana = readSolanaAddress(typed) !== null;
  if (chain.family === 'evm') {
    if (isEvm) return byAddress(ctx, chain, typed);
    if (isSolana)
      throw invalid(`This is an address of Solana. Choose Solana as the network, or enter one of ${label}.`);
    return byHandle(ctx, chain, typed, 'an address that begins with 0x');
  }
  if (isSolana) return bySolanaAddress(ctx, chain, typed);
  if (isEvm) throw invalid(`This is an address of an EVM network. Choose its network, or enter one of ${label}.`);
  // No handle is as long as that.
  if (/^[1-9A-HJ-NP-Za-km-z]{31,}$/.test(typed)) throw invalid(WRONG);
  return byHandle(ctx, chain, typed, `an address of ${label}`);
}

const WRONG = 'This isn’t a valid address. Copy it again: one character is wrong or missing.';
const OURS = 'This is the address of a token or a contract of Ampersat. Money sent there is lost.';
const NO_ONES = 'No one has this address. Money sent there is lost.';

async function byHandle(ctx: Ctx, chain: Chain, typed: string, or: string): Promise<SendRecipient> {
  const slug = typed
    .toLowerCase()
    .replace(/^@/, '')
    .replace(/@ampersat$/, '');
  const elsewhere = readEscrowSlug(slug);
  if (elsewhere && elsewhere.kind !== 'handle') {
    const words = `Names on ${platformLabel(elsewhere.platform)} are paid by a tab: it keeps the money until its owner claims it.`;
    throw new AppError('handle_not_found', words, { param: 'to', more: { tab_for: elsewhere.slug } });
  }
  if (!HANDLE_PATTERN.test(slug)) throw invalid(`Enter a handle such as @alice, or ${or}.`);
  const payout = await readPayout(ctx.db, sqlPart`h.slug = ${slug}`);
  if (!payout) {
    const words = `@${slug} isn’t on Ampersat. If it’s a name on Telegram, Discord or X, keep the money for them in a tab.`;
    throw new AppError('handle_not_found', words, { param: 'to' });
  }
  const { payee } = payeeOn(payout, chain);
  const [state] = await recipientStates(chain, [{ owner: payee, token: chain.usdc }]);
  if (state === 'frozen') throw frozen(`@${payout.slug}’s USDC account`);
  if (state === 'not_a_wallet') throw invalid(`@${payout.slug}’s address on ${chain.facts.label} can’t hold USDC.`);
  return { handleId: payout.id, label: labelOf(payout), payee, warning: null, opens: state === 'new' };
}

/** A send to a handle goes to where the handle is paid now, and to no wallet that it had before. @throws AppError `state_conflict` */
export async function requireSamePayee(ctx: Ctx, tx: Tx, send: Row<'Send'>): Promise<void> {
  const { recipientHandleId, recipientLabel, payee } = send;
  if (recipientHandleId === null || recipientLabel === payee) return;
  const payout = await readPayout(tx, sqlPart`h.id = ${recipientHandleId}`);
  if (
    payout &&
    labelOf(payout) === recipientLabel &&
    payeeOn(payout, chainOf(ctx, send.chain as ChainName)).payee === payee
  )
    return;
  throw new AppError('state_conflict', 'The recipient’s wallet has changed since. Nothing was sent. Start again.');
}

async function readPayout(tx: Tx, which: ReturnType<typeof sqlPart>): Promise<Payout | null> {
  const [row] = await tx.$queryRaw<PayoutRow[]>`
    select ${PAYOUT_COLUMNS} from handle h left join wallet w on w.handle_id = h.id and w.family = 'evm' where ${which}`;
  return row ? payoutOf(row) : null;
}

const labelOf = ({ slug }: { slug: string }) => `${slug}@ampersat`;

async function byAddress(ctx: Ctx, chain: EvmChain, typed: string): Promise<SendRecipient> {
  const payee = checkedAddress(typed);
  if (!payee) throw invalid(WRONG);
  const lower = payee.toLowerCase();
  if (ZERO.test(lower) || lower === BURN) throw invalid(NO_ONES);
  if (ownAddresses(chain).includes(lower)) throw invalid(OURS);
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
    opens: false,
  };
}

const REFUSED: Readonly<Record<Exclude<TypedAddress, 'wallet' | 'keyless'>, string>> = {
  no_ones: NO_ONES,
  ours: OURS,
  token_account: 'This is a token account, not a wallet. Enter the address of the wallet that owns it.',
  token: 'This is the address of a token. Money sent there is lost. Enter the address of a wallet.',
  program: 'This is the address of a program. Money sent there is lost. Enter the address of a wallet.',
  of_program: 'This address belongs to a program, which may never send the money on. Enter the address of a wallet.',
};

async function bySolanaAddress(ctx: Ctx, chain: SolanaChain, payee: string): Promise<SendRecipient> {
  const [{ kind, state }, wallet, orders] = await Promise.all([
    typedAddress(chain, payee),
    ctx.db.wallet.findUnique({ where: { family_address: { family: 'solana', address: payee } } }),
    ctx.db.order.count({ where: { chain: chain.name, depositAddress: payee } }),
  ]);
  if (orders > 0) throw invalid('This is the address of an order. Pay the order on its page instead.');
  if (kind !== 'wallet' && kind !== 'keyless') throw invalid(REFUSED[kind]);
  if (state === 'frozen') throw frozen('This address’s USDC account');
  // A multisig has no key; one that holds USDC already is known to be able to.
  if (state === 'not_a_wallet')
    throw invalid('No key controls this address, and it has never held USDC. Enter the address of a wallet.');
  const warning = kind === 'keyless' ? 'contract' : null;
  return { handleId: wallet?.handleId ?? null, label: payee, payee, warning, opens: state === 'new' };
}

function frozen(whose: string): AppError {
  return new AppError('state_conflict', `${whose} is frozen by the issuer of USDC: it can’t receive.`, { param: 'to' });
}

function invalid(words: string): AppError {
  return new AppError('parameter_invalid', words, { param: 'to' });
}
