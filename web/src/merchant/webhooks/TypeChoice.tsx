// Which events an endpoint receives: all, or those that are selected, group by group.
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { TYPE_GROUPS, TYPE_WORDS, type TypeGroup } from './typeWords.ts';

const KINDS = [
  ['all', 'All events, including future types'],
  ['some', 'Selected events'],
] as const;

/** @param chosen types, or `["*"]` for all */
export function TypeChoice({ chosen, onChosen }: { chosen: string[]; onChosen: (chosen: string[]) => void }) {
  const isAll = chosen.includes('*');
  // Switching to "all" and back keeps the selection.
  const [ticked, setTicked] = useState(isAll ? [] : chosen);
  const tick = (next: string[]) => {
    setTicked(next);
    onChosen(next);
  };
  return (
    <div className="flex flex-col gap-3">
      <Choice
        label="Events"
        value={isAll ? 'all' : 'some'}
        onValue={(kind) => onChosen(kind === 'all' ? ['*'] : ticked)}
        choices={KINDS}
      />
      {!isAll && (
        <div className="grid gap-x-8 gap-y-4 lg:grid-cols-2">
          {TYPE_GROUPS.map((group) => (
            <Group key={group.name} group={group} ticked={ticked} onTicked={tick} />
          ))}
        </div>
      )}
    </div>
  );
}

function Group({
  group: { name, types },
  ticked,
  onTicked,
}: {
  group: TypeGroup;
  ticked: string[];
  onTicked: (ticked: string[]) => void;
}) {
  const others = ticked.filter((one) => !types.some((type) => type === one));
  const isWhole = types.every((type) => ticked.includes(type));
  return (
    <fieldset className="flex min-w-0 flex-col">
      <legend className="sr-only">{name}</legend>
      <div className="flex min-h-10 items-center justify-between gap-4">
        <span aria-hidden="true" className="flex items-center gap-2 text-sm font-semibold">
          {name}
        </span>
        {types.length > 1 && (
          <Button
            kind="plain"
            aria-label={isWhole ? `None of ${name}` : `All of ${name}`}
            onClick={() => onTicked(isWhole ? others : [...others, ...types])}
          >
            {isWhole ? 'None' : 'All'}
          </Button>
        )}
      </div>
      {types.map((type) => (
        <label key={type} className="flex min-h-11 cursor-pointer items-start gap-3 py-1 text-sm">
          <input
            type="checkbox"
            name="enabled_events"
            value={type}
            checked={ticked.includes(type)}
            onChange={({ target }) =>
              onTicked(target.checked ? [...ticked, type] : ticked.filter((one) => one !== type))
            }
            className="mt-0.5 size-5 shrink-0 accent-accent"
          />
          <span className="min-w-0">
            <code className="block font-mono break-words">{type}</code>
            <span className="block text-muted">{TYPE_WORDS[type]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
