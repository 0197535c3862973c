// Tips a second on each platform, in the same stack one after the other: everybody of a crowd types one tip at the same time, on Telegram and Discord as
// messages, on X as mentions in one window of the poll. The clock runs from the first key to the last cent in the recipient's wallet.
import { type Address, createPublicClient, erc20Abi, http, parseUnits } from 'viem';
import { crowd } from '../local/platforms/loadGenerator.ts';
import { PEOPLE, type Person } from '../local/stack/people.ts';
import { seedMore } from '../local/stack/seed.ts';
import type { Stack } from '../local/stack/stack.ts';
import type { Chat } from '../local/tour/chat.ts';
import { discordChat } from '../local/tour/discordChat.ts';
import { telegramChat } from '../local/tour/telegramChat.ts';
import { until } from '../local/tour/tour.ts';
import { xChat } from '../local/tour/xChat.ts';
import type { Row } from './main.ts';

/** One page of mentions on X. */
const SENDERS = 100;
const TYPING_AT_ONCE = 50;

/** @param backend what the queues run on: part of the rows' names */
export async function measurePlatforms(stack: Stack, backend: string): Promise<Row[]> {
  const people = crowd('plat', 6_000, SENDERS);
  await seedMore(
    stack.processEnv,
    stack.chains.filter((chain) => chain.name === 'base'),
    people,
  );
  const { local } = stack;
  const perSecond: { name: string; value: number }[] = [];
  for (const chat of [telegramChat(local), discordChat(local), xChat(local)])
    perSecond.push({ name: chat.name, value: await tipsPerSecond(stack, chat, people) });
  const baseline = perSecond[0]?.value ?? 0;
  return perSecond.map(({ name, value }) => ({
    name: `tips a second on ${name}, ${SENDERS} senders at once (${backend})`,
    value,
    unit: 'tips/s',
    baseline,
    ratio: Math.round((value / baseline) * 100) / 100,
    note: 'typed to paid; baseline: Telegram in this run',
  }));
}

async function tipsPerSecond({ local }: Stack, chat: Chat, people: Person[]): Promise<number> {
  const { base } = local.chains;
  const bob = PEOPLE.find(({ name }) => name === 'bob');
  if (!base || !bob) throw new Error('the chain base runs, and bob is there');
  await chat.write(bob, 'hello everybody');
  const client = createPublicClient({ transport: http(base.rpc_url), cacheTime: 0 });
  const has = () =>
    client.readContract({
      address: base.usdc as Address,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [bob.address],
    });
  const all = (await has()) + parseUnits(String(people.length), 6);
  const left = [...people];
  const started = performance.now();
  await Promise.all(
    Array.from({ length: TYPING_AT_ONCE }, async () => {
      for (let one = left.pop(); one; one = left.pop()) await chat.write(one, chat.command(`tip ${chat.at(bob)} 1`));
    }),
  );
  await until(`all tips on ${chat.name} are paid`, async () => (await has()) === all);
  return Math.round((people.length / ((performance.now() - started) / 1_000)) * 100) / 100;
}
