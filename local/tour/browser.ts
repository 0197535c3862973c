// A browser of the tour: it keeps its session, names the page that it is on, and has a wallet that signs.
import { privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import type { PreparedCall } from '../../src/http/api/spendingAnswers.ts';
import type { LocalFile } from '../stack/localFile.ts';
import type { Person } from '../stack/people.ts';

export type Browser = Awaited<ReturnType<typeof openBrowser>>;
type SignInStart = {
  nonce: string;
  domain: string;
  uri: string;
  statement: string;
  version: '1';
  chains: { chain_id: number }[];
  issued_at: string;
};
/** @param session of a person who is signed in already; without one their wallet signs in */
export async function openBrowser({ base_url: base }: LocalFile, who: Person, session?: string) {
  const cookies = new Map<string, string>(session === undefined ? [] : [['service-session', session]]);
  const account = privateKeyToAccount(who.key);

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(base + path, {
      method,
      headers: {
        origin: base,
        'content-type': 'application/json',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(30_000),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }

  async function signIn(): Promise<void> {
    const start = await call<SignInStart>('POST', '/api/auth/nonce', {});
    const { nonce, domain, uri, statement, version } = start;
    const message = createSiweMessage({
      address: account.address,
      chainId: start.chains[0]?.chain_id ?? 0,
      domain,
      uri,
      statement,
      version,
      nonce,
      issuedAt: new Date(start.issued_at),
    });
    await call('POST', '/api/auth/siwe', { message, signature: await account.signMessage({ message }) });
  }

  if (session === undefined) await signIn();
  return {
    get: <T>(path: string) => call<T>('GET', path),
    post: <T>(path: string, body: object = {}) => call<T>('POST', path, body),
    patch: <T>(path: string, body: object) => call<T>('PATCH', path, body),
    /** Prepares what the wallet is to sign, signs it, hands it in. */
    async sign<T>(choice: object): Promise<T> {
      const prepared = await call<Extract<PreparedCall, { typed_data: unknown }>>(
        'POST',
        '/api/spending/prepare',
        choice,
      );
      const { EIP712Domain: _, ...types } = prepared.typed_data.types;
      const signature = await account.signTypedData({ ...prepared.typed_data, types } as never);
      return call<T>('POST', '/api/spending/submit', { ...prepared.submit, signature });
    },
  };
}
