/**
 * A local server that speaks the authorisation wire formats of Discord, X and Telegram Login, each under its own prefix, so that real clients
 * run against them unchanged. Beside them stands a small surface for faults. Loopback only; nothing outlives it.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PEOPLE } from '../../stack/people.ts';
import { faultInput, takeFault } from './faults.ts';
import { newGrants } from './grants.ts';
import type { LocalPlatform } from './pages.ts';
import { authorize, type Call, exchange, type Hub, revoke, serveTelegram, tellAccount } from './steps.ts';
import { Refusal, readBody, sendFault, sendJson } from './wire.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

export type OAuthServerOptions = Pick<Hub, 'clients' | 'bot' | 'origin'> &
  Partial<Pick<Hub, 'people' | 'clock'>> & {
    /** 0 or none: any free port. */
    port?: number;
  };

export type RunningOAuth = { url: string; port: number; close(): Promise<void> };

export async function startOAuthServer(options: OAuthServerOptions): Promise<RunningOAuth> {
  const { port = 0, people = PEOPLE, clock = Date.now } = options;
  const grants = { discord: newGrants(clock), x: newGrants(clock) };
  const hub: Hub = { ...options, people, clock, grants, faults: [] };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://local');
    serve({ hub, url, request, response }).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) return;
      const status = error instanceof Refusal ? error.status : 500;
      sendJson(response, status, { error: error instanceof Error ? error.message : 'it failed' });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const taken = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

/** Which step of which platform a path is; the methods that each takes. */
const STEPS: Record<string, { platform: LocalPlatform; step: string; methods: string[] }> = {
  '/discord/oauth2/authorize': { platform: 'discord', step: 'authorize', methods: ['GET', 'POST'] },
  '/discord/api/oauth2/token': { platform: 'discord', step: 'token', methods: ['POST'] },
  '/discord/api/v10/oauth2/token': { platform: 'discord', step: 'token', methods: ['POST'] },
  '/discord/api/oauth2/token/revoke': { platform: 'discord', step: 'revoke', methods: ['POST'] },
  '/discord/api/v10/oauth2/token/revoke': { platform: 'discord', step: 'revoke', methods: ['POST'] },
  '/discord/api/v10/users/@me': { platform: 'discord', step: 'me', methods: ['GET'] },
  '/x/i/oauth2/authorize': { platform: 'x', step: 'authorize', methods: ['GET', 'POST'] },
  '/x/2/oauth2/token': { platform: 'x', step: 'token', methods: ['POST'] },
  '/x/2/oauth2/revoke': { platform: 'x', step: 'revoke', methods: ['POST'] },
  '/x/2/users/me': { platform: 'x', step: 'me', methods: ['GET'] },
  '/telegram/auth': { platform: 'telegram', step: 'authorize', methods: ['GET', 'POST'] },
};

async function serve(call: Call): Promise<void> {
  const { hub, url, request, response } = call;
  requireOwnPage(request);
  if (url.pathname.startsWith('/_user/')) return serveUser(call);
  const found = STEPS[url.pathname];
  if (!found) throw new Refusal(404, 'Not Found');
  if (!found.methods.includes(request.method ?? '')) throw new Refusal(405, 'Method Not Allowed');
  const { platform, step } = found;
  const fault = takeFault(hub.faults, `${platform}.${step}`);
  if (fault) {
    await sleep(fault.delay_ms);
    if (fault.status === 0) return void response.socket?.destroy();
    if (fault.status !== 200 || fault.body !== undefined) return sendFault(response, fault);
  }
  if (platform === 'telegram') return serveTelegram(call);
  if (step === 'authorize') return authorize(call, platform);
  if (step === 'token') return exchange(call, platform);
  if (step === 'revoke') return revoke(call, platform);
  return tellAccount(call, platform);
}

/** A page of another origin, or a name that only points here, must not act for the people of this machine. */
function requireOwnPage({ headers }: IncomingMessage): void {
  const { host = '', origin } = headers;
  if (!LOOPBACK.has(host.replace(/:\d+$/, ''))) throw new Refusal(403, 'The Host is not this machine');
  // A page that sends no referrer calls its own origin "null" when it posts a form; Sec-Fetch-Site tells it from a foreign one.
  const site = headers['sec-fetch-site'];
  const isOwn = origin === `http://${host}` || (origin === 'null' && site === 'same-origin');
  if (origin !== undefined && !isOwn) throw new Refusal(403, 'The Origin is not allowed');
}

async function serveUser({ hub, url, request, response }: Call): Promise<void> {
  switch (`${request.method} ${url.pathname.slice('/_user/'.length)}`) {
    case 'POST faults':
      hub.faults.push(faultInput.parse(JSON.parse(await readBody(request))));
      return sendJson(response, 200, { ok: true });
    case 'DELETE faults':
      hub.faults.length = 0;
      return sendJson(response, 200, { ok: true });
    case 'GET tokens':
      return sendJson(
        response,
        200,
        Object.entries(hub.grants).flatMap(([platform, { tokens }]) =>
          [...tokens].map(([token, { person, revoked }]) => ({ platform, person: person.name, revoked, token })),
        ),
      );
    default:
      throw new Refusal(404, 'Not Found');
  }
}
