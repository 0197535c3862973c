// The window's side: it says that it is ready, takes one request from the page that opened it, and answers that page once. Whatever comes from
// elsewhere, or after the first, is as if it had not been said.
import { WalletError } from '../../requests.ts';
import { type FromWindow, readRequest, type WalletRequest } from './protocol.ts';

export type Speaker = { postMessage(message: FromWindow, targetOrigin: string): void };
type Heard = { source: unknown; origin: string; data: unknown };

/**
 * @param run shows the request to the person, and gives what they signed
 * @returns takes each message that the window hears, and says whether that was the request, which is answered by then
 */
export function answering(
  opener: Speaker,
  pagesOrigin: string,
  run: (request: WalletRequest) => Promise<unknown>,
): (heard: Heard) => Promise<boolean> {
  let isTaken = false;
  // The browser gives it to a page of this origin, and to no other.
  const say = (message: FromWindow) => opener.postMessage(message, pagesOrigin);
  say({ wallet: 'ready' });
  return async ({ source, origin, data }) => {
    if (isTaken || source !== opener || origin !== pagesOrigin) return false;
    const read = readRequest(data);
    if (!read) return false;
    isTaken = true;
    const { id, request } = read;
    try {
      say({ wallet: 'answer', id, value: await run(request) });
    } catch (error) {
      const { problem, message, reason } = inWords(error);
      say({ wallet: 'refusal', id, problem, message, reason });
    }
    return true;
  };
}

function inWords(error: unknown): WalletError {
  if (error instanceof WalletError) return error;
  return new WalletError('failed', (error as Error).message);
}
