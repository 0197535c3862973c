// The one-time link on its way: read from the address once, kept only as long as signing in may take, asked about, redeemed.
import { callApi } from '../../app/api.ts';

/** `handle` and `connection_id` are null until there is one. */
export type ConnectLink = {
  id: string;
  platform: string;
  platform_user_id: string;
  username: string | null;
  status: 'open' | 'redeemed' | 'confirmed' | 'declined' | 'expired';
  expires_at: string;
  bot_username: string | null;
  handle: string | null;
  connection_id: string | null;
};

const SECRET_KEY = 'connect-secret';
const LINK_KEY = 'connect-link';

/** What the page was opened with: a secret that is not redeemed yet, or the id of a link that is. */
export type Opened = { secret: string } | { linkId: string } | null;

/**
 * Takes the secret out of the address bar (and so out of the browser's history). It stays in this tab alone, so that a wallet
 * which reloads the page does not lose it, until it is redeemed.
 */
export function takeOpened(): Opened {
  const fragment = location.hash.slice(1);
  if (fragment) {
    history.replaceState(null, '', location.pathname + location.search);
    sessionStorage.setItem(SECRET_KEY, fragment);
    sessionStorage.removeItem(LINK_KEY);
  }
  const secret = sessionStorage.getItem(SECRET_KEY);
  if (secret) return { secret };
  const linkId = sessionStorage.getItem(LINK_KEY);
  return linkId ? { linkId } : null;
}

export function forgetSecret(): void {
  sessionStorage.removeItem(SECRET_KEY);
}

export function forgetLink(): void {
  sessionStorage.removeItem(LINK_KEY);
}

export async function previewLink(secret: string): Promise<ConnectLink> {
  const { link } = await callApi<{ link: ConnectLink }>('POST', '/links/preview', { secret });
  return link;
}

export async function redeemLink(secret: string): Promise<ConnectLink> {
  const { link } = await callApi<{ link: ConnectLink }>('POST', '/links/redeem', { secret });
  forgetSecret();
  sessionStorage.setItem(LINK_KEY, link.id);
  return link;
}

export async function fetchLink(id: string): Promise<ConnectLink> {
  const { link } = await callApi<{ link: ConnectLink }>('GET', `/links/${encodeURIComponent(id)}`);
  return link;
}
