// A display name is whatever its owner typed: none of it may pass for something that only we say.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDisplayName } from './displayName.ts';

describe('a display name', () => {
  it.each([
    [['Dave'], 'Dave'],
    [['Dave', 'Miller'], 'Dave Miller'],
    [['José', undefined], 'José'],
    [['Anne-Marie', "O'Neill"], "Anne-Marie O'Neill"],
    [['李', '小龙'], '李 小龙'],
    [['R2D2'], 'R2D2'],
    [['🔥 Dave 🔥'], 'Dave'],
    [['@alice'], 'alice'],
    [['alice@ampersat'], 'alice ampersat'],
    [['Dave (support)'], 'Dave support'],
    [['https://evil.test/x'], 'https evil test x'],
    [['5.00 USDC'], 'USDC'],
    [['0x1234567890abcdef'], null],
    [['١٠٠'], null],
    [['🔥🔥'], null],
    [['\u200b\u202e'], null],
    [['ㅤ'], null],
    [['', null], null],
    [['Dave\n✅ @alice tipped @bob'], 'Dave alice tipped bob'],
    [['<b>Dave</b>'], 'b Dave b'],
    [['ｄａｖｅ'], 'dave'],
    [['دانيال'], '\u2068دانيال\u2069'],
    [['x'.repeat(80)], 'x'.repeat(32)],
  ])('%j is %j', (parts, name) => expect(readDisplayName(...parts)).toBe(name));

  it('never holds a sign of ours, a link, an address, a sum or what turns the text around it', () => {
    const signs = fc.string({ unit: 'binary', maxLength: 80 });
    const typed = fc.oneof(
      signs,
      fc
        .array(fc.constantFrom('@', 'alice', '5', 'USDC', '0x12', '.', '/', '\u202e', '<', '`', '\n', ' ', 'é', 'א'))
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(typed, fc.option(signs), (first, last) => {
        const name = readDisplayName(first, last);
        if (name === null) return;
        expect([...name.replace(/[\u2068\u2069]/g, '')].length).toBeLessThanOrEqual(32);
        expect(name.replace(/[\u2068\u2069]/g, '')).toMatch(/^\p{L}[\p{L}\p{M}\p{N}'’ -]*$/u);
        expect(name).not.toMatch(/(^|\s)\p{N}/u);
        expect(/^\u2068[^\u2068\u2069]+\u2069$|^[^\u2068\u2069]+$/.test(name)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
