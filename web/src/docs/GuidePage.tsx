// A guide with its contents. `children` is what a page knows from elsewhere, such as the list of all error codes; `groups` its part of the contents.
import type { ReactNode } from 'react';
import { Blocks } from './Blocks.tsx';
import { DocsFrame, type Group } from './DocsFrame.tsx';
import { type Guide, type Heading, plainText } from './guide.ts';

type Props = {
  guide: Guide;
  groups?: Group[];
  /** Whether what `children` shows is there. */
  isWhole?: boolean;
  children?: ReactNode;
};

export function GuidePage({ guide, groups = [], isWhole = true, children }: Props) {
  const entries = guide.blocks
    .filter((block): block is Heading => block.kind === 'heading' && block.level === 2)
    .map(({ id, children: words }) => ({ id, text: plainText(words) }));
  return (
    <DocsFrame title={guide.title} groups={[{ title: '', entries }, ...groups]} isWhole={isWhole}>
      <Blocks blocks={guide.blocks} />
      {children}
    </DocsFrame>
  );
}
