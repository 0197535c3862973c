// Requests for money as wallets of Solana read them from a QR code or a link (Solana Pay 1.1).

/** A plain transfer that the wallet builds itself. */
export type TransferRequest = {
  /** A wallet, whose token account the payer's wallet finds. */
  recipient: string;
  /** Decimal string in whole units. */
  amount: string;
  /** Null for SOL. */
  mint: string | null;
  /** An address that the transfer names, by which it is recognized. */
  reference: string;
  label: string;
  message: string;
  memo: string;
};

/** Decimals as the standard wants them: no exponent, and a zero before the point. */
export function transferUri({ recipient, amount, mint, reference, label, message, memo }: TransferRequest): string {
  const fields = { amount, ...(mint !== null && { 'spl-token': mint }), reference, label, message, memo };
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `solana:${recipient}?${query.join('&')}`;
}

/** A transaction that the wallet fetches. @param url over https, except on this machine; without a query it stands as it is */
export function transactionUri(url: string): string {
  return `solana:${url.includes('?') ? encodeURIComponent(url) : url}`;
}
