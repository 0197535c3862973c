// Waiting for what a wallet sent: its block, then the service's own look at it.
import { ApiError } from '../app/apiError.ts';
import { readReceipt, type WalletProvider } from './requests.ts';

const POLL_MS = 1_000;
const PATIENCE_MS = 3 * 60_000;

/** @throws Error with `slow` when it takes too long */
export async function until(isDone: () => Promise<boolean>, slow: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error(slow);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** It is in a block and did nothing, so it may be sent again. */
export class RefusedError extends Error {
  constructor(
    message = 'The network rejected the transaction, so nothing was sent. Check your balance and try again.',
  ) {
    super(message);
    this.name = 'RefusedError';
  }
}

/** @throws RefusedError when the block has it failed */
export async function inBlock(provider: WalletProvider, hash: string, slow: string, refused?: string): Promise<void> {
  await until(async () => {
    const receipt = await readReceipt(provider, hash);
    if (receipt?.status === '0x0') throw new RefusedError(refused);
    return receipt !== null;
  }, slow);
}

const AGAIN: string[] = ['tx_not_found', 'provider_unavailable', 'unreachable', 'rate_limited'];

/** For an answer that may come with the next try. */
export function notYet(error: unknown): null {
  if (error instanceof ApiError && AGAIN.includes(error.code)) return null;
  throw error;
}
