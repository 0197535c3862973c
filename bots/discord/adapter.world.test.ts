// Discord, from the local server's user side to the chain and back: every way to ask, who sees what, and that everything happens once.
import { parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Shown } from '../../local/platforms/discord/hub.ts';
import { OWN_CHAT } from '../../test/setup/discord.ts';
import { until } from '../../test/setup/processes.ts';
import { localPerson, startWorld, type World } from '../../test/setup/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ discord: true });
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.later(25 * 3_600_000);
  await world.admin().increaseTime({ seconds: 25 * 3_600 });
  await world.mine(1);
  await world.freshPrices();
});

const usdc = (amount: string) => parseUnits(amount, 6);
const idOf = (name: string) => localPerson(name).discord.id;
const mention = (name: string) => world.discord.at(name);
type Button = { label?: string; custom_id?: string };
const buttonsOf = (message: Shown | undefined) =>
  (message?.components ?? []).flatMap((row) => ('components' in row ? (row.components as Button[]) : []));
const token = (message: Shown | undefined, label: string) =>
  buttonsOf(message).find((button) => button.label === label)?.custom_id ?? '';

/** What the bot says in the channel because of something, and by how much bob is richer after it. */
async function during(work: () => Promise<unknown>, channel?: string, name?: string) {
  const before = await world.usdc('bob');
  const said = (await world.discord.botSaid(channel, name)).map(({ id }) => id);
  await work();
  await world.run();
  const now = await world.discord.botSaid(channel, name);
  return { paid: (await world.usdc('bob')) - before, said: now.filter(({ id }) => !said.includes(id)) };
}
const read = async (message: Shown | undefined) =>
  (await world.discord.messages(message?.channel_id)).find(({ id }) => id === message?.id);

describe('a tip', () => {
  test('by mention is paid and answered once, as a reply that pings nobody', async () => {
    let typed = '';
    const { paid, said } = await during(async () => {
      typed = (await world.discord.type('alice', `${mention('bot')} tip ${mention('bob')} 5`)).message_id;
    });
    expect(paid).toBe(usdc('5'));
    expect(said).toHaveLength(1);
    expect(said[0]?.content).toMatch(/^✅ @alice tipped @bob 5\.00 USDC \(fee \$0\.10\)/);
    expect(said[0]).toMatchObject({ mentions: [], message_reference: { message_id: typed }, visible_to: null });
  });

  test('below an attachment is read like any other', async () => {
    const file = { id: '1', filename: 'cat.png', size: 9, url: 'https://x', proxy_url: 'https://x' };
    const { paid, said } = await during(() =>
      world.discord.type('alice', `${mention('bot')} tip ${mention('bob')} 2`, { extra: { attachments: [file] } }),
    );
    expect(paid).toBe(usdc('2'));
    expect(said).toHaveLength(1);
  });

  test('that was not understood a second time is shown by a reaction', async () => {
    const { said } = await during(async () => {
      await world.discord.type('alice', `${mention('bot')} tip ${mention('bob')}`);
      await world.discord.type('alice', `${mention('bot')} tip ${mention('bob')} 0`);
    });
    expect(said).toHaveLength(1);
    const last = (await world.discord.messages()).findLast(({ content }) => content.endsWith(' 0'));
    expect(last?.reactions).toEqual([expect.objectContaining({ emoji: { id: null, name: '🤔' }, me: true })]);
  });

  test('by reply goes to the author who is answered', async () => {
    const { message_id } = await world.discord.type('bob', 'I made a thing');
    const { paid, said } = await during(() =>
      world.discord.type('alice', `${mention('bot')} tip 2`, { replyTo: message_id }),
    );
    expect(paid).toBe(usdc('2'));
    expect(said.map(({ content }) => content)).toEqual([expect.stringContaining('tipped @bob 2.00 USDC')]);
  });

  test('in the direct chat needs no mention of the bot', async () => {
    const { paid, said } = await during(
      () => world.discord.type('alice', 'tip @bob 3', { channel: OWN_CHAT }),
      OWN_CHAT,
      'alice',
    );
    expect(paid).toBe(usdc('3'));
    expect(said).toHaveLength(1);
  });

  test('by slash command is deferred for all to see, and that answer becomes the receipt', async () => {
    const { paid, said } = await during(() => world.discord.interact('alice', 'tip', { to: idOf('bob'), amount: '5' }));
    expect(paid).toBe(usdc('5'));
    expect(said).toHaveLength(1);
    expect(said[0]).toMatchObject({ visible_to: null, content: expect.stringMatching(/^✅ @alice tipped @bob 5\.00/) });
  });

  test('of several people in one command has one receipt', async () => {
    const shopHad = await world.usdc('shop');
    const { paid, said } = await during(() =>
      world.discord.interact('alice', 'tip', { to: idOf('bob'), user2: idOf('shop'), amount: '1.5', note: 'lunch' }),
    );
    expect([paid, (await world.usdc('shop')) - shopHad]).toEqual([usdc('1.5'), usdc('1.5')]);
    expect(said).toHaveLength(1);
    expect(said[0]?.content).toMatch(/@bob 1\.50[\s\S]*@shop 1\.50/);
    expect(said[0]?.content).not.toContain('lunch');
  });

  test('from the menu of a message asks for the amount in a form', async () => {
    const { message_id } = await world.discord.type('bob', 'look at this');
    const { paid, said } = await during(async () => {
      const { interaction_id } = await world.discord.interact('alice', 'Tip author', {}, { target: message_id });
      await world.discord.settled();
      const asked = await world.discord.user<{ answer: string; modal: { title: string } }>(
        `interactions?id=${interaction_id}`,
      );
      expect(asked).toMatchObject({ answer: 'modal', modal: { title: 'Tip @bob' } });
      await world.discord.fill('alice', interaction_id, { amount: '4' });
    });
    expect(paid).toBe(usdc('4'));
    expect(said[0]?.content).toContain('@alice tipped @bob 4.00 USDC');
  });

  test('from the menu of a bot’s message opens no form', async () => {
    const { said } = await during(() => world.discord.interact('alice', 'help'));
    const own = (await world.discord.botSaid()).find((message) => message.visible_to === null);
    expect(said).toHaveLength(1);
    const refused = await during(() => world.discord.interact('alice', 'Tip author', {}, { target: own?.id ?? '' }));
    expect(refused.said).toEqual([
      expect.objectContaining({ visible_to: idOf('alice'), content: expect.stringContaining('can’t be tipped') }),
    ]);
  });

  test('where the bot came with its user only is answered through the interaction', async () => {
    const channel = '119900000000000009';
    const { paid, said } = await during(
      () => world.discord.interact('alice', 'tip', { to: idOf('bob'), amount: '2' }, { channel, installed: 'user' }),
      channel,
    );
    expect(paid).toBe(usdc('2'));
    expect(said[0]?.content).toMatch(/^✅ @alice tipped @bob 2\.00/);
  });
});

describe('money', () => {
  test('goes to an address', async () => {
    const { paid, said } = await during(() =>
      world.discord.interact('alice', 'send', { to: localPerson('bob').address, amount: '2', chain: 'base' }),
    );
    expect(paid).toBe(usdc('2'));
    expect(said[0]?.content).toMatch(/^✅ @alice sent 0x.{4}….{4} 2\.00 USDC/);
  });

  test('goes nowhere for everyone at once, a role, a bot, an edit, a webhook or a forwarded message', async () => {
    const order = `${mention('bot')} tip ${mention('bob')} 5`;
    const { paid } = await during(async () => {
      await world.discord.type('alice', `${mention('bot')} tip @everyone 5`);
      world.later(11 * 60_000);
      await world.discord.type('alice', `${mention('bot')} tip <@&119100000000000001> 5`);
      await world.discord.type('alice', `${mention('bot')} tip ${mention('bot')} 5`);
      await world.discord.type('alice', order, { extra: { webhook_id: '119500000000000001' } });
      await world.discord.type('alice', order, { extra: { message_reference: { type: 1, channel_id: '1' } } });
      await world.discord.user('messages', {
        channel_id: world.discord.channel,
        author: { id: '119600000000000001', username: 'robo', bot: true },
        content: order,
      });
      const { message_id } = await world.discord.type('alice', 'hello');
      await world.discord.user('messages', {
        channel_id: world.discord.channel,
        author: localPerson('alice').discord,
        content: order,
        edit_message_id: message_id,
      });
    });
    expect(paid).toBe(0n);
    expect(await world.ctx.db.intent.count({ where: { status: 'accepted' } })).toBe(0);
  });
});

describe('what is nobody else’s business', () => {
  test.each(['balance', 'deposit', 'withdraw', 'history', 'limits', 'me', 'help', 'connect'])(
    '/%s is shown to its user alone',
    async (command) => {
      const { said } = await during(() => world.discord.interact('alice', command));
      expect(said).toHaveLength(1);
      expect(said[0]?.visible_to).toBe(idOf('alice'));
      expect(said[0]?.content).not.toContain('One moment');
    },
  );

  test('an error is shown to its user alone, and leaves nothing behind for the others', async () => {
    const { paid, said } = await during(() =>
      world.discord.interact('alice', 'tip', { to: idOf('bob'), amount: 'five' }),
    );
    expect(paid).toBe(0n);
    expect(said).toEqual([
      expect.objectContaining({
        visible_to: idOf('alice'),
        content: expect.stringContaining('I couldn’t read'),
      }),
    ]);
  });

  test('of somebody who is not connected is kept, and takes nothing', async () => {
    const { paid, said } = await during(() => world.discord.interact('carol', 'tip', { to: idOf('bob'), amount: '5' }));
    expect(paid).toBe(0n);
    expect(said.map(({ content }) => content)).toEqual([expect.stringContaining('@carol, saved for 24 hours.')]);
  });

  test('figures of a refusal are shown to its sender, whichever part goes first; the channel reads that nothing was taken', async () => {
    await world.ctx.db.handle.update({ where: { slug: 'alice' }, data: { commandCapMicros: 2_000_000n } });
    const { paid, said } = await during(() => world.discord.interact('alice', 'tip', { to: idOf('bob'), amount: '5' }));
    await world.ctx.db.handle.update({ where: { slug: 'alice' }, data: { commandCapMicros: 100_000_000n } });
    expect(paid).toBe(0n);
    const [open, own] = [said.filter((one) => one.visible_to === null), said.filter((one) => one.visible_to !== null)];
    expect(open).toHaveLength(1);
    expect(open[0]?.content).toContain('you weren’t charged');
    expect(open[0]?.content).not.toMatch(/2\.00|5\.10/);
    expect(own.map(({ visible_to, content }) => [visible_to, content])).toEqual([
      [idOf('alice'), expect.stringContaining('Your limit per command is $2.')],
    ]);
  });

  test('a private part that happens to go first is not shown to everybody, and takes nothing from the public one', async () => {
    const { interaction_id } = await world.discord.interact('alice', 'tip', { to: idOf('bob'), amount: '1' });
    await world.discord.settled();
    const say = (side: string, text: string) =>
      world.discord
        .adapter()
        .send(
          { platform: 'discord', botId: world.discord.bot, chatId: `${side}:${interaction_id}` },
          { text, links: [], buttons: [] },
          null,
          `key of ${text}`,
        );
    expect(await say('private', 'for one')).toMatchObject({ kind: 'sent' });
    expect(await say('interaction', 'for all')).toMatchObject({ kind: 'sent' });
    const said = (await world.discord.botSaid()).slice(-2).map(({ content, visible_to }) => [content, visible_to]);
    expect(said).toEqual([
      ['for all', null],
      ['for one', idOf('alice')],
    ]);
    await world.run();
  });

  test('figures asked for in a channel by mention go to the direct chat', async () => {
    const { said } = await during(() => world.discord.type('alice', `${mention('bot')} balance`), OWN_CHAT, 'alice');
    expect(said.map(({ content }) => content)).toEqual([expect.stringContaining('Your balance')]);
  });

  test('a button that connects gives each person who presses it a link that they alone see', async () => {
    const { said: shown } = await during(() => world.discord.type('dave', `${mention('bot')} tip ${mention('bob')} 1`));
    expect(shown[0]?.visible_to).toBeNull();
    expect(buttonsOf(shown[0])).toMatchObject([{ label: expect.stringContaining('onnect'), custom_id: 'connect' }]);
    for (const name of ['dave', 'carol']) {
      const { said } = await during(() => world.discord.press(name, shown[0] as Shown, 'connect'));
      expect(said).toHaveLength(1);
      expect(said[0]?.visible_to).toBe(idOf(name));
      expect(buttonsOf(said[0])).toMatchObject([{ style: 5, url: expect.stringContaining('/connect#') }]);
    }
  });

  test('a link of /connect is pressed and confirmed where it was asked for', async () => {
    const { said } = await during(() => world.discord.interact('dave', 'connect'));
    const link = await world.ctx.db.link.findFirstOrThrow({ where: { platformUserId: idOf('dave') } });
    expect(said[0]?.visible_to).toBe(idOf('dave'));
    expect(buttonsOf(said[0])).toMatchObject([{ label: 'Connect', style: 5 }]);
    expect(link.chatId).toMatch(/^private:/);
  });
});

describe('a question', () => {
  const ask = async () => {
    const { said } = await during(() => world.discord.interact('alice', 'tip', { to: idOf('bob'), amount: '60' }));
    expect(said[0]?.content).toContain('send this?');
    return said[0] as Shown;
  };

  test('moves money after its sender pressed, once, and becomes the receipt', async () => {
    const question = await ask();
    const { paid, said } = await during(async () => {
      await world.discord.press('alice', question, token(question, 'Send'));
      await world.discord.press('alice', question, token(question, 'Send'));
    });
    expect(paid).toBe(usdc('60'));
    expect(said.filter(({ visible_to }) => visible_to === null)).toEqual([]);
    expect((await read(question))?.content).toMatch(/^✅ @alice tipped @bob 60\.00/);
    expect(buttonsOf(await read(question))).toEqual([]);
  });

  test('is not answered by somebody else, who alone is told so', async () => {
    const question = await ask();
    const { paid, said } = await during(() => world.discord.press('bob', question, token(question, 'Send')));
    expect(paid).toBe(0n);
    expect(said).toEqual([
      expect.objectContaining({ visible_to: idOf('bob'), content: expect.stringContaining('Only the person') }),
    ]);
    await during(() => world.discord.press('alice', question, token(question, 'Cancel')));
    expect((await read(question))?.content).toContain('Cancelled');
  });

  test('is not answered through another message, an invented token, or after ten minutes', async () => {
    const question = await ask();
    const other = (await world.discord.botSaid()).find(
      ({ id, visible_to }) => id !== question.id && visible_to === null,
    );
    const { paid } = await during(async () => {
      await world.discord.press('alice', other as Shown, token(question, 'Send'));
      await world.discord.press('alice', question, 'x'.repeat(24));
      await world.discord.settled();
      await world.ingest();
      world.later(10 * 60_000 + 1_000);
      await world.discord.press('alice', question, token(question, 'Send'));
    });
    expect(paid).toBe(0n);
    expect((await read(question))?.content).toContain('didn’t answer in time');
  });

  test('asked by a typed command is answered by its buttons as well', async () => {
    const { said } = await during(() => world.discord.type('alice', `${mention('bot')} tip ${mention('bob')} 55`));
    const { paid } = await during(() => world.discord.press('alice', said[0] as Shown, token(said[0], 'Send')));
    expect(paid).toBe(usdc('55'));
  });

  test('still becomes the receipt when its answer comes after every token of it is over', async () => {
    const question = await ask();
    const { paid } = await during(() => receiptComesLate(question));
    expect(paid).toBe(usdc('60'));
    expect((await read(question))?.content).toMatch(/^✅ @alice tipped @bob 60/);
    expect(buttonsOf(await read(question))).toEqual([]);
  });

  test('where the bot is no member has its receipt in the direct chat when that comes so late', async () => {
    const channel = '119900000000000009';
    const where = { channel, installed: 'user' as const };
    const { said } = await during(
      () => world.discord.interact('alice', 'tip', { to: idOf('bob'), amount: '60' }, where),
      channel,
    );
    const late = await during(() => receiptComesLate(said[0] as Shown), OWN_CHAT, 'alice');
    expect(late.paid).toBe(usdc('60'));
    expect(late.said.map(({ content }) => content)).toEqual([expect.stringMatching(/^✅ @alice tipped @bob 60.*\)$/)]);
  });

  const receiptComesLate = async (question: Shown) => {
    world.later(9 * 60_000);
    await world.discord.press('alice', question, token(question, 'Send'));
    await world.discord.settled();
    await world.ingest();
    await world.prepare();
    await world.settle();
    world.later(16 * 60_000);
  };
});

describe('the language of the one who asks', () => {
  test('is that of the answers, of the form and of what a press is told', async () => {
    const own = await during(() => world.discord.interact('bob', 'help', {}, { locale: 'de' }));
    expect(own.said[0]?.content).toContain('Sende Dollar (USDC)');

    const { message_id } = await world.discord.type('alice', 'look at this');
    const { interaction_id } = await world.discord.interact(
      'bob',
      'Tip author',
      {},
      { target: message_id, locale: 'es-ES' },
    );
    await world.discord.settled();
    const { modal } = await world.discord.user<{ modal: object }>(`interactions?id=${interaction_id}`);
    expect(modal).toMatchObject({ title: 'Dar a @alice', components: [{ label: 'Cantidad' }] });

    const asked = await during(() => world.discord.interact('alice', 'tip', { to: idOf('bob'), amount: '60' }));
    const question = asked.said[0] as Shown;
    const pressed = await during(() => world.discord.press('bob', question, token(question, 'Send'), { locale: 'de' }));
    expect(pressed.said[0]).toMatchObject({
      visible_to: idOf('bob'),
      content: expect.stringContaining('Antworten kann nur'),
    });
    await during(() => world.discord.press('alice', question, token(question, 'Cancel')));
  });

  test('gives way to the choice of their handle', async () => {
    await world.ctx.db.handle.update({ where: { slug: 'alice' }, data: { language: 'es' } });
    const { said } = await during(() => world.discord.interact('alice', 'settings', {}, { locale: 'de' }));
    await world.ctx.db.handle.update({ where: { slug: 'alice' }, data: { language: null } });
    expect(said[0]?.content.split('\n')).toEqual([
      'Los pagos están activados en este servidor.',
      'Dónde: en todos los canales.',
      'Límite por comando: ninguno en este servidor.',
      'Cámbialo con los campos de /settings. También valen los límites de cada persona.',
    ]);
    const german = await during(() => world.discord.interact('alice', 'settings', { cap: 'x' }, { locale: 'de' }));
    expect(german.said[0]?.content).toContain('konnte ich nicht lesen');
    expect((await during(() => world.discord.interact('alice', 'help'))).said[0]?.content).toContain(
      'Send dollars (USDC)',
    );
  });
});

describe('once', () => {
  test('a repeated event of the gateway pays nothing again', async () => {
    const { paid, said } = await during(async () => {
      await world.discord.type('alice', `${mention('bot')} tip ${mention('bob')} 5`);
      await world.discord.gateway({ repeat: 1 });
      await world.run();
      await world.discord.gateway({ repeat: 2 });
    });
    expect(paid).toBe(usdc('5'));
    expect(said).toHaveLength(1);
  });

  test('a repeated interaction pays nothing again', async () => {
    const { paid, said } = await during(async () => {
      await world.discord.interact('alice', 'tip', { to: idOf('bob'), amount: '5' });
      await world.discord.gateway({ repeat: 1 });
    });
    expect(paid).toBe(usdc('5'));
    expect(said).toHaveLength(1);
  });

  test('a receipt that has to wait for the rate limit comes once', async () => {
    await world.discord.fail({ method: 'create_message', status: 429, retry_after: 0.05, times: 1 });
    const { paid, said } = await during(async () => {
      await world.discord.type('alice', `${mention('bot')} tip ${mention('bob')} 5`);
      await world.run();
      world.later(5_000);
      await new Promise((resolve) => setTimeout(resolve, 60));
    });
    expect(paid).toBe(usdc('5'));
    expect(said.map(({ content }) => content)).toEqual([expect.stringMatching(/^✅/)]);
  });

  test('a receipt whose answer was lost stands there once', async () => {
    await world.discord.fail({ method: 'create_message', status: 0, accept: true, times: 1 });
    const { said } = await during(async () => {
      await world.discord.type('alice', `${mention('bot')} tip ${mention('bob')} 5`);
      await world.run();
      world.later(5_000);
    });
    expect(said.map(({ content }) => content)).toEqual([expect.stringMatching(/^✅/)]);
  });

  test('a first sign of life whose answer was lost is found to have arrived', async () => {
    await world.discord.fail({ method: 'create_interaction_response', status: 0, accept: true, times: 1 });
    const { paid, said } = await during(() => world.discord.interact('alice', 'tip', { to: idOf('bob'), amount: '5' }));
    expect(paid).toBe(usdc('5'));
    expect(said).toHaveLength(1);
  });

  test('a command whose user saw it fail never pays', async () => {
    await world.discord.fail({ method: 'create_interaction_response', status: 500, times: 1 });
    const { paid } = await during(async () => {
      const settled = world.discord.interact('alice', 'tip', { to: idOf('bob'), amount: '5' });
      await settled;
      world.later(4_000);
    });
    expect(paid).toBe(0n);
    expect(await world.ctx.db.inbox.count({ where: { outcome: 'unanswered' } })).toBeGreaterThan(0);
  });

  test('a command that a killed process left between storing and answering is answered by the next one, and paid once', async () => {
    const { paid, said } = await during(async () => {
      await leaveUnanswered();
      await world.discord.start();
    });
    expect(paid).toBe(usdc('5'));
    expect(said).toHaveLength(1);
  });

  test('the same, found too late, never pays', async () => {
    const { paid } = await during(async () => {
      await leaveUnanswered();
      world.later(4_000);
      await world.discord.start();
    });
    expect(paid).toBe(0n);
    expect(await world.ctx.db.inbox.count({ where: { status: 'held' } })).toBe(0);
  });

  /** Discord takes no answers, and the process ends while it still tries. */
  async function leaveUnanswered(): Promise<void> {
    await world.discord.fail({ method: 'create_interaction_response', status: 500, times: 1_000 });
    await world.discord.interact('alice', 'tip', { to: idOf('bob'), amount: '5' });
    await until(async () => (await world.ctx.db.inbox.count({ where: { status: 'held' } })) === 1, 'the held command');
    await world.discord.stop();
    await world.discord.user('faults', undefined, 'DELETE');
  }
});

describe('a gateway that is gone for a minute', () => {
  test('is resumed, and every command of that minute is done once', async () => {
    const { paid, said } = await during(async () => {
      await world.discord.gateway({ drop: true, for_ms: 60_000 });
      for (let i = 1; i <= 3; i++) await world.discord.type('alice', `${mention('bot')} tip ${mention('bob')} ${i}`);
      world.later(61_000);
      await connected();
    });
    expect(paid).toBe(usdc('6'));
    expect(said).toHaveLength(3);
  });

  test('with its session over is looked for in the channels, direct chats too', async () => {
    await during(() => world.discord.type('alice', 'help', { channel: OWN_CHAT }));
    const { paid, said } = await during(async () => {
      await world.discord.gateway({ drop: true, for_ms: 60_000, invalidate: true });
      for (let i = 1; i <= 2; i++) await world.discord.type('alice', `${mention('bot')} tip ${mention('bob')} ${i}`);
      await world.discord.type('alice', 'tip @bob 1', { channel: OWN_CHAT });
      world.later(61_000);
      await connected();
    });
    expect(paid).toBe(usdc('4'));
    expect(said).toHaveLength(2);
  });

  test('while the process was down is looked for in the channels; a channel that does not answer at once is asked again', async () => {
    await world.discord.stop();
    const { paid, said } = await during(async () => {
      for (let i = 1; i <= 2; i++) await world.discord.type('alice', `${mention('bot')} tip ${mention('bob')} ${i}`);
      await world.discord.fail({ method: 'list_messages', status: 429, retry_after: 0.05, times: 1 });
      await world.discord.start();
    });
    expect(paid).toBe(usdc('3'));
    expect(said).toHaveLength(2);
  });

  const connected = () =>
    until(
      async () => (await world.discord.user<{ connected: boolean }[]>('gateway')).some((one) => one.connected),
      'the client is there again',
    );
});

describe('the rules of a server', () => {
  const set = (options: Record<string, string | boolean>, permissions?: string) =>
    during(() => world.discord.interact('alice', 'settings', options, permissions ? { permissions } : {}));
  const tip = (amount = '5', channel?: string) =>
    during(
      () => world.discord.interact('alice', 'tip', { to: idOf('bob'), amount }, channel ? { channel } : {}),
      channel,
    );

  test('are changed by its admins only', async () => {
    const { said } = await set({ tipping: false }, '2048');
    expect(said).toEqual([
      expect.objectContaining({
        visible_to: idOf('alice'),
        content: expect.stringContaining('Only people who can manage'),
      }),
    ]);
    expect((await tip()).paid).toBe(usdc('5'));
  });

  test('switch tipping off and on', async () => {
    expect((await set({ tipping: false })).said[0]?.content).toContain('Payments are off');
    const refused = await tip();
    expect(refused.paid).toBe(0n);
    expect(refused.said).toEqual([
      expect.objectContaining({ visible_to: idOf('alice'), content: expect.stringContaining('Tips are switched off') }),
    ]);
    expect((await during(() => world.discord.type('alice', 'tip @bob 1', { channel: OWN_CHAT }))).paid).toBe(usdc('1'));
    await set({ tipping: true });
    expect((await tip()).paid).toBe(usdc('5'));
  });

  test('name the channels, and what is typed elsewhere is told so in private', async () => {
    const tips = '119200000000000002';
    await set({ add_channel: tips });
    const typed = await during(
      () => world.discord.type('alice', `${mention('bot')} tip ${mention('bob')} 5`),
      OWN_CHAT,
      'alice',
    );
    expect([typed.paid, typed.said[0]?.content]).toEqual([0n, expect.stringContaining(`<#${tips}>`)]);
    expect((await tip('5', tips)).paid).toBe(usdc('5'));
    await set({ all_channels: true });
    expect((await tip()).paid).toBe(usdc('5'));
  });

  test('cap a command, fee included', async () => {
    await set({ cap: '5' });
    const refused = await tip('5');
    expect(refused.paid).toBe(0n);
    expect(refused.said.find((one) => one.visible_to !== null)?.content).toContain('in this server is $5.');
    expect((await tip('4')).paid).toBe(usdc('4'));
    expect((await set({ cap: 'lots' })).said[0]?.content).toContain('couldn’t read that limit');
    await set({ cap: 'none' });
    expect((await tip('5')).paid).toBe(usdc('5'));
  });
});

describe('a platform that hangs', () => {
  test('holds up one answer, not the money, and not the other answers', async () => {
    const { paid, said } = await during(async () => {
      await world.discord.type('alice', `${mention('bot')} tip ${mention('bob')} 5`);
      await world.discord.fail({ method: 'create_message', status: 0, delay_ms: 300, times: 1 });
      await world.run();
      world.later(5_000);
    });
    expect(paid).toBe(usdc('5'));
    expect(said).toHaveLength(1);
  });
});

test('a name is read as it is now', async () => {
  expect(await world.discord.adapter().currentUsername?.(idOf('bob'))).toBe('bob');
  expect(await world.discord.adapter().currentUsername?.('119999999999999999')).toBeNull();
  await world.type('bob', '/start', { chat: localPerson('bob').telegram.id });
  expect(await world.adapter.currentUsername?.(String(localPerson('bob').telegram.id))).toBe('bob');
  expect(await world.adapter.currentUsername?.('7999999')).toBeNull();
});
