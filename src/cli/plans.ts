// `ampersat plans` and `ampersat subscriptions`: list and get them, and list the charges of a subscription.
import { type Command, Option } from 'commander';
import type {
  Ampersat,
  Charge,
  ListPlansParams,
  ListSubscriptionsParams,
  Plan,
  Subscription,
} from '../../sdk/index.ts';
import { withApi } from './api.ts';
import { chainOption, firstOf, idFlag, limitOption } from './flags.ts';
import { metadataWords } from './orderWords.ts';
import { type Paint, type Shell, writeResult } from './shell.ts';
import { wholeId } from './shortIds.ts';
import { type Column, facts, localTime, writeResults } from './tables.ts';

const PLAN_TONES = { active: 'green', inactive: 'dim', pending_create: 'yellow' } as const;
const SUBSCRIPTION_TONES = { active: 'green', cancelled: 'dim', halted: 'red' } as const;

const PLAN_COLUMNS: Column<Plan>[] = [
  { title: 'plan', cell: ({ id }) => id, isId: true },
  { title: 'status', cell: ({ status }) => status, tone: ({ status }) => PLAN_TONES[status] },
  { title: 'amount', cell: priceOf },
  { title: 'network', cell: ({ chain }) => chain },
  { title: 'created', cell: ({ created_at }) => localTime(created_at) },
  { title: 'name', cell: ({ name }) => name },
];
const SUBSCRIPTION_COLUMNS: Column<Subscription>[] = [
  { title: 'subscription', cell: ({ id }) => id, isId: true },
  { title: 'status', cell: stateOf, tone: ({ status }) => SUBSCRIPTION_TONES[status] },
  { title: 'subscriber', cell: subscriberOf },
  { title: 'charges', cell: ({ chargesPaid }) => String(chargesPaid) },
  { title: 'paid', cell: ({ total_paid, currency }) => `${total_paid} ${currency}` },
  { title: 'next charge', cell: (one) => nextOf(one) ?? '' },
  { title: 'plan', cell: ({ plan_name }) => plan_name },
];
const CHARGE_COLUMNS: Column<Charge>[] = [
  { title: 'charge', cell: ({ number }) => String(number) },
  { title: 'amount', cell: ({ amount, currency }) => `${amount} ${currency}` },
  { title: 'charged', cell: ({ charged_at }) => localTime(charged_at) },
  { title: 'until', cell: ({ period_end }) => localTime(period_end) },
  { title: 'transaction', cell: ({ txHash }) => txHash },
];

export function addPlans(program: Command, shell: Shell): void {
  const plans = program.command('plans').description('List subscription plans');

  plans
    .command('list')
    .description('List plans, newest first')
    .addOption(
      new Option('--status <status>', 'Only plans in this status').choices(['active', 'inactive', 'pending_create']),
    )
    .addOption(chainOption('Only plans on this network'))
    .addOption(limitOption())
    .action(({ status, chain, limit }: PlanFilters, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const query = { limit: Math.min(limit, 100), ...(status ? { status } : {}), ...(chain ? { chain } : {}) };
        const found = await firstOf(ampersat.plans.all(query, { signal: shell.signal }), limit);
        const nothing = status || chain ? 'No plans match these filters.' : 'No plans yet. Create one under /plans.';
        writeResults(shell, found, PLAN_COLUMNS, nothing);
      }),
    );

  plans
    .command('get')
    .description('Show a plan')
    .argument('<plan>', 'Plan ID (plan_…)', idFlag)
    .action((plan: string, _given: object, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const id = await wholePlan(shell, ampersat, plan);
        writeResult(shell, await ampersat.plans.get(id, { signal: shell.signal }), planWords);
      }),
    );
}

export function addSubscriptions(program: Command, shell: Shell): void {
  const subscriptions = program.command('subscriptions').description('List subscriptions and their charges');

  subscriptions
    .command('list')
    .description('List subscriptions to your plans, newest first')
    .addOption(new Option('--plan <plan>', 'Only of this plan').argParser(idFlag))
    .addOption(
      new Option('--status <status>', 'Only subscriptions in this status').choices(['active', 'cancelled', 'halted']),
    )
    .option('--subscriber <who>', 'Only of this handle or address')
    .addOption(limitOption())
    .action(({ plan, status, subscriber, limit }: SubscriptionFilters, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const query: ListSubscriptionsParams = {
          limit: Math.min(limit, 100),
          ...(plan ? { plan: await wholePlan(shell, ampersat, plan) } : {}),
          ...(status ? { status } : {}),
          ...(subscriber ? { subscriber } : {}),
        };
        const found = await firstOf(ampersat.subscriptions.all(query, { signal: shell.signal }), limit);
        const nothing =
          plan || status || subscriber ? 'No subscriptions match these filters.' : 'No subscriptions yet.';
        writeResults(shell, found, SUBSCRIPTION_COLUMNS, nothing);
      }),
    );

  subscriptions
    .command('get')
    .description('Show a subscription')
    .argument('<subscription>', 'Subscription ID (sub_…)', idFlag)
    .action((subscription: string, _given: object, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const id = await wholeSubscription(shell, ampersat, subscription);
        writeResult(shell, await ampersat.subscriptions.get(id, { signal: shell.signal }), subscriptionWords);
      }),
    );

  subscriptions
    .command('charges')
    .description('List the charges of a subscription, newest first')
    .argument('<subscription>', 'Subscription ID (sub_…)', idFlag)
    .addOption(limitOption())
    .action((subscription: string, { limit }: { limit: number }, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const id = await wholeSubscription(shell, ampersat, subscription);
        const query = { limit: Math.min(limit, 100) };
        const found = await firstOf(ampersat.subscriptions.charges(id).all(query, { signal: shell.signal }), limit);
        writeResults(shell, found, CHARGE_COLUMNS, 'No charges yet.');
      }),
    );
}

type PlanFilters = Pick<ListPlansParams, 'chain' | 'status'> & { limit: number };
type SubscriptionFilters = Pick<ListSubscriptionsParams, 'plan' | 'status' | 'subscriber'> & { limit: number };

function wholePlan({ signal }: Shell, { plans }: Ampersat, id: string): Promise<string> {
  return wholeId(id, () => plans.all({}, { signal }));
}

function wholeSubscription({ signal }: Shell, { subscriptions }: Ampersat, id: string): Promise<string> {
  return wholeId(id, () => subscriptions.all({}, { signal }));
}

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

function priceOf({ amount, currency, period }: Pick<Plan, 'amount' | 'currency' | 'period'>): string {
  const [seconds, name] = UNITS.find(([unit]) => period % unit === 0) ?? [1, 'second'];
  const count = period / seconds;
  return `${amount} ${currency} every ${count === 1 ? name : `${count} ${name}s`}`;
}

function subscriberOf({ subscriberHandle: handle, subscriber }: Subscription): string {
  return handle === null ? subscriber : `@${handle}`;
}

function stateOf({ status, failing }: Subscription): string {
  return failing === null ? status : `${status} (${failing.code})`;
}

/** A charge that fails is tried again and again: it has no time. */
function nextOf({ next_charge_at: next, failing }: Subscription): string | null {
  if (next === null) return null;
  return failing === null ? localTime(next) : `unpaid since ${localTime(next)}`;
}

function planWords(plan: Plan, paint: Paint): string {
  return facts(
    [
      ['plan', plan.id],
      ['status', plan.status],
      ['name', plan.name],
      ['description', plan.description || null],
      ['amount', `${priceOf(plan)} on ${plan.chain}`],
      ['fee', `${plan.fee} ${plan.currency}; you get ${plan.you_get}`],
      ['trial', plan.trial_days > 0 ? `${plan.trial_days} days` : null],
      ['metadata', metadataWords(plan.metadata)],
      ['created', localTime(plan.created_at)],
      ['subscribe at', plan.status === 'active' ? plan.url : null],
    ],
    paint,
  );
}

function subscriptionWords(subscription: Subscription, paint: Paint): string {
  const { ended_at: ended } = subscription;
  return facts(
    [
      ['subscription', subscription.id],
      ['status', stateOf(subscription)],
      ['plan', `${subscription.plan_name} (${subscription.plan})`],
      ['subscriber', subscriberOf(subscription)],
      ['amount', `${priceOf(subscription)} on ${subscription.chain}`],
      ['charges', `${subscription.chargesPaid}, ${subscription.total_paid} ${subscription.currency} in all`],
      ['started', localTime(new Date(subscription.startedAt).toISOString())],
      ['next charge', nextOf(subscription)],
      ['ended', ended && localTime(ended)],
    ],
    paint,
  );
}
