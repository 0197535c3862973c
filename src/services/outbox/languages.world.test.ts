// In which language people are answered: what Telegram tells of the sender, until they choose for themselves.
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readViews } from '../../../bots/render/render.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, type Shown, startWorld, type World } from '../../../test/setup/world.ts';
import { parseCommand } from '../../domain/command.ts';
import { noteSeen } from '../accounts/connections.ts';
import { recordNews } from '../chat/inbox.ts';
import { readContent } from './content.ts';
import { languagesOf } from './languages.ts';

let world: World;
let browser: Visitor;
beforeAll(async () => {
  world = await startWorld();
  browser = visitor(await serveWorld(world));
  expect((await browser.signIn(privateKeyToAccount(localPerson('alice').key))).status).toBe(200);
});
afterAll(() => world.stop());
beforeEach(() => {
  // An hour later neither the tips nor the answers of another test count.
  world.later(3_600_000 + 1_000);
});

/** Somebody whose Telegram is set to a language types; then everything happens. */
async function says(name: string, language_code: string | undefined, text: string, chat = world.group): Promise<Shown> {
  const from = { ...localPerson(name).telegram, first_name: name, language_code };
  await world.user('messages', { chat_id: chat, from, text });
  await world.run();
  const last = (await world.botSaid(chat)).at(-1);
  if (!last) throw new Error('the bot said nothing');
  return last;
}
const direct = (name: string): number => localPerson(name).telegram.id;
const choose = async (language: string | null) => {
  const answer = await browser.send('PATCH', '/api/settings', { language });
  expect([answer.status, answer.body]).toEqual([200, { language, notices: true, charges: false }]);
};
const seenLanguage = async (id: string) =>
  (
    await world.ctx.db.seenUser.findUniqueOrThrow({
      where: { platform_platformUserId: { platform: 'telegram', platformUserId: id } },
    })
  ).language;

describe('somebody whose Telegram is German', () => {
  test('is answered in German in the direct chat', async () => {
    expect((await says('bob', 'de', '/help', direct('bob'))).text).toMatch(/^Sende Dollar/);
    expect((await says('bob', 'de', '/balance', direct('bob'))).text).toMatch(/^Dein Guthaben, bob@ampersat/);
  });

  test('and in a group, where an English one is answered in English', async () => {
    const german = await says('bob', 'de-AT', '/tip @alice 1');
    expect(german.text).toMatch(/^✅ @bob hat @alice 1,00 USDC gegeben \(Gebühr 0,05 \$\)\. Ansehen 0x/);
    // The link stands on the words of its own language.
    const { entities = [] } = german as Shown & { entities?: { type: string; offset: number; length: number }[] };
    const linked = entities.filter(({ type }) => type === 'text_link');
    const words = linked.map(({ offset, length }) => german.text.slice(offset, offset + length));
    expect(words).toEqual([expect.stringMatching(/^Ansehen 0x\w+…\w+$/)]);
    expect((await says('alice', 'en', '/tip @bob 1')).text).toMatch(/^✅ @alice tipped @bob 1\.00 USDC/);
    expect((await says('carol', undefined, '/tip @bob')).text).toContain('How much?');
  });

  test('reads a mistake, a question and its buttons in German', async () => {
    expect((await says('bob', 'de', '/tip @alice')).text).toBe('Wie viel? Versuch /tip @name 5.');
    const question = await says('bob', 'de', '/tip @alice 60');
    expect(question.text).toContain('@bob, das senden?');
    const [row = []] = question.reply_markup?.inline_keyboard ?? [];
    expect(row.map((button) => button.text)).toEqual(['Senden', 'Abbrechen']);
    await world.press('bob', question, row[1]?.callback_data ?? '');
    await world.run();
    expect((await world.botSaid()).at(-1)?.text).toBe('Von @bob abgebrochen.');
  });
});

describe('what is kept of a person', () => {
  test('is the newest that the platform told, and silence takes nothing back', async () => {
    const tell = (language: string | null | undefined, at: number) =>
      noteSeen(world.ctx.db, 'telegram', [{ id: '99', username: null, isBot: false, language }], at);
    await tell('es-MX', 1_000);
    expect(await seenLanguage('99')).toBe('es');
    await tell(undefined, 2_000);
    expect(await seenLanguage('99')).toBe('es');
    await tell('de', 1_500);
    expect(await seenLanguage('99')).toBe('es');
    // Somebody whose language we do not speak reads English.
    await tell('fr', 3_000);
    expect(await seenLanguage('99')).toBe('en');
  });

  test('also comes with a message, where only that carries it', async () => {
    const input = {
      platform: 'x' as const,
      ctx: { chat: 'public' as const, bot: { id: '1' }, sender: { id: '77' }, lang: 'de' },
    };
    const message = {
      platform: 'x',
      botId: '1',
      chatId: '5',
      messageId: '6',
      sentAt: 1_000,
      chatKind: 'public' as const,
    };
    await recordNews(world.ctx, 'x', [
      {
        seen: [
          { id: '77', username: 'hans', isBot: false },
          { id: '78', username: 'jane', isBot: false },
        ],
        seenAt: 1_000,
        entry: {
          key: 'x:language',
          content: {
            kind: 'message',
            message: { ...message, sender: { id: '77', username: 'hans' }, input },
            command: { kind: 'none' },
          },
        },
      },
    ]);
    const languageOf = await languagesOf(
      world.ctx,
      ['77', '78', '79'].map((userId) => ({ platform: 'x', userId })),
    );
    expect(['77', '78', '79'].map((userId) => languageOf({ platform: 'x', userId }))).toEqual(['de', 'en', 'en']);
  });
});

describe('the choice on the settings page', () => {
  test('wins over the platform, for the handle alone, until it is taken back', async () => {
    await choose('es');
    expect((await says('alice', 'en', '/limits', direct('alice'))).text).toContain('Comandos: quedan');
    expect((await says('alice', 'en', '/tip @bob 1')).text).toMatch(
      /^✅ @alice le dio 1,00 USDC a @bob \(comisión 0,05 \$\)/,
    );
    expect((await says('bob', 'de', '/limits', direct('bob'))).text).toContain('Befehle: noch');
    expect((await browser.get('/api/settings')).body).toEqual({ language: 'es', notices: true, charges: false });
    await choose(null);
    expect((await says('alice', 'en', '/limits', direct('alice'))).text).toContain('Commands:');
  });

  test('is one of ours, made by whoever is signed in', async () => {
    for (const body of [{ language: 'fr' }, {}, { language: 'de', more: 1 }])
      expect((await browser.send('PATCH', '/api/settings', body)).status).toBe(400);
    expect((await visitor(browserBase()).send('PATCH', '/api/settings', { language: 'de' })).status).toBe(401);
    expect((await visitor(browserBase()).get('/api/settings')).status).toBe(401);
    const foreign = await browser.send('PATCH', '/api/settings', { language: 'de' }, { origin: 'https://evil.test' });
    expect(foreign.status).toBe(403);
    expect((await browser.get('/api/settings')).body).toEqual({ language: null, notices: true, charges: false });
  });
});

test('the languages of a whole batch are asked for at once', async () => {
  const { ctx } = world;
  const rows = await ctx.db.reply.findMany({ include: { buttons: true } });
  const replies = rows.flatMap((row) => {
    const content = readContent(row);
    return content === null ? [] : { ...row, ...content };
  });
  expect(replies.length).toBeGreaterThan(5);
  let queries = 0;
  const db = new Proxy(ctx.db, {
    get(target, name, receiver) {
      if (name === '$queryRaw') queries += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  const views = await readViews({ ...ctx, db }, replies);
  expect(new Set(replies.map(views.languageOf)).size).toBeGreaterThan(1);
  expect(queries).toBe(1);
});

test('the command menu of Telegram speaks the language of its user, and has what works where it stands', async () => {
  const commands = async (type: string, language_code?: string) => {
    const scope = encodeURIComponent(JSON.stringify({ type }));
    const query = `?scope=${scope}${language_code === undefined ? '' : `&language_code=${language_code}`}`;
    const response = await fetch(
      `${world.telegramUrl}/bot${world.processEnv['TELEGRAM_BOT_TOKEN']}/getMyCommands${query}`,
    );
    const { result } = (await response.json()) as { result: { command: string; description: string }[] };
    return result;
  };
  const named = async (type: string) => (await commands(type)).map(({ command }) => command);
  const [alone, group] = [await named('all_private_chats'), await named('all_group_chats')];
  for (const name of ['tip', 'send', 'split', 'order', 'connect', 'help']) {
    expect(alone).toContain(name);
    expect(group).toContain(name);
  }
  expect([alone.includes('react'), group.includes('react')]).toEqual([true, false]);
  expect([alone.includes('leaderboard'), group.includes('leaderboard')]).toEqual([false, true]);
  // Each of them is read as a command of ours.
  for (const [chat, names] of [
    ['dm', alone],
    ['group', group],
  ] as const) {
    for (const name of names) {
      const ctx = { chat, bot: { id: 1, username: 'a_bot' }, sender: { id: 2 } };
      const answer = parseCommand({ platform: 'telegram', text: `/${name}`, entities: [], ctx });
      expect([name, answer.kind, answer.code]).not.toContain('unknown_command');
      expect([name, answer.kind]).not.toEqual([name, 'none']);
    }
  }
  const menu = async (language?: string) =>
    (await commands('all_group_chats', language)).find(({ command }) => command === 'help')?.description;
  expect(await Promise.all([menu(), menu('de'), menu('es')])).toEqual([
    'How it works',
    'So funktioniert es',
    'Cómo funciona',
  ]);
});

function browserBase(): string {
  return world.ctx.env.BASE_URL;
}
