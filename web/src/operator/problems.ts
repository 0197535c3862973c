// The parts of the service that are not ready, each cause once.
import type { Overview } from './operationsApi.ts';

type Part = Overview['health']['parts'][number];

/** `database (it does not answer), workers, bots and signer (the database does not answer)` */
export function problemsInWords(parts: readonly Pick<Part, 'name' | 'problem'>[]): string {
  const names = new Map<string, string[]>();
  for (const { name, problem } of parts) names.set(problem ?? '', [...(names.get(problem ?? '') ?? []), name]);
  return [...names].map(([problem, of]) => `${LIST.format(of)} (${problem})`).join(', ');
}

const LIST = new Intl.ListFormat('en-GB');
