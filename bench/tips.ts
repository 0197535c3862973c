// The main job end to end: from a typed message to the receipt in the chat, one by one and all at once, against a bare client on the same chain.
import { createPublicClient, createWalletClient, erc20Abi, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { readChat, typeMessage } from '../local/chatUser.ts';
import { type Person, person } from '../local/people.ts';
import { seedMore } from '../local/seed.ts';
import type { Stack } from '../local/stack.ts';
import type { Row } from './main.ts';

const SENDERS = 40;
const ONE_BY_ONE = 40;
const AT_ONCE = 3;
const BARE = 60;

const round = (value: number, digits = 2) => Math.round(value * 10 ** digits) / 10 ** digits;
function quantile(sorted: number[], part: number): number {
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0, 0);
}

export async function measureTips(stack: Stack): Promise<Row[]> {
  const { local } = stack;
  const chat = local.platforms.telegram.group_chat_id;
  const senders = Array.from({ length: SENDERS }, (_, index) =>
    person(`bench${index}x`, 1_000 + index, { handle: `bench${index}x`, kind: 'personal', connected: true }),
  );
  await seedMore(
    stack.processEnv,
    stack.chains.filter((chain) => chain.name === 'base'),
    senders,
  );

  const bare = await bareTransfers(stack, senders[0] as Person);
  const latencies: number[] = [];
  for (let index = 0; index < ONE_BY_ONE; index++) {
    const from = senders[index % SENDERS] as Person;
    const started = performance.now();
    const { message_id } = await typeMessage(local, from.telegram, chat, '/tip @bob 1');
    await shown(stack, chat, new Set([message_id]), '✅');
    latencies.push(performance.now() - started);
  }
  latencies.sort((a, b) => a - b);

  const started = performance.now();
  const ids = await Promise.all(
    senders.flatMap((from) =>
      Array.from({ length: AT_ONCE }, () => typeMessage(local, from.telegram, chat, '/tip @bob 1')),
    ),
  );
  await shown(stack, chat, new Set(ids.map((one) => one.message_id)), '✅', 120_000);
  const perSecond = (SENDERS * AT_ONCE) / ((performance.now() - started) / 1_000);

  const p50 = quantile(latencies, 0.5);
  return [
    {
      name: 'typed message to receipt in the chat, p50',
      value: p50,
      unit: 'ms',
      baseline: bare.p50,
      ratio: round(p50 / bare.p50),
      note: 'goal below 3,000; baseline: a bare transfer, signed to mined',
    },
    { name: 'typed message to receipt in the chat, p99', value: quantile(latencies, 0.99), unit: 'ms' },
    {
      name: `tips a second, ${SENDERS * AT_ONCE} typed at once, each with its receipt`,
      value: round(perSecond),
      unit: 'tips/s',
      baseline: bare.perSecond,
      ratio: round(perSecond / bare.perSecond),
      note: 'baseline: a bare viem loop, one transfer after the other',
    },
  ];
}

/** Waits until each message has an answer of the bot that begins as it should. */
async function shown(
  stack: Stack,
  chat: number,
  messageIds: Set<number>,
  begin: string,
  withinMs = 30_000,
): Promise<void> {
  const end = performance.now() + withinMs;
  for (;;) {
    const messages = await readChat(stack.local, chat);
    const answered = messages.filter(
      (message) => messageIds.has(message.reply_to_message?.message_id ?? -1) && message.text.startsWith(begin),
    );
    if (answered.length >= messageIds.size) return;
    if (performance.now() > end)
      throw new Error(
        `${answered.length} of ${messageIds.size} receipts in ${withinMs / 1_000} s; last words: ${messages.at(-1)?.text}`,
      );
    await new Promise((resolve) => setTimeout(resolve, messageIds.size > 1 ? 400 : 10));
  }
}

/** What the chain itself costs: the same transfers by a bare client, without a chat, a database, limits or receipts. */
async function bareTransfers(stack: Stack, from: Person): Promise<{ p50: number; perSecond: number }> {
  const base = stack.local.chains['base'];
  if (!base) throw new Error('the chain base runs');
  const transport = http(base.rpc_url);
  const reader = createPublicClient({ transport, pollingInterval: 10 });
  const account = privateKeyToAccount(from.key);
  const wallet = createWalletClient({ account, transport });
  const times: number[] = [];
  const started = performance.now();
  for (let index = 0; index < BARE; index++) {
    const sent = performance.now();
    const hash = await wallet.writeContract({
      address: base.usdc as `0x${string}`,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [stack.local.treasury as `0x${string}`, 1n],
      chain: null,
    });
    await reader.waitForTransactionReceipt({ hash });
    times.push(performance.now() - sent);
  }
  times.sort((a, b) => a - b);
  return { p50: quantile(times, 0.5), perSecond: round(BARE / ((performance.now() - started) / 1_000)) };
}
