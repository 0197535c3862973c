/** Orders in chats: what asks for money, what does not, and that none of it ever moves any. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Platform, parseCommand } from '../command.ts';
import { type Extra, message } from './corpus/people.ts';
import { essence, wanted } from './corpus/wanted.ts';

type Row = [chat: 'group' | 'dm' | 'public', text: string, want: string, extra?: Extra];

const telegram: Row[] = [
  ['group', '/order 25 for coffee', 'order 25 USDC | coffee'],
  ['group', '/order@ampersat_bot 25 for coffee', 'order 25 USDC | coffee'],
  ['group', '/order@other_bot 25 for coffee', 'none'],
  ['group', '/ORDER 25', 'order 25 USDC'],
  ['group', '@ampersat_bot order 25 for coffee', 'order 25 USDC | coffee'],
  ['dm', 'order 12.50 usdc on celo for two tickets', 'order 12.5 USDC on celo | two tickets'],
  ['dm', '/order 0.01 eth', 'order 0.01 ETH'],
  ['dm', '/order on base 0.01 eth for a print', 'order 0.01 ETH on base | a print'],
  ['dm', '/order $25 for coffee', 'order 25 USD | coffee'],
  ['dm', '/order 1,250.75 usdc for rent', 'order 1250.75 USDC | rent'],
  ['dm', '/order 50 cents for gum', 'order 0.5 USD | gum'],
  ['dm', '/order 2 celo on celo', 'order 2 CELO on celo'],
  ['dm', '/order 25 coffee beans', 'order 25 USDC | coffee beans'],
  ['group', '/order 25 for coffee', 'order 25 USDC | coffee', { reply_to: { id: 202, username: 'bob' } }],
  // An ordinary word: nobody asked the bot for anything.
  ['group', 'order 25 for coffee', 'none'],
  ['group', 'in order to pay 25 for coffee', 'none'],
  ['group', 'my order 25 for coffee @ampersat_bot', 'none'],
  ['group', 'order 25 for coffee @ampersat_bot', 'help'],
  ['group', 'please /order 25 for coffee', 'none'],
  ['group', '@ampersat_bot I order 25 for coffee', 'none'],
  ['group', '@ampersat_bot order 66 is late', 'help'],
  ['group', '@ampersat_bot order 25 pizzas for lunch', 'help'],
  ['group', '@ampersat_bot order pizza for lunch', 'help'],
  ['group', '@ampersat_bot orders 25 for coffee', 'none'],
  ['dm', 'order 66 was executed', 'help'],
  ['dm', 'order', 'help'],
  ['dm', 'order 25 for coffee?', 'help'],
  ['dm', '/order no 25', 'help'],
  ['dm', '/order 25 never mind', 'help'],
  ['group', '/orders 25', 'none'],
  // Never the sender's own words of now.
  ['dm', '/order 25 for coffee', 'none', { edited: true }],
  ['dm', '/order 25 for coffee', 'none', { forwarded: true }],
  ['dm', '/order 25 for coffee', 'none', { via_bot: true }],
  ['dm', '/order 25 for coffee', 'none', { sender: { id: 55, username: 'robo', is_bot: true } }],
  // Faults.
  ['dm', '/order', '!order_amount_missing'],
  ['dm', '/order for coffee', '!order_amount_missing'],
  ['dm', '/order coffee', '!order_amount_missing'],
  ['dm', '/order twenty for coffee', '!amount_invalid'],
  ['dm', '/order 1e3', '!amount_invalid'],
  ['dm', '/order -5', '!amount_invalid'],
  ['dm', '/order 0', '!amount_zero'],
  ['dm', '/order 0.001', '!amount_too_small'],
  ['dm', '/order 2000000', '!amount_too_large'],
  ['dm', '/order 0.0000001', '!too_many_decimals'],
  ['dm', '/order 1,000', '!amount_ambiguous'],
  ['dm', '/order 25 30 for coffee', '!amount_ambiguous'],
  ['dm', '/order 5 each for coffee', '!amount_ambiguous'],
  ['dm', '/order 5 or 10', '!amount_ambiguous'],
  ['dm', '/order 10% for coffee', '!amount_invalid'],
  ['dm', '/order 25 eur for coffee', '!unsupported_currency'],
  ['dm', '/order 25 doge', '!unsupported_token'],
  ['dm', '/order 1 bnb on base', '!unsupported_token'],
  ['dm', '/order 25 on mars', '!unsupported_chain'],
  ['dm', '/order 25 on base sepolia', '!unsupported_chain'],
  ['dm', '/order 25 @bob for coffee', '!order_recipient'],
  ['dm', '/order @bob 25', '!order_recipient'],
  ['dm', '/order 25 for coffee with @bob', '!order_recipient'],
  ['dm', '/order 25 to 0x52908400098527886E0F7030069857D2E4169EE7', '!order_recipient'],
  ['dm', '/order 25 for coffee /tip @bob 5', '!multiple_commands'],
  ['dm', '/tip @bob 5 for /order 25', '!multiple_commands'],
  ['dm', '/order 25 for \u202ecoffee', '!suspicious_unicode'],
];

const x: Row[] = [
  ['public', '@ampersat_bot order 25 for coffee', 'order 25 USDC | coffee'],
  ['public', '@ampersat_bot order 25', 'order 25 USDC'],
  ['public', '@ampersat_bot /order 25 coffee', 'order 25 USDC | coffee'],
  ['public', 'order 25 for coffee', 'none'],
  ['public', 'we took your order 25 for coffee @ampersat_bot', 'none'],
  [
    'public',
    '@bob @ampersat_bot order 25 for coffee',
    'order 25 USDC | coffee',
    {
      reply_to: { id: 202, username: 'bob' },
      display_text_range: [5, 39],
    },
  ],
];

const discord: Row[] = [
  ['group', '<@999> order 25 for coffee', 'order 25 USDC | coffee'],
  ['group', '/order 25 for coffee', 'order 25 USDC | coffee'],
  ['group', 'order 25 for coffee', 'none'],
  ['group', '<@999> order 25 for `coffee`', 'order 25 USDC'],
  ['group', '<@999> order 25 for <@202>', 'help'],
];

describe.each([
  ['telegram', telegram],
  ['x', x],
  ['discord', discord],
] as const)('%s', (platform, rows) => {
  it.each(rows)('%s: %s → %s', (chat, text, want, extra) => {
    expect(essence(parseCommand(message(platform, chat, text, extra)))).toEqual(wanted(want));
  });
});

describe('a slash command of Discord', () => {
  const menu = (options: object[], more: object = {}) =>
    parseCommand(
      message('discord', 'group', '', { interaction: { type: 2, data: { name: 'order', type: 1, options, ...more } } }),
    );
  const text = (name: string, value: string) => ({ type: 3, name, value });
  it.each([
    [[text('amount', '25')], 'order 25 USDC'],
    [[text('amount', '25'), text('for', 'coffee, 2 cups')], 'order 25 USDC | coffee, 2 cups'],
    [[text('amount', '0.01 eth'), text('chain', 'base')], 'order 0.01 ETH on base'],
    [[text('for', 'coffee')], '!order_amount_missing'],
    [[text('amount', 'much')], '!amount_invalid'],
    [[text('amount', '25'), text('chain', 'mars')], '!unsupported_chain'],
    [[text('amount', '25'), { type: 6, name: 'user', value: '202' }], '!order_recipient'],
    [[text('amount', '25'), text('for', 'all of <@202>')], '!order_recipient'],
  ])('%j → %s', (options, want) => {
    expect(essence(menu(options))).toEqual(wanted(want));
  });
  it('is none from a context menu', () => {
    expect(menu([text('amount', '25')], { target_id: '5', type: 3 })).toEqual(wanted('!unknown_command'));
  });
});

describe('whatever stands around it', () => {
  const platforms = fc.constantFrom<Platform>('telegram', 'discord', 'x');
  const words = fc.constantFrom(
    ...['order', '/order', 'orders', 'tip', '@bob', '<@202>', '25', '$5', '0.01', 'eth', 'usdc', 'on', 'base', 'for'],
    ...['coffee', 'to', 'and', 'each', 'reply', '30', '0x52908400098527886E0F7030069857D2E4169EE7', 'not', '?'],
  );
  const sentence = fc.array(words, { maxLength: 10 }).map((all) => all.join(' '));
  const chats = fc.constantFrom('group', 'dm', 'public');

  it('an order moves no money, and names nobody', () => {
    fc.assert(
      fc.property(platforms, chats, sentence, (platform, chat, rest) => {
        const reply = { reply_to: { id: 202, username: 'bob' } };
        const answer = parseCommand(message(platform, chat, `/order ${rest}`, reply));
        expect(['order', 'help', 'error', 'none']).toContain(answer.kind);
        expect(answer.recipients).toBeUndefined();
        if (answer.kind === 'order') expect(answer.memo ?? '').not.toMatch(/[@<]/);
      }),
      { numRuns: 3000 },
    );
  });

  it('in a group nothing is an order without the slash or the bot’s name in front', () => {
    fc.assert(
      fc.property(platforms, sentence, fc.boolean(), (platform, rest, named) => {
        const bot = platform === 'discord' ? '<@999>' : '@ampersat_bot';
        const text = `so order ${rest}${named ? ` ${bot}` : ''}`;
        expect(parseCommand(message(platform, 'group', text)).kind).not.toBe('order');
        expect(parseCommand(message(platform, 'group', text.slice('so '.length))).kind).not.toBe('order');
      }),
      { numRuns: 3000 },
    );
  });

  it('every figure with a note is read to the unit', () => {
    fc.assert(
      fc.property(platforms, fc.bigInt({ min: 10_000n, max: 10n ** 12n }), (platform, micro) => {
        const digits = micro.toString().padStart(7, '0');
        const amount = `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
        expect(parseCommand(message(platform, 'dm', `/order ${amount} for coffee`))).toEqual({
          kind: 'order',
          amount,
          unit: 'USDC',
          memo: 'coffee',
        });
      }),
    );
  });
});
