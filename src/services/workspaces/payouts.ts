// Who is paid, and where: the handle that an order names, the router that its kind decides, and the address that is frozen on the order.
import type { Chain } from '../../chain/chain.ts';
import type { Tx } from '../../db.ts';
import { sqlPart } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { HANDLE_PATTERN } from '../../domain/handles.ts';
import type { OrderRouter } from '../../domain/typedData/orders.ts';
import { FAMILY_LABELS, familyOf } from '../../domain/walletFamily.ts';
import { reaches, type WalletReach } from '../../domain/walletReach.ts';

/** What is read of a handle to pay it. */
export type Payout = {
  id: string;
  slug: string;
  /** "personal" or "business". */
  kind: string;
  /** Where a business is paid, if not at its wallet; for a contract the chains on which it has proven itself, else none. */
  businessAddress: string | null;
  businessChains: string[];
  wallets: { evm: ({ address: string } & WalletReach) | null; solana: ({ address: string } & WalletReach) | null };
};

/** The calling workspace; with how it is paid where authentication has read that already, so that nothing is read twice. */
export type Workspace = { id: string } | Payout;

/** Who is to be paid: the workspace itself, or another handle by its name as it was typed, or by its id. */
export type RecipientWish = { slug?: string | undefined; id?: string | undefined };

/** "@shop" or "shop". @throws AppError `parameter_invalid` */
export function readPayoutHandle(text: string): string {
  const slug = text.startsWith('@') ? text.slice(1) : text;
  if (HANDLE_PATTERN.test(slug)) return slug;
  throw new AppError('parameter_invalid', 'recipient must be a handle such as @alice.', { param: 'recipient' });
}

/** @throws AppError `handle_not_found`, `recipient_not_allowed` */
export async function findPayout(tx: Tx, workspace: Workspace, wish: RecipientWish = {}): Promise<Payout> {
  if ('wallets' in workspace && isItself(workspace, wish)) return workspace;
  const which = wish.slug === undefined ? sqlPart`h.id = ${wish.id ?? workspace.id}` : sqlPart`h.slug = ${wish.slug}`;
  const [row] = await tx.$queryRaw<PayoutRow[]>`
    select ${PAYOUT_COLUMNS}, (h.id = ${workspace.id} or exists (
      select 1 from recipient_allowance a where a.handle_id = ${workspace.id} and a.recipient_id = h.id)) as allowed
    from handle h left join wallet w on w.handle_id = h.id and w.family = 'evm'
    where ${which}`;
  if (!row) throw new AppError('handle_not_found', undefined, { param: 'recipient' });
  if (!row.allowed) throw new AppError('recipient_not_allowed', undefined, { param: 'recipient' });
  return payoutOf(row);
}

function isItself({ id, slug }: Payout, wish: RecipientWish): boolean {
  return wish.slug === undefined ? (wish.id ?? id) === id : wish.slug === slug;
}

/** For a statement that reads a handle `h` and its EVM wallet `w` together with something else, such as a key. */
export const PAYOUT_COLUMNS = sqlPart`h.id as handle_id, h.slug, h.kind, h.business_address, h.business_chains,
  w.address as wallet_address, w.kind as wallet_kind, w.proven_chains,
  (select s.address from wallet s where s.handle_id = h.id and s.family = 'solana') as solana_address`;

export type PayoutRow = {
  handle_id: string;
  slug: string;
  kind: string;
  business_address: string | null;
  business_chains: string[];
  wallet_address: string | null;
  wallet_kind: string | null;
  proven_chains: string[] | null;
  solana_address: string | null;
  allowed?: boolean;
};

export function payoutOf(row: PayoutRow): Payout {
  const { wallet_address: address, wallet_kind: kind, proven_chains: provenChains, solana_address: solana } = row;
  return {
    id: row.handle_id,
    slug: row.slug,
    kind: row.kind,
    businessAddress: row.business_address,
    businessChains: row.business_chains,
    wallets: {
      evm: address === null ? null : { address, kind: kind ?? 'account', provenChains: provenChains ?? [] },
      solana: solana === null ? null : { address: solana, kind: 'account', provenChains: [] },
    },
  };
}

/** Router and address for a payment on a chain. @throws AppError `state_conflict` for a handle that cannot be paid there */
export function payeeOn(payout: Payout, chain: Chain): { router: OrderRouter; payee: string } {
  const { slug, kind, businessAddress, businessChains } = payout;
  const { family } = chain.facts;
  const wallet = payout.wallets[family];
  if (kind === 'business' && businessAddress !== null && familyOf(businessAddress) === family) {
    if (businessChains.length > 0 && !businessChains.includes(chain.name)) throw notThere(slug, chain);
    return { router: 'business', payee: businessAddress };
  }
  if (!wallet) {
    const words = `@${slug} has no ${FAMILY_LABELS[family]} wallet yet, so it can’t be paid on ${chain.facts.label}.`;
    throw new AppError('state_conflict', words, { param: 'recipient' });
  }
  if (!reaches(wallet, chain.name)) throw notThere(slug, chain);
  return { router: kind === 'business' ? 'business' : 'payment', payee: wallet.address };
}

function notThere(slug: string, { facts }: Chain): AppError {
  const words = `@${slug}’s smart wallet isn’t verified on ${facts.label}, so it can’t be paid there. Use another chain.`;
  return new AppError('state_conflict', words, { param: 'chain' });
}
