// Logins for a world that is served: the local Discord, X and Telegram Login, and a person who goes there and back.
import { type LocalLogins, startLocalLogins } from '../../local/platforms/oauth/clients.ts';
import type { Visitor } from './visitor.ts';
import type { World } from './world.ts';

export type Logins = Awaited<ReturnType<typeof startLogins>>;

/** @param base where the world is served */
export async function startLogins(world: World, base: string) {
  const { server, env }: LocalLogins = await startLocalLogins({ baseUrl: base, clock: world.ctx.clock.now });
  Object.assign(world.ctx.env, env);
  return {
    url: server.url,
    env,
    /** Orders that the next calls of a step fail, such as `discord.token`. */
    async fail(method: string, fault: object): Promise<void> {
      const body = JSON.stringify({ method, ...fault });
      const answer = await fetch(`${server.url}/_user/faults`, { method: 'POST', body });
      if (!answer.ok) throw new Error(`the fault was not taken: ${answer.status}`);
    },
    async heal(): Promise<void> {
      await fetch(`${server.url}/_user/faults`, { method: 'DELETE' });
    },
    async tokens(): Promise<{ platform: string; person: string; revoked: boolean; token: string }[]> {
      return (await (await fetch(`${server.url}/_user/tokens`)).json()) as never;
    },
    close: () => server.close(),
  };
}

/** Begins a login. @returns the platform's address */
export async function begin(browser: Visitor, platform: string, body: object = {}): Promise<string> {
  const { status, body: answer } = await browser.post(`/api/auth/${platform}/start`, body);
  if (status !== 200) throw new Error(`no login: ${status} ${JSON.stringify(answer)}`);
  return answer.url as string;
}

/** Chooses who to be at the platform, or to cancel. @returns where the platform sends the browser */
export async function choose(url: string, person: string | null): Promise<URL> {
  const body = new URLSearchParams(person === null ? { cancel: 'yes' } : { person });
  const response = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  if (response.status !== 303) throw new Error(`the platform did not send the browser back: ${response.status}`);
  return new URL(response.headers.get('location') ?? '');
}

/** What follows the origin: what a visitor asks for. */
export function pathOf({ pathname, search }: URL): string {
  return pathname + search;
}
