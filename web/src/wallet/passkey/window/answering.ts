// The window's side: it posts that it is ready, accepts one request from the page that opened it, and answers that page once. It ignores messages from
// elsewhere and later requests.
import { WalletError } from '../../requests.ts';
import { type FromWindow, readRequest, type WalletRequest } from './protocol.ts';

export type Opener = { postMessage(message: FromWindow, targetOrigin: string): void };
type Received = { source: unknown; origin: string; data: unknown };

/**
 * @param run shows the request to the person, and gives what they signed
 * @returns a listener for the window's messages: whether one was the request, which is answered by then
 */
export function answering(
  opener: Opener,
  pagesOrigin: string,
  run: (request: WalletRequest) => Promise<unknown>,
): (received: Received) => Promise<boolean> {
  let isTaken = false;
  // The browser delivers it to a page of this origin only.
  const post = (message: FromWindow) => opener.postMessage(message, pagesOrigin);
  post({ wallet: 'ready' });
  return async ({ source, origin, data }) => {
    if (isTaken || source !== opener || origin !== pagesOrigin) return false;
    const read = readRequest(data);
    if (!read) return false;
    isTaken = true;
    const { id, request } = read;
    try {
      post({ wallet: 'answer', id, value: await run(request) });
    } catch (error) {
      const { problem, message, reason } = inWords(error);
      post({ wallet: 'refusal', id, problem, message, reason });
    }
    return true;
  };
}

function inWords(error: unknown): WalletError {
  if (error instanceof WalletError) return error;
  return new WalletError('failed', (error as Error).message);
}
