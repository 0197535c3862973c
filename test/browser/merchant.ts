// A merchant of the local stack, who makes orders and links as the dashboard does: by the API and their own session.
import type { TestStack } from '../setup/stack.ts';

export type MadeOrder = { id: string; checkout_url: string };

export function merchant(stack: TestStack, name: string) {
  const session = stack.local.accounts[name]?.session;
  if (!session) throw new Error(`${name} has no session`);
  const call = async <T>(method: 'GET' | 'POST', path: string, body: object = {}): Promise<T> => {
    const response = await fetch(`${stack.baseUrl}/api${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        origin: stack.baseUrl,
        cookie: `service-session=${session}`,
      },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as T;
  };
  return {
    order: async (wish: {
      amount: string;
      chain?: string;
      currency?: string;
      expires_in?: number;
      description?: string;
      success_url?: string;
      cancel_url?: string;
    }) => (await call<{ order: MadeOrder }>('POST', '/orders', { chain: 'base', ...wish })).order,
    cancel: (id: string) => call('POST', `/orders/${id}/cancel`),
    link: async (wish: {
      label: string;
      amount?: string;
      open_amount?: boolean;
      min_amount?: string;
      max_amount?: string;
      max_uses?: number;
      success_url?: string;
      cancel_url?: string;
      line_items?: { name: string; quantity: number; amount: string }[];
    }) =>
      (await call<{ link: { id: string; url: string } }>('POST', '/payment_links', { chain: 'base', ...wish })).link,
    deactivate: (id: string) => call('POST', `/payment_links/${id}/deactivate`),
    ordersOf: async (linkId: string) =>
      (await call<{ data: { id: string; amount: string; status: string }[] }>('GET', `/payment_links/${linkId}/orders`))
        .data,
  };
}
