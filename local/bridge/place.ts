// One chain as the local Relay uses it, of any family.

/** A request that waits for its deposit. */
export type Waiting = { id: string; orderId: string; inputToken: string; input: string };

export type RelayPlace = {
  /** As Relay numbers it. */
  chainId: number;
  isAddress(text: string): boolean;
  /** Null for what this Relay does not move. */
  assetOf(token: string): { kind: string; decimals: number; microUsd: bigint } | null;
  /** What it costs, in micro-USD, to open the recipient's account of a token where it has none. */
  openingUsd(recipient: string, token: string): bigint;
  /** The data of a quote's step: what a wallet sends, or puts into its transaction. */
  depositData(request: Waiting, user: string, input: bigint): object;
  /** Deposits of those that wait, in blocks that count. */
  readDeposits(waits: readonly Waiting[]): Promise<{ id: string; hash: string }[]>;
  /** @returns the transaction */
  pay(to: string, token: string, amount: bigint): Promise<string>;
};
