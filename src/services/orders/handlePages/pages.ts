// The page of a handle as a visitor sees it, and the order that a visitor begins there. Looking at a page makes nothing.
import { type Ctx, newId } from '../../../context.ts';
import { type Row, sqlPart } from '../../../db.ts';
import type { Branding } from '../../../domain/branding.ts';
import { CHAINS, type ChainName, chainLabel } from '../../../domain/chains.ts';
import { readDisplayName } from '../../../domain/displayName.ts';
import { AppError } from '../../../domain/errors.ts';
import { HANDLE_PATTERN } from '../../../domain/handles.ts';
import { withoutPiles } from '../../../domain/note.ts';
import { picturesOf } from '../../accounts/pictures.ts';
import { readPlainText } from '../../plainText.ts';
import { brandingOf } from '../../workspaces/branding.ts';
import { PAYOUT_COLUMNS, type PayoutRow, payeeOn, payoutOf } from '../../workspaces/payouts.ts';
import { createOrder } from '../orders.ts';
import { handlePageUrl } from './address.ts';
import { type ShownMessage, shownMessages } from './messages.ts';

/** What a visitor may see. Amounts are canonical decimal strings of `currency`. */
export type PublicHandlePage = {
  object: 'checkout.handle_page';
  handle: string;
  kind: 'personal' | 'business';
  url: string;
  /** The path of a square WebP, or null without one. */
  picture: string | null;
  line: string | null;
  /** What its owner chose for all of their pages; the handle stands beside it. */
  branding: Branding | null;
  suggested_amounts: string[];
  currency: string;
  chain: string;
  chain_label: string;
  /** EIP-155. */
  chain_id: number;
  livemode: boolean;
  /** Whether the handle has a wallet there at the moment. */
  payable: boolean;
  show_messages: boolean;
  /** The newest first; none unless the owner shows them. */
  messages: ShownMessage[];
};

type Page = Pick<
  Row<'HandlePage'>,
  'handleId' | 'line' | 'amounts' | 'chain' | 'livemode' | 'currency' | 'showMessages' | 'showAmounts'
>;
type Found = { page: Page; payout: ReturnType<typeof payoutOf> };
type FoundRow = PayoutRow & {
  line: string | null;
  amounts: string[];
  chain: string;
  livemode: boolean;
  currency: string;
  show_messages: boolean;
  show_amounts: boolean;
};

/** No handle is called that. */
const NO_HANDLE = '-';

/**
 * The page of a handle, which is on. A malformed name is looked up like any other, so that all that have no page take the same time.
 * @throws AppError `resource_missing`, in the same words for a handle that does not exist and for a page that is off
 */
async function findPage(ctx: Ctx, name: string): Promise<Found> {
  const slug = HANDLE_PATTERN.test(name) ? name : NO_HANDLE;
  const [row] = await ctx.db.$queryRaw<FoundRow[]>`
    select ${PAYOUT_COLUMNS}, ${PAGE_COLUMNS}
    from handle h join handle_page p on p.handle_id = h.id and p.is_on
      left join wallet w on w.handle_id = h.id and w.family = 'evm'
    where h.slug = ${slug}`;
  if (!row) throw new AppError('resource_missing', 'There is no page at this address.');
  const { line, amounts, chain, livemode, currency } = row;
  return {
    page: {
      ...{ handleId: row.handle_id, line, amounts, chain, livemode, currency },
      ...{ showMessages: row.show_messages, showAmounts: row.show_amounts },
    },
    payout: payoutOf(row),
  };
}

const PAGE_COLUMNS = sqlPart`p.line, p.amounts, p.chain, p.livemode, p.currency, p.show_messages, p.show_amounts`;

/**
 * @param reads `face` leaves the messages out
 * @throws AppError `resource_missing`
 */
export async function getPublicPage(ctx: Ctx, name: string, reads: 'all' | 'face' = 'all'): Promise<PublicHandlePage> {
  const { page, payout } = await findPage(ctx, name);
  const { line, amounts, currency, chain, livemode } = page;
  const [pictures, branding] = await Promise.all([picturesOf(ctx, page.handleId), brandingOf(ctx, page.handleId)]);
  return {
    object: 'checkout.handle_page',
    handle: payout.slug,
    kind: payout.kind as PublicHandlePage['kind'],
    url: handlePageUrl(ctx, payout.slug),
    picture: pictures.page ?? pictures.logo,
    line,
    branding,
    suggested_amounts: amounts,
    currency,
    chain,
    chain_label: chainLabel(chain),
    chain_id: CHAINS[chain as ChainName].chainId,
    livemode,
    payable: isPayable(ctx, { page, payout }),
    show_messages: page.showMessages,
    messages: reads === 'all' && page.showMessages ? await shownMessages(ctx, page) : [],
  };
}

function isPayable(ctx: Ctx, { page, payout }: Found): boolean {
  const chain = ctx.chains[page.chain as ChainName];
  if (!chain) return false;
  try {
    return payeeOn(payout, chain) !== null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'state_conflict') return false;
    throw error;
  }
}

/** `may_show`: the visitor agrees that name and note stand on the page once the order is paid and the owner lets them; nothing on a page that shows none. */
export type PagePayment = {
  amount: string;
  name?: string | undefined;
  note?: string | undefined;
  may_show?: boolean | undefined;
};

/**
 * A visitor's press on “Pay”: an order with the page's terms, without a signed-in user. What the visitor wrote stands beside the order, never in it:
 * its title and its receipt are the payee's.
 * @returns the id of the order
 * @throws AppError `resource_missing`, `parameter_invalid`, `amount_out_of_range`, `state_conflict` when the handle can no longer be paid there,
 * `unsupported_chain`, `provider_unavailable`
 */
export async function startPageOrder(
  ctx: Ctx,
  handle: string,
  { amount, name, note, may_show: mayShow = false }: PagePayment,
  requestId?: string,
): Promise<string> {
  const { page } = await findPage(ctx, handle);
  const written = { name: readName(name), note: readPlainText(note && withoutPiles(note), 'note') };
  const { handleId, currency, chain } = page;
  const { order } = await createOrder(
    ctx,
    { id: handleId },
    { amount, currency, chain },
    { origin: 'page', requestId },
  );
  // After the order: without it there is nothing to write about, and without the words it can be paid all the same.
  if (written.name !== null || written.note !== null)
    await ctx.db.pageMessage.create({
      data: {
        id: newId(ctx, 'pmsg'),
        handleId,
        orderId: order.id,
        ...written,
        mayShow: mayShow && page.showMessages,
        createdAt: new Date(ctx.clock.now()),
      },
    });
  return order.id;
}

/** A name that can be no handle, address or sum. @throws AppError `parameter_invalid` when nothing of it can be shown */
function readName(typed: string | undefined): string | null {
  if (readPlainText(typed, 'name', NAME_LENGTH) === null) return null;
  const name = readDisplayName(typed);
  if (name !== null) return name;
  throw new AppError('parameter_invalid', 'name must begin with a letter.', { param: 'name' });
}

const NAME_LENGTH = 40;
