// The parsed command, in words and as JSON.
import { ChevronRight } from 'lucide-react';
import type { Command } from '../../../../src/domain/command/result.ts';
import type { Trace } from '../localApi.ts';
import { readCommand } from '../traceWords.ts';
import { Section } from './Section.tsx';

export function Reading({ command, trace }: { command: Command; trace: Trace }) {
  return (
    <Section title="How it was read">
      <p className="mb-2 text-sm">{readCommand(command)}.</p>
      <RawData title="What the parser returned" data={command} />
      {trace.intent && <RawData title="The resulting order" data={{ ...trace.intent, legs: trace.legs }} />}
    </Section>
  );
}

function RawData({ title, data }: { title: string; data: unknown }) {
  return (
    <details className="group/raw text-sm">
      <summary className="flex min-h-8 list-none items-center gap-1 text-accent [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" className="size-4 transition group-open/raw:rotate-90" />
        {title}
      </summary>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
        tabIndex={0}
        className="mt-1 max-h-72 overflow-auto rounded-lg bg-sunken p-3 font-mono text-sm quiet-scroll"
      >
        {JSON.stringify(data, null, 2)}
      </pre>
    </details>
  );
}
