// Campaigns on Solana: opened by one signature of the sponsor, each grant paid once, and what cannot be paid says why.
import { randomBytes } from 'node:crypto';
import { type MessageV0, PublicKey, SystemProgram } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freezeAccount } from '../../../../local/solana/genesis.ts';
import { keypairOf, localSolanaKey } from '../../../../local/solana/keys.ts';
import { signTransaction } from '../../../../test/setup/signer.ts';
import { type SolanaCampaigns, startSolanaCampaigns } from '../../../../test/setup/solanaCampaigns.ts';
import { startWorld, type World } from '../../../../test/setup/world.ts';
import { senderState } from '../../../chain/senders.ts';
import { campaignOf, limitsOf, tokenAccount } from '../../../chain/solana/addresses.ts';
import { approvalInstructions } from '../../../chain/solana/approvals.ts';
import { solanaOpenCampaign } from '../../../chain/solana/campaigns.ts';
import type { Bytes32 } from '../../../chain/solana/codec.ts';
import { solanaSignatureOf } from '../../../domain/solanaAddress.ts';
import { indexChain } from '../../operations/feed.ts';
import {
  confirmCampaign,
  getCampaign,
  openSigned,
  queueCampaignRent,
  requestClose,
  takeBackCall,
  takeBackSigned,
} from './campaigns.ts';
import { retryGrants } from './grants.ts';

const MILLION = 1_000_000n;
const NONE = { scanned: 0, sent: 0, paid: 0, waiting: 0, failed: 0, errors: [] };
let world: World;
let campaigns: SolanaCampaigns;
let solana: SolanaCampaigns['solana'];
let sponsor: string;
beforeAll(async () => {
  world = await startWorld();
  campaigns = await startSolanaCampaigns(world);
  solana = campaigns.solana;
  sponsor = await campaigns.walletOf('shop');
  approve(300n * MILLION);
});
afterAll(async () => {
  await campaigns.stop();
  await world.stop();
});
beforeEach(() => {
  // A day later no budget of another test counts.
  campaigns.later(25 * 3_600_000);
});

let number = 0;
/** Wallets with a USDC account, none of another test. */
function wallets(count: number): string[] {
  const found = [...Array(count).keys()].map(() => campaigns.recipient(`grantee ${number++}`));
  solana.step(3);
  return found;
}
const inOrder = (recipients: readonly string[], amount = '1') =>
  recipients.map((recipient, index) => ({ key: `k${index}`, recipient, amount }));
const shop = () => campaigns.readerOf('shop');
const shopKey = () => localSolanaKey('shop');
/** The sponsor's approval as it is from now on. */
const approve = (amount: bigint) =>
  solana.send([shopKey()], ...approvalInstructions(solana.chain, sponsor, { amount, opensAccount: false }));
const executors = () => solana.roles.executors.reduce((sum, { address }) => sum + solana.lamportsOf(address), 0n);
const allowanceOf = async (owner: string) => {
  solana.step(3);
  return senderState(solana.chain, owner, solana.usdc, world.ctx.clock.now());
};
const accountOf = async (id: string) =>
  campaignOf(solana.program, (await campaigns.campaign(id)).campaignKey as Bytes32).address;
const grantTo = async (id: string, grants: { index: number; recipient: string; amount: bigint }[]) => {
  const [executor] = solana.roles.executors;
  if (!executor) throw new Error('the cluster has an executor');
  const { campaignKey } = await campaigns.campaign(id);
  const { treasury } = solana.roles;
  const instruction = solana.build('grant', {
    args: { validUntil: BigInt(solana.now() + 600) },
    accounts: {
      executor: executor.address,
      campaign: campaignOf(solana.program, campaignKey as Bytes32).address,
      limits: limitsOf(solana.program, sponsor).address,
      source: tokenAccount(sponsor, solana.usdc).address,
      treasury: tokenAccount(treasury.address, solana.usdc).address,
    },
    each: grants.map(({ index, recipient, amount }) => {
      const { address, bump } = tokenAccount(recipient, solana.usdc);
      return { index, amount, fee: 0n, bump, recipient: address };
    }),
  });
  return solana.send([executor], instruction);
};

describe('opening', () => {
  test('is one signature: an approval on top of what stands, and a campaign whose rent the sponsor pays', async () => {
    const before = await allowanceOf(sponsor);
    const [sol, ours] = [solana.lamportsOf(sponsor), executors()];
    const staged = await campaigns.stage('shop', { budget: '50', most_per_grant: '5', recipients: 100 });
    expect(staged).toMatchObject({ status: 'pending_create', chain: 'solana', recipients: 100, sponsor });
    const text = await campaigns.toSign('shop', staged);
    const signed = signTransaction(shopKey(), text);
    const { request, campaign } = await openSigned(world.ctx, await shop(), staged.id, signed);
    expect([request.kind, request.status, campaign.status]).toEqual(['campaign_open', 'queued', 'pending_create']);
    const again = await openSigned(world.ctx, await shop(), staged.id, signed);
    expect(again.request.id).toBe(request.id);
    await campaigns.settle();
    const row = await campaigns.campaign(staged.id);
    expect([row.status, row.openTxHash]).toEqual(['active', expect.any(String)]);
    const state = await campaigns.state(staged.id);
    expect(state).toMatchObject({ total: 50n * MILLION, spent: 0n, mostPerGrant: 5n * MILLION, closed: false });
    expect(BigInt(row.expiresAt.getTime() / 1_000)).toBe(state.expiry);
    const after = await allowanceOf(sponsor);
    // What tips may draw is as it was.
    expect(after).toEqual({ ...before, allowance: before.allowance + 50n * MILLION, spent24h: after.spent24h });
    const rent = BigInt(solana.data(await accountOf(staged.id))?.length ?? 0) + 128n;
    expect(sol - solana.lamportsOf(sponsor)).toBe(rent * 5_080n);
    expect(ours - executors()).toBeLessThan(20_000n);
    // One more budget comes on top of this one, and an approval without limit stays as it is.
    await campaigns.open('shop', { budget: '7' });
    expect((await allowanceOf(sponsor)).allowance).toBe(before.allowance + 57n * MILLION);
    approve(2n ** 64n - 1n);
    await campaigns.open('shop', { budget: '7' });
    expect((await allowanceOf(sponsor)).allowance).toBe(2n ** 64n - 1n);
    approve(before.allowance);
  });

  test.each([
    ['a larger budget', (message: MessageV0) => message.compiledInstructions.at(-1)?.data.set([255], 36)],
    [
      'an executor that pays the rent',
      (message: MessageV0) => message.compiledInstructions.at(-1)?.accountKeyIndexes.splice(1, 1, 0),
    ],
    [
      'another instruction',
      (message: MessageV0) => message.compiledInstructions.push(message.compiledInstructions[2] as never),
    ],
  ])('with %s is refused', async (_name, change) => {
    const staged = await campaigns.stage('shop');
    const text = await campaigns.toSign('shop', staged);
    const open = async (signed: string) => openSigned(world.ctx, await shop(), staged.id, signed);
    await expect(open(signTransaction(shopKey(), text, change))).rejects.toMatchObject({ code: 'signature_invalid' });
    await expect(open(text)).rejects.toMatchObject({ code: 'signature_invalid' });
    await expect(open(signTransaction(localSolanaKey('bob'), text))).rejects.toMatchObject({
      code: 'signature_invalid',
    });
    const other = await campaigns.toSign('shop', await campaigns.stage('shop', { budget: '99' }));
    await expect(open(signTransaction(shopKey(), other))).rejects.toMatchObject({ code: 'signature_invalid' });
    expect((await campaigns.campaign(staged.id)).status).toBe('pending_create');
  });

  test('needs SOL for its rent, and says how much', async () => {
    const poor = await campaigns.walletOf('alice', { name: 'poor sponsor', isNew: true });
    await world.ctx.db.handle.update({ where: { slug: 'alice' }, data: { kind: 'business' } });
    const staged = await campaigns.stage('alice', { recipients: 65_536 });
    const sign = () => campaigns.toSign('alice', staged);
    await expect(sign()).rejects.toMatchObject({
      code: 'call_refused',
      message: expect.stringContaining('it has 0.00'),
    });
    // Its account of USDC is missing, too: the sponsor pays for it.
    const lamports = BigInt((216 + 8_192 + 128) * 5_080 + 293 * 5_080);
    const [fromPubkey, toPubkey] = [new PublicKey(sponsor), new PublicKey(poor)];
    solana.send([shopKey()], SystemProgram.transfer({ fromPubkey, toPubkey, lamports: lamports - 1n }));
    await expect(sign()).rejects.toMatchObject({ code: 'call_refused' });
    solana.send([shopKey()], SystemProgram.transfer({ fromPubkey, toPubkey, lamports: 1n }));
    solana.step(3);
    await world.ctx.db.connection.updateMany({ data: { disconnectedAt: null } });
    const ours = executors();
    await campaigns.openOnChain('alice', staged, 'poor sponsor');
    expect((await campaigns.campaign(staged.id)).status).toBe('active');
    expect(solana.lamportsOf(poor)).toBe(0n);
    expect(ours - executors()).toBeLessThan(20_000n);
    await world.ctx.db.wallet.deleteMany({ where: { address: poor } });
    await world.ctx.db.handle.update({ where: { slug: 'alice' }, data: { kind: 'personal' } });
  });

  test('terms are checked', async () => {
    await expect(campaigns.stage('shop', { recipients: 0 })).rejects.toMatchObject({ param: 'recipients' });
    await expect(campaigns.stage('shop', { recipients: 65_537 })).rejects.toMatchObject({ param: 'recipients' });
    await expect(campaigns.stage('shop', { chain: 'base', recipients: 5 })).rejects.toMatchObject({
      param: 'recipients',
    });
    expect((await campaigns.stage('shop', { recipients: undefined })).recipients).toBe(1_000);
    await world.ctx.db.handle.update({ where: { slug: 'bob' }, data: { kind: 'business' } });
    await expect(campaigns.stage('bob')).rejects.toMatchObject({ code: 'state_conflict' });
    await world.ctx.db.handle.update({ where: { slug: 'bob' }, data: { kind: 'personal' } });
  });

  test('by another client is found by the feed, and confirmed by its signature; the chain’s terms count', async () => {
    const staged = await campaigns.stage('shop', { budget: '20', recipients: 64 });
    const row = await campaigns.campaign(staged.id);
    const terms = {
      sponsor,
      salt: row.salt as Bytes32,
      total: 10n * MILLION,
      mostPerGrant: 3n * MILLION,
      expiry: BigInt(row.expiresAt.getTime() / 1_000),
      recipients: 2,
    };
    const approval = { amount: (await allowanceOf(sponsor)).allowance + 10n * MILLION, opensAccount: false };
    const { instructions } = solanaOpenCampaign(solana.chain, terms, approval);
    expect(instructions).toHaveLength(approvalInstructions(solana.chain, sponsor, approval).length + 1);
    const { signature } = solana.send([shopKey()], ...instructions);
    const confirm = async (id: string, name: string) =>
      confirmCampaign(world.ctx, await shop(), id, name, { waitMs: 0 });
    for (const nowhere of [solanaSignatureOf(randomBytes(64)), `0x${'1'.repeat(64)}`])
      await expect(confirm(staged.id, nowhere)).rejects.toMatchObject({ code: 'tx_not_found' });
    solana.step(3);
    const other = await campaigns.stage('shop', { budget: '21' });
    await expect(confirm(other.id, signature)).rejects.toMatchObject({ code: 'tx_mismatch' });
    expect((await confirm(staged.id, signature)).status).toBe('pending_create');
    solana.settle();
    await indexChain(world.ctx, solana.chain);
    expect(await confirm(staged.id, signature)).toMatchObject({
      status: 'active',
      budget: '10.00',
      most_per_grant: '3.00',
      recipients: 2,
    });
    const [one, two, three] = wallets(3) as [string, string, string];
    // The third has no place in the account that was opened.
    await world.ctx.db.campaign.update({ where: { id: staged.id }, data: { recipients: 64 } });
    await campaigns.add('shop', staged, inOrder([one, two, three]));
    await world.ctx.db.campaign.update({ where: { id: staged.id }, data: { recipients: 2 } });
    await campaigns.pay();
    expect(await campaigns.statuses(staged.id)).toEqual(['paid', 'paid', 'places_used']);
    await expect(
      campaigns.add(
        'shop',
        staged,
        inOrder([one]).map((grant) => ({ ...grant, key: 'x' })),
      ),
    ).rejects.toMatchObject({ code: 'state_conflict', message: expect.stringContaining('at most 2 grants') });
  });
});

describe('grants', () => {
  test('are paid once each, several in a transaction, with an event; a second run finds nothing', async () => {
    await campaigns.walletOf('bob');
    const { id } = await campaigns.open('shop');
    const recipients = wallets(30);
    const { rejected } = await campaigns.add('shop', { id }, [
      ...inOrder(recipients, '0.10'),
      { key: 'bob', recipient: '@bob', amount: '2' },
    ]);
    expect(rejected).toEqual([]);
    const [before, bob] = [solana.usdcOf(sponsor), solana.usdcOf(localSolanaKey('bob').address)];
    expect(await campaigns.pay()).toEqual({ ...NONE, scanned: 31, sent: 31 });
    expect(before - solana.usdcOf(sponsor)).toBe(5n * MILLION);
    for (const recipient of recipients) expect(solana.usdcOf(recipient)).toBe(100_000n);
    expect(solana.usdcOf(localSolanaKey('bob').address) - bob).toBe(2n * MILLION);
    const batches = await world.ctx.db.grantBatch.findMany({ where: { campaignId: id } });
    expect(batches.map(({ size }) => size).reduce((sum, size) => sum + size, 0)).toBe(31);
    expect(batches.length).toBeLessThanOrEqual(4);
    expect(await campaigns.pay()).toEqual(NONE);
    expect(await getCampaign(world.ctx, await shop(), id)).toMatchObject({
      spent: '5.00',
      left: '95.00',
      grants: { total: 31, paid: 31, queued: 0 },
    });
    const rows = await campaigns.grants(id);
    expect(rows.map(({ recipientKey }) => recipientKey)).toEqual([...Array(31).keys()]);
    const events = await world.ctx.db.event.findMany({ where: { resourceId: { in: rows.map((row) => row.id) } } });
    expect(events.map(({ type }) => type)).toEqual(Array(31).fill('campaign.grant_paid'));
    expect(new Set(events.map(({ resourceId }) => resourceId)).size).toBe(31);
  });

  test('a row that is wrong says why; the same again is queued once', async () => {
    const { id } = await campaigns.open('shop', { budget: '10', most_per_grant: '4' });
    const [one] = wallets(1) as [string];
    const grants = [
      { key: 'a', recipient: one, amount: '4' },
      { key: 'b', recipient: '0x00000000000000000000000000000000C0ffee01', amount: '1' },
      { key: 'c', recipient: one.slice(0, -2), amount: '1' },
      { key: 'd', recipient: '11111111111111111111111111111111', amount: '1' },
      { key: 'e', recipient: one, amount: '4.01' },
      { key: 'f', recipient: one, amount: '4' },
      { key: 'g', recipient: one, amount: '2.01' },
    ];
    const added = await campaigns.add('shop', { id }, grants);
    expect(added.grants.map(({ key }) => key)).toEqual(['a', 'f']);
    expect(added.rejected.map(({ index, code }) => [index, code])).toEqual([
      [1, 'recipient_invalid'],
      [2, 'recipient_invalid'],
      [3, 'recipient_invalid'],
      [4, 'grant_too_large'],
      [6, 'budget_exceeded'],
    ]);
    const again = await campaigns.add('shop', { id }, [
      { key: 'a', recipient: one, amount: '4' },
      { key: 'f', recipient: one, amount: '3' },
    ]);
    expect([again.existing, again.rejected.map(({ code }) => code)]).toEqual([['a'], ['key_used']]);
    await campaigns.pay();
    expect(solana.usdcOf(one)).toBe(8n * MILLION);
    const base = { name: 'On Base', chain: 'base', budget: '5', recipients: undefined };
    const onBase = await campaigns.stage('shop', base);
    const foreign = await campaigns.add('shop', onBase, [{ key: 'a', recipient: one, amount: '1' }]);
    expect(foreign.rejected.map(({ code }) => code)).toEqual(['recipient_invalid']);
  });

  test('a handle without a Solana wallet waits, and is paid once it has one', async () => {
    const { id } = await campaigns.open('shop');
    await campaigns.add('shop', { id }, [{ key: 'a', recipient: '@alice', amount: '2' }]);
    expect(await campaigns.pay()).toMatchObject({ scanned: 1, sent: 0, waiting: 1 });
    expect(await campaigns.statuses(id)).toEqual(['waiting']);
    await campaigns.walletOf('alice');
    const before = solana.usdcOf(localSolanaKey('alice').address);
    campaigns.later(3_700_000);
    expect(await campaigns.pay()).toMatchObject({ scanned: 1, sent: 1 });
    expect(solana.usdcOf(localSolanaKey('alice').address) - before).toBe(2n * MILLION);
  });

  test('an account is opened at our cost for one recipient a month; others wait for theirs', async () => {
    const { id } = await campaigns.open('shop');
    const [first, second] = [keypairOf(randomBytes(32)), keypairOf(randomBytes(32))];
    await campaigns.add('shop', { id }, [
      ...inOrder([first.address, second.address, first.address]),
      { key: 'ready', recipient: wallets(1)[0] ?? '', amount: '1' },
    ]);
    const ours = executors();
    expect(await campaigns.pay()).toMatchObject({ scanned: 4, sent: 3, waiting: 1 });
    expect(await campaigns.statuses(id)).toEqual(['paid', 'waiting', 'paid', 'paid']);
    expect(solana.usdcOf(first.address)).toBe(2n * MILLION);
    expect(ours - executors()).toBeGreaterThan(293n * 5_080n);
    // Once there is an account, whoever paid for it, the grant is paid.
    solana.person('opener', { lamports: 10n ** 9n, usdc: 0n });
    const { createTokenAccount } = await import('../../../chain/solana/tips.ts');
    const opener = localSolanaKey('opener');
    solana.send([opener], createTokenAccount(opener.address, second.address, solana.usdc));
    campaigns.later(3_700_000);
    expect(await campaigns.pay()).toMatchObject({ sent: 1, waiting: 0 });
    expect(solana.usdcOf(second.address)).toBe(MILLION);
    // A month later we open another one.
    campaigns.later(31 * 86_400_000);
    const next = await campaigns.open('shop');
    const third = keypairOf(randomBytes(32));
    await campaigns.add('shop', next, inOrder([third.address]));
    await campaigns.pay();
    expect(solana.usdcOf(third.address)).toBe(MILLION);
  });

  test('one that cannot be paid fails alone: the sponsor itself, a program’s address, a frozen account', async () => {
    const { id } = await campaigns.open('shop');
    const [one, two, frozen] = wallets(3) as [string, string, string];
    const account = tokenAccount(frozen, solana.usdc).address;
    freezeAccount(solana.ledger, { mint: solana.usdc, account, authority: solana.issuer });
    solana.step(3);
    await campaigns.add('shop', { id }, inOrder([one, sponsor, solana.program, frozen, two]));
    for (let round = 0; round < 3; round++) await campaigns.pay();
    expect(await campaigns.statuses(id)).toEqual([
      'paid',
      'recipient_refused',
      'recipient_refused',
      'token_refused',
      'paid',
    ]);
    expect([solana.usdcOf(one), solana.usdcOf(two)]).toEqual([MILLION, MILLION]);
    freezeAccount(solana.ledger, { mint: solana.usdc, account, authority: solana.issuer, isFrozen: false });
    await retryGrants(world.ctx, await shop(), id);
    await campaigns.pay();
    expect(solana.usdcOf(frozen)).toBe(MILLION);
  });

  test('wait while the sponsor cannot pay, and say so; then they are paid in order', async () => {
    const { id } = await campaigns.open('shop', { budget: '3' });
    const recipients = wallets(3);
    await campaigns.add('shop', { id }, inOrder(recipients));
    const standing = (await allowanceOf(sponsor)).allowance;
    approve(2n * MILLION);
    const run = await campaigns.pay();
    expect(run).toMatchObject({ sent: 2, failed: 0 });
    expect(run.errors).toEqual([{ campaign: id, grant: null, code: 'insufficient_allowance' }]);
    expect(await campaigns.statuses(id)).toEqual(['paid', 'paid', 'queued']);
    expect((await getCampaign(world.ctx, await shop(), id)).problem?.code).toBe('insufficient_allowance');
    approve(standing);
    expect(await campaigns.pay()).toMatchObject({ sent: 1, errors: [] });
    expect(await campaigns.statuses(id)).toEqual(['paid', 'paid', 'paid']);
  });

  test('wait while the sponsor or the program is paused', async () => {
    const { id } = await campaigns.open('shop');
    await campaigns.add('shop', { id }, inOrder(wallets(1)));
    const limits = limitsOf(solana.program, sponsor).address;
    const paused = (flag: boolean) =>
      solana.build('setPaused', { args: { paused: flag }, accounts: { signer: sponsor, limits } });
    solana.send([shopKey()], paused(true));
    expect((await campaigns.pay()).errors).toEqual([{ campaign: id, grant: null, code: 'sponsor_paused' }]);
    solana.send([shopKey()], paused(false));
    const { guardian, owner } = solana.roles;
    solana.send(
      [guardian],
      solana.build('pause', { args: { seconds: 3_600n }, accounts: { guardian: guardian.address } }),
    );
    expect((await campaigns.pay()).errors).toEqual([{ campaign: id, grant: null, code: 'router_paused' }]);
    solana.send([owner], solana.build('unpause', { args: {}, accounts: { owner: owner.address } }));
    await campaigns.pay();
    expect(await campaigns.statuses(id)).toEqual(['paid']);
  });

  test('nothing is paid after the end: what is queued then says so, and the rent and the rest go back', async () => {
    const closed = await campaigns.open('shop', { name: 'Closed', budget: '30' });
    const expires_at = new Date(world.ctx.clock.now() + 2 * 3_600_000).toISOString();
    const late = await campaigns.open('shop', { name: 'Late', budget: '40', expires_at });
    const [one] = wallets(1) as [string];
    await campaigns.add('shop', closed, [{ key: 'a', recipient: one, amount: '1' }]);
    await campaigns.add('shop', late, [{ key: 'a', recipient: '@carol', amount: '1' }]).catch(() => null);
    await campaigns.add('shop', late, [{ key: 'b', recipient: one, amount: '1' }]);
    await campaigns.pay();
    await requestClose(world.ctx, await shop(), closed.id);
    await requestClose(world.ctx, await shop(), closed.id);
    await campaigns.settle();
    expect(await getCampaign(world.ctx, await shop(), closed.id)).toMatchObject({ status: 'closed', closing: false });
    expect((await campaigns.state(closed.id)).closed).toBe(true);
    await expect(campaigns.add('shop', closed, [{ key: 'c', recipient: one, amount: '1' }])).rejects.toMatchObject({
      code: 'state_conflict',
    });

    // What is left of the budget is taken out of the approval, in one signature.
    const { allowance } = await allowanceOf(sponsor);
    const { approve } = await takeBackCall(world.ctx, await shop(), closed.id);
    if (!approve || !('solana_transaction' in approve)) throw new Error('its wallet signs');
    const signed = signTransaction(shopKey(), approve.solana_transaction);
    const { request } = await takeBackSigned(world.ctx, await shop(), closed.id, signed);
    expect(request.kind).toBe('campaign_allowance');
    const open = await campaigns.toSign('shop', await campaigns.stage('shop'));
    await expect(
      takeBackSigned(world.ctx, await shop(), closed.id, signTransaction(shopKey(), open)),
    ).rejects.toMatchObject({ code: 'signature_invalid' });
    await campaigns.settle();
    expect((await allowanceOf(sponsor)).allowance).toBe(allowance - 29n * MILLION);

    const lateId = late.id;
    await expect(takeBackCall(world.ctx, await shop(), lateId)).rejects.toMatchObject({ code: 'state_conflict' });
    const account = await accountOf(lateId);
    const rent = solana.lamportsOf(account);
    // Those of the tests before.
    await queueCampaignRent(world.ctx, solana.chain);
    await campaigns.settle();
    campaigns.later(2 * 3_600_000 + 60_000);
    await campaigns.add('shop', late, [{ key: 'z', recipient: one, amount: '1' }]).catch(() => null);
    expect(await queueCampaignRent(world.ctx, solana.chain)).toBe(0);
    campaigns.later(3_600_000);
    const before = solana.lamportsOf(sponsor);
    expect(await queueCampaignRent(world.ctx, solana.chain)).toBe(1);
    expect(await queueCampaignRent(world.ctx, solana.chain)).toBe(0);
    await campaigns.settle();
    expect(solana.data(account)).toBeNull();
    expect(solana.lamportsOf(sponsor) - before).toBe(rent);
    solana.step(3);
    expect(await queueCampaignRent(world.ctx, solana.chain)).toBe(0);
    // Its account is gone, and its events still say what is left.
    const rest = await takeBackCall(world.ctx, await shop(), lateId);
    expect(rest.approve).not.toBeNull();
  });

  test('a campaign that is over while its grants are queued pays none of them', async () => {
    const expires_at = new Date(world.ctx.clock.now() + 2 * 3_600_000).toISOString();
    const [closed, late] = [await campaigns.open('shop'), await campaigns.open('shop', { expires_at })];
    for (const one of [closed, late]) await campaigns.add('shop', one, inOrder(wallets(2)));
    await campaigns.dispatch();
    expect(await campaigns.statuses(closed.id)).toEqual(['sent', 'sent']);
    const { campaignKey } = await campaigns.campaign(closed.id);
    const campaign = campaignOf(solana.program, campaignKey as Bytes32).address;
    solana.send([shopKey()], solana.build('closeCampaign', { args: {}, accounts: { signer: sponsor, campaign } }));
    campaigns.later(3 * 3_600_000);
    await campaigns.settle();
    await campaigns.pay();
    expect(await campaigns.statuses(closed.id)).toEqual(['campaign_closed', 'campaign_closed']);
    expect(await campaigns.statuses(late.id)).toEqual(['campaign_expired', 'campaign_expired']);
    expect((await campaigns.state(closed.id)).spent).toBe(0n);
  });
});

describe('whatever happens on the way', () => {
  test('dropped transactions are sent again, each grant once', async () => {
    const { id } = await campaigns.open('shop');
    const recipients = wallets(14);
    await campaigns.add('shop', { id }, inOrder(recipients));
    await campaigns.dispatch();
    solana.node.faults.add({ kind: 'drop', times: 1_000 } as never);
    await solana.sendNow();
    solana.step(400);
    world.later(5_000);
    await solana.follow();
    solana.node.faults.clear();
    expect(new Set(await campaigns.statuses(id))).toEqual(new Set(['queued']));
    await campaigns.pay();
    expect(new Set(await campaigns.statuses(id))).toEqual(new Set(['paid']));
    for (const recipient of recipients) expect(solana.usdcOf(recipient)).toBe(MILLION);
  });

  test('a batch whose transaction fails is tried again, and pays each once', async () => {
    const { id } = await campaigns.open('shop');
    const [one, two] = wallets(2) as [string, string];
    await campaigns.add('shop', { id }, inOrder([one, two]));
    await campaigns.dispatch();
    // Between the simulation and its slot the first is paid by a transaction that our rows do not know.
    solana.node.faults.add({ kind: 'drop', times: 1 } as never);
    await solana.sendNow();
    solana.node.faults.clear();
    await grantTo(id, [{ index: 0, recipient: one, amount: MILLION }]);
    world.later(2_000);
    await solana.follow();
    await campaigns.settle();
    campaigns.later(61_000);
    await campaigns.pay();
    campaigns.later(61_000);
    await campaigns.pay();
    expect(await campaigns.statuses(id)).toEqual(['paid', 'paid']);
    expect([solana.usdcOf(one), solana.usdcOf(two)]).toEqual([MILLION, MILLION]);
  });

  test('a number that the program has paid is never paid again, and is believed only for its own recipient', async () => {
    const campaign = await campaigns.open('shop');
    const [one, two, other] = wallets(3) as [string, string, string];
    await campaigns.add('shop', campaign, inOrder([one, two]));
    // An executor's transaction of which the rows know nothing, as after a backup was restored: one is right, one paid another wallet.
    await grantTo(campaign.id, [
      { index: 0, recipient: one, amount: MILLION },
      { index: 1, recipient: other, amount: MILLION },
    ]);
    expect(await campaigns.dispatch()).toMatchObject({ sent: 0 });
    await campaigns.settle();
    expect(await campaigns.statuses(campaign.id)).toEqual(['paid', 'number_used']);
    expect([solana.usdcOf(one), solana.usdcOf(two)]).toEqual([MILLION, 0n]);
  });
});
