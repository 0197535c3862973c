// A native tip needs a price that is fresh and agreed on; anything else is refused instead of guessed.
import { encodeFunctionData } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { refreshPrices } from '../../../local/chains/deploy/chain.ts';
import { priceFeedAbi } from '../../../local/chains/deploy/priceFeed.ts';
import { openLocalChain, sendAll } from '../../../local/chains/deploy/send.ts';
import { TELEGRAM_GROUP } from '../../../local/stack/people.ts';
import { ROLES } from '../../../local/stack/roles.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import type { Address } from './client.ts';
import { bumpedFees } from './client.ts';
import { nativePrice } from './prices.ts';

const UPTIME: Address = '0x000000000000000000000000000000000000f3ed';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.later(3_700_000);
  await world.freshPrices();
});

const coins = () => world.reader().getBalance({ address: localPerson('bob').address });
const tipInEth = async () => {
  const before = await coins();
  await world.say('alice', '/tip @bob 0.001 eth');
  return (await coins()) - before;
};
const lastAnswer = async () => (await world.botSaid(TELEGRAM_GROUP)).at(-1)?.text ?? '';

describe('the price of a native asset', () => {
  test('is read from the feeds in micro-USD', async () => {
    expect(await nativePrice(world.evmChain())).toEqual({ price: 3_000_000_000n });
  });

  test('that is over an hour old refuses the tip', async () => {
    await world.admin().increaseTime({ seconds: 2 * 3_600 });
    await world.mine(1);
    expect(await nativePrice(world.evmChain())).toEqual({ stale: expect.stringContaining('over an hour') });
    expect(await tipInEth()).toBe(0n);
    expect(await lastAnswer()).toContain('don’t have a fresh price');
  });

  test('on which two feeds differ by more than 1 % refuses the tip', async () => {
    const [, second] = world.evmChain().priceFeeds as [Address, Address];
    const set = (price: number) =>
      refreshPrices({ rpcUrl: world.anvilOf().rpcUrl, feeds: [second, second], price, owner: ROLES.deployer.key });
    await set(3_029);
    expect(await nativePrice(world.evmChain())).toEqual({ price: 3_000_000_000n });
    await set(3_031);
    expect(await nativePrice(world.evmChain())).toEqual({ stale: expect.stringContaining('disagree') });
    expect(await tipInEth()).toBe(0n);
  });

  test('of a rollup is not used while its sequencer is down, and for an hour after', async () => {
    // Its answer is the price in the smallest units: 0 for up, 1 for down.
    const [feed] = world.evmChain().priceFeeds as [Address, Address];
    const local = await openLocalChain(world.anvilOf().rpcUrl, ROLES.deployer.key);
    const uptime = { ...world.evmChain(), sequencerFeed: UPTIME };
    await world.admin().setCode({ address: UPTIME, bytecode: (await local.client.getCode({ address: feed })) ?? '0x' });
    const set = (answer: bigint, at: bigint) =>
      sendAll(local, [
        {
          to: UPTIME,
          data: encodeFunctionData({ abi: priceFeedAbi, functionName: 'setAnswerAt', args: [answer, at] }),
        },
      ]);
    const { timestamp: now } = await world.reader().getBlock();
    expect(await nativePrice(uptime)).toEqual({ stale: expect.stringContaining('uptime is unknown') });
    await set(1n, now - 60n);
    expect(await nativePrice(uptime)).toEqual({ stale: expect.stringContaining('sequencer is down') });
    await set(0n, now - 60n);
    expect(await nativePrice(uptime)).toEqual({ stale: expect.stringContaining('less than an hour ago') });
    await set(0n, now - 3_600n);
    expect(await nativePrice(uptime)).toEqual({ price: 3_000_000_000n });
  });

  test('does not matter for USDC', async () => {
    await world.admin().increaseTime({ seconds: 2 * 3_600 });
    await world.mine(1);
    const before = await world.usdc('bob');
    await world.say('shop', '/tip @bob 1');
    expect((await world.usdc('bob')) - before).toBe(1_000_000n);
  });

  test('pays the coin itself when all is well', async () => {
    expect(await tipInEth()).toBe(10n ** 15n);
  });
});

describe('a replacement', () => {
  test('raises both fees by an eighth at least, and never stays below the market', () => {
    expect(bumpedFees({ maxFee: 800n, priorityFee: 80n }, { maxFee: 0n, priorityFee: 0n })).toEqual({
      maxFee: 901n,
      priorityFee: 91n,
    });
    expect(bumpedFees({ maxFee: 0n, priorityFee: 0n }, { maxFee: 500n, priorityFee: 5n })).toEqual({
      maxFee: 500n,
      priorityFee: 5n,
    });
  });
});
