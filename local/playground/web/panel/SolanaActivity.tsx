// The newest transactions of the program on Solana, and what each did.
import { clockTime, exactTime } from '../../../../web/src/app/format.ts';
import { Hex } from '../../../../web/src/ui/Hex.tsx';
import type { Stack } from '../localApi.ts';
import { useActivity } from '../useTrace.ts';
import { Section } from './Section.tsx';

export function SolanaActivity({ stack }: { stack: Stack }) {
  return stack.chains.some(({ name }) => name === 'solana') ? <Newest /> : null;
}

function Newest() {
  const { data = [] } = useActivity();
  if (data.length === 0) return null;
  return (
    <Section title="Newest on Solana">
      <ul className="flex flex-col gap-3 text-sm">
        {data.map(({ hash, slot, at, effects }) => (
          <li key={hash} className="flex flex-col">
            {effects.map((effect, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one transaction may do the same twice
              <span key={index} className="break-words">
                {effect}
              </span>
            ))}
            <span className="flex flex-wrap items-center gap-x-2 text-muted">
              <Hex value={hash} what="the transaction’s signature" />
              <span className="tabular-nums">slot {slot.toLocaleString('en-GB')}</span>
              {at && (
                <time dateTime={at} title={exactTime(Date.parse(at))}>
                  {clockTime(Date.parse(at))}
                </time>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
