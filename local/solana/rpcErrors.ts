// What a Solana node answers instead of a result: the codes and messages of Agave.

export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const invalidParams = (message: string) => new RpcError(-32602, message);
export const methodNotFound = () => new RpcError(-32601, 'Method not found');
export const invalidRequest = () => new RpcError(-32600, 'Invalid request');
export const parseError = () => new RpcError(-32700, 'Parse error');
export const signatureFailure = () => new RpcError(-32003, 'Transaction signature verification failure');
export const blockNotAvailable = (slot: number) => new RpcError(-32004, `Block not available for slot ${slot}`);
export const slotSkipped = (slot: number) =>
  new RpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`);
export const blockCleanedUp = (slot: number, first: number) =>
  new RpcError(-32001, `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`);
export const nodeBehind = (slots: number) =>
  new RpcError(-32005, `Node is behind by ${slots} slots`, { numSlotsBehind: slots });
export const unsupportedVersion = (version: number) =>
  new RpcError(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  );
export const minContextSlotNotReached = (contextSlot: number) =>
  new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot });
