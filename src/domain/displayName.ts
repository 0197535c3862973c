// The name that people gave themselves on a platform, as far as it can be repeated: foreign text that must not pass for a handle, an address, a link or a sum.

const MOST_SIGNS = 32;
/** Everything but letters, figures, and what stands inside names. */
const FOREIGN = /[^\p{L}\p{M}\p{N}\s'’-]+/gu;
/** Marks pile up on a letter without an end. */
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
/** Letters that show nothing. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * A display name that can stand in a sentence of ours: words of letters, each of which may have figures behind its first letter.
 * @returns at most 32 characters, or null when nothing of it can be shown
 */
export function readDisplayName(...parts: (string | null | undefined)[]): string | null {
  const words = parts
    .join(' ')
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .replace(FOREIGN, ' ')
    .replace(PILED_MARKS, '$1')
    .split(/\s+/)
    // What begins with a figure could be a sum or an address.
    .filter((word) => /^\p{L}/u.test(word));
  const name = [...words.join(' ')].slice(0, MOST_SIGNS).join('').trim();
  if (name === '') return null;
  // Its direction ends where it ends.
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}
