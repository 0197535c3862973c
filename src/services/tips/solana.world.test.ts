// Tips on Solana from a chat: paid once whatever the network does, told in the chat, refused with words.
import { address, createSolanaRpc } from '@solana/kit';
import { encodeAbiParameters, keccak256, parseAbiParameters, zeroHash } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storeUpdates } from '../../../bots/telegram/store.ts';
import { forkWithout } from '../../../local/solana/fork.ts';
import { localSolanaKey } from '../../../local/solana/keys.ts';
import { TELEGRAM_BOT, TELEGRAM_GROUP } from '../../../local/stack/people.ts';
import { giveUsdc } from '../../../test/setup/orders.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { KINDS } from '../../../workers/kinds.ts';
import { tokenAccount } from '../../chain/solana/addresses.ts';
import { followOutgoing } from '../outgoing/follow.ts';

const ME = { id: String(TELEGRAM_BOT.id), username: TELEGRAM_BOT.username };
const HOUR_MS = 3_600_000;
const usdc = (amount: number) => BigInt(Math.round(amount * 1_000_000));

let world: World;
beforeAll(async () => {
  world = await startWorld({ solana: { finalizedAfter: 6 } });
  await world.say('alice', 'hi', { chat: localPerson('alice').telegram.id });
});
afterAll(() => world.stop());
// Every test begins in an hour of its own, so that limits of one do not reach into the next.
beforeEach(() => {
  world.solana.node.faults.clear();
  world.later(HOUR_MS + 100_000);
});

const { entries, fromEntries } = Object;
function balances(): Record<string, bigint> {
  const { usdcOf, addressOf, roles } = world.solana;
  const people = ['alice', 'bob', 'shop'].map((who) => [who, usdcOf(addressOf(who))]);
  return fromEntries([...people, ['treasury', usdcOf(roles.treasury.address)]]);
}
async function changes(work: () => Promise<unknown>): Promise<Record<string, bigint>> {
  const before = balances();
  await work();
  const moved = entries(balances()).map(([who, units]) => [who, units - (before[who] ?? 0n)] as const);
  return fromEntries(moved.filter(([, units]) => units !== 0n));
}
const lastAnswer = async (chat = TELEGRAM_GROUP) => (await world.botSaid(chat)).at(-1)?.text ?? '';
const newestTip = () => world.ctx.db.tip.findFirstOrThrow({ orderBy: { id: 'desc' } });
const follow = () => followOutgoing(world.ctx, world.solana.chain, KINDS);
const step = (slots: number) => world.solana.step(slots);

/** From the message to the signed transaction, which the network has. */
async function sendTip(text: string, who = 'alice'): Promise<void> {
  await world.type(who, text);
  await sendTyped();
}
async function sendTyped(): Promise<void> {
  await world.fetchUpdates();
  await world.ingest();
  await world.prepare();
  await world.settle('solana');
}
async function finish(): Promise<void> {
  step(3);
  await follow();
  world.solana.settle();
  await follow();
  await world.reply();
}

describe('a tip', () => {
  test('of 5 USDC moves exactly 5 and the fee, once, and another client sees it', async () => {
    const moved = await changes(() => world.say('alice', '/tip @bob 5 on solana'));
    expect(moved).toEqual({ alice: -usdc(5.1), bob: usdc(5), treasury: usdc(0.1) });
    expect(await lastAnswer()).toMatch(
      /^✅ @alice tipped @bob 5\.00 USDC \(fee \$0\.10, on Solana\)\. View \w{6}…\w{4}$/,
    );
    const tip = await newestTip();
    expect(tip).toMatchObject({ chain: 'solana', status: 'settled', senderAddress: world.solana.addressOf('alice') });
    const kit = createSolanaRpc(world.solana.node.url);
    const account = tokenAccount(world.solana.addressOf('bob'), world.solana.usdc).address;
    const { value } = await kit.getTokenAccountBalance(address(account), { commitment: 'finalized' }).send();
    expect(BigInt(value.amount)).toBe(world.solana.usdcOf(world.solana.addressOf('bob')));
    const [status] = (await kit.getSignatureStatuses([tip.txHash as never]).send()).value;
    expect(status).toMatchObject({ confirmationStatus: 'finalized', err: null });
  });

  test('is one message in the chat: a first receipt when it is confirmed, edited when it is final', async () => {
    await sendTip('/tip @bob 1 on solana');
    step(3);
    await follow();
    await world.reply();
    expect(await lastAnswer()).toMatch(/^✅ .* · confirming on Solana…$/);
    const said = (await world.botSaid()).length;
    await finish();
    expect(await lastAnswer()).toMatch(/^✅ @alice tipped @bob 1\.00 USDC \(fee \$0\.05, on Solana\)\. View /);
    expect((await world.botSaid()).length).toBe(said);
  });

  test('delivered twice by Telegram pays once', async () => {
    await world.type('alice', '/tip @bob 1 on solana');
    const moved = await changes(async () => {
      const updates = await world.fetchUpdates();
      for (const update of [...updates, ...updates]) await storeUpdates(world.ctx, [update], ME);
      await world.run();
      for (const update of updates) await storeUpdates(world.ctx, [update], ME);
      await world.run();
    });
    expect(moved).toEqual({ alice: -usdc(1.05), bob: usdc(1), treasury: usdc(0.05) });
  });

  test('tips of one window share a transaction', async () => {
    await world.type('alice', '/tip @shop 1 on solana');
    await world.type('bob', '/tip @shop 1 on solana');
    const moved = await changes(() => world.run());
    expect(moved).toEqual({ alice: -usdc(1.05), bob: -usdc(1.05), shop: usdc(2), treasury: usdc(0.1) });
    const tips = await world.ctx.db.tip.findMany({ orderBy: { id: 'desc' }, take: 2 });
    expect(new Set(tips.map(({ txHash }) => txHash)).size).toBe(1);
  });

  test('goes to the chain that the recipient prefers, and elsewhere where the sender has no wallet of it', async () => {
    const prefer = (slug: string, preferredChain: string) =>
      world.ctx.db.handle.update({ where: { slug }, data: { preferredChain } });
    await prefer('bob', 'solana');
    expect(await changes(() => world.say('alice', '/tip @bob 1'))).toMatchObject({ bob: usdc(1) });
    const { id } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } });
    const own = { handleId_family: { handleId: id, family: 'solana' } };
    const wallet = await world.ctx.db.wallet.delete({ where: own });
    const before = await world.usdc('bob');
    expect(await changes(() => world.say('alice', '/tip @bob 1'))).toEqual({});
    expect((await world.usdc('bob')) - before).toBe(usdc(1));
    expect(await changes(() => world.say('alice', '/tip @bob 1 on solana'))).toEqual({});
    expect(await lastAnswer(localPerson('alice').telegram.id)).toContain(
      'You don’t have a wallet for this network yet',
    );
    await world.ctx.db.wallet.create({ data: wallet });
    await prefer('bob', 'base');
  });

  test('to an address of Solana goes there without a chain named', async () => {
    const to = world.solana.addressOf('bob');
    expect(await changes(() => world.say('alice', `/send ${to} 1`))).toEqual({
      alice: -usdc(1.05),
      bob: usdc(1),
      treasury: usdc(0.05),
    });
  });
});

describe('whatever the network does, it is paid once', () => {
  test('what it drops goes out again', async () => {
    world.solana.node.faults.add({ kind: 'drop', times: 1 });
    const moved = await changes(async () => {
      await sendTip('/tip @bob 1 on solana');
      step(3);
      await follow();
      world.later(2_000);
      await follow();
      await finish();
    });
    expect(moved).toMatchObject({ bob: usdc(1) });
  });

  test('a fork takes the receipt back, and it lands again', async () => {
    const moved = await changes(async () => {
      await sendTip('/tip @bob 1 on solana');
      step(3);
      await follow();
      await world.reply();
      const { txHash } = await newestTip();
      expect(forkWithout(world.solana.ledger, txHash ?? '')).toBe(true);
      await follow();
      await world.reply();
      expect((await newestTip()).status).toBe('submitted');
      expect(await lastAnswer()).not.toContain('✅');
      await finish();
    });
    expect(moved).toMatchObject({ bob: usdc(1) });
    expect(await lastAnswer()).toContain('✅');
  });

  test('a block hash that is over is replaced by another one, and only then', async () => {
    world.solana.node.faults.add({ kind: 'drop', times: 1_000 });
    const moved = await changes(async () => {
      await sendTip('/tip @bob 1 on solana');
      // The last valid height has passed, and is not final yet.
      step(146);
      world.later(2_000);
      await follow();
      expect((await newestTip()).status).toBe('submitted');
      step(8);
      world.later(2_000);
      await follow();
      expect((await newestTip()).status).toBe('ready');
      world.solana.node.faults.clear();
      await world.settle('solana');
      await finish();
    });
    expect(moved).toMatchObject({ bob: usdc(1) });
    const { id } = await newestTip();
    const sent = await world.ctx.db.outgoingTx.findMany({ where: { subjectId: id }, orderBy: { attempt: 'asc' } });
    expect(sent.map(({ status }) => status)).toEqual(['lost', 'final']);
  });

  test('the answer to what it took is lost: nothing is signed again', async () => {
    world.solana.node.faults.add({ kind: 'lost_answer', times: 1, method: 'sendTransaction' });
    const moved = await changes(async () => {
      await sendTip('/tip @bob 1 on solana');
      await finish();
    });
    expect(moved).toMatchObject({ bob: usdc(1) });
    expect(await world.ctx.db.outgoingTx.count({ where: { subjectId: (await newestTip()).id } })).toBe(1);
  });

  test('rows that were lost are taken over from the chain, never paid again', async () => {
    await world.say('alice', '/tip @bob 1 on solana');
    const tip = await newestTip();
    await forget(tip);
    expect(await changes(() => world.run())).toEqual({});
    expect(await newestTip()).toMatchObject({ status: 'settled', txHash: tip.txHash });
  });

  test('one leg that fails takes the others with it, and those are paid alone', async () => {
    const { solana } = world;
    await world.type('alice', '/tip @shop 1 on solana');
    await world.type('bob', '/tip @shop 1 on solana');
    const moved = await changes(async () => {
      await world.fetchUpdates();
      await world.ingest();
      await world.prepare();
      const alice = solana.person('alice', { lamports: 0n, usdc: 0n });
      // Her wallet pauses her after the proof, and before the block.
      solana.node.faults.add({ kind: 'drop', times: 1 });
      await world.settle('solana');
      solana.send(
        [alice],
        solana.build('setPaused', {
          args: { paused: true },
          accounts: { signer: alice.address, limits: solana.limitsOf(alice.address) },
        }),
      );
      step(3);
      world.later(2_000);
      await follow();
      step(3);
      await follow();
      expect((await newestTip()).status).toBe('submitted');
      solana.settle();
      await follow();
      await world.settle('solana');
      await finish();
      solana.send(
        [alice],
        solana.build('setPaused', {
          args: { paused: false },
          accounts: { signer: alice.address, limits: solana.limitsOf(alice.address) },
        }),
      );
      solana.settle();
    });
    expect(moved).toEqual({ bob: -usdc(1.05), shop: usdc(1), treasury: usdc(0.05) });
    const tips = await world.ctx.db.tip.findMany({ orderBy: { id: 'desc' }, take: 2 });
    const outcome = tips.map(({ status, failure }) => [status, failure]).sort();
    expect(outcome).toEqual([
      ['failed', { code: 'sender_paused' }],
      ['settled', null],
    ]);
  });

  test('a message is refused by the program itself once its bucket is closed', async () => {
    await world.say('alice', '/tip @bob 1 on solana');
    const tip = await newestTip();
    world.later(26 * HOUR_MS);
    closeBucketOf(tip.messageKey);
    // Rows of an old copy, which know nothing of the payment.
    await forget(tip);
    const later = new Date(world.ctx.clock.now() + 600_000);
    await world.ctx.db.tip.update({ where: { id: tip.id }, data: { validUntil: later } });
    expect(await changes(() => world.run())).toEqual({});
    expect((await newestTip()).failure).toEqual({ code: 'expired' });
    await world.ctx.db.tip.update({
      where: { id: tip.id },
      data: { status: 'ready', leaseUntil: null, validUntil: new Date(0) },
    });
    expect(await changes(() => world.run())).toEqual({});
    // What the chain forgot stands in its history.
    expect(await newestTip()).toMatchObject({ status: 'settled', txHash: tip.txHash });
  });

  async function forget({ id, intentId }: { id: string; intentId: string }): Promise<void> {
    const data = { status: 'ready', outgoingTxId: null, txHash: null, leaseUntil: null, settledAt: null };
    await world.ctx.db.tip.update({ where: { id }, data });
    await world.ctx.db.intent.update({ where: { id: intentId }, data: { status: 'routed' } });
  }

  function closeBucketOf(messageKey: string): void {
    const { solana } = world;
    const [executor] = solana.roles.executors;
    if (!executor) throw new Error('there is an executor');
    const hour = BigInt(`0x${messageKey.slice(50)}`) / 3_600n;
    const bucket = solana.bucketOf(hour);
    solana.send(
      [executor],
      solana.build('closeBucket', {
        args: {},
        accounts: { caller: executor.address, bucket },
        each: [{ payer: executor.address }],
      }),
    );
    solana.settle();
  }
});

describe('what stands in the way is shown, and nothing is taken', () => {
  const refusals: [string, string, RegExp][] = [
    [
      'little for a recipient without an account',
      '/tip @carol 0.2 on solana',
      /The minimum for someone new is \$0\.50/,
    ],
    ['oneself', `/send alice@ampersat 1 on solana`, /is you\. You can’t tip yourself/],
    [
      'an address of another family',
      '/send 0x52908400098527886E0F7030069857D2E4169EE7 1 on solana',
      /another kind of network/,
    ],
    ['an asset of another chain', '/tip @bob 0.01 eth on solana', /ETH/],
  ];
  test.each(refusals)('%s', async (_name, text, answer) => {
    world.later(11 * 60_000);
    expect(await changes(() => world.say('alice', text))).toEqual({});
    const told = await Promise.all([lastAnswer(), lastAnswer(localPerson('alice').telegram.id)]);
    expect(told.join('\n')).toMatch(answer);
  });

  test('a wallet that allows nothing gets a notice to allow more', async () => {
    const { solana } = world;
    const carol = solana.person('new wallet', { lamports: 0n, usdc: usdc(50) });
    const { id } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } });
    const own = { handleId_family: { handleId: id, family: 'solana' } };
    const { address: before } = await world.ctx.db.wallet.findUniqueOrThrow({ where: own });
    await world.ctx.db.wallet.update({ where: own, data: { address: carol.address } });
    solana.settle();
    expect(await changes(() => world.say('alice', '/tip @bob 1 on solana'))).toEqual({});
    expect(await lastAnswer(localPerson('alice').telegram.id)).toMatch(/lets me send 0\.00 USDC more on Solana/);
    await world.ctx.db.wallet.update({ where: own, data: { address: before } });
  });
});

test('a tip to a recipient without an account opens a tab on Solana', async () => {
  const moved = await changes(() => world.say('alice', '/tip @carol 5 on solana'));
  expect(moved).toEqual({ alice: -usdc(5) });
  const escrow = await world.ctx.db.escrow.findFirstOrThrow({ where: { chain: 'solana' }, include: { tip: true } });
  expect(escrow).toMatchObject({ status: 'open', senderAddress: world.solana.addressOf('alice'), asset: 'USDC' });
  expect(world.solana.data(world.solana.tabOf(escrow.tabId as `0x${string}`))).not.toBeNull();
  expect(await lastAnswer()).toContain('@carol');
});

test('a tip in SOL pays wrapped SOL, at the spot price', async () => {
  const { solana } = world;
  const wrapped = (name: string) => solana.wrappedOf(solana.addressOf(name));
  await world.say('alice', '/tip @bob 0.01 sol');
  expect(await lastAnswer(localPerson('alice').telegram.id)).toMatch(/lets me send 0 wrapped SOL more on Solana/);
  solana.allowWrapped('alice', 1_000_000_000n);
  solana.settle();
  const before = wrapped('bob');
  await world.say('alice', '/tip @bob 0.01 sol');
  expect(wrapped('bob') - before).toBe(10_000_000n);
  expect(await lastAnswer()).toMatch(/0\.01 SOL/);
});

test('an account that a recipient lacks is opened at our cost a few times a month, then a tab keeps the money', async () => {
  const { solana, ctx } = world;
  const own = { handle: { slug: 'shop' }, family: 'solana' };
  const { address: before } = await ctx.db.wallet.findFirstOrThrow({ where: own });
  const payNew = async (name: string, text: string) => {
    const { address } = localSolanaKey(name);
    await ctx.db.wallet.updateMany({ where: own, data: { address } });
    await world.say('alice', text);
    return solana.usdcOf(address);
  };
  // At 150 USD an account costs 31 cents.
  for (const name of ['first', 'second', 'third']) {
    world.later(HOUR_MS);
    expect(await payNew(name, '/tip @shop 1 on solana')).toBe(usdc(1));
  }
  world.later(HOUR_MS);
  expect(await payNew('fourth', '/tip @shop 0.2 on solana')).toBe(0n);
  expect(await lastAnswer()).toMatch(/has no account for this on Solana yet\. From \$0\.50 I can keep it/);
  expect(await payNew('fourth', '/tip @shop 2 on solana')).toBe(0n);
  const { tabSlug, opensAccount } = await newestTip();
  expect([tabSlug, opensAccount]).toEqual([`telegram:id:${localPerson('shop').telegram.id}`, false]);
  expect(await lastAnswer()).toContain('🎁');
  await world.say('alice', `/send ${localSolanaKey('fifth').address} 2`);
  expect(await lastAnswer()).toMatch(/opened as many new ones for you as I can this month/);
  world.later(30 * 24 * HOUR_MS);
  expect(await payNew('fourth', '/tip @shop 1 on solana')).toBe(usdc(1));
  await ctx.db.wallet.updateMany({ where: own, data: { address: before } });
});

test('what is no wallet is not paid', async () => {
  world.later(HOUR_MS);
  const { solana } = world;
  const account = tokenAccount(solana.addressOf('bob'), solana.usdc).address;
  for (const to of [account, solana.program, solana.tabOf(`0x${'1'.repeat(64)}`)])
    await world.say('alice', `/send ${to} 1`);
  expect(await world.ctx.db.tip.count({ where: { recipientAddress: account } })).toBe(0);
  expect(await lastAnswer()).toMatch(/contract that can’t send money on/);
});

test('balance and limits in the chat know Solana', async () => {
  const alice = localPerson('alice').telegram.id;
  await world.say('alice', '/balance', { chat: alice });
  expect(await lastAnswer(alice)).toMatch(/Solana: [\d,.]+ USDC/);
});

describe('to and from Solana, where no bridge for tips leads', () => {
  const said = async (text: string, who = 'alice') => {
    await sendTip(text, who);
    await world.reply();
    return [await lastAnswer(), await lastAnswer(localPerson(who).telegram.id)].join(' ');
  };
  const give = (address: string, units: bigint) => giveUsdc(world, address as never, units);

  test('money on Base alone does not cross to Solana: the answer names both, and nothing is sent', async () => {
    const carol = localSolanaKey('carol without usdc');
    const handle = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } });
    const where = { handleId_family: { handleId: handle.id, family: 'solana' } };
    const { address } = await world.ctx.db.wallet.findUniqueOrThrow({ where });
    await world.ctx.db.wallet.update({ where, data: { address: carol.address } });
    await give(localPerson('alice').address, usdc(50));
    try {
      const before = await world.ctx.db.tip.count();
      expect(await said('/tip @bob 5 on solana')).toContain(
        'Your money is on Base, and tips can’t cross from there to Solana. You weren’t charged. Send on Base, or add money on Solana.',
      );
      expect(await world.ctx.db.tip.count()).toBe(before);
      // Where the network is left to us, it goes where the money is.
      await sendTip('/tip @bob 5');
      expect((await newestTip()).chain).toBe('base');
    } finally {
      await world.ctx.db.wallet.update({ where, data: { address } });
    }
  });

  test('money on Solana alone does not cross to Base', async () => {
    const { address } = localPerson('alice');
    const { usdc: token } = world.evmChain('base');
    const slot = keccak256(encodeAbiParameters(parseAbiParameters('address, uint256'), [address, 9n]));
    await world.admin('base').setStorageAt({ address: token as never, index: slot, value: zeroHash });
    const before = await world.ctx.db.tip.count();
    expect(await said('/tip @bob 5 on base')).toContain(
      'Your money is on Solana, and tips can’t cross from there to Base.',
    );
    expect(await world.ctx.db.tip.count()).toBe(before);
    await sendTip('/tip @bob 5');
    expect((await newestTip()).chain).toBe('solana');
  });

  test('too little on both is too little: the figures are of the network that was named', async () => {
    expect(await said('/tip @bob 900000 on solana')).not.toContain('can’t cross');
  });
});
