// Wrapping of SOL over real HTTP and on a real chain: the executor pays the fee of what was built here and signed by its wallet, and loses nothing else.
import { randomBytes } from 'node:crypto';
import { type MessageV0, PublicKey, SystemProgram } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Keypair, keypairOf } from '../../../local/solana/keys.ts';
import { signTransaction } from '../../../test/setup/signer.ts';
import { addSolana, type SolanaInWorld } from '../../../test/setup/solanaInWorld.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { tokenAccount } from '../../chain/solana/addresses.ts';
import { createConnection } from '../../services/accounts/handles.ts';

const SOL = 1_000_000_000n;
/** Of a token account, and of an empty one. */
const [ACCOUNT_RENT, WALLET_RENT] = [1_488_440n, 650_240n];
/** Two signatures, and the least price for 60,000 units. */
const FEE = 10_060n;
let world: World;
let solana: SolanaInWorld;
let base: string;
let rich: Keypair;
beforeAll(async () => {
  world = await startWorld();
  solana = await addSolana(world);
  base = await serveWorld(world);
  rich = solana.person('rich', { lamports: 1_000n * SOL, usdc: 0n });
});
afterAll(async () => {
  await solana.stop();
  await world.stop();
});
beforeEach(() => {
  // A day later no budget of another test counts.
  world.later(25 * 3_600_000);
  world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 500;
});

let number = 0;
/** Someone with SOL alone, without any token account. */
async function person(
  lamports = 10n * SOL,
  key = keypairOf(randomBytes(32)),
): Promise<{ key: Keypair; browser: Visitor; handleId: string }> {
  number += 1;
  const browser = visitor(base);
  expect((await browser.signInWithSolana(key)).status).toBe(200);
  const slug = `wrap_${100 + number}`;
  expect((await browser.post('/api/handle', { handle: slug })).status).toBe(201);
  const { id: handleId } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug } });
  const platformUserId = String(7_700_000 + number);
  const platform = 'telegram';
  await createConnection(world.ctx, { handleId, platform, platformUserId, username: slug, canSpend: false });
  if (lamports > 0n) give(key.address, lamports);
  solana.step(3);
  return { key, browser, handleId };
}
function give(to: string, lamports: bigint): void {
  const toPubkey = new PublicKey(to);
  solana.send([rich], SystemProgram.transfer({ fromPubkey: new PublicKey(rich.address), toPubkey, lamports }));
}

type Kind = 'wrap' | 'unwrap';
// biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
type Body = any;
const ask = (browser: Visitor, kind: Kind, amount: unknown) => {
  // What is built in one slot with the same words is one message.
  solana.step();
  return browser.post('/api/solana/wrap', { kind, amount });
};
async function build(browser: Visitor, kind: Kind, amount: string): Promise<Body> {
  const { status, body } = await ask(browser, kind, amount);
  expect(body.error).toBeUndefined();
  expect(status).toBe(201);
  return body;
}
const submit = (browser: Visitor, { submit: url }: { submit: string }, solana_transaction: string) =>
  browser.post(url, { solana_transaction });
const code = ({ status, body }: { status: number; body: Body }) => [status, body.error?.code];
const executors = () => solana.roles.executors.reduce((sum, { address }) => sum + solana.lamportsOf(address), 0n);
const accountOf = ({ address }: Keypair) => solana.data(tokenAccount(address, solana.wrappedNative).address);

async function done({ browser, key }: { browser: Visitor; key: Keypair }, kind: Kind, amount: string): Promise<Body> {
  const built = await build(browser, kind, amount);
  const sent = await submit(browser, built, signTransaction(key, built.solana_transaction));
  expect(sent.body.error).toBeUndefined();
  expect(sent.body.wrap).toMatchObject({ id: built.wrap.id, status: 'queued' });
  await solana.run();
  const { body } = await browser.get(built.submit);
  expect(body.wrap).toMatchObject({ status: 'final', failure: null });
  return body.wrap;
}

describe('wrapping', () => {
  test('is the wallet’s own money and rent; the executor pays the fee and nothing else', async () => {
    const one = await person();
    const before = executors();
    const built = await build(one.browser, 'wrap', '2.5');
    expect(built).toMatchObject({
      wrap: { object: 'wrap', kind: 'wrap', chain: 'solana', amount: '2.50', wallet: one.key.address, tx_hash: null },
      signed_by: one.key.address,
      submit: `/api/solana/wrap/${built.wrap.id}`,
    });
    expect(built.wrap.status).toBe('prepared');
    expect(solana.roles.executors.map(({ address }) => address)).toContain(built.fee_payer);
    expect(executors()).toBe(before);
    const sent = await submit(one.browser, built, signTransaction(one.key, built.solana_transaction));
    expect(sent.status).toBe(200);
    await solana.run();
    const { wrap } = (await one.browser.get(built.submit)).body;
    expect(wrap).toMatchObject({ status: 'final', tx_hash: expect.any(String), failure: null });
    expect(wrap.explorer_url).toBe(`https://solscan.io/tx/${wrap.tx_hash}`);
    expect(solana.wrappedOf(one.key.address)).toBe((5n * SOL) / 2n);
    expect(solana.lamportsOf(one.key.address)).toBe(10n * SOL - (5n * SOL) / 2n - ACCOUNT_RENT);
    expect(before - executors()).toBe(FEE);

    // A second time costs no rent.
    await done(one, 'wrap', '1');
    expect(solana.wrappedOf(one.key.address)).toBe((7n * SOL) / 2n);
    expect(solana.lamportsOf(one.key.address)).toBe(10n * SOL - (7n * SOL) / 2n - ACCOUNT_RENT);
    expect((await one.browser.get('/api/solana/wrap')).body).toEqual({
      chain: 'solana',
      wallet: one.key.address,
      sol: '6.49851156',
      wrapped: '3.50',
      account_rent: '0.00148844',
      left_today: 18,
    });
  });

  test('of a part back keeps the account, what it holds and what it approves', async () => {
    const name = 'approver';
    const key = solana.person(name, { lamports: 5n * SOL, usdc: 0n });
    solana.allowWrapped(name, 3n * SOL);
    const { browser } = await person(0n, key);
    const before = accountOf(key);
    await done({ browser, key }, 'unwrap', '1.000000001');
    expect(solana.wrappedOf(key.address)).toBe(2n * SOL - 1n);
    expect(solana.lamportsOf(key.address)).toBe(6n * SOL + 1n);
    // All but the amount: the delegate and what it may move too.
    const after = accountOf(key);
    expect(after?.subarray(72)).toEqual(before?.subarray(72));
  });

  test.each(['max', '2.00'])(
    'of everything (%s) closes the account, and its rent goes to the wallet',
    async (amount) => {
      const one = await person();
      await done(one, 'wrap', '2');
      const before = executors();
      const wrap = await done(one, 'unwrap', amount);
      expect(wrap.amount).toBe('max');
      expect(accountOf(one.key)).toBeNull();
      expect(solana.lamportsOf(one.key.address)).toBe(10n * SOL);
      expect(before - executors()).toBe(10_060n);
    },
  );

  test('of everything works without any SOL', async () => {
    const one = await person(2n * SOL + ACCOUNT_RENT);
    await done(one, 'wrap', '2');
    expect(solana.lamportsOf(one.key.address)).toBe(0n);
    await done(one, 'unwrap', 'max');
    expect(solana.lamportsOf(one.key.address)).toBe(2n * SOL + ACCOUNT_RENT);
  });

  test('around and around takes only fees from the executor', async () => {
    const one = await person();
    const before = executors();
    for (let round = 0; round < 3; round++) {
      await done(one, 'wrap', '1');
      await done(one, 'unwrap', 'max');
    }
    expect(before - executors()).toBe(6n * FEE);
    expect(solana.lamportsOf(one.key.address)).toBe(10n * SOL);
  });
});

describe('what is refused', () => {
  test.each([
    ['wrap', '0'],
    ['wrap', '0.0'],
    ['wrap', '-1'],
    ['wrap', '1.0000000001'],
    ['wrap', 'max'],
    ['wrap', '1e3'],
    ['wrap', '99999999999999999999'],
    ['unwrap', '0.0000000000'],
    ['unwrap', ''],
  ] as const)('%s of %j', async (kind, amount) => {
    const { browser } = await person();
    const answer = await ask(browser, kind, amount);
    expect(code(answer)).toEqual([400, 'parameter_invalid']);
    expect(answer.body.error.param).toBe('amount');
    expect(await world.ctx.db.nativeWrap.count({ where: { wallet: '' } })).toBe(0);
  });

  test('other words, other kinds, and numbers', async () => {
    const { browser } = await person();
    expect(code(await ask(browser, 'wrap', 1))).toEqual([400, 'parameter_invalid']);
    expect(code(await ask(browser, 'burn' as never, '1'))).toEqual([400, 'parameter_invalid']);
    expect(code(await browser.post('/api/solana/wrap', { kind: 'wrap' }))).toEqual([400, 'parameter_missing']);
    const more = { kind: 'wrap', amount: '1', wallet: rich.address };
    expect(code(await browser.post('/api/solana/wrap', more))).toEqual([400, 'parameter_unknown']);
  });

  test('more than the wallet has, with what it has and needs', async () => {
    const { browser, key } = await person(SOL);
    const tooMuch = await ask(browser, 'wrap', '1');
    expect(code(tooMuch)).toEqual([402, 'call_refused']);
    expect(tooMuch.body.error.message).toContain('needs 1.00148844 SOL');
    expect(tooMuch.body.error.message).toContain('has 1.00 SOL');
    // Between nothing and the rent of an empty account no wallet may end.
    const leaves = await ask(browser, 'wrap', '0.9983');
    expect(leaves.body.error.message).toContain('must keep 0.00065024 SOL');
    expect((await ask(browser, 'wrap', '0.99851156')).status).toBe(201);
    expect((await ask(browser, 'wrap', '0.997')).status).toBe(201);
    const none = await ask(browser, 'unwrap', '0.1');
    expect(code(none)).toEqual([402, 'call_refused']);
    expect(none.body.error.message).toBe('Your wallet has no wrapped SOL.');
    expect(code(await ask(browser, 'unwrap', 'max'))).toEqual([402, 'call_refused']);

    await done({ browser, key }, 'wrap', '0.5');
    const above = await ask(browser, 'unwrap', '0.500000001');
    expect(code(above)).toEqual([402, 'call_refused']);
    expect(above.body.error.message).toContain('has 0.50 SOL wrapped');
  });

  test('a part back, where the wallet lacks the rent for a moment', async () => {
    const one = await person(SOL + ACCOUNT_RENT + WALLET_RENT);
    await done(one, 'wrap', '1');
    const refused = await ask(one.browser, 'unwrap', '0.5');
    expect(code(refused)).toEqual([402, 'call_refused']);
    expect(refused.body.error.message).toContain('Unwrap everything instead');
  });

  test('SOL that was moved away between building and submitting', async () => {
    const one = await person(3n * SOL);
    const built = await build(one.browser, 'wrap', '2');
    const signed = signTransaction(one.key, built.solana_transaction);
    const [fromPubkey, toPubkey] = [new PublicKey(one.key.address), new PublicKey(rich.address)];
    solana.send([one.key], SystemProgram.transfer({ fromPubkey, toPubkey, lamports: 2n * SOL }));
    solana.step(3);
    const before = executors();
    expect(code(await submit(one.browser, built, signed))).toEqual([402, 'call_refused']);
    // What leaves its own wallet too poor to exist is no fault of ours.
    const rest = await person(2n * SOL + ACCOUNT_RENT + WALLET_RENT);
    const second = await build(rest.browser, 'wrap', '2');
    const from = new PublicKey(rest.key.address);
    solana.send([rest.key], SystemProgram.transfer({ fromPubkey: from, toPubkey, lamports: 5_000n }));
    solana.step(3);
    const poor = await submit(rest.browser, second, signTransaction(rest.key, second.solana_transaction));
    expect(code(poor)).toEqual([402, 'call_refused']);
    expect(executors()).toBe(before);
  });

  test('a handle without a Solana wallet, and one without any session', async () => {
    expect(code(await visitor(base).post('/api/solana/wrap', { kind: 'wrap', amount: '1' }))).toEqual([
      401,
      'session_required',
    ]);
    const { walletOfPerson } = await import('../../../test/setup/signer.ts');
    const browser = visitor(base);
    await browser.signIn(walletOfPerson('alice'));
    expect(code(await ask(browser, 'wrap', '1'))).toEqual([409, 'state_conflict']);
    expect(code(await browser.get('/api/solana/wrap'))).toEqual([409, 'state_conflict']);
  });

  test('the 21st of a day, by the server’s clock in UTC', async () => {
    const { browser } = await person();
    const leftOfDay = () => 86_400_000 - (world.ctx.clock.now() % 86_400_000);
    world.later(leftOfDay());
    for (let at = 0; at < 20; at++) expect((await ask(browser, 'wrap', `0.${at + 10}`)).status).toBe(201);
    expect((await browser.get('/api/solana/wrap')).body.left_today).toBe(0);
    world.later(leftOfDay() - 60_000);
    const refused = await ask(browser, 'wrap', '0.5');
    expect(code(refused)).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    const other = await person();
    expect((await ask(other.browser, 'wrap', '0.5')).status).toBe(201);
    world.later(60_000);
    expect((await ask(browser, 'wrap', '0.5')).status).toBe(201);
  });

  test('twenty at once and one more build twenty', async () => {
    const { browser, handleId } = await person();
    solana.step();
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, at) => browser.post('/api/solana/wrap', { kind: 'wrap', amount: `0.${at + 10}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
    expect(await world.ctx.db.nativeWrap.count({ where: { handleId } })).toBe(20);
  });

  test('more than the share of the chain’s day', async () => {
    world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 3;
    const one = await person();
    await done(one, 'wrap', '1');
    const built = await build(one.browser, 'wrap', '1');
    const refused = await submit(one.browser, built, signTransaction(one.key, built.solana_transaction));
    expect(code(refused)).toEqual([429, 'rate_limited']);
    // Other calls have their part.
    const limits = { kind: 'limits', chain: 'solana', per_tip: '5', per_day: '10' };
    const { solana_transaction, submit: terms } = (await one.browser.post('/api/spending/prepare', limits)).body;
    const signed = { ...terms, solana_transaction: signTransaction(one.key, solana_transaction) };
    expect((await one.browser.post('/api/spending/submit', signed)).status).toBe(200);
  });
});

describe('the executor signs what was built here, and nothing else', () => {
  const changes: [string, (message: MessageV0) => void][] = [
    ['another amount', ({ compiledInstructions }) => compiledInstructions[3]?.data.set([255], 5)],
    ['another price', ({ compiledInstructions }) => compiledInstructions[1]?.data.set([255], 3)],
    [
      'another block hash',
      (message) => {
        message.recentBlockhash = rich.address;
      },
    ],
    ['another fee payer', ({ staticAccountKeys: keys }) => keys.splice(0, 1, new PublicKey(rich.address))],
    [
      'an executor that pays the rent',
      ({ compiledInstructions: [, , create] }) => create?.accountKeyIndexes.splice(0, 1, 0),
    ],
    ['SOL of the executor', ({ compiledInstructions }) => compiledInstructions[3]?.accountKeyIndexes.splice(0, 1, 0)],
    ['an instruction more', (message) => message.compiledInstructions.push(message.compiledInstructions[3] as never)],
    ['an instruction less', ({ compiledInstructions }) => compiledInstructions.pop()],
  ];

  test.each(changes)('%s is refused, though its wallet signed it', async (_name, change) => {
    const { browser, key } = await person();
    const built = await build(browser, 'wrap', '1');
    const before = executors();
    const altered = signTransaction(key, built.solana_transaction, change);
    expect(altered).not.toBe(signTransaction(key, built.solana_transaction));
    const refused = await submit(browser, built, altered);
    expect(code(refused)).toEqual([400, 'signature_invalid']);
    await solana.run();
    expect(executors()).toBe(before);
    expect(solana.wrappedOf(key.address)).toBe(0n);
    // What was built still works.
    const right = await submit(browser, built, signTransaction(key, built.solana_transaction));
    expect(right.status).toBe(200);
  });

  test('a transaction without its wallet’s signature, with another’s, and no transaction', async () => {
    const { browser, key } = await person();
    const built = await build(browser, 'wrap', '1');
    const bad = [built.solana_transaction, signTransaction(rich, built.solana_transaction), 'AAAA', ''];
    for (const text of bad) expect(code(await submit(browser, built, text))).toEqual([400, 'signature_invalid']);
    expect(await world.ctx.db.sponsoredCall.count({ where: { use: { contains: key.address } } })).toBe(0);
  });

  test('another handle’s transaction, and one under another’s name', async () => {
    const [one, other] = [await person(), await person()];
    const [mine, theirs] = [await build(one.browser, 'wrap', '1'), await build(other.browser, 'wrap', '1')];
    const signed = signTransaction(other.key, theirs.solana_transaction);
    expect(code(await submit(one.browser, theirs, signed))).toEqual([404, 'resource_missing']);
    expect(code(await submit(one.browser, mine, signed))).toEqual([400, 'signature_invalid']);
    expect(code(await one.browser.get(theirs.submit))).toEqual([404, 'resource_missing']);
    expect((await submit(other.browser, theirs, signed)).status).toBe(200);
  });

  test('the same again is the same call, before and after it is final, and is sent once', async () => {
    const one = await person();
    const built = await build(one.browser, 'wrap', '1');
    const signed = signTransaction(one.key, built.solana_transaction);
    const answers = await Promise.all(Array.from({ length: 4 }, () => submit(one.browser, built, signed)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await solana.run();
    const again = await submit(one.browser, built, signed);
    expect(again.body.wrap).toMatchObject({ id: built.wrap.id, status: 'final' });
    await solana.run();
    expect(solana.wrappedOf(one.key.address)).toBe(SOL);
    expect(await world.ctx.db.outgoingTx.count({ where: { calls: { some: { handleId: one.handleId } } } })).toBe(1);
  });

  test('a block hash that is over is refused, and never lands later', async () => {
    const one = await person();
    const built = await build(one.browser, 'wrap', '1');
    solana.step(160);
    const refused = await submit(one.browser, built, signTransaction(one.key, built.solana_transaction));
    expect(code(refused)).toEqual([402, 'call_refused']);
    expect(refused.body.error.message).toContain('expired');
    expect(solana.wrappedOf(one.key.address)).toBe(0n);
  });

  test('a transaction that is dropped until its hash is over has failed, and its wallet may wrap once more', async () => {
    const one = await person();
    const built = await build(one.browser, 'wrap', '1');
    await submit(one.browser, built, signTransaction(one.key, built.solana_transaction));
    solana.node.faults.add({ kind: 'drop', times: 100 });
    await solana.sendNow();
    solana.step(400);
    world.later(5_000);
    await solana.follow();
    solana.node.faults.clear();
    const { wrap } = (await one.browser.get(built.submit)).body;
    expect(wrap).toMatchObject({ status: 'failed', failure: expect.stringContaining('nothing changed') });
    const again = await submit(one.browser, built, signTransaction(one.key, built.solana_transaction));
    expect(again.status).toBeGreaterThanOrEqual(400);
    await done(one, 'wrap', '1');
    expect(solana.wrappedOf(one.key.address)).toBe(SOL);
  });

  test('an executor’s own wallet wraps nothing at our cost', async () => {
    const one = await person();
    const [executor] = solana.roles.executors;
    const where = { handleId_family: { handleId: one.handleId, family: 'solana' } };
    await world.ctx.db.wallet.update({ where, data: { address: executor?.address ?? '' } });
    expect(code(await ask(one.browser, 'wrap', '1'))).toEqual([402, 'call_refused']);
  });
});
