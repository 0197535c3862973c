// A link's button for other sites: a link and a picture, without a script. With the script beside it, the checkout opens in a window.
import type { PaymentLink } from './linksApi.ts';

/** HTML that can stand in any page. */
export function buttonOf({ url, embed_origins }: Pick<PaymentLink, 'url' | 'embed_origins'>): string {
  const { origin } = new URL(url);
  const opens = embed_origins.length > 0;
  const button = `<a href="${url}"${opens ? ' data-ampersat' : ''}><img src="${origin}/button.svg" alt="Pay with Ampersat" width="196" height="48"></a>`;
  return opens ? `${button}<script src="${origin}/embed.js" async></script>` : button;
}
