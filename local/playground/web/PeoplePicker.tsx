// Selects the account that speaks; each has a line on what it can do.
import { RadioGroup } from 'radix-ui';
import { useId } from 'react';
import { capitalised } from '../../../web/src/app/format.ts';
import { Avatar } from '../../../web/src/ui/Avatar.tsx';
import type { Person } from './localApi.ts';

export function PeoplePicker({
  people,
  speaker,
  paused,
  onPick,
}: {
  people: Person[];
  speaker: Person;
  paused: ReadonlySet<string>;
  onPick: (name: string) => void;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h2 id={id} className="px-2 text-sm font-semibold text-muted max-lg:sr-only">
        Speak as
      </h2>
      <RadioGroup.Root
        aria-labelledby={id}
        value={speaker.name}
        onValueChange={onPick}
        className="grid grid-cols-5 gap-1 lg:grid-cols-1"
      >
        {people.map((person) => (
          <RadioGroup.Item
            key={person.name}
            value={person.name}
            className="flex min-w-0 flex-col items-center gap-1 rounded-lg border border-transparent px-1 py-1 text-left transition hover:bg-sunken data-[state=checked]:border-accent data-[state=checked]:bg-soft lg:flex-row lg:gap-3 lg:p-2"
          >
            <Avatar name={person.name} />
            <span className="min-w-0">
              <span className="block text-sm font-medium">{capitalised(person.name)}</span>
              <span className="hidden text-sm text-muted lg:block">{stateOf(person, paused)}</span>
            </span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
      <p className="text-center text-sm text-muted lg:hidden">
        You speak as {capitalised(speaker.name)}: {stateOf(speaker, paused).toLowerCase()}.
      </p>
    </section>
  );
}

function stateOf({ name, handle, connected, can_spend }: Person, paused: ReadonlySet<string>): string {
  if (paused.has(name)) return 'Spending is paused';
  if (connected && !can_spend) return 'Connected, receives only';
  if (connected) return name === 'shop' ? 'Business, can tip' : 'Connected, can tip';
  return handle === null ? 'No account yet' : 'Not connected here';
}
