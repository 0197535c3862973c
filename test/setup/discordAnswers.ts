// Random commands of Discord's menu, random failures of its calls, and whether each command that was deferred has its answer.
import { PEOPLE } from '../../local/stack/people.ts';
import { OWN_CHAT } from './discord.ts';
import type { World } from './world.ts';

export type Random = { below(count: number): number; one<T>(list: readonly T[]): T };

/** Numbers that look random and are the same for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  const below = (count: number) => Math.floor(next() * count);
  return { below, one: (list) => list[below(list.length)] as (typeof list)[number] };
}

const AMOUNTS = ['1', '0.5', '2 usdc', '0', 'five', '1,000', '200', '5 btc', '-3'] as const;
const NAMES = PEOPLE.map(({ name }) => name);
const idOf = (name: string) => PEOPLE.find((one) => one.name === name)?.discord.id ?? '';

type Options = Record<string, string | number | boolean>;

function command(random: Random): [string, Options] {
  const [to, amount] = [idOf(random.one(NAMES)), random.one(AMOUNTS)];
  return random.one<[string, Options]>([
    ['tip', { to, amount }],
    ['tip', { to, amount, user2: idOf(random.one(NAMES)), note: 'lunch' }],
    ['send', { to: random.one([`<@${to}>`, 'ghost@ampersat', 'alice@ampersat', 'nobody', '0x12']), amount }],
    ['split', { total: amount, recipients: random.one([`<@${to}>`, `<@${to}> <@${idOf('shop')}>`, 'nobody at all']) }],
    ['order', { amount, for: 'coffee' }],
    ['react', { emoji: '👍', amount }],
    ...['help', 'balance', 'history', 'limits', 'connect', 'pause', 'disconnect'].map((name): [string, Options] => [
      name,
      {},
    ]),
  ]);
}

/** A random user runs a random command. @returns the interaction's id */
export async function giveRandomCommand(world: World, random: Random): Promise<string> {
  const [name, options] = command(random);
  // One in ten comes by the menu of a direct chat with the bot.
  const more = random.below(10) === 0 ? { channel: OWN_CHAT } : {};
  return (await world.discord.interact(random.one(NAMES), name, options, more)).interaction_id;
}

const OPERATIONS = [
  'create_interaction_response',
  'update_original_webhook_message',
  'update_webhook_message',
  'delete_original_webhook_message',
  'execute_webhook',
  'create_message',
] as const;
/** Down, cut before and after it took effect, too many calls, a message that is refused, and a token that is over. */
const FAULTS = [
  { status: 500 },
  { status: 0 },
  { status: 0, accept: true },
  { status: 429, retry_after: 0.2 },
  { status: 400, code: 50_035 },
  { status: 404, code: 10_015 },
] as const;

/** What the platform never says there: a first sign of life has no words to refuse, and a message in a channel needs no token. */
const FAULTS_OF: Partial<Record<(typeof OPERATIONS)[number], number>> = {
  create_interaction_response: 4,
  create_message: 5,
};

/** The next calls of some operation fail, two at most: who is refused by everything that Discord has cannot be answered. */
export async function orderRandomFault(world: World, random: Random): Promise<void> {
  await world.discord.user('faults', undefined, 'DELETE');
  const method = random.one(OPERATIONS);
  const fault = random.one(FAULTS.slice(0, FAULTS_OF[method]));
  await world.discord.fail({ method, times: 1 + random.below(2), ...fault });
}

/**
 * The outcome of interactions: how many Discord had deferred, the ids of those without an answer, and of those with more than one first answer.
 * One that is answered after its token is over has an ordinary message, of which the outbox knows.
 */
export async function answersOf(world: World, ids: string[]) {
  const standIns = new Set(
    (await world.ctx.db.reply.findMany({ where: { platformMessageId: { contains: '/' } } })).map(({ chatId }) =>
      chatId.replace(/^\w+:/, ''),
    ),
  );
  const rooms = [world.discord.channel, ...NAMES.map(() => OWN_CHAT)];
  const shown = (
    await Promise.all(rooms.map((room, index) => world.discord.messages(room, index ? NAMES[index - 1] : undefined)))
  ).flat();
  const texts = new Map<string, string[]>();
  for (const { interaction_metadata: about, content } of shown) {
    if (!about || content === '') continue;
    texts.set(about.id, [...(texts.get(about.id) ?? []), content]);
  }
  const states = await Promise.all(
    ids.map((id) => world.discord.user<{ answer: string | null }>(`interactions?id=${id}`)),
  );
  const deferred = ids.filter((_, index) => ['deferred', 'message'].includes(states[index]?.answer ?? ''));
  return {
    deferred: deferred.length,
    unanswered: deferred.filter((id) => !texts.has(id) && !standIns.has(id)),
    repeated: deferred.filter((id) => {
      const said = texts.get(id) ?? [];
      return new Set(said).size < said.length;
    }),
  };
}
