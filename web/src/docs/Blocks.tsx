// A guide as the page shows it: headings that can be linked to, text, tables, pictures and examples.
import { Fragment } from 'react';
import { Link } from '../app/router.tsx';
import { Code, Examples } from './Example.tsx';
import type { Block, Heading, Inline } from './guide.ts';

export function Blocks({ blocks }: { blocks: Block[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a guide never change their order
  return blocks.map((block, index) => <One key={`${index}${block.kind}`} block={block} />);
}

function One({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading':
      return <LinkedHeading {...block} />;
    case 'paragraph':
      return (
        <p className="max-w-176">
          <Inlines>{block.children}</Inlines>
        </p>
      );
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul';
      return (
        <List className={`flex max-w-176 flex-col gap-2 pl-6 ${block.ordered ? 'list-decimal' : 'list-disc'}`}>
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the items of a guide never change their order
            <li key={index}>
              <div className="flex flex-col gap-2">
                <Blocks blocks={item} />
              </div>
            </li>
          ))}
        </List>
      );
    }
    case 'table':
      return <Table {...block} />;
    case 'image':
      return (
        <img
          src={block.src}
          alt={block.alt}
          width={block.width}
          height={block.height}
          loading="lazy"
          className="h-auto max-w-full self-start rounded-2xl border border-line sm:max-w-120"
        />
      );
    case 'code':
      return <Code text={block.text} title={block.title} />;
    case 'examples':
      return <Examples examples={block.examples} />;
  }
}

function LinkedHeading({ level, id, children }: Heading) {
  const Tag = level <= 2 ? 'h2' : 'h3';
  const look = level <= 2 ? 'mt-6 text-lg' : 'mt-2 text-base';
  return (
    <Tag id={id} className={`group scroll-mt-20 font-semibold tracking-tight ${look}`}>
      <a href={`#${id}`} className="hover:text-accent">
        <Inlines>{children}</Inlines>
        <span aria-hidden="true" className="ml-2 font-normal text-muted opacity-0 group-hover:opacity-100">
          #
        </span>
      </a>
    </Tag>
  );
}

function Table({ head, rows }: Extract<Block, { kind: 'table' }>) {
  const hasHead = head.some((cell) => cell.length > 0);
  return (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
      tabIndex={0}
      className="max-w-full overflow-x-auto rounded-2xl border border-line bg-surface text-sm quiet-scroll"
    >
      <table className="w-full">
        {hasHead && (
          <thead>
            <tr className="text-left text-muted">{head.map((cell, index) => cellOf('th', cell, index))}</tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a guide never change their order
            <tr key={index} className="border-line not-first:border-t in-[thead+tbody]:border-t">
              {row.map((cell, column) => cellOf('td', cell, column))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function cellOf(Cell: 'th' | 'td', cell: Inline[], column: number) {
  return (
    <Cell
      key={column}
      {...(Cell === 'th' ? { scope: 'col' } : {})}
      className="min-w-32 px-4 py-2 align-top font-normal"
    >
      <Inlines>{cell}</Inlines>
    </Cell>
  );
}

function Inlines({ children }: { children: Inline[] }) {
  return children.map((one, index) => {
    const key = `${index}${typeof one === 'string' ? '' : one.kind}`;
    if (typeof one === 'string') return <Fragment key={key}>{one}</Fragment>;
    if (one.kind === 'code')
      return (
        <code key={key} className="rounded bg-sunken px-1 font-mono text-[0.9em] break-words">
          {one.text}
        </code>
      );
    const inner = <Inlines>{one.children}</Inlines>;
    if (one.kind !== 'link') {
      const Weight = one.kind;
      return <Weight key={key}>{inner}</Weight>;
    }
    const Anchor = one.href.startsWith('/docs') ? Link : 'a';
    return (
      <Anchor key={key} href={one.href} className="text-accent underline underline-offset-2">
        {inner}
      </Anchor>
    );
  });
}
