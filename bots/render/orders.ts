// Renders orders: the link while it can be paid, its outcome, and notices to its seller.
import type { Ctx } from '../../src/context.ts';
import type { Language } from '../../src/domain/language.ts';
import { type ChatOrderView, chatOrderView } from '../../src/services/orders/notices.ts';
import type { DueReply } from '../../src/services/outbox/due.ts';
import type { ButtonView, Rendered } from '../adapter.ts';
import type { Money } from './amounts.ts';
import { inUtc } from './dates.ts';
import { pageUrl, plain, type RenderContext } from './message.ts';
import { say } from './say.ts';

/**
 * What a seller wrote, within words of ours: it mentions no account, links to nothing and gives no command. Platforms make links of a point before
 * a letter, a slash before a word and an @.
 */
export function quiet(text: string): string {
  return text
    .replaceAll('://', ' ')
    .replace(/\.(?=\p{L})/gu, '. ')
    .replace(/(?<!\S)\/(?=\w)/g, '')
    .replace(/[@＠](?=\w)/g, '');
}

function what(language: Language, { description }: ChatOrderView): string[] {
  return description === null ? [] : [say(language, 'order-what', { what: quiet(description) })];
}

function number(language: Language, { id }: ChatOrderView): string {
  return say(language, 'order-number', { id });
}

/** The message that shows an order, as it stands. */
export async function renderOrder(
  ctx: Ctx,
  reply: DueReply<'order'>,
  { adapter, language }: RenderContext,
): Promise<Rendered> {
  const view = await chatOrderView(ctx, reply.data.orderId);
  const { chainLabel: chain, handle, url: link, deadline } = view;
  const amount = sumOf(view);
  if (view.status !== 'awaiting_payment') {
    const text = say(language, `order-${view.status}`, { amount, handle });
    return message([text, ...what(language, view), number(language, view)], []);
  }
  const lines = [
    say(language, 'order-open', { handle, amount, chain }),
    ...what(language, view),
    say(language, 'order-pay', { date: inUtc(language, deadline), link }),
  ];
  // X has no buttons: the text has the link.
  const pay = adapter.platform === 'x' ? [] : [{ label: say(language, 'button-pay-order', { amount }), url: link }];
  const token = reply.buttons.find((button) => button.usedAt === null)?.token;
  const cancel = token === undefined ? [] : [{ label: say(language, 'button-cancel-order'), token }];
  return message(lines, [...pay, ...cancel]);
}

/** To the seller: it was paid, or expired without. */
export async function renderOrderEnd(
  ctx: Ctx,
  reply: DueReply<'order_end'>,
  { language }: RenderContext,
): Promise<Rendered> {
  const view = await chatOrderView(ctx, reply.data.orderId);
  const receipt = { label: say(language, 'button-order-receipt'), url: `${view.url}/receipt` };
  const button = view.status === 'completed' ? receipt : orderButton(ctx, language, view);
  return message([endText(language, view), ...what(language, view), number(language, view)], [button]);
}

/** To the seller: money arrived that does not complete it. */
export async function renderOrderMoney(
  ctx: Ctx,
  reply: DueReply<'order_money'>,
  { language }: RenderContext,
): Promise<Rendered> {
  const view = await chatOrderView(ctx, reply.data.orderId);
  const button = orderButton(ctx, language, view);
  return message([moneyText(language, view), ...what(language, view), number(language, view)], [button]);
}

function orderButton(ctx: Ctx, language: Language, { id }: ChatOrderView): ButtonView {
  return { label: say(language, 'button-your-order'), url: pageUrl(ctx, `/orders/${id}`) };
}

/** The sum that an order asks for, or another one in its currency. */
function sumOf({ amount, currency }: ChatOrderView, part = amount): Money {
  return { amount: part, asset: currency };
}

function endText(language: Language, view: ChatOrderView): string {
  const amount = sumOf(view);
  if (view.status === 'completed') return say(language, 'order-told-paid', { amount });
  if (view.received === null) return say(language, 'order-told-expired', { amount });
  return say(language, 'order-told-expired-part', { amount, received: sumOf(view, view.received) });
}

function moneyText(language: Language, view: ChatOrderView): string {
  const { currency, received, due, deadline, stray } = view;
  const amount = sumOf(view);
  const isOpen = view.status === 'awaiting_payment' || view.status === 'processing';
  if (isOpen && stray === null && received !== null) {
    const parts = { received: sumOf(view, received), due: sumOf(view, due) };
    return say(language, 'order-told-part', { amount, ...parts, date: inUtc(language, deadline) });
  }
  if (stray === null) return say(language, 'order-told-other', { amount, currency });
  return say(language, 'order-told-stray', { amount, stray: sumOf(view, stray) });
}

function message(lines: string[], buttons: ButtonView[]): Rendered {
  return plain(lines.join('\n'), buttons.length > 0 ? [buttons] : []);
}
