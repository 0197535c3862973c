// `ampersat trigger`: cause an event on the local stack by what causes it: orders are created and paid, tabs opened and claimed, plans subscribed to and
// charged, grants paid.
import { Argument, type Command } from 'commander';
import type { Ampersat } from '../../sdk/index.ts';
import { EVENT_TYPES, type EventType } from '../domain/events.ts';
import { withApi } from './api.ts';
import { type LocalSide, onlyLocal } from './connection.ts';
import { UsageError } from './failure.ts';
import { localPersonOf } from './localPeople.ts';
import { type Trigger, type TriggerContext, timedTeller, waitFor } from './scene.ts';
import { readFields } from './setFields.ts';
import { jsonLine, type Shell, writeLine, writeResult } from './shell.ts';
import { CAMPAIGN_CAUSES } from './triggerCampaigns.ts';
import { ESCROW_CAUSES } from './triggerEscrows.ts';
import { ORDER_CAUSES } from './triggerOrders.ts';
import { PLAN_CAUSES } from './triggerPlans.ts';

type Options = { set: string[]; payer?: string; list?: true };

const CAUSES: Record<EventType, Trigger> = { ...ORDER_CAUSES, ...ESCROW_CAUSES, ...PLAN_CAUSES, ...CAMPAIGN_CAUSES };

const MORE = `
Fields of an order: amount, currency, chain, description, expires_in, recipient, metadata.<key>.
Fields of a tab: handleSlug, amount, chain, dueInHours, note.
Fields of a plan: name, amount, chain, period (seconds), description, trial_days.
Fields of a grant: recipient, amount, note; of its campaign: name, chain, budget, most_per_grant, expires_at.
Events of subscriptions may move the clock of the local stack.

Examples:
  ampersat trigger order.completed
  ampersat trigger order.completed --set amount=5 --set metadata.cart=7 --set currency=USDC --set chain=base
  ampersat trigger escrow.claimed --set handleSlug=bob --set note="For the pizza"
  ampersat trigger --list`;

export function addTrigger(program: Command, shell: Shell): void {
  program
    .command('trigger')
    .description('Trigger an event on the local stack, with test money')
    .addArgument(new Argument('[event]', 'Event type').choices(EVENT_TYPES))
    .option('--set <path=value>', 'Set a field of the order, tab, plan or grant; repeat for more', collect, [])
    .option('--payer <name>', 'Account that pays, subscribes or receives the tab (default: alice, or bob for alice)')
    .option('--list', 'List the events and what each one does')
    .addHelpText('after', MORE)
    .action(async (event: EventType | undefined, { list, ...options }: Options, command: Command) => {
      if (list) return listCauses(shell);
      const wanted = causeOf(shell, event);
      await withApi(shell, command, ({ ampersat, connection }) =>
        trigger(shell, wanted, { ...options, api: ampersat, local: onlyLocal('trigger', connection.local) }),
      );
    });
}

const collect = (one: string, all: string[]) => [...all, one];

function listCauses(shell: Shell): void {
  for (const type of EVENT_TYPES) {
    const { about } = CAUSES[type];
    writeLine(shell, shell.isJson ? jsonLine({ type, about }) : `${type.padEnd(27)}${about}`);
  }
}

/** @throws UsageError without an event */
function causeOf({ env }: Shell, event: EventType | undefined): { type: EventType; cause: Trigger } {
  if (event === undefined) throw new UsageError(`No event type. List them: ${env.command} trigger --list`);
  return { type: event, cause: CAUSES[event] };
}

async function trigger(
  shell: Shell,
  { type, cause }: { type: EventType; cause: Trigger },
  { api, local, set, ...options }: Omit<Options, 'list'> & { api: Ampersat; local: LocalSide },
): Promise<void> {
  const { account, file } = local;
  const { payer = account === 'alice' ? 'bob' : 'alice' } = options;
  const fields = readFields(set);
  const scene: TriggerContext = {
    people: file,
    account: localPersonOf(file, account),
    other: localPersonOf(file, payer),
    api,
    fields,
    tell: timedTeller(shell),
    signal: shell.signal,
  };
  const resource = await cause.run(scene);
  const event = await waitFor(scene, `The event ${type} of ${resource}`, async () => {
    const { data } = await api.events.list({ type, resource, limit: 1 });
    return data[0] ?? null;
  });
  writeResult(shell, event, ({ id }, paint) => `${paint('green', type)} ${id}`);
}
