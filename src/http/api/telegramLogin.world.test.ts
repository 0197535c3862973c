// Telegram Login over real HTTP: only what Telegram signed for our bot, just now, for this login of this session, once.
import { createHash, createHmac } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TELEGRAM_BOT } from '../../../local/stack/people.ts';
import { begin, choose, type Logins, startLogins } from '../../../test/setup/logins.ts';
import { type Answer, serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, type Shown, startWorld, type World } from '../../../test/setup/world.ts';

let world: World;
let base: string;
let logins: Logins;
let carol: Visitor;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  logins = await startLogins(world, base);
});
afterAll(async () => {
  await logins?.close();
  await world?.stop();
});
beforeEach(async () => {
  world.later(3_700_000);
  carol = await signedIn('carol');
  await world.ctx.db.connection.deleteMany({ where: { platformUserId: String(CAROL) } });
});

const CAROL = localPerson('carol').telegram.id;
const MINUTE = 60_000;

async function signedIn(name: string): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
  return browser;
}
const connectionOf = () =>
  world.ctx.db.connection.findFirst({
    where: { platform: 'telegram', platformUserId: String(CAROL), disconnectedAt: null },
    include: { handle: true },
  });
const problem = ({ status, body }: Answer) => [status, body.error?.code];
type Given = { state: string; result: string };
/** What the page reads from the address that Telegram sends the browser to. */
function read(back: URL): Given {
  expect(back.href.startsWith(`${base}/connections?state=`)).toBe(true);
  return { state: back.searchParams.get('state') ?? '', result: back.hash.replace('#tgAuthResult=', '') };
}
async function answered(person: string | null = 'carol', browser = carol): Promise<Given> {
  return read(await choose(await begin(browser, 'telegram'), person));
}
const bring = (given: Given, browser = carol) => browser.post('/api/auth/telegram/callback', given);
const fresh = async (browser = carol) =>
  new URL(new URL(await begin(browser, 'telegram')).searchParams.get('return_to') ?? '').searchParams.get('state') ??
  '';

const fieldsOf = (result: string) => JSON.parse(Buffer.from(result, 'base64url').toString()) as Record<string, unknown>;
const encoded = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64url');
/** Signs as Telegram does, with the token of any bot. */
function signed(fields: Record<string, unknown>, token = TELEGRAM_BOT.token): string {
  const text = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('\n');
  const key = createHash('sha256').update(token).digest();
  return encoded({ ...fields, hash: createHmac('sha256', key).update(text).digest('hex') });
}
const now = () => Math.floor(world.ctx.clock.now() / 1_000);

describe('a login at Telegram', () => {
  test('200 there and back, shown, confirmed: connected, receive-only; the chat of the account is told', async () => {
    await world.say('carol', '/start', { chat: CAROL });
    const url = new URL(await begin(carol, 'telegram'));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      bot_id: String(TELEGRAM_BOT.id),
      origin: base,
      request_access: 'write',
    });
    const shown = await bring(read(await choose(url.href, 'carol')));
    expect(shown.status).toBe(200);
    expect(shown.body.login).toMatchObject({
      platform: 'telegram',
      platform_user_id: String(CAROL),
      username: 'carol',
      handle: 'carol',
      status: 'proven',
    });
    expect(await connectionOf()).toBeNull();
    const done = await carol.post('/api/auth/telegram/confirm', { login: shown.body.login.id });
    expect(done.status).toBe(200);
    expect(await connectionOf()).toMatchObject({ canSpend: false, handle: { slug: 'carol' } });
    await world.run();
    const told = (await world.botSaid(CAROL)).at(-1) as Shown;
    expect(told.text).toContain(`The Telegram account @carol (ID ${CAROL}) is now connected to carol@ampersat.`);
  });

  test('409 for an answer that is brought again, also to another login and by another session', async () => {
    const given = await answered();
    expect((await bring(given)).status).toBe(200);
    expect(problem(await bring(given))).toEqual([409, 'login_over']);
    expect(problem(await bring({ ...given, state: await fresh() }))).toEqual([409, 'login_over']);
    const bob = await signedIn('bob');
    expect(problem(await bring({ ...given, state: await fresh(bob) }, bob))).toEqual([409, 'login_over']);
  });

  test('409 for all but one who bring one answer to many logins at once', async () => {
    const { result } = await answered();
    const states = [await fresh(), await fresh(), await fresh(), await fresh()];
    const answers = await Promise.all(states.map((state) => bring({ state, result })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  test('409 for another session’s state, and none is used up by that; 401 signed out', async () => {
    const given = await answered();
    expect(problem(await bring(given, await signedIn('bob')))).toEqual([409, 'login_over']);
    expect(problem(await bring(given, await signedIn('carol')))).toEqual([409, 'login_over']);
    expect(problem(await bring(given, visitor(base)))).toEqual([401, 'session_required']);
    expect(problem(await bring({ ...given, state: 'x'.repeat(43) }))).toEqual([409, 'login_over']);
    expect((await bring(given)).status).toBe(200);
  });

  test('409 for an answer without a login: somebody else’s answer in an address connects nothing', async () => {
    const { result } = await answered('bob', await signedIn('bob'));
    expect((await bring({ state: '', result })).status).toBe(400);
    expect(problem(await bring({ state: 'anything', result }))).toEqual([409, 'login_over']);
  });

  test('409 after five minutes, 200 just before; 409 when it is signed far ahead', async () => {
    const old = await answered();
    world.later(5 * MINUTE + 1_000);
    expect(problem(await bring(old))).toEqual([409, 'login_over']);
    const young = await answered();
    world.later(5 * MINUTE - 2_000);
    expect((await bring(young)).status).toBe(200);
    const ahead = signed({ id: CAROL, first_name: 'Carol', username: 'carol', auth_date: now() + 120 });
    expect(problem(await bring({ state: await fresh(), result: ahead }))).toEqual([409, 'login_over']);
  });

  test('409 after ten minutes, on the way back and before the press', async () => {
    const url = await begin(carol, 'telegram');
    world.later(10 * MINUTE);
    expect(problem(await bring(read(await choose(url, 'carol'))))).toEqual([409, 'login_over']);
    const { id } = (await bring(await answered())).body.login;
    world.later(10 * MINUTE);
    expect(problem(await carol.post('/api/auth/telegram/confirm', { login: id }))).toEqual([409, 'login_over']);
    expect(await connectionOf()).toBeNull();
  });

  test('409 for anything that was changed, added or taken away, and for another bot’s signature', async () => {
    const right = { id: CAROL, first_name: 'Carol', username: 'carol', auth_date: now() };
    const fields = fieldsOf(signed(right));
    const { hash, ...unsigned } = fields;
    const { username, ...shorter } = fields;
    expect([hash, username]).not.toContain(undefined);
    for (const result of [
      encoded({ ...fields, id: localPerson('bob').telegram.id }),
      encoded({ ...fields, username: 'bob' }),
      encoded({ ...fields, auth_date: now() + 1 }),
      encoded({ ...fields, photo_url: 'https://evil.example' }),
      encoded(shorter),
      encoded(unsigned),
      encoded({ ...fields, hash: '0'.repeat(64) }),
      encoded({ ...fields, hash: '' }),
      encoded({ ...fields, hash: [hash] }),
      signed(right, '42:another-bot-altogether'),
      signed({ ...right, id: String(CAROL) }),
      signed({ ...right, id: -5 }),
      signed({ ...right, id: 1.5 }),
      signed({ ...right, auth_date: 'now' }),
      encoded([fields]),
      encoded({}),
      'null',
      'bm90IEpTT04',
      '%',
    ]) {
      // One address may not begin that many in a minute.
      world.later(5_000);
      expect(problem(await bring({ state: await fresh(), result })), result).toEqual([409, 'login_over']);
    }
    expect(await connectionOf()).toBeNull();
  });

  test('200 for somebody without a username, and with whatever else Telegram signs', async () => {
    const result = signed({
      id: CAROL,
      first_name: 'Çârol 🌷',
      last_name: 'L',
      photo_url: 'https://t.me/i/x',
      auth_date: now(),
    });
    const { login } = (await bring({ state: await fresh(), result })).body;
    expect(login).toMatchObject({ platform_user_id: String(CAROL), username: null });
  });

  test.each([null, 'ZmFsc2U'])('409 when the person said no there (%j)', async (encodedNo) => {
    const given = await answered(null);
    expect(problem(await bring({ ...given, result: encodedNo ?? given.result }))).toEqual([409, 'login_cancelled']);
    expect(problem(await bring(given))).toEqual([409, 'login_over']);
  });

  test('409 for an account that is connected already, in the same words as everywhere', async () => {
    const bob = await signedIn('bob');
    const { id } = (await bring(await answered('carol', bob), bob)).body.login;
    await bob.post('/api/auth/telegram/confirm', { login: id });
    world.later(1_000);
    const answer = await bring(await answered());
    expect(problem(answer)).toEqual([409, 'state_conflict']);
    expect(answer.body.error.message).not.toContain('bob');
    expect((await connectionOf())?.handle.slug).toBe('bob');
  });

  test('a link in the chat and a login: whoever is second finds it connected', async () => {
    await world.say('carol', '/connect', { chat: CAROL });
    const urls = (await world.botSaid(CAROL)).flatMap((one) => one.reply_markup?.inline_keyboard.flat() ?? []);
    const secret = urls.findLast((one) => one.url?.startsWith(`${base}/connect#`))?.url?.split('#')[1];
    expect((await carol.post('/api/links/redeem', { secret })).status).toBe(200);
    await world.run();
    const { id } = (await bring(await answered())).body.login;
    await carol.post('/api/auth/telegram/confirm', { login: id });
    const before = await connectionOf();
    const question = (await world.botSaid(CAROL)).findLast((one) => one.text.includes('Connect @carol to')) as Shown;
    const token =
      question.reply_markup?.inline_keyboard.flat().find((one) => one.text === 'Connect')?.callback_data ?? '';
    await world.press('carol', question, token, CAROL);
    await world.run();
    expect(await connectionOf()).toEqual(before);
  });

  test('404 for a GET with the answer in the address; 400 names the parameter; 403 from a foreign page', async () => {
    const given = await answered();
    expect((await carol.get(`/api/auth/telegram/callback?${new URLSearchParams(given)}`)).status).toBe(404);
    expect((await bring({ state: given.state } as Given)).body.error).toMatchObject({ param: 'result' });
    expect((await bring({ ...given, result: 'x'.repeat(9_000) })).body.error).toMatchObject({ param: 'result' });
    const foreign = await carol.post('/api/auth/telegram/callback', given, { origin: 'https://evil.example' });
    expect(problem(foreign)).toEqual([403, 'origin_not_allowed']);
    expect((await bring(given)).status).toBe(200);
  });
});
