// The main job end to end: from a typed message to the receipt in the chat, one by one and all at once, against a bare client on the same chain.
import { createPublicClient, createWalletClient, erc20Abi, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { typeMessage } from '../local/platforms/chatUser.ts';
import { crowd, typeAll, watchChat } from '../local/platforms/loadGenerator.ts';
import type { Person } from '../local/stack/people.ts';
import { seedMore } from '../local/stack/seed.ts';
import type { Stack } from '../local/stack/stack.ts';
import { type CpuTimes, cpuSince, cpuTimes } from './cpu.ts';
import type { Row } from './main.ts';

/** Five tips an hour are what one person may type. */
export const TIPS_EACH = 5;
const ONE_BY_ONE = 50;
const SENDERS = 200;
const BARE = 100;

export const round = (value: number, digits = 2) => Math.round(value * 10 ** digits) / 10 ** digits;
export function quantile(sorted: number[], part: number): number {
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0, 0);
}

/** @param backend what the queues run on: part of the rows' names */
export async function measureTips(stack: Stack, backend: string): Promise<Row[]> {
  const patient = crowd('slow', 1_000, ONE_BY_ONE / TIPS_EACH);
  const eager = crowd('fast', 2_000, SENDERS);
  await seedMore(
    stack.processEnv,
    stack.chains.filter((chain) => chain.name === 'base'),
    [...patient, ...eager],
  );
  const bare = await bareTransfers(stack, patient[0] as Person);
  return measureLoad(stack, { backend, bare, patient, eager, text: '/tip @bob 1', bareName: 'a bare viem loop' });
}

export type Load = {
  /** Part of the rows' names. */
  backend: string;
  /** A bare client's transfers on the same chain, one after the other. */
  bare: { p50: number; perSecond: number };
  bareName: string;
  /** Type one by one. */
  patient: Person[];
  /** Type all at once. */
  eager: Person[];
  text: string;
};

/** Types a tip again and again: one by one, for its latency, then everybody at once, for its rate. */
export async function measureLoad(stack: Stack, load: Load): Promise<Row[]> {
  const { local } = stack;
  const { backend, bare, patient, eager, text } = load;
  const chatId = local.platforms.telegram.group_chat_id;
  const chat = await watchChat(local, chatId);

  const latencies: number[] = [];
  for (let index = 0; index < patient.length * TIPS_EACH; index++) {
    const from = patient[index % patient.length] as Person;
    const started = performance.now();
    const { message_id } = await typeMessage(local, from.telegram, chatId, text);
    await chat.receipts([message_id], 30_000);
    latencies.push(performance.now() - started);
  }
  latencies.sort((a, b) => a - b);

  const before = cpuTimes(stack);
  const started = performance.now();
  const typed = await typeAll(local, eager, chatId, text, TIPS_EACH);
  const ids = typed.map((one) => one.messageId);
  await chat.receipts(ids, 300_000);
  const perSecond = ids.length / ((performance.now() - started) / 1_000);
  const cost = cpuSince(before, stack);
  await chat.finalReceipts(ids, 120_000);
  const waits = typed.map(({ messageId, typedAt }) => (chat.answers.get(messageId)?.receiptAt ?? 0) - typedAt);
  waits.sort((a, b) => a - b);
  chat.close();

  const p50 = quantile(latencies, 0.5);
  return [
    {
      name: `typed message to receipt in the chat, p50 (${backend})`,
      value: p50,
      unit: 'ms',
      baseline: bare.p50,
      ratio: round(p50 / bare.p50),
      note: 'baseline: a bare transfer, signed to mined',
    },
    { name: `typed message to receipt in the chat, p99 (${backend})`, value: quantile(latencies, 0.99), unit: 'ms' },
    {
      name: `tips a second, ${ids.length} of ${eager.length} senders at once (${backend})`,
      value: round(perSecond),
      unit: 'tips/s',
      baseline: bare.perSecond,
      ratio: round(perSecond / bare.perSecond),
      note: `goal: ratio ${backend === 'PostgreSQL' ? '0.5' : '1.0'}; baseline: ${load.bareName}, one transfer after the other`,
    },
    {
      name: `typed message to receipt among those, p50 (${backend})`,
      value: quantile(waits, 0.5),
      unit: 'ms',
      note: `p99 ${quantile(waits, 0.99)} ms`,
    },
    {
      name: `processor time a tip (${backend})`,
      value: round(sum(cost) / ids.length),
      unit: 'ms',
      note: Object.entries(cost)
        .map(([name, ms]) => `${name} ${round(ms / ids.length)}`)
        .join(', '),
    },
  ];
}

function sum(times: CpuTimes): number {
  return Object.values(times).reduce((total, ms) => total + ms, 0);
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
