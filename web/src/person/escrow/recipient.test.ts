// For whom a tab is: what stands in a link, what people type, and what goes into the tab are one.
import { describe, expect, it } from 'vitest';
import { labelOf, readRecipient, recipientProblem, slugOf } from './recipient.ts';

describe('the recipient of a tab', () => {
  it.each([
    ['alice', 'alice', '@alice'],
    ['@Alice', 'alice', '@alice'],
    ['alice@ampersat', 'alice', '@alice'],
    ['x:Some_Body', 'x:some_body', '@some_body on X'],
    ['telegram:@dave', 'telegram:dave', '@dave on Telegram'],
    ['discord:some.body', 'discord:some.body', '@some.body on Discord'],
    ['telegram:id:7000004', 'telegram:id:7000004', 'the Telegram account 7000004'],
  ])('reads %s as %s', (typed, slug, label) => {
    const recipient = readRecipient(typed);
    expect(slugOf(recipient)).toBe(slug);
    expect(labelOf(recipient)).toBe(label);
    expect(recipientProblem(recipient)).toBeNull();
    expect(readRecipient(slug)).toEqual({ ...recipient, name: recipient.name.toLowerCase() });
  });

  it.each([
    '',
    'al',
    'admin',
    'a-b',
    'x:',
    'x:far_too_long_for_x',
    'telegram:abc',
    'telegram:id:12a',
    'telegram:id:007',
    'mastodon:me',
  ])('takes %s for nobody’s name', (typed) => {
    expect(recipientProblem(readRecipient(typed))).not.toBeNull();
  });
});
