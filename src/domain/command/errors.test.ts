/** What an error tells beside its code: the word at which reading stopped, the chain, and what was probably meant. */
import { describe, expect, it } from 'vitest';
import { type Platform, parseCommand } from '../command.ts';
import { type Extra, message } from './corpus/people.ts';
import { wanted } from './corpus/wanted.ts';

const REPLY = { reply_to: { id: '202', username: 'bob' } };
const parse = (text: string, chat = 'dm', platform: Platform = 'telegram', extra: Extra = {}) =>
  parseCommand(message(platform, chat, text, extra));

describe('the word at which reading stopped', () => {
  it.each([
    ['/tip @bob fünf', 'amount_invalid', 'fünf'],
    ['/tip @bob five', 'amount_invalid', 'five'],
    ['/tip @bob 五', 'amount_invalid', '五'],
    ['/tip @bob 5x', 'amount_invalid', '5x'],
    ['/tip @bob 1,000', 'amount_ambiguous', '1,000'],
    ['/tip @bob 1 000', 'amount_invalid', '1 000'],
    ['/tip Müller 5', 'recipient_invalid', 'Müller'],
    ['/tip Боб 5', 'recipient_invalid', 'Боб'],
    ['/tip @bob.eth 5', 'recipient_invalid', '@bob.eth'],
    ['/tip @b\u200dob 5', 'suspicious_unicode', '@b\u200dob'],
    ['/tip @bob 5 btc', 'unsupported_token', 'btc'],
    ['/tip @bob 5 Euro', 'unsupported_currency', 'Euro'],
    ['/tip @bob 5 on polygon', 'unsupported_chain', 'polygon'],
    ['/tip @bob 5 on base sepolia', 'unsupported_chain', 'base sepolia'],
    ['/send vitalik.eth 1', 'ens_unsupported', 'vitalik.eth'],
    ['/tip @bob thanks', 'amount_missing', 'thanks'],
    ['/weather berlin', 'unknown_command', '/weather'],
    ['/settings', 'use_page', 'settings'],
    ['/refund 5', 'use_page', 'refund'],
  ])('%s → %s “%s”', (text, code, word) => {
    expect(parse(text)).toMatchObject({ kind: 'error', code, word });
  });

  it('is cut to forty signs', () => {
    expect(parse(`/tip @bob ${'5'.repeat(30)}${'x'.repeat(30)}`).kind).toBe('error');
    const answer = parse('/tip 0x52908400098527886E0F7030069857D2E4169EE7 5');
    expect(answer).toMatchObject({ code: 'address_in_tip', word: '0x52908400098527886E0F7030069857D2E4169E' });
  });

  it('names the asset and the chain that does not have it', () => {
    expect(parse('/send @bob 0.001 eth on bsc')).toMatchObject({
      code: 'unsupported_token',
      word: 'ETH',
      chain: 'bsc',
    });
  });

  it.each(['him', 'her', 'them', 'OP', 'this'])('under a message “tip %s 5” is “tip 5”', (word) => {
    expect(parse(`@ampersat_bot tip ${word} 5`, 'public', 'x', REPLY)).toMatchObject({
      code: 'recipient_pronoun',
      word,
    });
    expect(parse(`/tip ${word} 5`)).toMatchObject({ code: expect.not.stringMatching('recipient_pronoun') });
  });

  it.each([
    { id: 777000, first_name: 'Telegram', sender_chat: { id: -100, type: 'channel' } },
    { id: 1087968824, username: 'GroupAnonymousBot', is_bot: true },
    { id: 136817688, username: 'Channel_Bot', is_bot: true },
  ])('a post of a channel, or of an administrator without a name, is nobody’s: $id', (reply_to) => {
    expect(parse('/tip 5', 'group', 'telegram', { reply_to })).toEqual({ kind: 'error', code: 'recipient_channel' });
  });
});

describe('what was probably meant', () => {
  it.each([
    ['dm', 'tpi @bob 5', 'tip bob 5 USDC'],
    ['dm', '/tipp @bob 5 usdc for lunch', 'tip bob 5 USDC | lunch'],
    ['dm', '!tip @bob 5', 'tip bob 5 USDC'],
    ['group', '/tpi @bob 5', 'tip bob 5 USDC'],
    ['group', '@ampersat_bot sned @bob 5 kr', 'send bob 5 USDC | kr'],
    ['group', '/spilt 10 @bob @carol', 'split bob,carol 10 USDC even 5000000,5000000'],
    ['dm', '/tip bob 5', 'tip bob 5 USDC'],
    ['dm', '/send 5 usdc to bob', 'send bob 5 USDC'],
    ['group', '@ampersat_bot transfer 5 to @bob', 'send bob 5 USDC'],
    ['dm', '/transfer @bob 5', 'send bob 5 USDC'],
    ['dm', 'Überweise @bob 5 usdc', 'send bob 5 USDC'],
  ])('%s: %s → %s', (chat, text, suggestion) => {
    expect(parse(text, chat)).toMatchObject({ kind: 'error', suggestion: wanted(suggestion) });
  });

  it.each([
    ['dm', '/tip me 5'],
    ['dm', '/tip everyone 5'],
    ['dm', '/tip @bob fünf'],
    ['dm', '/weather @bob 5'],
    ['group', '@ampersat_bot bring 5 to @bob'],
    ['dm', 'manda un beso a @bob'],
    ['dm', '/tip the waiter 5'],
    ['dm', '/tip bob five'],
  ])('%s: %s has no suggestion', (chat, text) => {
    const answer = parse(text, chat);
    expect(answer.kind).toBe('error');
    expect(answer).not.toHaveProperty('suggestion');
  });
});
