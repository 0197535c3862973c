// kill -9 of the real processes around a question about a doubt: what was agreed to is paid once, nothing else is, and the question ends in its last word.
import { parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TELEGRAM_BOT } from '../../local/stack/people.ts';
import { lockTable, processOf, type Runner, until } from '../setup/processes.ts';
import { type Shown, startWorld, type World } from '../setup/world.ts';

const WITHIN_MS = 60_000;
const PAID = /^✅ @alice tipped @bob 2\.00 USDC/;

let world: World;
let bots: Runner;
let workers: Runner;
let bobHad: bigint;
beforeAll(async () => {
  world = await startWorld({ anvil: { blockTimeSeconds: 1 } });
  [bots, workers] = [processOf(world, 'bots'), processOf(world, 'workers')];
  await Promise.all([bots.start(), workers.start()]);
});
afterAll(async () => {
  await Promise.all([bots.stop(), workers.stop()]);
  await world.stop();
});
beforeEach(async () => {
  bobHad = await world.usdc('bob');
});

const isQuiet = async () => (await world.ctx.db.reply.count({ where: { open: true } })) === 0;
const isAsked = async () => (await world.ctx.db.intent.count({ where: { status: 'awaiting_confirmation' } })) === 1;
const shown = async (id: number) => (await world.shown()).find((message) => message.message_id === id)?.text ?? '';
const payments = () => world.ctx.db.tip.count({ where: { status: { in: ['mined', 'settled'] } } });

async function restart(): Promise<void> {
  await Promise.all([bots.kill(), workers.kill()]);
  await Promise.all([bots.start(), workers.start()]);
}

async function ask(): Promise<Shown> {
  await world.type('alice', '/tip @bob 2 kr');
  await until(async () => (await isAsked()) && (await isQuiet()), 'the question', WITHIN_MS);
  const question = (await world.botSaid()).at(-1);
  if (!question) throw new Error('nothing was asked');
  expect(question.text).toContain('2.00 USDC to @bob');
  return question;
}

async function press(question: Shown, label: 'Send' | 'Cancel'): Promise<void> {
  const [send, cancel] = question.reply_markup?.inline_keyboard.flat() ?? [];
  await world.press('alice', question, (label === 'Send' ? send : cancel)?.callback_data ?? '');
}

/** The question reads so in the end, nothing else was said for it, and bob has so much more. */
async function endsIn(question: Shown, words: RegExp, amount: string): Promise<void> {
  const isLast = async () => {
    const text = await shown(question.message_id);
    return text !== question.text && words.test(text) && !text.includes('confirming') && (await isQuiet());
  };
  await until(isLast, `the last word ${words}`, WITHIN_MS);
  expect((await world.usdc('bob')) - bobHad).toBe(parseUnits(amount, 6));
  const after = (await world.shown()).filter((one) => one.message_id > question.message_id);
  expect(after.filter((one) => one.from.id === TELEGRAM_BOT.id)).toEqual([]);
}

/** The server would carry out what a dead process had asked for. */
async function forget(table: 'button' | 'executor_key'): Promise<void> {
  await world.ctx.db.$queryRaw`
    select pg_terminate_backend(pid) from pg_locks where relation = cast(${table} as regclass) and not granted`;
}

test('between the question and the press', async () => {
  const question = await ask();
  await restart();
  expect(await world.usdc('bob')).toBe(bobHad);
  await press(question, 'Send');
  await press(question, 'Send');
  await endsIn(question, PAID, '2');
});

test.each([
  ['Send', PAID, '2'],
  ['Cancel', /^Cancelled/, '0'],
] as const)('between the press %s in the inbox and what it does', async (label, words, amount) => {
  const question = await ask();
  const lock = await lockTable(world.databaseUrl, 'button');
  await press(question, label);
  await until(async () => (await world.ctx.db.inbox.count({ where: { status: 'received' } })) === 1, 'the press');
  await lock.reached();
  await bots.kill();
  await forget('button');
  await lock.release();
  expect(await isAsked()).toBe(true);
  await bots.start();
  await endsIn(question, words, amount);
});

test('between the press and the transaction, and between the payment and the receipt', {
  timeout: 180_000,
}, async () => {
  const question = await ask();
  const before = await payments();
  // The bots give up on a call after ten seconds, and ask again.
  await world.user('faults', { method: 'editMessageText', status: 200, delay_ms: 90_000, times: 20 });
  const lock = await lockTable(world.databaseUrl, 'executor_key');
  await press(question, 'Send');
  await until(
    async () => (await world.ctx.db.tip.count({ where: { status: 'ready', leaseUntil: { not: null } } })) === 1,
    'the leg is being settled',
  );
  await lock.reached();
  await workers.kill();
  await forget('executor_key');
  await lock.release();
  expect(await world.usdc('bob')).toBe(bobHad);
  await workers.start();
  await until(async () => (await payments()) === before + 1, 'a recorded payment', WITHIN_MS);
  await bots.kill();
  expect(await shown(question.message_id)).toBe(question.text);
  await world.endFaults();
  await bots.start();
  await endsIn(question, PAID, '2');
});

test('while nobody presses: it runs out, and a press after that comes too late', async () => {
  const question = await ask();
  await Promise.all([bots.kill(), workers.kill()]);
  const past = new Date(world.ctx.clock.now() - 1_000);
  await world.ctx.db.intent.updateMany({ where: { status: 'awaiting_confirmation' }, data: { nextAttemptAt: past } });
  await world.ctx.db.button.updateMany({ where: { usedAt: null }, data: { expiresAt: past } });
  await press(question, 'Send');
  await Promise.all([bots.start(), workers.start()]);
  await endsIn(question, /in time/, '0');
});
