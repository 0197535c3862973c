// `npm run demo`: the tour, told as a story, against a stack of its own (or a running one). Every line is checked; one that does not hold ends it with 1.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createPublicClient, erc20Abi, formatUnits, http, parseUnits } from 'viem';
import {
  answerTo,
  pressButton,
  readChat,
  type ShownMessage,
  type TelegramUser,
  typeMessage,
  waitForAnswer,
} from './chatUser.ts';
import { check, tourTabs } from './demoTabs.ts';
import type { LocalFile } from './localFile.ts';
import { type Stack, startStack } from './stack.ts';

const HELP = `npm run demo -- [options]
  --data-dir DIR   use the stack that runs there instead of one of its own
  --json           one JSON line a step
`;

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const started = performance.now();
let number = 0;
function tell(story: string, facts: Record<string, unknown> = {}): void {
  number += 1;
  if (values.json) process.stdout.write(`${JSON.stringify({ step: number, story, ...facts })}\n`);
  else {
    process.stdout.write(`${String(number).padStart(2)}. ${story}\n`);
    for (const [name, value] of Object.entries(facts)) process.stdout.write(`      ${name}: ${String(value)}\n`);
  }
}

async function tour(local: LocalFile, stack: Stack | null): Promise<void> {
  const base = local.chains['base'];
  check(base !== undefined, 'the chain base runs');
  const client = createPublicClient({ transport: http(base.rpc_url), cacheTime: 0 });
  const group = local.platforms.telegram.group_chat_id;
  const account = (name: string) => {
    const found = local.accounts[name];
    check(found !== undefined, `${name} is there`);
    return found;
  };
  const on = (name: string): TelegramUser => account(name).telegram;
  const usdc = (owner: string) =>
    client.readContract({
      address: base.usdc as `0x${string}`,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [owner as `0x${string}`],
    });
  const purses = async () => {
    const [alice, bob, treasury] = await Promise.all([
      usdc(account('alice').evm_address),
      usdc(account('bob').evm_address),
      usdc(local.treasury),
    ]);
    return { alice, bob, treasury };
  };
  const moved = async (before: Awaited<ReturnType<typeof purses>>, tips: string, fees: string) => {
    const after = await purses();
    const [tip, fee] = [parseUnits(tips, 6), parseUnits(fees, 6)];
    check(after.bob - before.bob === tip, `Bob has exactly ${tips} USDC more`);
    check(after.treasury - before.treasury === fee, `the treasury has exactly ${fees} USDC more`);
    check(before.alice - after.alice === tip + fee, `Alice has exactly ${formatUnits(tip + fee, 6)} USDC less`);
  };
  const final = (messageId: number) => (message: ShownMessage) =>
    answerTo(messageId)(message) && message.text.startsWith('✅') && !message.text.includes('confirming');
  const transactionOf = (message: ShownMessage) => /View (0x\S+)/.exec(message.text)?.[1] ?? 'none';
  const say = (name: string, text: string, replyTo?: number) => typeMessage(local, on(name), group, text, replyTo);

  await say('alice', 'hello everybody');
  const hello = await say('bob', 'hi Alice');
  await say('carol', 'hello');
  tell(
    'Alice, Bob and Carol meet in a Telegram group. Each has an Ampersat handle; Carol has not connected Telegram.',
    { group },
  );

  let before = await purses();
  const first = await say('alice', '/tip @bob 5 usdc');
  const sentAt = Date.now();
  await waitForAnswer(local, group, (message) => answerTo(first.message_id)(message) && message.text.startsWith('✅'));
  const tookMs = Date.now() - sentAt;
  const receipt = await waitForAnswer(local, group, final(first.message_id));
  await moved(before, '5', '0.1');
  tell('Alice types “/tip @bob 5 usdc”. Bob’s wallet has 5 USDC more, the fee of 0.10 is in the treasury.', {
    receipt: receipt.text,
    transaction: transactionOf(receipt),
    'receipt after': `${tookMs} ms`,
  });

  before = await purses();
  const second = await say('alice', '/tip 2 for the joke', hello.message_id);
  const answered = await waitForAnswer(local, group, final(second.message_id));
  await moved(before, '2', '0.05');
  tell('She answers Bob’s message with “/tip 2 for the joke”: no name needed.', {
    receipt: answered.text,
    transaction: transactionOf(answered),
  });

  before = await purses();
  const large = await say('alice', '/tip @bob 60');
  const question = await waitForAnswer(
    local,
    group,
    (message) => answerTo(large.message_id)(message) && message.text.includes('shall I send this?'),
  );
  await moved(before, '0', '0');
  tell('60 USDC is more than 50, so the bot asks first. Nothing has moved.', {
    question: question.text.replaceAll('\n', ' / '),
  });
  const send = question.reply_markup?.inline_keyboard.flat().find((button) => button.text === 'Send');
  check(send?.callback_data !== undefined, 'the question has a button to send');
  await pressButton(local, on('carol'), group, question.message_id, send.callback_data);
  await pressButton(local, on('alice'), group, question.message_id, send.callback_data);
  const confirmed = await waitForAnswer(local, group, final(large.message_id));
  await moved(before, '60', '0.1');
  tell('Carol presses the button, which does nothing; Alice presses it, and it is paid once.', {
    receipt: confirmed.text,
    transaction: transactionOf(confirmed),
  });

  before = await purses();
  const nobody = await say('alice', '/tip @carol 5');
  const refusal = await waitForAnswer(
    local,
    group,
    (message) => answerTo(nobody.message_id)(message) && message.text.includes('has not connected Ampersat here'),
  );
  await moved(before, '0', '0');
  tell('A tip to Carol, who has not connected, takes nothing and says so.', { answer: refusal.text });

  if (stack) {
    before = await purses();
    const risky = await say('alice', '/tip @bob 1');
    stack.children.workers.kill('SIGKILL');
    const survived = await waitForAnswer(local, group, final(risky.message_id), 60_000);
    await moved(before, '1', '0.05');
    tell('The workers are killed with -9 in the middle of a tip. They come back, and it is paid exactly once.', {
      receipt: survived.text,
      transaction: transactionOf(survived),
    });
  }

  const sixth = await say('bob', '/balance');
  const opened = await typeMessage(local, on('bob'), on('bob').id, '/balance');
  const inPrivate = await waitForAnswer(local, on('bob').id, answerTo(opened.message_id));
  check(/Base: [\d.]+ USDC/.test(inPrivate.text), 'the direct chat tells his balance');
  const known = (await readChat(local, group)).some((message) => answerTo(sixth.message_id)(message));
  check(!known, 'a balance is never told in a group');
  tell(
    'Bob asks for his balance in the group and in the direct chat. It is told in the direct chat, never in the group.',
    {
      answer: inPrivate.text.replaceAll('\n', ' / '),
    },
  );
}

let stack: Stack | null = null;
let folder: string | null = null;
let code = 0;
try {
  let local: LocalFile;
  if (values['data-dir']) local = JSON.parse(readFileSync(join(values['data-dir'], 'local.json'), 'utf8')) as LocalFile;
  else {
    folder = mkdtempSync(join(tmpdir(), 'ampersat-demo-'));
    chmodSync(folder, 0o711);
    if (!values.json) process.stdout.write('Starting a stack for the tour…\n\n');
    stack = await startStack({ dataDir: folder, port: 0, chains: ['base'], fresh: false });
    local = stack.local;
  }
  await tour(local, stack);
  const chainsFile = join(values['data-dir'] ?? folder ?? '', 'chains.json');
  await tourTabs({ local, chainsFile, ownStack: stack !== null, tell });
  if (!values.json)
    process.stdout.write(
      `\nEvery line above was checked on-chain. ${((performance.now() - started) / 1_000).toFixed(1)} s in all.\n`,
    );
} catch (error) {
  code = 1;
  process.stderr.write(`The tour stopped: ${(error as Error).message}\n`);
} finally {
  await stack?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
}
process.exit(code);
