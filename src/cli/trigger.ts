// `ampersat trigger`: causes an event on the local stack by doing for real what causes it: orders are made and paid, tabs opened and claimed.
import { Argument, type Command } from 'commander';
import type { Ampersat, AmpersatEvent } from '../../sdk/index.ts';
import { StartError } from '../domain/errors.ts';
import { EVENT_TYPES } from '../domain/events.ts';
import { withApi } from './api.ts';
import type { LocalSide } from './connection.ts';
import { UsageError } from './failure.ts';
import { personOf } from './localPeople.ts';
import { type Cause, type Scene, waitFor } from './scene.ts';
import { readFields } from './setFields.ts';
import { plain, type Shell, writeLine, writeNote, writeResult } from './shell.ts';
import { ESCROW_CAUSES } from './triggerEscrows.ts';
import { ORDER_CAUSES } from './triggerOrders.ts';

type Options = { set: string[]; payer?: string; list?: true };

const CAUSES: { [type: string]: Cause } = { ...ORDER_CAUSES, ...ESCROW_CAUSES };

const MORE = `
Fields of the order: amount, currency, chain, description, expires_in, recipient, metadata.<key>. Fields of the tab: handleSlug, amount, chain,
dueInHours, note. The service says what it takes.

Examples:
  ampersat trigger order.completed
  ampersat trigger order.completed --set amount=5 --set metadata.cart=7 --set currency=USDC --set chain=base
  ampersat trigger escrow.claimed --set handleSlug=bob --set note="For the pizza"
  ampersat trigger --list`;

export function addTrigger(program: Command, shell: Shell): void {
  program
    .command('trigger')
    .description('causes an event on the local stack, by doing what causes it, with play money')
    .addArgument(new Argument('[event]', 'what is to happen').choices(EVENT_TYPES))
    .option('--set <path=value>', 'a field of the order or the tab that is made; more than once', collect, [])
    .option('--payer <name>', 'who pays, and for whom tabs are opened (default: alice, or bob for alice)')
    .option('--list', 'the events that there are, and what is done for each')
    .addHelpText('after', MORE)
    .action(async (event: string | undefined, { list, ...options }: Options, command: Command) => {
      if (list) return listCauses(shell);
      const wanted = causeOf(event);
      await withApi(shell, command, ({ ampersat, connection }) =>
        trigger(shell, wanted, { ...options, api: ampersat, local: localSide(connection.local) }),
      );
    });
}

const collect = (one: string, all: string[]) => [...all, one];

function listCauses(shell: Shell): void {
  for (const type of EVENT_TYPES) {
    const about = CAUSES[type]?.about ?? null;
    if (shell.isJson) writeLine(shell, JSON.stringify({ type, about }));
    else writeLine(shell, `${type.padEnd(28)}${about ?? 'cannot be triggered yet'}`);
  }
}

/** @throws UsageError without an event; StartError for one that nothing causes yet */
function causeOf(event: string | undefined): { type: string; cause: Cause } {
  if (event === undefined) throw new UsageError('Which event? ampersat trigger --list has all of them.');
  const cause = CAUSES[event];
  if (cause) return { type: event, cause };
  const [group = ''] = event.split('.');
  throw new StartError(`There are no ${group}s yet, so nothing can cause ${event}.`);
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Nobody's real money is moved by a word on a command line. @throws StartError for anything but the stack of this machine */
function localSide(local: LocalSide | null): LocalSide {
  if (local && LOOPBACK.includes(new URL(local.file.base_url).hostname)) return local;
  throw new StartError(
    'This makes and pays things in people’s names, so it does that with the play money of the local stack only. Start one (npm start), and name it: --account shop.',
  );
}

async function trigger(
  shell: Shell,
  { type, cause }: { type: string; cause: Cause },
  { api, local, set, ...options }: Omit<Options, 'list'> & { api: Ampersat; local: LocalSide },
): Promise<void> {
  const { account, file } = local;
  const { payer = account === 'alice' ? 'bob' : 'alice' } = options;
  const fields = readFields(set);
  const began = performance.now();
  const scene: Scene = {
    people: file,
    account: personOf(file, account),
    other: personOf(file, payer),
    api,
    fields,
    tell(step) {
      writeNote(shell, `${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${plain(step)}`);
    },
    signal: shell.signal,
  };
  const resource = await cause.run(scene);
  const event = await waitFor(scene, `The event ${type} of ${resource}`, async () => {
    const { data } = await api.events.list({ type: type as AmpersatEvent['type'], resource, limit: 1 });
    return data[0] ?? null;
  });
  writeResult(shell, event, ({ id }, paint) => `${paint('green', type)} ${id}`);
}
