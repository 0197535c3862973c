// The API of tabs: what people may ask for, and that the chain is believed and nobody else.
import { encodeFunctionData, erc20Abi, parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Escrows, escrowsOf, stagedTerms } from '../../../test/setup/escrows.ts';
import { signPrepared, walletOfPerson } from '../../../test/setup/signer.ts';
import { type Answer, serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { handleKey } from '../../chain/routers/escrow.ts';
import { findSession, type SessionHandle } from '../../services/accounts/sessions.ts';
import { claimEscrow } from '../../services/escrow/claimRequests.ts';
import { dropStaged } from '../../services/escrow/deadlines.ts';
import { confirmCreate } from '../../services/escrow/opening.ts';
import { waitingFor } from '../../services/escrow/waiting.ts';

let world: World;
let escrows: Escrows;
let alice: Visitor;
let bob: Visitor;
let carol: Visitor;
beforeAll(async () => {
  world = await startWorld();
  const base = await serveWorld(world);
  escrows = escrowsOf(world);
  [alice, bob, carol] = [visitor(base), visitor(base), visitor(base)];
  await alice.signIn(walletOfPerson('alice'));
  await bob.signIn(walletOfPerson('bob'));
  await carol.signIn(walletOfPerson('carol'));
});
afterAll(() => world.stop());
// No call counts against those of another test.
beforeEach(() => escrows.later(61));

const WISH = { handleSlug: 'bob', amount: '2.50', chain: 'base' };
const codeOf = ({ status, body }: Answer) => [status, body.error?.code];
const stage = async (wish: object = {}) => (await alice.post('/api/escrow', { ...WISH, ...wish })).body;
const act = (who: Visitor, id: string, body: object) => who.post(`/api/escrow/${id}`, body);
const confirm = (who: Visitor, { escrow }: Staged, txHash: string) =>
  act(who, escrow.id, { action: 'confirm_create', txHash, onChainId: escrow.onChainId });
type Staged = Awaited<ReturnType<typeof stage>>;

/** For calls that need not wait for what processes would do meanwhile. */
async function handleOf(who: Visitor): Promise<SessionHandle> {
  const found = await findSession(world.ctx, who.cookies.get('service-session') ?? '');
  if (!found?.session.handle) throw new Error('nobody is signed in');
  return found.session.handle;
}

/** Staged, opened by Alice's wallet, and final. */
async function opened(wish: object = {}): Promise<Staged & { txHash: `0x${string}` }> {
  const staged = await stage(wish);
  const txHash = await escrows.open('alice', staged.onChainArgs);
  await world.mine(3);
  const answer = await confirm(alice, staged, txHash);
  expect([answer.status, answer.body.escrow.status]).toEqual([200, 'open']);
  return { ...staged, txHash };
}

/** The answer to a claim comes while both keys work. */
async function claimed(who: Visitor, id: string): Promise<Answer> {
  const done = act(who, id, { action: 'claim' });
  let over = false;
  const answer = done.finally(() => {
    over = true;
  });
  while (!over) await escrows.pay();
  return answer;
}

describe('staging', () => {
  test('201 with the tab and what the wallet is to send', async () => {
    const answer = await alice.post('/api/escrow', { ...WISH, dueInHours: 24, note: ' for lunch ' });
    expect(answer.status).toBe(201);
    const { escrow, onChainArgs } = answer.body;
    expect(escrow).toMatchObject({
      object: 'escrow',
      status: 'pending_create',
      handleSlug: 'bob',
      recipient_label: 'bob@ampersat',
      sender_label: 'alice@ampersat',
      role: 'sender',
      origin: 'page',
      amount: '2.50',
      currency: 'USDC',
      chain: 'base',
      chain_label: 'Base',
      note: 'for lunch',
      revocable: false,
      refundable: 'no',
      txHash: null,
      claim: null,
      refund: null,
      pays_to: null,
      opened_at: null,
    });
    expect(escrow.id).toMatch(/^esc_[0-9a-z]{26}$/);
    expect(onChainArgs).toMatchObject({
      router: world.evmChain().routers.escrow,
      stable: world.evmChain().usdc,
      handleSlug: 'bob',
      amount: '2500000',
      deadline: escrow.deadline,
      revocable: false,
      chainId: 8453,
    });
    expect(escrow.deadline - world.ctx.clock.now() / 1_000).toBeCloseTo(86_400, -1);
    expect(escrows.idOf(stagedTerms(localPerson('alice').address, onChainArgs))).toBe(escrow.onChainId);
    expect((await stage()).onChainArgs.senderNonce).not.toBe(onChainArgs.senderNonce);
  });

  test('a tab for a username can be taken back, one for an account by its id as well as for a handle only after the deadline', async () => {
    expect((await stage({ handleSlug: 'x:Some_Body' })).escrow).toMatchObject({
      revocable: true,
      handleSlug: 'x:some_body',
      recipient_label: '@some_body on X',
    });
    expect((await stage({ handleSlug: 'telegram:id:99' })).escrow.revocable).toBe(false);
  });

  test.each([
    ['a handle that nobody has', { handleSlug: 'nobody_here' }, 404, 'handle_not_found', 'handleSlug'],
    ['something that is no name', { handleSlug: 'mail:bob' }, 400, 'parameter_invalid', 'handleSlug'],
    ['oneself', { handleSlug: 'alice' }, 400, 'parameter_invalid', 'handleSlug'],
    ['one’s own account', { handleSlug: 'x:alice' }, 400, 'parameter_invalid', 'handleSlug'],
    ['too little', { amount: '0.009999' }, 400, 'amount_out_of_range', 'amount'],
    ['nothing', { amount: '0' }, 400, 'amount_out_of_range', 'amount'],
    ['too much', { amount: '1000000.000001' }, 400, 'amount_out_of_range', 'amount'],
    ['less than nothing', { amount: '-1' }, 400, 'parameter_invalid', 'amount'],
    ['more decimals than there are', { amount: '1.0000001' }, 400, 'parameter_invalid', 'amount'],
    ['no amount', { amount: undefined }, 400, 'parameter_missing', 'amount'],
    ['a chain that is not served', { chain: 'ink' }, 422, 'unsupported_chain', 'chain'],
    ['a chain that is none', { chain: '__proto__' }, 422, 'unsupported_chain', 'chain'],
    ['no time', { dueInHours: 0 }, 400, 'parameter_invalid', 'dueInHours'],
    ['too much time', { dueInHours: 2_161 }, 400, 'parameter_invalid', 'dueInHours'],
    ['half hours', { dueInHours: 1.5 }, 400, 'parameter_invalid', 'dueInHours'],
    ['a long note', { note: 'x'.repeat(281) }, 400, 'parameter_invalid', 'note'],
    ['a note that turns', { note: 'a\u202Eb' }, 400, 'parameter_invalid', 'note'],
    ['a note with a hole', { note: 'a\u0000b' }, 400, 'parameter_invalid', 'note'],
    ['something else', { recipient: 'bob' }, 400, 'parameter_unknown', 'recipient'],
  ])('%s is refused', async (_, wish, status, code, param) => {
    const answer = await alice.post('/api/escrow', { ...WISH, ...wish });
    expect([...codeOf(answer), answer.body.error.param]).toEqual([status, code, param]);
  });

  test('401 without a session, 403 from another page', async () => {
    const stranger = visitor(new URL(world.ctx.env.BASE_URL).origin);
    expect(codeOf(await stranger.post('/api/escrow', WISH))).toEqual([401, 'session_required']);
    expect(codeOf(await stranger.get('/api/escrow'))).toEqual([401, 'session_required']);
    expect(codeOf(await alice.post('/api/escrow', WISH, { origin: 'https://evil.example' }))).toEqual([
      403,
      'origin_not_allowed',
    ]);
  });

  test.each([1, 2_160])('the router takes what is staged for %i hours', async (dueInHours) => {
    await opened({ dueInHours });
  });
});

describe('saying that it was opened', () => {
  test('is believed when the chain shows it, any number of times', async () => {
    const staged = await opened();
    const again = await confirm(alice, staged, staged.txHash.toUpperCase().replace('0X', '0x'));
    expect(again.body.escrow).toMatchObject({ status: 'open', txHash: staged.txHash, refundable: 'after_deadline' });
    expect(again.body.escrow.opened_at).not.toBeNull();
    const moves = await world.ctx.db.transition.findMany({ where: { resourceId: staged.escrow.id } });
    expect(moves).toHaveLength(1);
  });

  test('until its block is final it stays staged, with its transaction; then the indexer opens it', async () => {
    const staged = await stage();
    const txHash = await escrows.open('alice', staged.onChainArgs);
    const given = { txHash, onChainId: staged.escrow.onChainId };
    const answer = await confirmCreate(world.ctx, await handleOf(alice), staged.escrow.id, given, { waitMs: 0 });
    expect(answer).toMatchObject({ status: 'pending_create', txHash });
    await escrows.settle();
    expect((await alice.get(`/api/escrow/${staged.escrow.id}`)).body.escrow.status).toBe('open');
  });

  test('422 for a transaction that nobody knows', async () => {
    expect(codeOf(await confirm(alice, await stage(), `0x${'12'.repeat(32)}`))).toEqual([422, 'tx_not_found']);
  });

  test('422 for another tab’s transaction, another amount, another recipient, a plain transfer, one that failed', async () => {
    const [first, staged] = [await opened(), await stage()];
    const mismatch = [422, 'tx_mismatch'];
    expect(codeOf(await confirm(alice, staged, first.txHash))).toEqual(mismatch);
    const terms = stagedTerms(localPerson('alice').address, staged.onChainArgs);
    const less = await escrows.open('alice', { ...terms, amount: terms.amount - 1n });
    await world.mine(3);
    expect(codeOf(await confirm(alice, staged, less))).toEqual(mismatch);
    const failed = await escrows.open('alice', terms);
    expect(codeOf(await confirm(alice, staged, failed))).toEqual(mismatch);
    const other = await stage();
    const elsewhere = await escrows.open('alice', {
      ...stagedTerms(localPerson('alice').address, other.onChainArgs),
      handleKey: handleKey('nobody_at_all'),
    });
    expect(codeOf(await confirm(alice, other, elsewhere))).toEqual(mismatch);
    const args = [localPerson('bob').address, 2_500_000n] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
    expect(codeOf(await confirm(alice, other, await escrows.send('alice', world.evmChain().usdc, data)))).toEqual(
      mismatch,
    );
  });

  test('422 when somebody else’s wallet did it, when somebody else says so, and for another id', async () => {
    const staged = await stage();
    const terms = stagedTerms(localPerson('bob').address, staged.onChainArgs);
    const txHash = await escrows.open('bob', terms);
    await world.mine(3);
    expect(codeOf(await confirm(alice, staged, txHash))).toEqual([422, 'tx_mismatch']);
    const own = await escrows.open('alice', staged.onChainArgs);
    await world.mine(3);
    expect(codeOf(await confirm(bob, staged, own))).toEqual([422, 'tx_mismatch']);
    const wrong = await act(alice, staged.escrow.id, {
      action: 'confirm_create',
      txHash: own,
      onChainId: `0x${'00'.repeat(32)}`,
    });
    expect(codeOf(wrong)).toEqual([422, 'tx_mismatch']);
    expect((await confirm(alice, staged, own)).body.escrow.status).toBe('open');
  });

  test('an event of another contract is no event', async () => {
    const staged = await stage();
    const { escrow, bot } = world.evmChain().routers;
    const txHash = await escrows.open('alice', staged.onChainArgs);
    await world.mine(3);
    // The same logs, while another address is the router.
    world.evmChain().routers = { ...world.evmChain().routers, escrow: bot };
    expect(codeOf(await confirm(alice, staged, txHash))).toEqual([422, 'tx_mismatch']);
    world.evmChain().routers = { ...world.evmChain().routers, escrow };
    expect((await confirm(alice, staged, txHash)).status).toBe(200);
  });

  test('what nobody opened within a day is dropped and shown to nobody; the chain may still open it', async () => {
    const staged = await stage({ dueInHours: 100 });
    world.later(86_400_000);
    await dropStaged(world.ctx);
    expect(codeOf(await alice.get(`/api/escrow/${staged.escrow.id}`))).toEqual([404, 'resource_missing']);
    for (const body of [{ action: 'claim' }, { action: 'refund' }])
      expect(codeOf(await act(alice, staged.escrow.id, body))).toEqual([404, 'resource_missing']);
    await escrows.open('alice', staged.onChainArgs);
    await escrows.settle();
    expect((await alice.get(`/api/escrow/${staged.escrow.id}`)).body.escrow.status).toBe('open');
    await world.admin().increaseTime({ seconds: 86_400 });
    await world.mine(1);
  });
});

describe('claiming', () => {
  test('pays the reserved handle, whole; the answer has the transaction', async () => {
    const { escrow } = await opened();
    const before = await world.usdc('bob');
    const seen = (await bob.get(`/api/escrow/${escrow.id}`)).body.escrow;
    expect(seen).toMatchObject({ role: 'recipient', pays_to: localPerson('bob').address });
    const answer = await claimed(bob, escrow.id);
    expect([answer.status, answer.body.txHash]).toEqual([200, expect.stringMatching(/^0x[0-9a-f]{64}$/)]);
    expect(answer.body.tx_hash).toBe(answer.body.txHash);
    await escrows.settle();
    const after = (await bob.get(`/api/escrow/${escrow.id}`)).body.escrow;
    expect(after).toMatchObject({
      status: 'claimed',
      paid_to: localPerson('bob').address,
      close_tx_hash: answer.body.txHash,
      pays_to: null,
      claim: { status: 'final', tx_hash: answer.body.txHash, failure: null, held_until: null },
    });
    expect((await world.usdc('bob')) - before).toBe(parseUnits('2.5', 6));
    expect(codeOf(await act(bob, escrow.id, { action: 'claim' }))).toEqual([409, 'state_conflict']);
  });

  test('two at once are one claim', async () => {
    const { escrow } = await opened();
    const before = await world.usdc('bob');
    const [one, two] = await Promise.all([claimed(bob, escrow.id), act(bob, escrow.id, { action: 'claim' })]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(await world.ctx.db.claim.count({ where: { tabId: escrow.onChainId } })).toBe(1);
    await escrows.pay();
    expect((await world.usdc('bob')) - before).toBe(parseUnits('2.5', 6));
  });

  test('403 for everybody else, the sender too; 409 before it is open', async () => {
    const staged = await stage();
    const { escrow } = await opened();
    for (const who of [alice, carol])
      expect(codeOf(await act(who, escrow.id, { action: 'claim' }))).toEqual([403, 'not_reserved_handle']);
    expect(codeOf(await act(bob, staged.escrow.id, { action: 'claim' }))).toEqual([409, 'state_conflict']);
    expect(await world.ctx.db.claim.count({ where: { tabId: escrow.onChainId } })).toBe(0);
  });

  test('the connected account counts, and only while it is connected', async () => {
    const id = localPerson('bob').discord.id;
    const { escrow } = await opened({ handleSlug: `discord:id:${id}` });
    const where = { platform_platformUserId: { platform: 'discord', platformUserId: id } };
    await world.ctx.db.connection.update({ where, data: { disconnectedAt: new Date() } });
    expect(codeOf(await act(bob, escrow.id, { action: 'claim' }))).toEqual([403, 'not_reserved_handle']);
    await world.ctx.db.connection.update({ where, data: { disconnectedAt: null } });
    expect((await claimed(bob, escrow.id)).status).toBe(200);
  });

  test('everything at once', async () => {
    await opened({ amount: '1' });
    await opened({ amount: '3', handleSlug: `telegram:id:${localPerson('bob').telegram.id}` });
    const { id } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'bob' } });
    const open = await world.ctx.db.escrow.count({ where: { status: 'open', handleSlug: { not: 'x:some_body' } } });
    const waiting = await waitingFor(world.ctx.db, id);
    expect(waiting.count).toBeGreaterThanOrEqual(2);
    expect(waiting.sums).toEqual([expect.objectContaining({ chain: 'base', asset: 'USDC', count: waiting.count })]);
    const before = await world.usdc('bob');
    const answer = await bob.post('/api/escrow/claim_all', {});
    expect([answer.status, answer.body.claims]).toEqual([200, waiting.count]);
    expect(open).toBeGreaterThanOrEqual(waiting.count);
    expect(answer.body.escrows).toHaveLength(waiting.count);
    await escrows.pay();
    expect((await world.usdc('bob')) - before).toBe(parseUnits(waiting.sums[0]?.amount ?? '', 6));
    expect((await waitingFor(world.ctx.db, id)).count).toBe(0);
    expect((await bob.post('/api/escrow/claim_all', {})).body).toEqual({ escrows: [], claims: 0, confirming: 0 });
    expect(codeOf(await bob.post('/api/escrow/claim_all', { all: true }))).toEqual([400, 'parameter_unknown']);
  });

  test('a tab whose opening is not final is confirming, and no longer than a day', async () => {
    const staged = await stage();
    const confirming = async () => (await bob.get('/api/escrow?role=recipient')).body.confirming;
    expect(await confirming()).toBe(0);
    const txHash = await escrows.open('alice', staged.onChainArgs);
    await confirmCreate(
      world.ctx,
      await handleOf(alice),
      staged.escrow.id,
      { txHash, onChainId: staged.escrow.onChainId },
      { waitMs: 0 },
    );
    expect(await confirming()).toBe(1);
    expect((await bob.post('/api/escrow/claim_all', {})).body).toMatchObject({ confirming: 1 });
    await escrows.later(86_401);
    expect(await confirming()).toBe(0);
  });
});

describe('taking it back', () => {
  const signedRefund = async (id: string, who = 'alice') => {
    const prepared = await alice.get(`/api/escrow/${id}/refund_data`);
    const { typed_data, deadline } = prepared.body;
    return {
      action: 'refund',
      deadline,
      signature: await signPrepared({ typed_data, submit: {} }, walletOfPerson(who)),
    };
  };
  const REVOCABLE = { handleSlug: 'x:some_body' };

  test('409 before the deadline, for whoever asks', async () => {
    const { escrow } = await opened();
    for (const who of [alice, bob, carol])
      expect(codeOf(await act(who, escrow.id, { action: 'refund' }))).toEqual([409, 'refund_before_deadline']);
    expect(codeOf(await alice.get(`/api/escrow/${escrow.id}/refund_data`))).toEqual([409, 'refund_before_deadline']);
    const signed = { action: 'refund', deadline: 4_000_000_000, signature: '0x12' };
    expect(codeOf(await act(alice, escrow.id, signed))).toEqual([409, 'refund_before_deadline']);
    expect(codeOf(await act(alice, (await stage()).escrow.id, { action: 'refund' }))).toEqual([409, 'state_conflict']);
  });

  test('by the wallet itself: the chain says whether that is so', async () => {
    const { escrow, onChainArgs, txHash } = await opened(REVOCABLE);
    const other = await opened(REVOCABLE);
    const before = await world.usdc('alice');
    const hash = await escrows.refund('alice', stagedTerms(localPerson('alice').address, onChainArgs));
    await world.mine(3);
    const named = (id: string, tx: string) => act(alice, id, { action: 'refund', txHash: tx });
    expect(codeOf(await named(other.escrow.id, hash))).toEqual([422, 'tx_mismatch']);
    expect(codeOf(await named(escrow.id, txHash))).toEqual([422, 'tx_mismatch']);
    expect(codeOf(await named(escrow.id, `0x${'34'.repeat(32)}`))).toEqual([422, 'tx_not_found']);
    for (let i = 0; i < 2; i++) {
      const answer = await named(escrow.id, hash);
      expect(answer.body.escrow).toMatchObject({ status: 'refunded', close_tx_hash: hash, refundable: 'no' });
      expect(answer.body.escrow.paid_to).toBe(localPerson('alice').address);
    }
    expect((await world.usdc('alice')) - before).toBe(parseUnits('2.5', 6));
    for (const body of [{ action: 'refund' }, { action: 'claim' }])
      expect((await act(alice, escrow.id, body)).status).toBeGreaterThanOrEqual(403);
    expect(codeOf(await act(alice, escrow.id, { action: 'refund' }))).toEqual([409, 'state_conflict']);
    expect(codeOf(await named(escrow.id, txHash))).toEqual([409, 'state_conflict']);
  });

  test('by the sender’s signature at our cost, from ten minutes on, once', async () => {
    const { escrow } = await opened(REVOCABLE);
    expect(escrow.revocable).toBe(true);
    expect((await alice.get(`/api/escrow/${escrow.id}`)).body.escrow.refundable).toBe('by_sender');
    const early = await act(alice, escrow.id, await signedRefund(escrow.id));
    expect([...codeOf(early), Number(early.headers.get('retry-after')) > 500]).toEqual([429, 'rate_limited', true]);
    await escrows.later(601);
    const signed = await signedRefund(escrow.id);
    expect(codeOf(await act(alice, escrow.id, await signedRefund(escrow.id, 'bob')))).toEqual([
      400,
      'signature_invalid',
    ]);
    expect(codeOf(await act(bob, escrow.id, signed))).toEqual([400, 'signature_invalid']);
    expect(codeOf(await act(alice, escrow.id, { ...signed, deadline: signed.deadline + 7_200 }))).toEqual([
      400,
      'parameter_invalid',
    ]);
    expect(codeOf(await act(alice, escrow.id, { ...signed, txHash: `0x${'12'.repeat(32)}` }))).toEqual([
      400,
      'parameter_unknown',
    ]);
    expect(codeOf(await act(alice, escrow.id, { action: 'refund', deadline: signed.deadline }))).toEqual([
      400,
      'parameter_missing',
    ]);
    const before = await world.usdc('alice');
    expect((await act(alice, escrow.id, signed)).body.escrow.refund).toEqual({
      status: 'queued',
      tx_hash: null,
      failure: null,
    });
    expect((await act(alice, escrow.id, signed)).status).toBe(200);
    expect(await world.ctx.db.sponsoredCall.count({ where: { kind: 'tab_refund' } })).toBe(1);
    await escrows.sendSigned();
    const after = (await alice.get(`/api/escrow/${escrow.id}`)).body.escrow;
    expect(after).toMatchObject({ status: 'refunded', refund: { status: 'final', tx_hash: after.close_tx_hash } });
    expect((await world.usdc('alice')) - before).toBe(parseUnits('2.5', 6));
  });

  test('three a day, then the wallet pays itself', async () => {
    await escrows.later(86_401);
    const four = [];
    for (let i = 0; i < 4; i++) four.push(await opened({ ...REVOCABLE, amount: '0.5' }));
    await escrows.later(601);
    for (const [index, { escrow }] of four.entries()) {
      const answer = await act(alice, escrow.id, await signedRefund(escrow.id));
      expect(answer.status).toBe(index < 3 ? 200 : 429);
      if (index === 3) expect(answer.body.error.message).toContain('from your wallet');
      await escrows.sendSigned();
    }
    await escrows.later(86_401);
    const last = four[3]?.escrow.id ?? '';
    expect((await act(alice, last, await signedRefund(last))).status).toBe(200);
    await escrows.sendSigned();
    expect((await alice.get(`/api/escrow/${last}`)).body.escrow.status).toBe('refunded');
  });

  test('a claim and a refund race: one of them is paid, the loser is told so', async () => {
    const [first, second] = [await opened(), await opened()];
    const terms = stagedTerms(localPerson('alice').address, first.onChainArgs);
    // The claim is attested and on its way when the deadline passes and the sender takes it back.
    expect((await claimEscrow(world.ctx, await handleOf(bob), first.escrow.id, { waitMs: 0 })).txHash).toBeNull();
    await escrows.attest();
    await escrows.later(200 * 3_600);
    const before = await world.usdc('bob');
    await escrows.refund('alice', terms);
    await escrows.pay();
    await escrows.pay();
    const lost = (await bob.get(`/api/escrow/${first.escrow.id}`)).body.escrow;
    expect(lost).toMatchObject({
      status: 'refunded',
      claim: { status: 'failed', failure: 'This tab was already returned.' },
    });
    expect(await world.usdc('bob')).toBe(before);
    // And the other way: claimed although the deadline is over, because nobody sent it back.
    expect((await claimed(bob, second.escrow.id)).status).toBe(200);
    const hash = await escrows.refund('alice', stagedTerms(localPerson('alice').address, second.onChainArgs));
    await escrows.settle();
    const late = await act(alice, second.escrow.id, { action: 'refund', txHash: hash });
    expect([...codeOf(late), late.body.error.message]).toEqual([
      409,
      'state_conflict',
      'This tab was already claimed.',
    ]);
  });
});

describe('every state and every trigger', () => {
  const NO_TX = `0x${'56'.repeat(32)}`;
  const SIGNED = { action: 'refund', deadline: 4_000_000_000, signature: `0x${'12'.repeat(65)}` };
  type Made = Staged & { txHash?: string };
  const states: Record<string, () => Promise<Made>> = {
    pending_create: () => stage(),
    open: () => opened(),
    claimed: async () => {
      const made = await opened();
      await claimed(bob, made.escrow.id);
      await escrows.settle();
      return made;
    },
    refunded: async () => {
      const made = await opened({ handleSlug: `telegram:id:${localPerson('bob').telegram.id}` });
      await escrows.later(169 * 3_600);
      await escrows.refund('carol', stagedTerms(localPerson('alice').address, made.onChainArgs));
      await escrows.settle();
      return made;
    },
    dropped: async () => {
      const made = await stage();
      await world.ctx.db.escrow.update({ where: { id: made.escrow.id }, data: { status: 'dropped' } });
      return made;
    },
  };
  const [gone, conflict, early] = ['404 resource_missing', '409 state_conflict', '409 refund_before_deadline'];
  const [missing, foreign] = ['422 tx_not_found', '403 not_reserved_handle'];
  const table: Record<string, Record<string, string>> = {
    pending_create: {
      again: missing,
      other: missing,
      claim: conflict,
      theirs: foreign,
      refund: conflict,
      tx: conflict,
      signed: conflict,
    },
    open: { again: '200', other: missing, theirs: foreign, refund: early, tx: missing, signed: early, claim: '200' },
    claimed: {
      again: '200',
      other: conflict,
      claim: conflict,
      theirs: foreign,
      refund: conflict,
      tx: conflict,
      signed: conflict,
    },
    refunded: {
      again: '200',
      other: conflict,
      claim: conflict,
      theirs: foreign,
      refund: conflict,
      tx: conflict,
      signed: conflict,
    },
    dropped: { again: gone, other: gone, claim: gone, theirs: gone, refund: gone, tx: gone, signed: gone },
  };

  test.each(Object.keys(table))('%s', async (state) => {
    const made = (await states[state]?.()) as Made;
    const { id } = made.escrow;
    const triggers: Record<string, () => Promise<Answer>> = {
      again: () => confirm(alice, made, made.txHash ?? NO_TX),
      other: () => confirm(alice, made, NO_TX),
      claim: () => (state === 'open' ? claimed(bob, id) : act(bob, id, { action: 'claim' })),
      theirs: () => act(carol, id, { action: 'claim' }),
      refund: () => act(carol, id, { action: 'refund' }),
      tx: () => act(carol, id, { action: 'refund', txHash: NO_TX }),
      signed: () => act(alice, id, SIGNED),
    };
    const answers: Record<string, string> = {};
    for (const name of Object.keys(table[state] ?? {})) {
      const answer = await triggers[name]?.();
      answers[name] = [answer?.status, answer?.body.error?.code].join(' ').trim();
    }
    expect(answers).toEqual(table[state]);
  });
});

describe('looking', () => {
  test('anybody signed in sees a tab whose id they have, and not its note', async () => {
    const { escrow } = await stage({ note: 'between us' });
    expect((await bob.get(`/api/escrow/${escrow.id}`)).body.escrow.note).toBe('between us');
    const seen = (await carol.get(`/api/escrow/${escrow.id}`)).body.escrow;
    expect(seen).toMatchObject({ role: 'other', note: null, pays_to: null, claim: null });
    for (const id of ['esc_00000000000000000000000000', 'tip_1', 'esc_', escrow.id.toUpperCase()])
      expect(codeOf(await carol.get(`/api/escrow/${id}`))).toEqual([404, 'resource_missing']);
  });

  test('one’s own tabs page by page, also while new ones come', async () => {
    for (let i = 0; i < 4; i++) await stage({ amount: `${i + 1}` });
    const first = (await alice.get('/api/escrow?limit=2')).body;
    expect(first).toMatchObject({ has_more: true });
    expect(first.escrows.map((one: { amount: string }) => one.amount)).toEqual(['4.00', '3.00']);
    await stage({ amount: '9' });
    const next = (await alice.get(`/api/escrow?limit=2&cursor=${first.next_cursor}`)).body;
    expect(next.escrows.map((one: { amount: string }) => one.amount)).toEqual(['2.00', '1.00']);
    expect((await carol.get('/api/escrow')).body).toEqual({
      object: 'list',
      escrows: [],
      confirming: null,
      has_more: false,
      next_cursor: null,
    });
    expect(codeOf(await alice.get('/api/escrow?cursor=abc'))).toEqual([400, 'parameter_invalid']);
    expect(codeOf(await alice.get('/api/escrow?limit=101'))).toEqual([400, 'parameter_invalid']);
    expect(codeOf(await alice.get('/api/escrow?who=me'))).toEqual([400, 'parameter_unknown']);
  });

  test('what is for oneself: the open ones first, and nothing that is only staged', async () => {
    await opened({ handleSlug: 'carol', amount: '1' });
    const paid = await opened({ handleSlug: 'carol', amount: '2' });
    await claimed(carol, paid.escrow.id);
    await escrows.settle();
    await stage({ handleSlug: 'carol', amount: '3' });
    const list = async (query = '') => (await carol.get(`/api/escrow?role=recipient${query}`)).body;
    const all = await list();
    expect(all.escrows.map((one: { amount: string; status: string }) => [one.status, one.amount])).toEqual([
      ['open', '1.00'],
      ['claimed', '2.00'],
    ]);
    const first = await list('&limit=1');
    expect((await list(`&limit=1&cursor=${first.next_cursor}`)).escrows[0].id).toBe(paid.escrow.id);
  });

  test('too many calls in a minute', async () => {
    const { escrow } = await stage();
    const answers = await Promise.all(Array.from({ length: 31 }, () => act(carol, escrow.id, { action: 'claim' })));
    expect(answers.map((one) => one.status)).toContain(429);
  });
});
