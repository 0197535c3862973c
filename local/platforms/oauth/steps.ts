/** The steps of a login as Discord, X and Telegram answer them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Person } from '../../stack/people.ts';
import type { Fault } from './faults.ts';
import {
  type AskedFor,
  type Grants,
  grantCode,
  holderOf,
  type OAuthClient,
  redeemCode,
  revokeToken,
  same,
} from './grants.ts';
import { choicePage, refusalPage } from './pages.ts';
import { signedAnswer } from './telegram.ts';
import { Refusal, readBody, redirect, sendJson, sendPage } from './wire.ts';

/** Whose logins are served, and where their answers may be sent. */
export type Hub = {
  clients: Record<'discord' | 'x', OAuthClient & { redirectUri: string }>;
  bot: { id: number; token: string };
  /** The site that was set as the bot's domain. */
  origin: string;
  people: Person[];
  /** Milliseconds since 1970. */
  clock: () => number;
  grants: Record<'discord' | 'x', Grants>;
  faults: Fault[];
};
export type Call = { hub: Hub; url: URL; request: IncomingMessage; response: ServerResponse };

export async function authorize(call: Call, platform: 'discord' | 'x'): Promise<void> {
  const { hub, url, request, response } = call;
  const query = Object.fromEntries(url.searchParams);
  const client = hub.clients[platform];
  // An unknown client, or one that wants the answer elsewhere, gets no answer at all.
  const isKnown = query['client_id'] === client.id && query['redirect_uri'] === client.redirectUri;
  if (!isKnown)
    return sendPage(response, 400, refusalPage(platform, 'The client or its redirect address is not known here.'));
  const { state = '', code_challenge: challenge = '', scope = '' } = query;
  const back = new URL(client.redirectUri);
  if (state) back.searchParams.set('state', state);
  const isRight =
    query['response_type'] === 'code' && query['code_challenge_method'] === 'S256' && /^[\w-]{43}$/.test(challenge);
  if (!isRight || state === '' || scope === '') {
    back.searchParams.set('error', 'invalid_request');
    return redirect(response, back.href);
  }
  if (request.method === 'GET')
    return sendPage(response, 200, choicePage(platform, hub.people, 'know your name and your number here'));
  const asked: AskedFor = { clientId: client.id, redirectUri: client.redirectUri, challenge, scope };
  const person = await chosen(call);
  if (person) back.searchParams.set('code', grantCode(hub.grants[platform], asked, person));
  else back.searchParams.set('error', 'access_denied');
  redirect(response, back.href);
}

/** The person of the form, or null when it was cancelled. */
async function chosen({ hub, request }: Call): Promise<Person | null> {
  const form = new URLSearchParams(await readBody(request));
  if (form.has('cancel')) return null;
  const person = hub.people.find(({ name }) => name === form.get('person'));
  if (!person) throw new Refusal(400, 'There is no such person');
  return person;
}

export async function exchange(call: Call, platform: 'discord' | 'x'): Promise<void> {
  const { hub, response } = call;
  const form = await clientForm(call, platform);
  if (form === null) return sendJson(response, 401, { error: 'invalid_client' });
  if (form['grant_type'] !== 'authorization_code') return sendJson(response, 400, { error: 'unsupported_grant_type' });
  const granted = redeemCode(hub.grants[platform], {
    code: form['code'] ?? '',
    clientId: hub.clients[platform].id,
    redirectUri: form['redirect_uri'] ?? '',
    verifier: form['code_verifier'] ?? '',
  });
  if (!granted)
    return sendJson(response, 400, { error: 'invalid_grant', error_description: 'Invalid "code" in request.' });
  const { token, scope } = granted;
  // Discord spells it with a capital letter, X does not.
  const kind =
    platform === 'discord'
      ? { token_type: 'Bearer', expires_in: 604_800 }
      : { token_type: 'bearer', expires_in: 7_200 };
  sendJson(response, 200, { ...kind, access_token: token, scope });
}

/** The fields of a form or of JSON by a client that has shown its secret: in the header (both) or in the body (Discord). */
async function clientForm({ hub, request }: Call, platform: 'discord' | 'x'): Promise<Record<string, string> | null> {
  const text = await readBody(request);
  const isJson = request.headers['content-type']?.startsWith('application/json');
  const form = isJson ? (JSON.parse(text) as Record<string, string>) : Object.fromEntries(new URLSearchParams(text));
  const basic = /^Basic (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  const inHeader = basic === undefined ? null : Buffer.from(basic, 'base64').toString('utf8');
  const inBody = platform === 'discord' ? `${form['client_id']}:${form['client_secret']}` : null;
  const { id, secret } = hub.clients[platform];
  return same(inHeader ?? inBody ?? '', `${id}:${secret}`) ? form : null;
}

export async function revoke(call: Call, platform: 'discord' | 'x'): Promise<void> {
  const form = await clientForm(call, platform);
  if (form === null) return sendJson(call.response, 401, { error: 'invalid_client' });
  revokeToken(call.hub.grants[platform], form['token'] ?? '');
  sendJson(call.response, 200, platform === 'x' ? { revoked: true } : {});
}

export function tellAccount({ hub, request, response }: Call, platform: 'discord' | 'x'): void {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const person = holderOf(hub.grants[platform], token);
  const tell = platform === 'discord' ? discordUser : xUser;
  sendJson(response, person ? 200 : 401, tell(person));
}

function discordUser(person: Person | null): object {
  if (!person) return { message: '401: Unauthorized', code: 0 };
  const nothing = { avatar: null, public_flags: 0, flags: 0, mfa_enabled: false };
  return { ...person.discord, ...nothing, discriminator: '0', global_name: person.name, locale: 'en-US' };
}

function xUser(person: Person | null): object {
  if (!person) return { title: 'Unauthorized', type: 'about:blank', status: 401, detail: 'Unauthorized' };
  return { data: { ...person.x, name: person.name } };
}

export async function serveTelegram(call: Call): Promise<void> {
  const { hub, url, request, response } = call;
  const { bot_id: botId, origin, return_to: returnTo = '' } = Object.fromEntries(url.searchParams);
  if (botId !== String(hub.bot.id)) return sendPage(response, 400, refusalPage('telegram', 'Bot id invalid'));
  if (origin !== hub.origin || !returnTo.startsWith(`${hub.origin}/`))
    return sendPage(response, 400, refusalPage('telegram', 'Bot domain invalid'));
  if (request.method === 'GET')
    return sendPage(response, 200, choicePage('telegram', hub.people, 'know your name and your number here'));
  const person = await chosen(call);
  const result = person ? signedAnswer(hub.bot.token, person, hub.clock()) : 'false';
  redirect(response, `${returnTo}#tgAuthResult=${result}`);
}
