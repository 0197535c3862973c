// What a guide is once its markdown was read (web/readGuide.ts): blocks that the pages show, and its text for the search.
import type { Language } from './languages.ts';

export type Inline =
  | string
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'em'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] };

export type Heading = { kind: 'heading'; level: number; id: string; children: Inline[] };

export type Block =
  | Heading
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Block[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'code'; text: string; title: string }
  | { kind: 'examples'; examples: { language: Language; text: string }[] }
  | { kind: 'image'; src: string; alt: string; width: number; height: number };

export type Guide = { title: string; blocks: Block[] };

export function plainText(inlines: readonly Inline[]): string {
  return inlines
    .map((one) => {
      if (typeof one === 'string') return one;
      return one.kind === 'code' ? one.text : plainText(one.children);
    })
    .join('');
}

/** All that a block says, without its code. */
export function wordsOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return plainText(block.children);
    case 'list':
      return block.items.flat().map(wordsOf).join(' ');
    case 'table':
      return [block.head, ...block.rows].flat().map(plainText).join(' ');
    default:
      return '';
  }
}
