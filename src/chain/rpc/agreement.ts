// What two endpoints of a real network have to say alike before money depends on it. One configured endpoint, and a local chain, stand alone.
import type { PublicClient } from 'viem';
import { AppError } from '../../domain/errors.ts';
import { alike, answersUntil, PATIENCE_MS } from './answers.ts';
import { type EvmChain, reading } from './client.ts';

/** Whether answers of this chain count only when two endpoints give them. */
export function needsTwo({ local, endpoints }: EvmChain): boolean {
  return !local && endpoints.length > 1;
}

type Ask<T> = (client: PublicClient) => Promise<T>;

/**
 * An answer that two endpoints give.
 * @param sameness what has to be equal of it
 * @throws AppError `provider_unavailable` when no two of them do
 */
export async function agreed<T>(chain: EvmChain, ask: Ask<T>, sameness: (answer: T) => string): Promise<T> {
  const [answer] = await agreedAnswers(chain, ask, sameness);
  return answer;
}

/** The same with what else each of them says. @throws AppError `provider_unavailable` */
export async function agreedAnswers<T>(
  chain: EvmChain,
  ask: Ask<T>,
  sameness: (answer: T) => string,
): Promise<[T, ...T[]]> {
  if (!needsTwo(chain)) return [await reading(chain, () => ask(chain.client))];
  const answers = await alike(chain.endpoints.map(ask), sameness, 2);
  if (answers) return answers as [T, ...T[]];
  throw new AppError('provider_unavailable', `no two endpoints of ${chain.facts.label} show the same`);
}

/** Whether any endpoint says so: where a yes only keeps something from being done twice. @throws AppError `provider_unavailable` when none answers */
export async function anySays(chain: EvmChain, ask: Ask<boolean>): Promise<boolean> {
  return (await anyShows(chain, async (client) => (await ask(client)) || null)) !== null;
}

/** What any endpoint shows, where it is only noted; null where none does. @throws AppError `provider_unavailable` when none answers */
export async function anyShows<T>(chain: EvmChain, ask: Ask<T | null>): Promise<T | null> {
  if (!needsTwo(chain)) return reading(chain, () => ask(chain.client));
  const shows = (answer: T | null) => answer !== null;
  const answers = await answersUntil(chain.endpoints.map(ask), (given) => given.some(shows), PATIENCE_MS);
  if (answers.length === 0) throw new AppError('provider_unavailable', `${chain.facts.label} does not answer`);
  return answers.find(shows) ?? null;
}
