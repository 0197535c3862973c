// The people of the local stack as commands act for them: with their session, as a page does, and by their play wallet. Over HTTP alone.
import { AmpersatError } from '../../sdk/index.ts';
import { StartError } from '../domain/errors.ts';
import { isSameAddress } from '../domain/walletFamily.ts';
import type { LocalFile } from './connection.ts';

export type LocalPerson = {
  name: string;
  handle: string | null;
  address: string;
  /** Null where the local stack runs no Solana. */
  solanaAddress: string | null;
  /** A call of the pages, signed in as this person where they are. @throws AmpersatError with the service’s error */
  call<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T>;
  /** Asks their play wallet (EIP-1193). @throws StartError with its error */
  wallet<T>(method: string, params?: unknown[]): Promise<T>;
};

export type LocalPeople = Pick<LocalFile, 'base_url' | 'accounts'>;

/** @throws StartError for an unknown name */
export function localPersonOf(file: LocalPeople, name: string): LocalPerson {
  const account = Object.hasOwn(file.accounts, name) ? file.accounts[name] : undefined;
  if (!account) {
    const known = Object.keys(file.accounts).join(', ');
    throw new StartError(`No account ${name} on the local stack. Accounts: ${known}.`);
  }
  const { handle, session, evm_address: address, solana_address: solanaAddress = null } = account;
  const call = <T>(method: 'GET' | 'POST', path: string, body?: object) =>
    ask<T>(file.base_url, { method, path, body, session });
  return {
    name,
    handle,
    address,
    solanaAddress,
    call,
    async wallet<T>(method: string, params: unknown[] = []) {
      type Answer = { result?: T; error?: { message: string } };
      const { result, error } = await call<Answer>('POST', '/api/local/wallets', { name, method, params });
      if (error) throw new StartError(`${name}’s wallet says: ${error.message}`);
      return result as T;
    },
  };
}

/** @returns null where no play wallet has this address */
export function ownerOf(file: LocalPeople, address: string): LocalPerson | null {
  const found = Object.entries(file.accounts).find(
    ([, account]) =>
      isSameAddress(account.evm_address, address) ||
      (account.solana_address !== undefined && isSameAddress(account.solana_address, address)),
  );
  return found ? localPersonOf(file, found[0]) : null;
}

/** Of the clock: what falls due on the way is done. */
const ANSWER_WITHIN_MS = 5 * 60_000;

type Call = { method: string; path: string; body: object | undefined; session: string | null };

async function ask<T>(base: string, { method, path, body, session }: Call): Promise<T> {
  const response = await fetch(base + path, {
    method,
    headers: {
      origin: base,
      ...(session === null ? {} : { cookie: `service-session=${session}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).catch((cause: unknown) => {
    throw new StartError(`The local stack at ${base} isn’t answering. Start it: npm start`, { cause });
  });
  const answer = (await response.json().catch(() => null)) as { error?: Partial<AmpersatError> } | null;
  if (response.ok) return answer as T;
  const {
    code = 'answer_unexpected',
    message = `${path} answered ${response.status}.`,
    type = 'api_error',
  } = answer?.error ?? {};
  throw new AmpersatError(message, {
    code,
    status: response.status,
    type,
    param: answer?.error?.param ?? null,
    requestId: response.headers.get('request-id'),
    docUrl: null,
    isRetryable: false,
    retryAfterMs: null,
  });
}
