// Pages of block explorers.

export type ExplorerPage = { transaction: string } | { address: string };

/** Explorers that call an address something else. */
const ADDRESS_PATHS: Readonly<Record<string, string>> = { 'solscan.io': 'account' };

/**
 * @param explorer its origin; a path before it and a query, such as `?cluster=devnet`, are kept
 * @example explorerLink('https://explorer.solana.com/?cluster=devnet', { transaction: '5VER…' }) // https://explorer.solana.com/tx/5VER…?cluster=devnet
 */
export function explorerLink(explorer: string, page: ExplorerPage): string {
  const url = new URL(explorer);
  const [kind, value] =
    'transaction' in page ? ['tx', page.transaction] : [ADDRESS_PATHS[url.hostname] ?? 'address', page.address];
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${kind}/${value}`;
  return url.href;
}
