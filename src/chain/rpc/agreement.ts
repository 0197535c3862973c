// What two endpoints of a real network have to say alike before money depends on it. One configured endpoint, and a local chain, stand alone.
import type { PublicClient } from 'viem';
import { AppError } from '../../domain/errors.ts';
import { type EvmChain, reading } from './client.ts';

/** Whether answers of this chain count only when two endpoints give them. */
export function needsTwo({ local, endpoints }: EvmChain): boolean {
  return !local && endpoints.length > 1;
}

/**
 * An answer that two endpoints give.
 * @param sameness what has to be equal of it
 * @throws AppError `provider_unavailable` when no two of them do
 */
export async function agreed<T>(
  chain: EvmChain,
  ask: (client: PublicClient) => Promise<T>,
  sameness: (answer: T) => string,
): Promise<T> {
  if (!needsTwo(chain)) return reading(chain, () => ask(chain.client));
  const answers = await answersOf(chain, ask);
  const seen = new Set<string>();
  for (const answer of answers) {
    if (seen.has(sameness(answer))) return answer;
    seen.add(sameness(answer));
  }
  throw new AppError('provider_unavailable', `no two endpoints of ${chain.facts.label} show the same`);
}

/** Whether any endpoint says so: where a yes only keeps something from being done twice. @throws AppError `provider_unavailable` when none answers */
export async function anySays(chain: EvmChain, ask: (client: PublicClient) => Promise<boolean>): Promise<boolean> {
  if (!needsTwo(chain)) return reading(chain, () => ask(chain.client));
  const answers = await answersOf(chain, ask);
  if (answers.length === 0) throw new AppError('provider_unavailable', `${chain.facts.label} does not answer`);
  return answers.includes(true);
}

async function answersOf<T>(chain: EvmChain, ask: (client: PublicClient) => Promise<T>): Promise<T[]> {
  const given = await Promise.allSettled(chain.endpoints.map(ask));
  return given.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
}
