// A campaign on Solana over HTTP, from its creation to the rest of its budget: what the pages, programs and schedulers call.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localSolanaKey } from '../../../local/solana/keys.ts';
import { keyOf } from '../../../test/setup/api.ts';
import { signTransaction, walletOfPerson } from '../../../test/setup/signer.ts';
import { type SolanaCampaigns, startSolanaCampaigns } from '../../../test/setup/solanaCampaigns.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { approvalInstructions } from '../../chain/solana/approvals.ts';

const ADMIN = 'kW3vR8xT1bN6mZ4cQ9yL2hJ7fD5gP0sa';
let world: World;
let campaigns: SolanaCampaigns;
let base: string;
let shop: Visitor;
let sponsor: string;
beforeAll(async () => {
  world = await startWorld();
  world.ctx.env.ADMIN_SECRET = ADMIN;
  campaigns = await startSolanaCampaigns(world);
  base = await serveWorld(world);
  shop = visitor(base);
  await shop.signIn(walletOfPerson('shop'));
});
afterAll(async () => {
  await campaigns.stop();
  await world.stop();
});

const key = () => localSolanaKey('shop');
const code = ({ status, body }: Awaited<ReturnType<Visitor['get']>>) => [status, body.error?.code];
const inAWeek = () => new Date(world.ctx.clock.now() + 7 * 86_400_000).toISOString();
type Chain = { chain: string; payout: string | null };
const chainsWithPayout = async () =>
  (await shop.get('/api/workspace')).body.workspace.chains.filter(({ payout }: Chain) => payout !== null);

test('a workspace sponsors campaigns on Solana once it has a wallet there', async () => {
  const input = { name: 'Rewards', chain: 'solana', budget: '20', expires_at: inAWeek() };
  expect((await chainsWithPayout()).map(({ chain }: Chain) => chain)).toEqual(['base']);
  expect(code(await shop.post('/api/campaigns', input))).toEqual([409, 'state_conflict']);
  sponsor = await campaigns.walletOf('shop');
  expect(await chainsWithPayout()).toContainEqual({
    chain: 'solana',
    family: 'solana',
    label: 'Solana',
    livemode: false,
    currencies: ['USDC', 'SOL'],
    payout: sponsor,
    problem: null,
    grant_places: 1_000,
  });
  const bad = await shop.post('/api/campaigns', { ...input, recipients: 70_000 });
  expect([...code(bad), bad.body.error.param]).toEqual([400, 'parameter_invalid', 'recipients']);
});

test('from its creation to the rest of its budget', async () => {
  const { solana } = campaigns;
  const standing = { amount: 100_000_000n, opensAccount: false };
  solana.send([key()], ...approvalInstructions(solana.chain, sponsor, standing));
  const input = { name: 'Rewards', chain: 'Solana', budget: '20', expires_at: inAWeek(), recipients: 10 };
  const created = await shop.post('/api/campaigns', input);
  expect([created.status, created.body.campaign]).toMatchObject([201, { status: 'pending_create', recipients: 10 }]);
  const { id } = created.body.campaign;
  const at = `/api/campaigns/${id}`;
  solana.step();
  const opening = (await shop.get(`${at}/opening`)).body;
  expect(opening).toEqual({ signed_by: sponsor, solana_transaction: expect.any(String) });
  const act = (body: object) => shop.post(at, body);
  const unsigned = { action: 'open', solana_transaction: opening.solana_transaction };
  expect(code(await act(unsigned))).toEqual([400, 'signature_invalid']);
  const opened = await act({ ...unsigned, solana_transaction: signTransaction(key(), opening.solana_transaction) });
  expect([opened.status, opened.body.request]).toMatchObject([200, { kind: 'campaign_open', status: 'queued' }]);
  await campaigns.settle();
  const { request } = (await shop.get(`/api/spending/requests/${opened.body.request.id}`)).body;
  expect(request).toMatchObject({ status: 'final', tx_hash: expect.any(String) });
  const confirmed = await act({ action: 'confirm', txHash: request.tx_hash });
  expect(confirmed.body.campaign).toMatchObject({ status: 'active', txHash: request.tx_hash });
  expect(code(await shop.get(`${at}/opening`))).toEqual([409, 'state_conflict']);

  // A program with a key adds grants, and a scheduler has them sent.
  const secret = await keyOf(world, 'shop', { scopes: ['campaigns', 'read'] });
  const v1 = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const answer = await fetch(`${base}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: answer.status, body: (await answer.json()) as Record<string, never> };
  };
  const staged = await v1('POST', '/v1/campaigns', { ...input, name: 'By a program' });
  expect(staged).toMatchObject({ status: 201, body: { chain: 'solana', recipients: 10, sponsor } });
  const recipient = campaigns.recipient('a program’s grantee');
  const grants = [
    { key: 'a', recipient, amount: '1.50' },
    { key: 'b', recipient: '0x1926d62427db26BE8760F5EE7078e524119FFA66', amount: '1' },
  ];
  const added = await v1('POST', `/v1/campaigns/${id}/grants`, { grants });
  expect(added.body).toMatchObject({
    grants: [{ key: 'a', chain: 'solana' }],
    rejected: [{ code: 'recipient_invalid' }],
  });
  solana.step(3);
  const cron = (body: object) =>
    fetch(`${base}/api/cron/dispatch-grants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const [dispatched] = await Promise.all([cron({ chain: 'solana' }), settleSoon()]);
  expect([dispatched.status, await dispatched.json()]).toMatchObject([200, { sent: 1, paid: 1, failed: 0 }]);
  await campaigns.settle();
  const list = await v1('GET', `/v1/campaigns/${id}/grants`);
  expect(list.body).toMatchObject({ data: [{ status: 'paid', address: recipient, txHash: expect.any(String) }] });

  expect(code(await shop.get(`${at}/take_back`))).toEqual([409, 'state_conflict']);
  expect((await act({ action: 'close' })).body.campaign).toMatchObject({ closing: true });
  await campaigns.settle();
  expect((await shop.get(at)).body.campaign).toMatchObject({ status: 'closed', spent: '1.50' });
  const { approve } = (await shop.get(`${at}/take_back`)).body;
  expect(approve).toEqual({ signed_by: sponsor, solana_transaction: expect.any(String) });
  const signed = signTransaction(key(), approve.solana_transaction);
  const lowered = await act({ action: 'take_back', solana_transaction: signed });
  expect([lowered.status, lowered.body.request?.kind]).toEqual([200, 'campaign_allowance']);
  await campaigns.settle();
  expect((await campaigns.state(id)).allowance).toBe(100_000_000n);
  await act({ action: 'taken_back' });
  expect((await shop.get(`${at}/take_back`)).body).toEqual({ approve: null });
});

/** Sends and confirms while a run waits for blocks. */
async function settleSoon(): Promise<void> {
  const queued = () => world.ctx.db.outgoingTx.count({ where: { kind: 'grants', status: 'queued' } });
  while ((await queued()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await campaigns.solana.run();
}
