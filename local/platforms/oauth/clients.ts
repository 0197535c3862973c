/** The logins of the local stack: public clients, at a server that knows them alone. */
import { localKey, TELEGRAM_BOT } from '../../stack/people.ts';
import { type RunningOAuth, startOAuthServer } from './server.ts';
import { telegramLoginKey } from './telegram.ts';

const DISCORD_CLIENT = { id: '118000000000000001', secret: localKey('discord client').key.slice(2) };
const X_CLIENT = { id: 'ampersat-local-x-client', secret: localKey('x client').key.slice(2) };

/** `env` is for the API alone: no other process needs it. */
export type LocalLogins = { server: RunningOAuth; env: Record<string, string> };

/** @param options.env a platform whose real secret stands in it is left as it is; `clock` is in Unix milliseconds */
export async function startLocalLogins({
  baseUrl,
  env = {},
  clock,
}: {
  baseUrl: string;
  env?: Record<string, string | undefined>;
  clock?: () => number;
}): Promise<LocalLogins> {
  const back = (platform: string) => new URL(`/api/auth/${platform}/callback`, baseUrl).href;
  const server = await startOAuthServer({
    clients: {
      discord: { ...DISCORD_CLIENT, redirectUri: back('discord') },
      x: { ...X_CLIENT, redirectUri: back('x') },
    },
    bot: TELEGRAM_BOT,
    origin: new URL(baseUrl).origin,
    ...(clock ? { clock } : {}),
  });
  const discord = {
    DISCORD_CLIENT_ID: DISCORD_CLIENT.id,
    DISCORD_CLIENT_SECRET: DISCORD_CLIENT.secret,
    DISCORD_OAUTH_ROOT: `${server.url}/discord`,
  };
  const x = {
    X_CLIENT_ID: X_CLIENT.id,
    X_CLIENT_SECRET: X_CLIENT.secret,
    X_AUTHORIZE_ROOT: `${server.url}/x`,
    X_API_ROOT: `${server.url}/x`,
  };
  const telegram = {
    TELEGRAM_BOT_ID: String(TELEGRAM_BOT.id),
    TELEGRAM_LOGIN_KEY: telegramLoginKey(TELEGRAM_BOT.token),
    TELEGRAM_OAUTH_ROOT: `${server.url}/telegram`,
  };
  return {
    server,
    env: {
      ...(env['DISCORD_CLIENT_SECRET'] ? {} : discord),
      ...(env['X_CLIENT_SECRET'] ? {} : x),
      ...(env['TELEGRAM_LOGIN_KEY'] ? {} : telegram),
    },
  };
}
