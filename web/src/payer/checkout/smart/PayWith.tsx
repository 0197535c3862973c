// From where an order can be paid, cheapest first, each with what it costs and how long it takes.
import { useId, useState } from 'react';
import { dollars, padAmount, shortAmount } from '../../../app/format.ts';
import type { Candidate } from '../../../smart/smartApi.ts';
import { Button } from '../../../ui/Button.tsx';
import { useWords } from '../language.ts';
import type { Words } from '../words/en.ts';
import { wayOf } from './useSmart.ts';

/** The others are a press away. */
const SHOWN = 4;

export function PayWith({
  candidates,
  chosen,
  disabled,
  onChoose,
}: {
  candidates: readonly Candidate[];
  chosen: string;
  disabled: boolean;
  onChoose: (way: string) => void;
}) {
  const words = useWords();
  const name = useId();
  const [wantsAll, setWantsAll] = useState(false);
  const shown = wantsAll ? candidates : candidates.filter((one, index) => index < SHOWN || wayOf(one) === chosen);
  const hidden = candidates.length - shown.length;
  return (
    <fieldset className="flex flex-col gap-2" disabled={disabled}>
      <legend className="mb-2 text-sm font-medium">{words.smart.payWith}</legend>
      {shown.map((candidate) => {
        const way = wayOf(candidate);
        return (
          <label
            key={way}
            data-way={way}
            className="relative flex cursor-pointer flex-wrap items-baseline gap-x-3 gap-y-1 rounded-lg border border-edge px-4 py-3 text-sm has-checked:border-accent has-checked:bg-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              value={way}
              checked={way === chosen}
              onChange={() => onChoose(way)}
              className="absolute inset-0 opacity-0"
            />
            <span className="font-semibold">{titleOf(words, candidate)}</span>
            <span className="ml-auto amount">{costOf(words, candidate)}</span>
            <span className="w-full text-muted">{detailOf(words, candidate)}</span>
          </label>
        );
      })}
      {hidden > 0 && (
        <Button kind="plain" className="self-start" onClick={() => setWantsAll(true)}>
          {words.smart.more(hidden)}
        </Button>
      )}
    </fieldset>
  );
}

export function titleOf(words: Words, { legs }: Candidate): string {
  return legs.map(({ asset, chain_label }) => words.smart.assetOn(asset, chain_label)).join(' + ');
}

function costOf({ smart }: Words, { cost_usd }: Candidate): string {
  // Cents are what people compare; less than one is one.
  const cents = Math.ceil(Number(cost_usd) * 100);
  return cents === 0 ? smart.noFees : smart.fees(dollars((cents / 100).toFixed(2)));
}

function detailOf({ smart }: Words, { legs, eta_seconds, confirmations }: Candidate): string {
  const has = legs.map(({ balance, asset }) => `${shortAmount(balance, asset)} ${asset}`).join(' + ');
  return [smart.has(has), smart.takes(eta_seconds), smart.asks(confirmations)].join(' · ');
}

/** What leaves the wallet, line by line. */
export function linesOf({ smart }: Words, { legs }: Candidate, due: string): string[] {
  return legs.map(({ amount, arrives, asset, chain_label, gasless }) => {
    const money = `${shortAmount(amount, asset, 'up')} ${asset}`;
    const line = smart.leaves(money, chain_label, `${padAmount(arrives)} ${due}`);
    return gasless ? line : `${line} ${smart.withGas}`;
  });
}
