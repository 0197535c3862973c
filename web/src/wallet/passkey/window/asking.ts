// A page's side: it opens the wallet's window at a press, hands it one request, and waits for the answer. It has the same face as what signs in a page.
import type { TypedData } from '../../../../../src/domain/typedData.ts';
import { WalletError, type WalletProblem } from '../../requests.ts';
import type { SignInStart } from '../../signInMessage.ts';
import { WALLET_ORIGIN } from '../places.ts';
import { rememberedPasskey, rememberPasskey } from '../remembered.ts';
import { inSheet } from '../sheet.tsx';
import type { FromWindow, Opened, ToWindow, WalletRequest, WhichPasskey } from './protocol.ts';

type Hex = `0x${string}`;

/** One window for all requests of a tab: what the browser still has open is used again. */
const NAME = 'ampersat-wallet';
const FEATURES = 'popup,width=460,height=720';
const READY_MS = 30_000;
/** Less than the pages wait for a wallet, so that the window does not outlive the question. */
const PATIENCE_MS = 4 * 60_000;
const LOOK_MS = 400;

const BLOCKED =
  'Your browser blocked the wallet’s window. Allow pop-ups for this site in the address bar, then try again. Nothing was signed.';
const CLOSED = 'You closed the wallet’s window. Nothing was signed.';
const NOT_READY = 'The wallet’s window didn’t load. Check your connection and try again. Nothing was signed.';
const TOO_LATE = 'The wallet’s window waited too long and was closed. Try again. Nothing was signed.';
const REPLACED = 'Another request took this one’s place in the wallet’s window. Nothing was signed.';

export async function openPasskey(
  how: WhichPasskey,
  start: Promise<SignInStart>,
): Promise<{ message: string; signature: Hex }> {
  const address = rememberedPasskey()?.address ?? null;
  const opened = await askWallet<Opened>(start.then((fields) => ({ kind: 'open', how, address, start: fields })));
  rememberPasskey(opened.passkey);
  return opened;
}

export function signSignIn(address: string, text: string): Promise<Hex> {
  return askWallet<Hex>(Promise.resolve({ kind: 'sign_in', address, text }));
}

export function signAllTypedData(address: string, all: readonly TypedData[]): Promise<Hex[]> {
  return askWallet<Hex[]>(Promise.resolve({ kind: 'sign', address, all: [...all] }));
}

/** The window shows the private key itself; the page learns nothing but that it was closed. */
export async function exportInWindow(address: string): Promise<void> {
  try {
    await askWallet(Promise.resolve({ kind: 'export', address }));
  } catch (error) {
    if (!(error instanceof WalletError) || error.problem !== 'refused') throw error;
  }
}

/** Ends what waits for the window that another request takes. */
let abandon: (() => void) | null = null;

/**
 * @param request on its way while the window loads
 * @throws WalletError
 */
async function askWallet<T>(request: Promise<WalletRequest>): Promise<T> {
  // Where it fails, that is said once the window is there.
  request.catch(() => undefined);
  abandon?.();
  const place = open() ?? (await openAfterPress());
  try {
    return await askIn<T>(place, request, WALLET_ORIGIN ?? '');
  } catch (error) {
    const isTheirs = error instanceof WalletError && error.message === REPLACED;
    if (!isTheirs) place.close();
    throw error;
  }
}

function open(): Window | null {
  const place = window.open(`${WALLET_ORIGIN}/`, NAME, FEATURES);
  place?.focus();
  return place;
}

/** Browsers open a window right after a press only: a press of its own, where too much came between. */
function openAfterPress(): Promise<Window> {
  const text = 'Your browser opens the wallet’s window only right after a press.';
  return inSheet(
    {
      title: 'Open your wallet',
      items: [{ title: 'Your passkey signs in a window of its own', text, facts: [] }],
      button: 'Open the wallet',
    },
    async () => {
      const place = open();
      if (!place) throw new WalletError('failed', BLOCKED, { reason: BLOCKED });
      return place;
    },
  );
}

type Place = Pick<Window, 'postMessage' | 'closed'>;

/**
 * Hands the request to the window once it says that it is ready, again where it was reloaded, and takes its one answer.
 * @throws WalletError
 */
export async function askIn<T>(place: Place, request: Promise<WalletRequest>, walletOrigin: string): Promise<T> {
  const id = crypto.randomUUID();
  const ends: (() => void)[] = [];
  try {
    return await new Promise<T>((resolve, reject) => {
      const refuse = (problem: WalletProblem, message: string, reason = '') =>
        reject(new WalletError(problem, message, { reason }));
      const isReady = setTimeout(() => refuse('silent', NOT_READY), READY_MS);
      const patience = setTimeout(() => refuse('silent', TOO_LATE), PATIENCE_MS);
      let wasClosed = false;
      // Looked at twice: an answer may be on its way from a window that closed itself.
      const look = setInterval(() => {
        if (place.closed && wasClosed) refuse('refused', CLOSED);
        wasClosed = place.closed;
      }, LOOK_MS);
      const receive = ({ source, origin, data }: MessageEvent) => {
        if (source !== place || origin !== walletOrigin) return;
        const said = (data ?? {}) as FromWindow;
        if (said.wallet === 'ready') {
          clearTimeout(isReady);
          const hand = (asked: WalletRequest) => {
            const message: ToWindow = { wallet: 'request', id, request: JSON.stringify(asked) };
            place.postMessage(message, walletOrigin);
          };
          request.then(hand).catch(reject);
        } else if (said.id === id) {
          if (said.wallet === 'answer') resolve(said.value as T);
          else refuse(said.problem, said.message, said.reason);
        }
      };
      addEventListener('message', receive);
      abandon = () => refuse('refused', REPLACED);
      ends.push(
        () => clearTimeout(isReady),
        () => clearTimeout(patience),
        () => clearInterval(look),
        () => removeEventListener('message', receive),
      );
    });
  } finally {
    for (const end of ends) end();
  }
}
