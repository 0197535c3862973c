// What a bridge asks for a transfer, as a line: so much flat, so much for each unit that arrives.

export type PriceRequest = {
  /** EIP-155. */
  origin: number;
  destination: number;
  /** Smallest units: about this much. */
  amount: bigint;
  inputDecimals: number;
  outputDecimals: number;
};

export type Price = {
  /** Units of the input beside the amount, however large it is. */
  fixed: bigint;
  /** Units of the input for one unit of the output, times RATE_ONE. */
  rate: bigint;
  /** What may arrive, in units of the output. */
  least: bigint;
  most: bigint;
  etaS: number;
  /** Unix milliseconds. */
  expiresAt: number;
};
