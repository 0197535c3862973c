// The same on Telegram, Discord and X: one table of what people ask for, each told twice by its platform, with all money counted and one receipt each.
import { encodeFunctionData, erc20Abi, maxUint256, parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PEOPLE } from '../local/stack/people.ts';
import { encodeEscrowRefund, openTotal } from '../src/chain/routers/escrow.ts';
import type { EscrowTerms } from '../src/domain/typedData/escrow.ts';
import { refundOverdueEscrows } from '../src/services/escrow/deadlines.ts';
import { escrowTerms } from '../src/services/escrow/rows.ts';
import { type Escrows, escrowsOf } from '../test/setup/escrows.ts';
import { type Chat, chatsOf, PLATFORMS, type Platform, type Saying } from '../test/setup/everywhere.ts';
import { signPrepared, walletOfPerson } from '../test/setup/signer.ts';
import { serveWorld, type Visitor, visitor } from '../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../test/setup/world.ts';

const HOUR = 3_600;
const WEEK = 7 * 24 * HOUR;
const NOWHERE = '0x52908400098527886E0F7030069857D2E4169EE7';
const usdc = (amount: string) => parseUnits(amount, 6);

let world: World;
let escrows: Escrows;
let chats: Record<Platform, Chat>;
let alice: Visitor;
let carol: Visitor;
beforeAll(async () => {
  world = await startWorld({ discord: true, x: { env: { X_DAILY_BUDGET_USD: '1000' } } });
  const base = await serveWorld(world);
  escrows = escrowsOf(world);
  chats = await chatsOf(world);
  [alice, carol] = [visitor(base), visitor(base)];
  await alice.signIn(walletOfPerson('alice'));
  await carol.signIn(walletOfPerson('carol'));
  // Whoever has written to the bot directly can be told what is nobody else's business.
  for (const chat of [chats.telegram, chats.discord])
    for (const name of ['alice', 'bob']) await chat.say(name, 'help', { own: true });
  await world.run();
  await escrows.index();
});
afterAll(() => world.stop());
// Every test begins in hours of its own, so that limits of one do not reach into the next.
beforeEach(() => escrows.later(2 * HOUR));

type Moves = Record<string, string>;

async function balances(): Promise<[string, bigint][]> {
  const who = [...PEOPLE.map(({ name }) => name), 'treasury'];
  const held = await Promise.all(who.map(async (name): Promise<[string, bigint]> => [name, await world.usdc(name)]));
  return [...held, ['escrows', await openTotal(world.evmChain(), world.evmChain().usdc)]];
}

/** What moved, to the unit, and what the bot said or changed, while something was done, told once and told again. */
async function during(chat: Chat, work: () => Promise<unknown>) {
  await chat.mark();
  const [had, heard] = [new Map(await balances()), await chat.heard()];
  const before = new Map(heard.map((one) => [one.id, one.text]));
  await work();
  await world.run();
  await chat.redeliver();
  await world.run();
  const moved = (await balances()).map(([who, units]) => [who, units - (had.get(who) ?? 0n)] as const);
  const told = (await chat.heard()).filter((one) => before.get(one.id) !== one.text);
  return {
    moved: Object.fromEntries(moved.filter(([, units]) => units !== 0n)),
    told,
    inPublic: told.filter(({ isPublic }) => isPublic).map(({ text }) => text),
    inPrivate: told.filter(({ isPublic }) => !isPublic).map(({ text }) => text),
  };
}
const units = (moves: Moves) => Object.fromEntries(Object.entries(moves).map(([who, by]) => [who, usdc(by)]));

describe.each(PLATFORMS)('%s', (platform) => {
  let chat: Chat;
  beforeAll(() => {
    chat = chats[platform];
  });
  /** From here on an error is answered again: on X once a day, in a group after ten minutes. */
  const anew = async () => (platform === 'x' ? escrows.later(24 * HOUR) : world.later(11 * 60_000));

  const flows: [string, string, Moves, RegExp][] = [
    [
      'by mention',
      'tip @bob 5',
      { alice: '-5.1', bob: '5', treasury: '0.1' },
      /✅ @alice tipped @?bob 5\.00 USDC \(fee \$0\.10\)/,
    ],
    [
      'to several',
      'tip @bob @shop 2 for lunch',
      { alice: '-4.1', bob: '2', shop: '2', treasury: '0.1' },
      /✅ .*bob.* 2\.00 USDC/,
    ],
    [
      'to a handle',
      'tip carol@ampersat 1',
      { alice: '-1.05', carol: '1', treasury: '0.05' },
      /tipped carol.* 1\.00 USDC/,
    ],
    [
      'to an address',
      `send ${NOWHERE} 3`,
      { alice: '-3.05', treasury: '0.05' },
      /✅ @alice sent 0x5290…9EE7 3\.00 USDC/,
    ],
    [
      'split by amounts',
      'split 3 @bob 1 @shop 2',
      { alice: '-3.1', bob: '1', shop: '2', treasury: '0.1' },
      /gave .*bob 1\.00 USDC/,
    ],
    [
      'split by percentages, one part kept',
      'split 20 @bob 75% @carol 25%',
      { alice: '-20.1', bob: '15', treasury: '0.1', escrows: '5' },
      /gave .*bob 15\.00 USDC[\s\S]*🎁 5\.00 USDC/,
    ],
    [
      'split evenly over wallets and a tab, the remainder to the first',
      'split 10 @bob @carol @shop',
      { alice: '-10.1', bob: '3.333334', shop: '3.333333', escrows: '3.333333', treasury: '0.1' },
      /3\.333333 USDC/,
    ],
    [
      'to several of whom one is unknown',
      'tip @bob @nobody_here 1',
      { alice: '-1.05', bob: '1', treasury: '0.05' },
      /bob 1\.00 USDC[\s\S]*haven’t met @?nobody_here/,
    ],
  ];
  test.each(flows)('%s', async (_name, text, moves, words) => {
    const { moved, inPublic } = await during(chat, () => chat.say('alice', text));
    expect(moved).toEqual(units(moves));
    expect(inPublic).toEqual([expect.stringMatching(words)]);
  });

  test('by reply, to the author who is answered', async () => {
    const { moved, inPublic } = await during(chat, async () => {
      const line = await chat.chatter('bob', 'I made a thing');
      await chat.say('alice', 'tip 2', { replyTo: line });
    });
    expect(moved).toEqual(units({ alice: '-2.05', bob: '2', treasury: '0.05' }));
    expect(inPublic).toEqual([expect.stringMatching(/tipped @?bob 2\.00 USDC/)]);
  });

  describe('a tip above 50 USD', () => {
    const ask = async (): Promise<Saying> => {
      const { moved, told } = await during(chat, () => chat.say('alice', 'tip @bob 60'));
      expect([moved, told.length]).toEqual([{}, 1]);
      expect(told[0]?.text).toMatch(/[Ss]end [\s\S]*60\.00 USDC to @?bob \(fee \$0\.10, on Base\)/);
      return told[0] as Saying;
    };

    test('is paid once after a yes of its sender, not after one of somebody else', async () => {
      const question = await ask();
      expect((await during(chat, () => chat.answer('bob', question, true))).moved).toEqual({});
      const { moved, inPublic } = await during(chat, async () => {
        await chat.answer('alice', question, true);
        await chat.answer('alice', question, true);
      });
      expect(moved).toEqual(units({ alice: '-60.1', bob: '60', treasury: '0.1' }));
      expect(inPublic).toEqual([expect.stringMatching(/^✅ @alice tipped @?bob 60\.00 USDC/)]);
    });

    test('is cancelled by a no, and a yes comes too late', async () => {
      const question = await ask();
      const { moved, inPublic } = await during(chat, async () => {
        await chat.answer('alice', question, false);
        await world.run();
        await chat.answer('alice', question, true);
      });
      expect(moved).toEqual({});
      expect(inPublic).toEqual([expect.stringMatching(/^Cancelled/)]);
    });
  });

  describe('money for somebody without an account', () => {
    const keep = async (amount: string) => {
      const line = await chat.chatter('dave', 'good evening');
      await world.run();
      const { moved, inPublic } = await during(chat, () => chat.say('alice', `tip ${amount}`, { replyTo: line }));
      expect(moved).toEqual(units({ alice: `-${amount}`, escrows: amount }));
      expect(inPublic).toEqual([expect.stringMatching(/^🎁 .*dave/)]);
      await escrows.index();
      return world.ctx.db.escrow.findFirstOrThrow({ where: { status: 'open' }, orderBy: { id: 'desc' } });
    };

    test('goes back to its sender, who wants it back, once', async () => {
      const { id } = await keep('2.00');
      await escrows.later(601);
      const { moved } = await during(chat, async () => {
        const { typed_data, deadline } = (await alice.get(`/api/escrow/${id}/refund_data`)).body;
        const signature = await signPrepared({ typed_data, submit: {} }, walletOfPerson('alice'));
        for (let i = 0; i < 2; i++)
          expect((await alice.post(`/api/escrow/${id}`, { action: 'refund', deadline, signature })).status).toBe(200);
        await escrows.sendSigned();
      });
      expect(moved).toEqual(units({ alice: '2', escrows: '-2' }));
      expect((await alice.get(`/api/escrow/${id}`)).body.escrow.status).toBe('refunded');
    });

    test('goes back after its deadline by a transaction of anybody, once', async () => {
      const row = await keep('3.00');
      const refund = () =>
        escrows.send('bob', world.evmChain().routers.escrow, encodeEscrowRefund(escrowTerms(row) as EscrowTerms));
      expect((await during(chat, refund)).moved).toEqual({});
      // Our clock may stand some hours before the chain's.
      await escrows.later(WEEK + 24 * HOUR);
      const { moved, inPublic } = await during(chat, async () => {
        await refund();
        await escrows.settle();
      });
      expect(moved).toEqual(units({ alice: '3', escrows: '-3' }));
      // X keeps what was posted as it was.
      const receipts = platform === 'x' ? [] : [expect.stringMatching(/^↩️ 3\.00 USDC went back to @alice/)];
      expect(inPublic).toEqual(receipts);
      // What else is overdue goes back by itself; this one does not a second time.
      const rest = await during(chat, () => refundOverdueEscrows(world.ctx));
      expect((rest.moved['alice'] ?? 0n) + (rest.moved['escrows'] ?? 0n)).toBe(0n);
      expect(await openTotal(world.evmChain(), world.evmChain().usdc)).toBe(0n);
    });

    test('is offered at once after connecting in the chat, claimed in one go, and the next one goes to the wallet', async () => {
      const kept = await during(chat, async () => {
        await chat.say('alice', 'tip @carol 5');
        await chat.say('bob', 'tip @carol 2');
      });
      expect(kept.moved).toEqual(units({ alice: '-5', bob: '-2', escrows: '7' }));
      // Tips of one window are opened in whatever order.
      expect(kept.inPublic.toSorted()).toEqual(
        [2, 5].map((amount) => expect.stringMatching(`^🎁 ${amount}\\.00 USDC[^]*carol[^]*7 days`)),
      );
      await escrows.index();
      const offer = (await connect('carol', carol)).inPrivate;
      expect(offer).toContainEqual(expect.stringMatching(/Waiting for you: [\d.]+ USDC \(Base\)/));
      const open = await world.ctx.db.escrow.findMany({
        where: { status: 'open', handleSlug: { contains: String(localPerson('carol')[platform].id) } },
      });
      const waiting = open.reduce((sum, row) => sum + BigInt(row.units.toFixed(0)), 0n);
      expect(waiting).toBeGreaterThanOrEqual(usdc('7'));
      const claimed = await during(chat, async () => {
        expect((await carol.post('/api/escrow/claim_all', {})).body.claims).toBe(open.length);
        await escrows.pay();
        expect((await carol.post('/api/escrow/claim_all', {})).body.claims).toBe(0);
        await escrows.pay();
      });
      expect(claimed.moved).toEqual({ carol: waiting, escrows: -waiting });
      await escrows.later(HOUR);
      const next = await during(chat, () => chat.say('alice', 'tip @carol 1'));
      expect(next.moved).toEqual(units({ alice: '-1.05', carol: '1', treasury: '0.05' }));
      const { inPublic, inPrivate } = await during(chat, () => chat.say('carol', 'disconnect'));
      expect([...inPublic, ...inPrivate]).toEqual([expect.stringMatching(/^Disconnected/)]);
    });
  });

  test('somebody unknown gets a page on which it can be kept for that name', async () => {
    const { moved, told } = await during(chat, () => chat.say('alice', 'tip @nobody_here 5'));
    expect(moved).toEqual({});
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toMatch(/haven’t met @?nobody_here yet/);
    const [url] = told[0]?.urls ?? [];
    expect(url).toMatch(/\/tabs\/new\?.*nobody_here/);
  });

  test('a sender who is not connected: kept, sent after connecting and one confirmation; what others sent meanwhile waits', async () => {
    const gone = await during(chat, () => chat.say('alice', 'disconnect'));
    expect([...gone.inPublic, ...gone.inPrivate]).toEqual([expect.stringMatching(/^Disconnected/)]);
    const kept = await during(chat, async () => {
      await chat.say('alice', 'tip @bob 5');
      await world.run();
      await chat.say('alice', 'tip @bob 7');
      await chat.say('shop', 'tip @alice 1');
    });
    expect(kept.moved).toEqual(units({ shop: '-1', escrows: '1' }));
    expect(kept.inPublic.filter((text) => /saved for 24 hours/i.test(text))).toHaveLength(1);
    expect(kept.told.filter(({ text }) => /one tip a day/.test(text))).toHaveLength(1);

    await connect('alice', alice);
    const { connections } = (await alice.get('/api/spending')).body;
    const connection = connections.find((one: { platform: string }) => one.platform === platform);
    const [receiveOnly] = (await alice.get('/api/waiting')).body.tips;
    expect(receiveOnly.refusal).toBe('sender_receive_only');
    await sign({ kind: 'right', connection_id: connection.id, command_cap: '100', day_cap: '500' });

    const [tip] = (await alice.get('/api/waiting')).body.tips;
    const { moved, inPublic } = await during(chat, async () => {
      const answer = { action: 'confirm', fingerprint: tip.fingerprint };
      const answers = await Promise.all([1, 2].map(() => alice.post(`/api/waiting/${tip.id}`, answer)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });
    expect(moved).toEqual(units({ alice: '-5.1', bob: '5', treasury: '0.1' }));
    expect(inPublic).toEqual([expect.stringMatching(/^✅ @alice tipped @?bob 5\.00 USDC/)]);
    const claimed = await during(chat, async () => {
      await escrows.index();
      expect((await alice.post('/api/escrow/claim_all', {})).body.claims).toBe(1);
      await escrows.pay();
    });
    expect(claimed.moved).toEqual(units({ alice: '1', escrows: '-1' }));
  });

  test('a pause stops everything until the wallet resumes', async () => {
    const { told } = await during(chat, () => chat.say('alice', 'pause'));
    expect(told).toEqual([expect.objectContaining({ text: expect.stringMatching(/^⏸ All spending is off/) })]);
    const refused = await during(chat, () => chat.say('alice', 'tip @bob 1'));
    expect(refused.moved).toEqual({});
    expect(refused.told.map(({ text }) => text).join()).toContain('Your spending is off');
    await escrows.later(1);
    await sign({ kind: 'resume', chain: 'base' });
    const { moved } = await during(chat, () => chat.say('alice', 'tip @bob 1'));
    expect(moved).toEqual(units({ alice: '-1.05', bob: '1', treasury: '0.05' }));
  });

  test('five tips an hour are taken, the sixth is told when', async () => {
    await anew();
    const { moved, told } = await during(chat, async () => {
      for (let i = 0; i < 6; i++) await chat.say('alice', 'tip @bob 1');
    });
    expect(moved).toEqual(units({ alice: '-5.25', bob: '5', treasury: '0.25' }));
    expect(told.filter(({ text }) => text.startsWith('✅'))).toHaveLength(5);
    expect(told.filter(({ text }) => /fifth tip this hour/.test(text))).toHaveLength(1);
    expect(told).toHaveLength(6);
  });

  describe('refuses with its reason and takes nothing', () => {
    const set = (data: object) => world.ctx.db.handle.update({ where: { slug: 'alice' }, data });
    const approve = (amount: bigint) => move('approve', [world.evmChain().routers.bot, amount]);
    let sum = 0n;
    const refusals: [string, string, RegExp, (() => Promise<unknown>)?, (() => Promise<unknown>)?][] = [
      [
        'more than a command may have',
        'tip @bob 100',
        /Your limit per command is \$100\. This is \$100\.10 with the fee/,
      ],
      [
        'more than a day may have',
        'tip @bob 6',
        /You have \$5 of your \$5 left today/,
        async () => {
          await escrows.later(25 * HOUR);
          await set({ dayCapMicros: usdc('5') });
        },
        () => set({ dayCapMicros: usdc('500') }),
      ],
      [
        'more than the wallet allows for one tip',
        'tip @bob 150',
        /Your limit per tip on Base is 100\.00 USDC/,
        () => set({ commandCapMicros: usdc('1000') }),
        () => set({ commandCapMicros: usdc('100') }),
      ],
      [
        'more than the allowance',
        'tip @bob 5',
        /lets me send 1\.00 USDC more on Base\. You need 5\.10/,
        () => approve(usdc('1')),
        () => approve(maxUint256),
      ],
      [
        'more than there is',
        'tip @bob 5',
        /balance on Base is 3\.20 USDC\. You need 5\.10/,
        async () => {
          sum = (await world.usdc('alice')) - usdc('3.2');
          await move('transfer', [localPerson('shop').address, sum]);
        },
        () => move('transfer', [localPerson('alice').address, sum], 'shop'),
      ],
      ['too little for somebody new', 'tip @carol 0.2', /The minimum for someone new is \$0\.50/],
      ['a handle that is not there', 'tip ghost@ampersat 5', /There’s no ghost/],
      ['oneself under another name', 'tip alice@ampersat 5', /is you\. You can’t tip yourself/],
      ['a chain that is not served', 'tip @bob 5 on celo', /Celo isn’t available here\. I can send on Base\./],
    ];
    test.each(refusals)('%s', async (_name, text, words, before, after) => {
      await before?.();
      const { moved, told } = await during(chat, () => chat.say('alice', text));
      await after?.();
      expect(moved).toEqual({});
      expect(told.map((one) => one.text).join('\n')).toMatch(words);
      expect(told.filter(({ isPublic }) => isPublic)).toHaveLength(1);
      // Figures of a wallet are nobody else's business.
      if (/balance|lets me send|limit per/.test(words.source))
        expect(told.filter((one) => one.isPublic && words.test(one.text))).toEqual([]);
    });
  });

  test('every error of the words is told once, and takes nothing', async () => {
    const own = platform === 'discord' ? [['tip <@&119100000000000001> 5', /A role can’t be tipped/] as const] : [];
    const many = Array.from({ length: platform === 'x' ? 11 : 21 }, (_, index) => `@people_${index}`).join(' ');
    const errors = [
      ['tip @bob', /How much\?/],
      ['tip @bob five', /couldn’t read/],
      ['tip @bob 1,000', /wasn’t sure about/],
      ['tip @bob 0', /The minimum is \$0\.01/],
      ['tip @bob 0.001', /The minimum is \$0\.01/],
      ['tip @bob 2000000', /more than I can send/],
      ['tip @bob 1.1234567', /too many decimals/],
      ['tip 5', /Who is it for\?/],
      ['tip @b-o-b 5', /couldn’t tell who/],
      ['tip @alice 5', /can’t tip yourself/],
      ['tip @bot 5', /Bots can’t be tipped/],
      ['tip @everyone 5', /can’t tip everyone at once/],
      [`tip ${many} 1`, platform === 'x' ? /too many people.*10/ : /too many people.*20/],
      ['tip @bob 5 usdt', /I can send USDC and ETH/],
      ['tip @bob 5 eur', /Amounts are in US dollars/],
      ['tip @bob 5 on tron', /I can send on Base/],
      ['send 0x52908400098527886E0F7030069857D2E4169Ee7 3', /typo in that address/],
      ['split 10 @bob 3 @shop 4', /don’t add up/],
      ['tip \u202e@bob 5', /hidden characters/],
      ['tip @bob 5 and tip @shop 5', /One command per message/],
      ...own,
    ] as const;
    const heard: string[] = [];
    const { moved, told } = await during(chat, async () => {
      let known = new Set((await chat.heard()).map(({ id }) => id));
      for (const [text] of errors) {
        await anew();
        await chat.say('alice', text);
        await listen();
        const now = await chat.heard();
        heard.push(
          now
            .filter(({ id }) => !known.has(id))
            .map((one) => one.text)
            .join('|'),
        );
        known = new Set(now.map(({ id }) => id));
      }
    });
    expect(heard).toEqual(errors.map(([, words]) => expect.stringMatching(words)));
    expect([moved, told.length]).toEqual([{}, errors.length]);
  });

  test('a message that comes late asks again and never pays', async () => {
    await anew();
    const { moved, told } = await during(chat, async () => {
      await chat.say('alice', 'tip @bob 5');
      world.later(11 * 60_000);
    });
    expect(moved).toEqual({});
    expect(told).toEqual([expect.objectContaining({ text: expect.stringContaining('more than 10 minutes late') })]);
  });

  /** Reads and answers what needs no chain. */
  async function listen(): Promise<void> {
    await world.fetchUpdates();
    if (platform === 'x') await world.x.poll();
    await world.ingest();
    await world.reply();
  }

  /** Asks for a link in the chat, redeems it on the page, and says yes to the question there. */
  async function connect(name: string, browser: Visitor) {
    const asked = await during(chat, async () => {
      await chat.say(name, 'connect', { own: true });
      await world.run();
      world.later(3_000);
    });
    const secrets = asked.told.flatMap(({ urls }) => urls.flatMap((url) => url.split('/connect#')[1] ?? []));
    expect(new Set(secrets).size).toBe(1);
    expect(asked.inPublic.join()).not.toContain(secrets[0]);
    const { told } = await during(chat, async () => {
      expect((await browser.post('/api/links/redeem', { secret: secrets[0] })).status).toBe(200);
    });
    const question = told.find(({ text }) => text.includes(`${name}@ampersat`));
    return during(chat, async () => chat.answer(name, question as Saying, true));
  }

  async function sign(choice: object): Promise<void> {
    const prepared = (await alice.post('/api/spending/prepare', choice)).body;
    const signature = await signPrepared(prepared, walletOfPerson('alice'));
    expect((await alice.post('/api/spending/submit', { ...prepared.submit, signature })).status).toBe(200);
    await world.run();
  }

  async function move(
    functionName: 'approve' | 'transfer',
    args: [`0x${string}`, bigint],
    name = 'alice',
  ): Promise<void> {
    await escrows.send(name, world.evmChain().usdc, encodeFunctionData({ abi: erc20Abi, functionName, args }));
    await world.mine(1);
  }
});
