// A browser as the API sees it: it keeps cookies, names the page that it is on, and has a wallet that signs.
import type { PrivateKeyAccount } from 'viem/accounts';
import { createSiweMessage, type SiweMessage } from 'viem/siwe';
import { type Keypair, signBytes } from '../../local/solana/keys.ts';
import { freePort } from '../../local/stack/ports.ts';
import { solanaSignatureOf } from '../../src/domain/solanaAddress.ts';
import { type SolanaSignInFields, solanaSignInText } from '../../src/domain/solanaSignIn.ts';
import type { AppOptions } from '../../src/http/app.ts';
import { serve } from '../../src/http/serve.ts';
import { call } from './http.ts';
import type { World } from './world.ts';

/** Serves the whole application over a world, as a deployment unless `options` add to it. @returns its origin */
export async function serveWorld(world: World, options: AppOptions = {}): Promise<string> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  Object.assign(world.ctx.env, { PORT: port, BASE_URL: base });
  await serve(world.ctx, options);
  return base;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
export type Answer = { status: number; headers: Headers; body: any };
export type SignInStart = {
  nonce: string;
  domain: string;
  uri: string;
  statement: string;
  version: '1';
  chains: { name: string; chain_id: number }[];
  solana: { chain_id: string };
  issued_at: string;
  expires_at: string;
};
export type Visitor = ReturnType<typeof visitor>;

/** As a wallet of Solana signs a text, in base58. */
export function solanaSignature(key: Keypair, text: string): string {
  return solanaSignatureOf(signBytes(key, Buffer.from(text)));
}

export function visitor(base: string) {
  const cookies = new Map<string, string>();

  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const {
      status,
      headers: answered,
      text,
    } = await call(base + path, {
      method,
      headers: {
        origin: base,
        'user-agent': 'Test browser',
        ...(cookies.size > 0 ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    for (const line of answered.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    // The head of an answer has its type, and no body.
    const isJson = text !== '' && answered.get('content-type')?.startsWith('application/json');
    const answer: Answer = { status, headers: answered, body: isJson ? JSON.parse(text) : text };
    return answer;
  }

  const self = {
    cookies,
    send,
    get: (path: string, headers?: Record<string, string>) => send('GET', path, undefined, headers),
    post: (path: string, body: unknown = {}, headers?: Record<string, string>) => send('POST', path, body, headers),
    delete: (path: string, headers?: Record<string, string>) => send('DELETE', path, undefined, headers),

    /** Asks for a nonce and signs; `changed` puts something wrong into the message. */
    async signedMessage(account: PrivateKeyAccount, changed: Partial<SiweMessage> = {}) {
      const start = (await self.post('/api/auth/nonce')).body as SignInStart;
      const message = createSiweMessage({
        address: account.address,
        chainId: start.chains[0]?.chain_id ?? 0,
        domain: start.domain,
        uri: start.uri,
        statement: start.statement,
        version: start.version,
        nonce: start.nonce,
        issuedAt: new Date(start.issued_at),
        ...changed,
      });
      return { message, signature: await account.signMessage({ message }) };
    },
    async signIn(account: PrivateKeyAccount, changed: Partial<SiweMessage> = {}): Promise<Answer> {
      return self.post('/api/auth/siwe', await self.signedMessage(account, changed));
    },
    async signedSolanaMessage(key: Keypair, changed: Partial<SolanaSignInFields> = {}) {
      const start = (await self.post('/api/auth/nonce')).body as SignInStart;
      const message = solanaSignInText({
        address: key.address,
        chainId: start.solana.chain_id,
        domain: start.domain,
        uri: start.uri,
        statement: start.statement,
        version: start.version,
        nonce: start.nonce,
        issuedAt: start.issued_at,
        expirationTime: start.expires_at,
        notBefore: null,
        ...changed,
      });
      return { message, signature: solanaSignature(key, message) };
    },
    async signInWithSolana(key: Keypair, changed: Partial<SolanaSignInFields> = {}): Promise<Answer> {
      return self.post('/api/auth/siws', await self.signedSolanaMessage(key, changed));
    },
  };
  return self;
}
