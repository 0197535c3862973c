// Campaigns behind the session: a business's own, or an operator's; the calls of its wallet; the results as a file; and the run on request.
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Campaigns, campaignsOf } from '../../../test/setup/campaigns.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';

const ADMIN = 'kW3vR8xT1bN6mZ4cQ9yL2hJ7fD5gP0sa';

let world: World;
let base: string;
let campaigns: Campaigns;
let shop: Visitor;
let alice: Visitor;
beforeAll(async () => {
  world = await startWorld();
  world.ctx.env.ADMIN_SECRET = ADMIN;
  base = await serveWorld(world);
  campaigns = campaignsOf(world);
  [shop, alice] = (await Promise.all(['shop', 'alice'].map(signedIn))) as [Visitor, Visitor];
});
afterAll(() => world.stop());

async function signedIn(name: string): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
  return browser;
}

const wish = () => ({
  name: 'Rewards',
  chain: 'base',
  budget: '10',
  expires_at: new Date(world.ctx.clock.now() + 86_400_000).toISOString(),
});
const cron = async (body: object, secret = ADMIN) => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` };
  const answer = await fetch(`${base}/api/cron/dispatch-grants`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

test('a business makes one; a person only as an operator', async () => {
  expect((await shop.post('/api/campaigns', wish())).status).toBe(201);
  const refused = await alice.post('/api/campaigns', wish());
  expect([refused.status, refused.body.error.code]).toEqual([403, 'business_required']);
  expect((await alice.post('/api/operations/session', { secret: ADMIN })).status).toBeLessThan(300);
  const made = await alice.post('/api/campaigns', wish());
  expect([made.status, made.body.campaign?.sponsor]).toEqual([201, localPerson('alice').address]);
  const { id } = made.body.campaign;
  for (const path of ['', '/opening', '/grants'])
    expect((await shop.get(`/api/campaigns/${id}${path}`)).body.error.code).toBe('resource_missing');
});

test('from the wallet’s calls to the file of results', async () => {
  const { id } = (await shop.post('/api/campaigns', wish())).body.campaign;
  const at = `/api/campaigns/${id}`;
  const grants = [
    { key: 'a', recipient: '@alice', amount: '1' },
    { key: 'b', recipient: '@bob', amount: '2', note: '=HYPERLINK("x")' },
    { key: 'c', recipient: 'nobody', amount: '2' },
  ];
  expect((await shop.post(`${at}/grants`, { grants, check: true })).body).toMatchObject({ rejected: [{ index: 2 }] });
  expect((await shop.get(`${at}/grants`)).body.grants).toEqual([]);
  expect((await shop.post(`${at}/grants`, { grants })).body.grants).toHaveLength(2);
  // What chat tips may draw stays beside the budget.
  await campaigns.allow('shop', 5_000_000n);
  const { approve, open } = (await shop.get(`${at}/opening`)).body;
  await campaigns.send('shop', approve.to, approve.data);
  const txHash = await campaigns.send('shop', open.to, open.data);
  await world.mine(3);
  expect((await shop.post(at, { action: 'confirm', txHash })).body.campaign.status).toBe('active');
  expect((await shop.get(`${at}/opening`)).body.error.code).toBe('state_conflict');
  expect((await shop.get(`${at}/take_back`)).body.error.code).toBe('state_conflict');

  expect(await cron({ chain: 'base' }, 'wrong')).toMatchObject({ status: 401 });
  expect(await cron({ chain: 'nowhere' })).toMatchObject({ status: 422 });
  let isOver = false;
  const run = cron({}).finally(() => {
    isOver = true;
  });
  while (!isOver) await campaigns.settle();
  expect(await run).toEqual({
    status: 200,
    body: { scanned: 2, sent: 2, paid: 2, waiting: 0, failed: 0, errors: [] },
  });
  await campaigns.settle();
  const file = await shop.get(`${at}/grants.csv`);
  expect(file.body).toContain("'@alice,1.00,a,,paid,,alice,");
  expect(file.body).toContain(`"'=HYPERLINK(""x"")"`);
  expect((await alice.get(`${at}/grants.csv`)).status).toBe(404);

  expect((await shop.post(at, { action: 'close' })).body.campaign).toMatchObject({ status: 'active', closing: true });
  await campaigns.settle();
  expect((await shop.get(at)).body.campaign).toMatchObject({ status: 'closed', closing: false, spent: '3.00' });
  expect((await shop.get(`${at}/take_back`)).body.approve).not.toBeNull();
  expect((await shop.post(at, { action: 'taken_back' })).status).toBe(200);
  expect((await shop.get(`${at}/take_back`)).body.approve).toBeNull();
  expect((await shop.post(at, { action: 'retry' })).body.error.code).toBe('state_conflict');
});
