// A tip to somebody without an account to its end: connected, offered, claimed in one go; or taken back; and what every chat and page says of it.
import { parseUnits } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ROLES } from '../../../local/stack/roles.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, type Shown, startWorld, type World } from '../../../test/setup/world.ts';
import { authorityAccount } from '../../chain/signing/attestation.ts';
import { indexChain } from '../operations/feed.ts';
import { attestClaims } from './attestation.ts';
import { refundOverdueEscrows } from './deadlines.ts';

const CAROL = localPerson('carol');
const usdc = (amount: string) => parseUnits(amount, 6);
const authority = authorityAccount(ROLES.authority.key);

let world: World;
let carol: Visitor;
let alice: Visitor;
beforeAll(async () => {
  world = await startWorld();
  const base = await serveWorld(world);
  carol = visitor(base);
  await carol.signIn(privateKeyToAccount(CAROL.key));
  alice = visitor(base);
  await alice.signIn(privateKeyToAccount(localPerson('alice').key));
  await world.say('carol', 'hi', { chat: CAROL.telegram.id });
  // Where the indexer begins.
  await indexChain(world.ctx, world.evmChain());
});
afterAll(() => world.stop());
beforeEach(() => world.later(3_700_000));

const inGroup = async () => (await world.botSaid()).at(-1) as Shown;
const toCarol = async () => (await world.botSaid(CAROL.telegram.id)).at(-1) as Shown;
const buttonsOf = (message: Shown) => message.reply_markup?.inline_keyboard.flat() ?? [];

/** What worker, signer and indexer do by themselves. */
async function work(): Promise<void> {
  await attestClaims(world.ctx, { evm: authority });
  await world.send();
  await world.run();
  await indexChain(world.ctx, world.evmChain());
  await world.run();
}

test('the recipient connects in the chat, is offered everything at once, and claims it in one go', async () => {
  await world.say('alice', '/tip @carol 5');
  await world.say('bob', '/tip @carol 2');
  await work();
  expect((await inGroup()).text).toContain('🎁 2.00 USDC for @carol, from @bob. Claim it within 7 days.');
  expect(buttonsOf(await inGroup()).map(({ text }) => text)).toEqual(['Connect to claim', 'Take it back']);

  await world.say('carol', '/connect', { chat: CAROL.telegram.id });
  const link = buttonsOf(await toCarol())[0]?.url?.split('#')[1] ?? '';
  await carol.post('/api/links/redeem', { secret: link });
  await world.run();
  const question = await toCarol();
  const yes = buttonsOf(question).find(({ text }) => text === 'Connect')?.callback_data ?? '';
  // A third tip is in a block, and not final yet, when she connects.
  await world.type('alice', '/tip @carol 1');
  await world.fetchUpdates();
  await world.ingest();
  await world.prepare();
  await world.settle();
  await world.watch();
  await world.press('carol', question, yes, CAROL.telegram.id);
  await world.fetchUpdates();
  await world.ingest();
  await world.reply();
  const offer = await toCarol();
  expect(offer.text).toBe('🎁 Waiting for you: 7.00 USDC (Base). Claim it on your page.');
  expect(buttonsOf(offer)[0]).toMatchObject({
    text: 'See what’s waiting',
    url: expect.stringMatching(/\/tabs$/),
  });

  const before = await world.usdc('carol');
  expect((await carol.get('/api/escrow?role=recipient')).body.confirming).toBe(1);
  expect((await alice.get('/api/escrow')).body.confirming).toBeNull();
  expect((await carol.post('/api/escrow/claim_all', {})).body).toMatchObject({ claims: 2, confirming: 1 });
  await work();
  expect((await world.usdc('carol')) - before).toBe(usdc('7'));
  expect((await carol.post('/api/escrow/claim_all', {})).body).toMatchObject({ claims: 1, confirming: 0 });
  await work();
  expect((await world.usdc('carol')) - before).toBe(usdc('8'));

  const receipts = (await world.botSaid()).slice(-3).map(({ text }) => text.replace(/0x\S+/, '0x'));
  expect(receipts).toEqual([
    '✅ @carol claimed 5.00 USDC from @alice. View 0x',
    '✅ @carol claimed 2.00 USDC from @bob. View 0x',
    '✅ @carol claimed 1.00 USDC from @alice. View 0x',
  ]);
  const { data } = (await carol.get('/api/history?direction=received')).body;
  expect(data.map((line: { amount: string; counterparty: string }) => [line.amount, line.counterparty])).toEqual([
    ['1.00', 'alice@ampersat'],
    ['2.00', 'bob@ampersat'],
    ['5.00', 'alice@ampersat'],
  ]);
  // Claimed once: a second wish finds nothing.
  expect((await carol.post('/api/escrow/claim_all', {})).body.claims).toBe(0);
  await work();
  expect((await world.usdc('carol')) - before).toBe(usdc('8'));
});

test('a tip after that goes to the wallet at once', async () => {
  const before = await world.usdc('carol');
  await world.say('alice', '/tip @carol 1');
  expect((await world.usdc('carol')) - before).toBe(usdc('1'));
});

test('nobody claims in time: it goes back by itself, and the receipt says so', async () => {
  const dave = localPerson('dave');
  const { message_id } = await world.type('dave', 'good evening');
  await world.fetchUpdates();
  const before = await world.usdc('alice');
  await world.say('alice', '/tip 3', { replyTo: message_id });
  await indexChain(world.ctx, world.evmChain());
  expect((await inGroup()).text).toContain(`3.00 USDC for @${dave.telegram.username}`);
  const escrow = await world.ctx.db.escrow.findFirstOrThrow({ where: { status: 'open' }, orderBy: { id: 'desc' } });
  await world.admin().setNextBlockTimestamp({ timestamp: escrow.deadline });
  await world.mine(4);
  world.later(8 * 24 * 3_600_000);
  await refundOverdueEscrows(world.ctx);
  await work();
  expect(await world.usdc('alice')).toBe(before);
  expect((await inGroup()).text).toMatch(/^↩️ 3\.00 USDC went back to @alice\. @dave hadn’t claimed it\. View 0x/);
  expect(await world.ctx.db.escrow.findUniqueOrThrow({ where: { id: escrow.id } })).toMatchObject({
    status: 'refunded',
  });
  const { data } = (await alice.get('/api/history')).body;
  expect(data[0]).toMatchObject({ counterparty: '@dave', amount: '3.00', status: 'returned' });
});
