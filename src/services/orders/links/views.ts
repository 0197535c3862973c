// A payment link as it is shown: to its merchant, and to anyone who opens it.
import type { Ctx } from '../../../context.ts';
import type { Row, Tx } from '../../../db.ts';
import type { Branding } from '../../../domain/branding.ts';
import { CHAINS, type ChainName, chainLabel } from '../../../domain/chains.ts';
import type { LineItem } from '../../../domain/lineItems.ts';
import { formatUnits } from '../../../domain/money.ts';
import { withOrderId } from '../../../domain/returnUrl.ts';
import { slugsOfHandles } from '../../accounts/handles.ts';
import { brandingOf } from '../../workspaces/branding.ts';
import { type ShopView, viewShop } from '../shopFields.ts';
import { checkoutBase, unitsOf } from '../views.ts';
import { type LinkState, linkState, stateOf, usesOf } from './bounds.ts';

/** Amounts are canonical decimal strings of `currency`, times ISO 8601 in UTC. */
export type PaymentLinkView = {
  id: string;
  object: 'payment_link';
  url: string;
  active: boolean;
  label: string;
  /** Null where the buyer types the figure. */
  amount: string | null;
  currency: string;
  chain: string;
  /** "@shop". */
  recipient: string;
  open_amount: boolean;
  min_amount: string | null;
  max_amount: string | null;
  metadata: Record<string, string>;
  livemode: boolean;
  created_at: string;
  deactivated_at: string | null;
  /** Why it is not active, where it isn't. */
  state: LinkState;
  after_completion: AfterCompletion | null;
  max_uses: number | null;
  /** Orders that are paid or can still be paid; null without `max_uses`. */
  uses: number | null;
  expires_at: string | null;
} & ShopView;

type AfterCompletion = { type: 'message'; message: string } | { type: 'url'; url: string };

/** What a buyer may see. Nothing of the workspace but the face that it chose, and nothing of its metadata. */
export type PublicLink = {
  id: string;
  object: 'checkout.payment_link';
  active: boolean;
  state: LinkState;
  label: string;
  line_items: LineItem[];
  /** Where a buyer who doesn’t pay goes back to; null where that names an order, which isn’t there yet. */
  cancel_url: string | null;
  embed_origins: string[];
  amount: string | null;
  currency: string;
  chain: string;
  chain_label: string;
  /** EIP-155. */
  chain_id: number;
  merchant: { handle: string; kind: 'personal' | 'business' };
  branding: Branding | null;
  open_amount: boolean;
  min_amount: string | null;
  max_amount: string | null;
  livemode: boolean;
};

type Link = Row<'PaymentLink'>;

/** A link by its id, without a check of the caller. */
export function linkRow(tx: Tx, id: string): Promise<Link | null> {
  return tx.paymentLink.findUnique({ where: { id } });
}

/** Many at once, in their order. */
export async function viewLinks(ctx: Ctx, tx: Tx, links: Link[]): Promise<PaymentLinkView[]> {
  const slugs = await slugsOfHandles(
    tx,
    links.map((link) => link.recipientId),
  );
  const uses = await usesOf(tx, links);
  return links.map((link) => ({
    id: link.id,
    object: 'payment_link',
    url: `${checkoutBase(ctx)}/l/${link.id}`,
    active: stateOf(link, uses.get(link.id), ctx.clock.now()) === 'active',
    label: link.label,
    currency: link.currency,
    chain: link.chain,
    recipient: `@${slugs.get(link.recipientId) ?? ''}`,
    ...figuresOf(link),
    metadata: link.metadata as Record<string, string>,
    livemode: link.livemode,
    created_at: link.createdAt.toISOString(),
    deactivated_at: link.endedAt?.toISOString() ?? null,
    state: stateOf(link, uses.get(link.id), ctx.clock.now()),
    after_completion: afterCompletion(link),
    max_uses: link.maxUses,
    uses: link.maxUses === null ? null : (uses.get(link.id) ?? 0),
    expires_at: link.expiresAt?.toISOString() ?? null,
    ...viewShop(link),
  }));
}

function afterCompletion({ afterMessage, successUrl }: Link): AfterCompletion | null {
  if (afterMessage !== null) return { type: 'message', message: afterMessage };
  return successUrl === null ? null : { type: 'url', url: successUrl };
}

export async function publicLink(ctx: Ctx, link: Link): Promise<PublicLink> {
  const [{ slug, kind }, state, branding] = await Promise.all([
    ctx.db.handle.findUniqueOrThrow({ where: { id: link.recipientId } }),
    linkState(ctx, link),
    brandingOf(ctx, link.handleId),
  ]);
  return {
    id: link.id,
    object: 'checkout.payment_link',
    active: state === 'active',
    state,
    label: link.label,
    line_items: link.lineItems as LineItem[],
    cancel_url: link.cancelUrl !== null && withOrderId(link.cancelUrl, '') === link.cancelUrl ? link.cancelUrl : null,
    embed_origins: link.embedOrigins,
    currency: link.currency,
    chain: link.chain,
    chain_label: chainLabel(link.chain),
    chain_id: CHAINS[link.chain as ChainName].chainId,
    merchant: { handle: slug, kind: kind as PublicLink['merchant']['kind'] },
    branding,
    ...figuresOf(link),
    livemode: link.livemode,
  };
}

function figuresOf(link: Link) {
  const { usdcDecimals, nativeDecimals } = CHAINS[link.chain as ChainName];
  const decimals = link.currency === 'USDC' ? usdcDecimals : nativeDecimals;
  const written = (units: Link['units']) => (units === null ? null : formatUnits(unitsOf(units), decimals));
  return {
    amount: written(link.units),
    open_amount: link.openAmount,
    min_amount: written(link.minUnits),
    max_amount: written(link.maxUnits),
  };
}
