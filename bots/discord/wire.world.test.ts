// What the adapter sends to Discord, and what the local server answers, against the description that Discord publishes of its API.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Shown } from '../../local/platforms/discord/hub.ts';
import { DISCORD_BOT } from '../../local/stack/people.ts';
import { OWN_CHAT } from '../../test/setup/discord.ts';
import { documentOf, startValidatingProxy, type ValidatingProxy } from '../../test/setup/validatingProxy.ts';
import { localPerson, startWorld, type World } from '../../test/setup/world.ts';

const { file, isThere, howToGet } = documentOf('discord');
const PREFIX = '/api/v10';

/** Every call that the adapter knows; those with kinds of bodies are told apart by them. */
const CALLS = [
  'get_my_application',
  'get_my_user',
  'get_bot_gateway',
  'bulk_set_application_commands',
  'create_interaction_response: message',
  'create_interaction_response: thinks, for all',
  'create_interaction_response: thinks, for one',
  'create_interaction_response: press',
  'create_interaction_response: form',
  'execute_webhook',
  'update_original_webhook_message',
  'delete_original_webhook_message',
  'update_webhook_message',
  'create_dm',
  'create_message',
  'create_message: reply',
  'create_message: buttons',
  'update_message',
  'list_messages',
  'get_user',
];
const OPERATIONS = [...new Set(CALLS.map((call) => call.split(':')[0] ?? ''))];

const ANSWERS: Record<number, string> = { 4: 'message', 6: 'press', 9: 'form' };
type Sent = { type?: number; data?: { flags?: number }; message_reference?: object; components?: object[] };
function kindsOf({ operation, body }: ValidatingProxy['calls'][number]): string[] {
  const { type = 0, data, message_reference, components = [] } = (body ?? {}) as Sent;
  if (operation === 'create_interaction_response')
    return [`${operation}: ${ANSWERS[type] ?? `thinks, for ${data?.flags ? 'one' : 'all'}`}`];
  if (operation !== 'create_message') return [operation];
  return [
    operation,
    ...(message_reference ? [`${operation}: reply`] : []),
    ...(components.length > 0 ? [`${operation}: buttons`] : []),
  ];
}

describe.skipIf(!isThere)(`calls to Discord (${howToGet})`, () => {
  let world: World;
  let proxy: ValidatingProxy;
  beforeAll(async () => {
    const through = async (direct: string) => {
      proxy = await startValidatingProxy(direct, {
        file,
        operations: OPERATIONS,
        authorization: /^Bot \S+$/,
        // The published paths begin behind the version, and write as it is what the client escapes in `@original`.
        inDocument: (url) => url.replace(PREFIX, '').replace(/\/%40original(?=$|\?)/, '/@original'),
      });
      return proxy.url;
    };
    world = await startWorld({ discord: { through } });
  });
  afterAll(async () => {
    await world?.stop();
    await proxy?.close();
  });

  const idOf = (name: string) => localPerson(name).discord.id;
  const mention = (name: string) => world.discord.at(name);
  type Button = { label?: string; custom_id?: string };
  const token = (message: Shown | undefined, label: string) =>
    (message?.components ?? [])
      .flatMap((row) => ('components' in row ? (row.components as Button[]) : []))
      .find((button) => button.label === label)?.custom_id ?? '';
  /** A command, of which Discord has heard within its three seconds before the next one is used. */
  const use: World['discord']['interact'] = async (...asked) => {
    const interaction = await world.discord.interact(...asked);
    await world.discord.settled();
    return interaction;
  };
  /** The question about an amount. */
  async function asked(amount: string): Promise<Shown> {
    const all = await world.discord.botSaid();
    const found = all.find(({ content }) => content.includes('send this?') && content.includes(amount));
    if (!found) throw new Error(`nothing is asked: ${all.map(({ content }) => content).join(' | ')}`);
    return found;
  }

  test('are all made, as Discord documents them, and answered so', async () => {
    const { discord } = world;
    const order = `${mention('bot')} tip ${mention('bob')}`;
    // By typing: a receipt, a question with buttons that is changed later, figures that go to the direct chat.
    await discord.type('alice', `${order} 5`);
    await discord.type('alice', 'help', { channel: OWN_CHAT });
    await discord.type('alice', `${order} 60`);
    await discord.type('shop', `${mention('bot')} balance`);
    // By commands: for all, for one, refused, without an account, to somebody without one, and a question that somebody else presses.
    await use('alice', 'tip', { to: idOf('bob'), user2: idOf('shop'), amount: '1', note: 'hi' });
    await use('alice', 'tip', { to: idOf('dave'), amount: '2' });
    await use('alice', 'tip', { to: idOf('bob'), amount: '70' });
    for (const command of ['balance', 'history', 'limits', 'help', 'connect']) await use('bob', command);
    await use('dave', 'connect');
    await use('carol', 'tip', { to: idOf('bob'), amount: '5' });
    await use('bob', 'tip', { to: idOf('alice'), amount: 'five' });
    await world.run();
    const [typed, used] = [await asked('60.00'), await asked('70.00')];
    await discord.press('alice', typed, token(typed, 'Send'));
    await discord.press('bob', used, token(used, 'Send'));
    await discord.press('alice', used, token(used, 'Cancel'));
    await world.run();
    // Menus, settings, and what they refuse.
    world.later(61 * 60_000);
    const { message_id: target } = await discord.type('bob', 'look at this');
    const { interaction_id } = await use('alice', 'Tip author', {}, { target });
    await discord.fill('alice', interaction_id, { amount: '1' });
    await use('alice', 'Tip author', {}, { target: typed.id });
    await use('alice', 'settings', { cap: '5' });
    await use('alice', 'tip', { to: idOf('bob'), amount: '20' });
    // A refusal for one person alone takes away that the bot thinks for all to see.
    const open = await use('shop', 'tip', { to: idOf('bob'), amount: '1' });
    const place = { platform: 'discord' as const, botId: discord.bot, chatId: `interaction:${open.interaction_id}` };
    const alone = { text: 'for one', links: [], buttons: [], onlyFor: idOf('shop') };
    expect(await discord.adapter().send(place, alone, null, 'alone')).toMatchObject({ kind: 'sent' });
    // What was typed while the bot was away, and names.
    await discord.stop();
    await discord.type('alice', `${order} 1`);
    await discord.start();
    await world.run();
    expect(await discord.adapter().currentUsername?.(idOf('bob'))).toBe('bob');
    expect(await discord.adapter().currentUsername?.('119999999999999999')).toBeNull();

    expect(proxy.violations).toEqual([]);
    expect([...new Set(proxy.calls.flatMap(kindsOf))].sort()).toEqual([...CALLS].sort());
  });

  describe('that are not so are noticed:', () => {
    const call = (
      path: string,
      { authorization = `Bot ${DISCORD_BOT.token}`, ...init }: Record<string, string> = {},
    ) => {
      proxy.violations.length = 0;
      const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
      return fetch(`${proxy.url}${PREFIX}${path}`, { headers, ...init });
    };
    const messages = () => `/channels/${world.discord.channel}/messages`;

    test.each([
      ['a body of another type', { content: 5 }, /create|content/],
      ['a text that is too long', { content: 'x'.repeat(4_001) }, /content/],
      [
        'a button of a kind that there is not',
        { content: 'x', components: [{ type: 1, components: [{ type: 99 }] }] },
        /components/,
      ],
      ['a reply to what is no id', { content: 'x', message_reference: { message_id: 'it' } }, /message_reference/],
    ])('%s', async (_name, body, told) => {
      await call(messages(), { method: 'POST', body: JSON.stringify(body) });
      expect(proxy.violations.join('\n')).toMatch(told);
    });

    test.each([
      ['an unknown path', () => '/channels/1/nothing', /not found/],
      ['a path that is nobody’s here', () => '/guilds/1', /not found/],
      ['an unknown parameter', () => `${messages()}?newest=1`, /newest/],
      ['a parameter of another type', () => `${messages()}?limit=many`, /limit/],
    ])('%s', async (_name, path, told) => {
      await call(path());
      expect(proxy.violations.join('\n')).toMatch(told);
    });

    test('a call without its token', async () => {
      await call(messages(), { authorization: '' });
      expect(proxy.violations.join('\n')).toMatch(/GET \/channels\/\{channel_id\}\/messages: .*authorization/i);
    });
  });
});
