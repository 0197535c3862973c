// Renders subscriptions in direct chats: the list, notices about them, and the way to the form of a plan.
import type { Ctx } from '../../src/context.ts';
import { chainLabel } from '../../src/domain/chains.ts';
import { formatUnits } from '../../src/domain/money.ts';
import { unpaidForMs } from '../../src/domain/subscription.ts';
import type { DueReply } from '../../src/services/outbox/due.ts';
import { activeSubscriptions } from '../../src/services/plans/subscriptions.ts';
import { type SubscriptionView, unitsOf, viewSubscriptions } from '../../src/services/plans/views.ts';
import { personOf } from '../../src/services/spending/chatAccount.ts';
import type { Rendered } from '../adapter.ts';
import { inUtc } from './dates.ts';
import { pageUrl, plain, type RenderContext } from './message.ts';
import { quiet } from './orders.ts';
import { unconnectedText } from './refusals.ts';
import { remediesOf } from './remedies.ts';
import { say } from './say.ts';

type Notice = DueReply<
  | 'subscription_failing'
  | 'subscription_halted'
  | 'subscription_cancelled'
  | 'subscription_low'
  | 'subscription_price'
  | 'subscription_charged'
>;

async function readNotice(ctx: Ctx, { data: { subscriptionId } }: Notice, { language }: RenderContext) {
  const row = await ctx.db.subscription.findUniqueOrThrow({ where: { id: subscriptionId } });
  const [view] = await viewSubscriptions(ctx.db, [row]);
  if (!view) throw new Error('every row has its view');
  const button = { label: say(language, 'button-subscriptions'), url: pageUrl(ctx, '/subscriptions') };
  return { row, view, about: aboutOf(view), buttons: [[button]] };
}

function aboutOf({ creatorHandle, creator, plan_name: name, chain, amount, currency }: SubscriptionView) {
  return {
    plan: quiet(name),
    creator: creatorHandle === null ? `${creator.slice(0, 6)}…${creator.slice(-4)}` : `${creatorHandle}@ampersat`,
    chain: chainLabel(chain),
    amount: { amount, asset: currency },
  };
}

export async function renderFailing(
  ctx: Ctx,
  reply: DueReply<'subscription_failing'>,
  context: RenderContext,
): Promise<Rendered | null> {
  const { language } = context;
  const { row, view, about, buttons } = await readNotice(ctx, reply, context);
  // It was paid, or it ended, before this was sent.
  if (view.status !== 'active' || row.failingSince === null) return null;
  const { code, stage } = reply.data;
  const what = code === 'insufficient_allowance' ? 'sub-failing-allowance' : 'sub-failing-balance';
  const date = inUtc(language, row.failingSince.getTime() + unpaidForMs(view.period));
  const end = say(language, stage === 'last' ? 'sub-failing-last' : 'sub-failing-until', { date });
  return plain([say(language, what, about), end].join('\n'), buttons);
}

export async function renderHalted(
  ctx: Ctx,
  reply: DueReply<'subscription_halted'>,
  context: RenderContext,
): Promise<Rendered> {
  const { about, buttons } = await readNotice(ctx, reply, context);
  return plain(say(context.language, 'sub-halted', about), buttons);
}

export async function renderSubscriptionCancelled(
  ctx: Ctx,
  reply: DueReply<'subscription_cancelled'>,
  context: RenderContext,
): Promise<Rendered> {
  const { about, buttons } = await readNotice(ctx, reply, context);
  return plain(say(context.language, 'sub-cancelled', about), buttons);
}

export async function renderLow(
  ctx: Ctx,
  reply: DueReply<'subscription_low'>,
  context: RenderContext,
): Promise<Rendered | null> {
  const { row, about, buttons } = await readNotice(ctx, reply, context);
  // It was renewed, or it ended.
  if (row.status !== 'active' || row.lowNotifiedAt === null) return null;
  return plain(say(context.language, 'sub-low', about), buttons);
}

export async function renderCharged(
  ctx: Ctx,
  reply: DueReply<'subscription_charged'>,
  context: RenderContext,
): Promise<Rendered> {
  const { view, about, buttons } = await readNotice(ctx, reply, context);
  const { language } = context;
  const next = view.next_charge_at;
  const text = say(language, 'sub-charged', { ...about, number: reply.data.number });
  const then = next === null ? [] : [say(language, 'sub-next', { date: inUtc(language, Date.parse(next)) })];
  return plain([text, ...then].join('\n'), buttons);
}

export async function renderNewPrice(
  ctx: Ctx,
  reply: DueReply<'subscription_price'>,
  context: RenderContext,
): Promise<Rendered | null> {
  const { view, about, buttons } = await readNotice(ctx, reply, context);
  const next = view.replaced_by === null ? null : await ctx.db.plan.findUnique({ where: { id: view.replaced_by } });
  // It ended before this was sent.
  if (view.status !== 'active' || !next) return null;
  const price = { amount: formatUnits(unitsOf(next.units), next.decimals), asset: 'USDC' };
  return plain(say(context.language, 'sub-price', { ...about, price }), buttons);
}

/** So many are listed in a chat. */
const SHOWN = 10;

/** One's own subscriptions that stand. */
export async function renderSubscriptions(
  ctx: Ctx,
  reply: DueReply<'subscriptions'>,
  { adapter, language }: RenderContext,
): Promise<Rendered> {
  const person = await personOf(ctx, reply.platform, reply.data.userId);
  if (!person)
    return plain(unconnectedText(language), remediesOf(ctx, adapter, language, { code: 'sender_not_connected' }));
  const { views, count } = await activeSubscriptions(ctx, person.handleId, SHOWN);
  const buttons = [[{ label: say(language, 'button-subscriptions'), url: pageUrl(ctx, '/subscriptions') }]];
  if (views.length === 0) return plain(say(language, 'subs-none'), buttons);
  const lines = views.map((view) => {
    const about = aboutOf(view);
    return view.failing
      ? say(language, 'subs-line-failing', about)
      : say(language, 'subs-line', { ...about, date: inUtc(language, Date.parse(view.next_charge_at ?? '')) });
  });
  const more = count > views.length ? [say(language, 'subs-more', { count: count - views.length })] : [];
  return plain([say(language, 'subs-title'), ...lines, ...more].join('\n'), buttons);
}

/** A link to the form of a new plan, filled with what was typed. */
export function renderPlanForm(ctx: Ctx, { data }: DueReply<'plan'>, { language }: RenderContext): Rendered {
  const url = new URL('/plans/new', ctx.env.BASE_URL);
  for (const name of ['name', 'amount', 'period'] as const)
    if (data[name] !== undefined) url.searchParams.set(name, String(data[name]));
  return plain(say(language, 'plan-form'), [[{ label: say(language, 'button-plan'), url: url.href }]]);
}
