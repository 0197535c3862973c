// Linking over real HTTP: who may look at a link, who may use it up, and what each sees.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TELEGRAM_BOT } from '../../../local/stack/people.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, type Shown, startWorld, type World } from '../../../test/setup/world.ts';
import { directChatsOf } from '../../services/outbox/directMessages.ts';

let world: World;
let base: string;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.later(3_700_000);
  await world.ctx.db.connection.deleteMany({ where: { platformUserId: String(CAROL) } });
});

const CAROL = localPerson('carol').telegram.id;
const last = async (chat: number) => (await world.botSaid(chat)).at(-1) as Shown;
const buttonsOf = (message: Shown) => message.reply_markup?.inline_keyboard.flat() ?? [];
async function signedIn(name: string): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
  return browser;
}
async function linkOfCarol(): Promise<string> {
  await world.say('carol', '/connect', { chat: CAROL });
  const urls = (await world.botSaid(CAROL)).flatMap(buttonsOf).map((button) => button.url ?? '');
  const url = urls.findLast((one) => one.startsWith(`${base}/connect#`)) ?? '';
  expect(url).not.toBe('');
  return url.split('#')[1] ?? '';
}
async function pressConnect(): Promise<void> {
  const question = await last(CAROL);
  const token = buttonsOf(question).find((button) => button.text === 'Connect')?.callback_data ?? '';
  await world.press('carol', question, token, CAROL);
  await world.run();
}

const KEYS = [
  'bot_username',
  'connection_id',
  'expires_at',
  'handle',
  'id',
  'platform',
  'platform_user_id',
  'status',
  'username',
];

describe('a link', () => {
  test('200 preview for anybody who has the secret, which uses nothing up; then redeemed, polled and confirmed', async () => {
    const secret = await linkOfCarol();
    const nobody = visitor(base);
    for (let i = 0; i < 2; i++) {
      const preview = await nobody.post('/api/links/preview', { secret });
      expect(preview.status).toBe(200);
      expect(Object.keys(preview.body.link).sort()).toEqual(KEYS);
      expect(preview.body.link).toMatchObject({
        status: 'open',
        platform: 'telegram',
        username: 'carol',
        handle: null,
      });
      expect(preview.body.link).toMatchObject({ platform_user_id: String(CAROL), bot_username: 'ampersat_bot' });
    }
    const carol = await signedIn('carol');
    const redeemed = await carol.post('/api/links/redeem', { secret });
    expect(redeemed.status).toBe(200);
    expect(redeemed.body.link).toMatchObject({ status: 'redeemed', handle: 'carol', connection_id: null });
    const { id } = redeemed.body.link;
    // Whoever else has the secret learns that it was used, not by whom.
    expect((await nobody.post('/api/links/preview', { secret })).body.link).toMatchObject({
      status: 'redeemed',
      handle: null,
    });
    await world.run();
    expect((await carol.get(`/api/links/${id}`)).body.link.status).toBe('redeemed');
    expect((await carol.get('/api/connections')).body.data).toEqual([]);
    await pressConnect();
    const done = (await carol.get(`/api/links/${id}`)).body.link;
    expect(done.status).toBe('confirmed');
    const list = (await carol.get('/api/connections')).body;
    expect(list).toEqual({
      object: 'list',
      has_more: false,
      next_cursor: null,
      data: [
        {
          id: done.connection_id,
          platform: 'telegram',
          platform_user_id: String(CAROL),
          username: 'carol',
          can_spend: false,
          created_at: expect.stringMatching(/Z$/),
        },
      ],
    });
  });

  test('401 redeemed by a signed-out browser, and it is not used up by that', async () => {
    const secret = await linkOfCarol();
    const answer = await visitor(base).post('/api/links/redeem', { secret });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'session_required']);
    expect((await visitor(base).post('/api/links/preview', { secret })).body.link.status).toBe('open');
  });

  test('403 redeemed without a handle', async () => {
    const secret = await linkOfCarol();
    const stranger = visitor(base);
    await stranger.signIn(privateKeyToAccount(generatePrivateKey()));
    const answer = await stranger.post('/api/links/redeem', { secret });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'handle_required']);
  });

  test('409 used twice, by the same browser or another, and late; never to be repeated', async () => {
    const secret = await linkOfCarol();
    const [carol, bob] = [await signedIn('carol'), await signedIn('bob')];
    expect((await carol.post('/api/links/redeem', { secret })).status).toBe(200);
    for (const browser of [carol, bob]) {
      const answer = await browser.post('/api/links/redeem', { secret });
      expect([answer.status, answer.body.error.code]).toEqual([409, 'link_inactive']);
      expect(answer.headers.get('stripe-should-retry')).toBe('false');
    }
    const late = await linkOfCarol();
    world.later(15 * 60_000);
    expect((await carol.post('/api/links/redeem', { secret: late })).body.error.code).toBe('link_inactive');
  });

  test('404 for a secret that was never given out, and for a link of another session', async () => {
    const secret = await linkOfCarol();
    const [carol, bob] = [await signedIn('carol'), await signedIn('bob')];
    expect((await bob.post('/api/links/redeem', { secret: 'x'.repeat(43) })).status).toBe(404);
    expect((await bob.post('/api/links/preview', { secret: 'x'.repeat(43) })).status).toBe(404);
    const { id } = (await carol.post('/api/links/redeem', { secret })).body.link;
    expect((await bob.get(`/api/links/${id}`)).status).toBe(404);
    expect((await (await signedIn('carol')).get(`/api/links/${id}`)).status).toBe(404);
    expect((await visitor(base).get(`/api/links/${id}`)).status).toBe(401);
  });

  test('GET consumes nothing: the secret in an address is no parameter of anything', async () => {
    const secret = await linkOfCarol();
    for (const path of [`/api/links/${secret}`, `/connect?secret=${secret}`, `/api/links/redeem?secret=${secret}`])
      await (await signedIn('bob')).get(path);
    expect((await visitor(base).post('/api/links/preview', { secret })).body.link.status).toBe('open');
  });

  test('400 names the parameter; 403 from a foreign page; 415 as a form', async () => {
    const carol = await signedIn('carol');
    expect((await carol.post('/api/links/redeem', {})).body.error).toMatchObject({
      code: 'parameter_missing',
      param: 'secret',
    });
    const secret = await linkOfCarol();
    const foreign = await carol.post('/api/links/redeem', { secret }, { origin: 'https://evil.example' });
    expect([foreign.status, foreign.body.error.code]).toEqual([403, 'origin_not_allowed']);
    const form = await carol.post('/api/links/redeem', `secret=${secret}`, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(form.status).toBe(415);
    expect((await carol.post('/api/links/preview', { secret })).body.link.status).toBe('open');
  });

  test('429 when secrets are guessed from one address', async () => {
    world.later(3_700_000);
    const answers: number[] = [];
    for (let i = 0; i < 31; i++)
      answers.push((await visitor(base).post('/api/links/preview', { secret: `g${i}` })).status);
    expect(answers.slice(0, 30).every((status) => status === 404)).toBe(true);
    expect(answers[30]).toBe(429);
  });
});

describe('a connection', () => {
  test('200 disconnected from the page: the next tip is refused, and the chat is told', async () => {
    const alice = localPerson('alice').telegram.id;
    await world.say('alice', '/start', { chat: alice });
    const handle = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } });
    const chats = await directChatsOf(world.ctx.db, handle.id);
    expect(chats).toEqual([{ platform: 'telegram', botId: String(TELEGRAM_BOT.id), chatId: String(alice) }]);
    const browser = await signedIn('alice');
    const { data } = (await browser.get('/api/connections')).body;
    const telegram = data.find((one: { platform: string }) => one.platform === 'telegram');
    const bob = await signedIn('bob');
    expect((await bob.delete(`/api/connections/${telegram.id}`)).status).toBe(404);
    expect((await visitor(base).delete(`/api/connections/${telegram.id}`)).status).toBe(401);
    expect((await browser.delete(`/api/connections/${telegram.id}`, { origin: 'https://evil.example' })).status).toBe(
      403,
    );
    const gone = await browser.delete(`/api/connections/${telegram.id}`);
    expect([gone.status, gone.body]).toEqual([200, {}]);
    const before = await world.usdc('bob');
    await world.say('alice', '/tip @bob 1');
    expect(await world.usdc('bob')).toBe(before);
    expect((await last(alice)).text).toContain('disconnected from alice@ampersat in its settings.');
    expect((await last(alice)).text).toContain('If that wasn’t you');
    expect(buttonsOf(await last(alice))).toEqual([{ text: 'Settings', url: `${base}/settings` }]);
    expect((await browser.delete(`/api/connections/${telegram.id}`)).status).toBe(404);
    expect((await browser.get('/api/connections')).body.data).toHaveLength(data.length - 1);
  });
});
