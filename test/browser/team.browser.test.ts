// A team in a browser, at a desk and on a phone: invited by handle, accepted on the home page, acting for the shop, refused in words, removed at once.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, HOW_TO_INSTALL } from '../../local/stack/chromium.ts';
import { serveWorld, type Visitor, visitor } from '../setup/visitor.ts';
import { localPerson, startWorld, type World } from '../setup/world.ts';
import { OMISSIONS, openPage, overflow, workersBrowser } from './browser.ts';
import { look, SOON } from './newcomer.ts';

const DESK = { viewport: { width: 1280, height: 800 } };
const LAPTOP = { viewport: { width: 1280, height: 640 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe.skipIf(!chromiumPath)(`a team in a browser (${HOW_TO_INSTALL})`, () => {
  let world: World;
  let base: string;
  let browser: Browser;
  const people: Record<string, Visitor> = {};
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    [world, browser] = await Promise.all([startWorld(), workersBrowser()]);
    base = await serveWorld(world);
    for (const name of ['shop', 'alice', 'bob']) {
      const one = visitor(base);
      expect((await one.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
      people[name] = one;
    }
    for (const { id, slug } of await world.ctx.db.handle.findMany()) ids[slug] = id;
    await people['shop']?.post('/api/orders', { amount: '12.50', chain: 'base', description: 'Two bags of coffee' });
    await people['shop']?.post('/api/payment_links', { label: 'Tea', amount: '4', chain: 'base' });
  }, 180_000);
  afterAll(async () => {
    await world?.stop();
  });

  async function open(path: string, name: string, options: BrowserContextOptions = DESK) {
    const value = people[name]?.cookies.get('service-session') ?? '';
    return openPage(browser, base + path, {
      ...options,
      prepare: (context) => context.addCookies([{ name: 'service-session', value, url: base }]),
    });
  }

  async function isWell(page: Page): Promise<void> {
    expect(await page.evaluate<string[]>(OMISSIONS)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }

  it('an owner invites by handle; the invited one accepts at home and acts for the shop, within their role', async () => {
    const owner = await open('/workspace', 'shop');
    await owner.page.getByRole('link', { name: 'Manage team' }).click();
    await owner.page.getByRole('heading', { name: 'Team', level: 1 }).waitFor(SOON);
    await owner.page.getByLabel('Name', { exact: true }).fill('@Alice');
    await owner.page.getByLabel('Role', { exact: true }).selectOption('support');
    await owner.page.getByRole('button', { name: 'Invite', exact: true }).click();
    const open_ = owner.page.getByRole('list', { name: 'Open invitations' });
    await open_.getByText('@alice').waitFor(SOON);
    await isWell(owner.page);
    await look(owner.page, 'team-invited-desk');

    const { page, faults, close } = await open('/account', 'alice');
    await page
      .getByText('@shop invites you as support')
      .or(page.getByText('invites you as support.'))
      .first()
      .waitFor(SOON);
    await isWell(page);
    await look(page, 'team-invitation-desk');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor(SOON);
    await page.getByText('for @shop as support').first().waitFor(SOON);
    await page.getByRole('link', { name: 'Links', exact: true }).first().click();
    await page.getByText('Tea', { exact: true }).first().waitFor(SOON);
    expect(await page.getByRole('link', { name: 'New link' }).count()).toBe(0);
    await page.getByRole('link', { name: 'API keys', exact: true }).first().click();
    await page.getByText('Only developers and owners can create, roll and revoke API keys.').waitFor(SOON);
    await isWell(page);
    await look(page, 'team-refused-desk');
    // By its address, too.
    await page.goto(`${base}/workspace/branding`);
    await page.getByText('Only developers and owners can change the branding.').waitFor(SOON);

    // A second tab is the account’s own until it chooses.
    const other = await page.context().newPage();
    await other.goto(`${base}/links`);
    await other.getByText('No payment links yet').or(other.getByText('No links yet')).first().waitFor(SOON);
    await other.close();

    await page.getByLabel('Workspace').first().selectOption('alice');
    await page
      .getByText('for @shop')
      .first()
      .waitFor({ state: 'detached', ...SOON });
    await page.goto(`${base}/links`);
    await page.getByRole('link', { name: 'New link' }).first().waitFor(SOON);
    expect(await page.getByText('Tea', { exact: true }).count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
    await owner.close();
  });

  it('the switch is in sight on a laptop, and one who is removed is back in their own workspace', async () => {
    await people['shop']?.post('/api/team/invitations', { platform: 'ampersat', name: 'bob', role: 'developer' });
    const [asked] = (await people['bob']?.get('/api/teams'))?.body.invitations ?? [];
    await people['bob']?.post(`/api/teams/invitations/${asked.id}`, { action: 'accept' });
    const { page, close } = await open('/keys', 'bob', LAPTOP);
    const choice = page.getByLabel('Workspace').first();
    await choice.waitFor(SOON);
    const box = await choice.boundingBox();
    expect(box && box.y + box.height).toBeLessThan(LAPTOP.viewport.height);
    await choice.selectOption('shop');
    await page.getByText('for @shop as developer').first().waitFor(SOON);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Bob’s key');
    // A developer’s key cannot run campaigns.
    expect(await page.getByRole('checkbox', { name: /campaigns/i }).count()).toBe(0);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Copy this key now').first().waitFor(SOON);
    await look(page, 'team-key-laptop');

    await people['shop']?.delete(`/api/team/members/${ids['bob']}`);
    await page.reload();
    await page
      .getByText('for @shop')
      .first()
      .waitFor({ state: 'detached', ...SOON });
    // Their own key, and no longer the shop’s.
    await page.getByText('Local stack').first().waitFor(SOON);
    expect(await page.getByText('Bob’s key').count()).toBe(0);
    await close();

    const owner = await open('/settings/team', 'shop');
    const secrets = owner.page.getByRole('list', { name: 'Secrets to roll' });
    await secrets.getByText('shown to @bob').waitFor(SOON);
    await isWell(owner.page);
    await look(owner.page, 'team-secrets-desk');
    await owner.close();
  });

  it('roles and log stand in full on a phone', async () => {
    const { page, faults, close } = await open('/settings/team', 'shop', PHONE);
    await page.getByText('Invite, change and remove members').filter({ visible: true }).waitFor(SOON);
    await isWell(page);
    await look(page, 'team-phone');
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor(SOON);
    await page.getByText('Member removed').first().waitFor(SOON);
    await isWell(page);
    await look(page, 'team-log-phone');
    expect(faults).toEqual([]);
    await close();
    const desk = await open('/settings/audit-log?kind=api_key', 'shop');
    await desk.page.getByText('API key created').first().waitFor(SOON);
    expect(await desk.page.getByText('Member removed').count()).toBe(0);
    await isWell(desk.page);
    await look(desk.page, 'team-log-desk');
    await desk.close();
  });
});
