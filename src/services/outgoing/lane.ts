// What sending needs that differs between families of chains: nonces and gas on EVM, block hashes and fee payers on Solana.
import type { Chain } from '../../chain/chain.ts';
import type { Receipt } from '../../chain/receipt.ts';
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import type { OutgoingCall } from './queue.ts';

/** A stored transaction as following it needs: neither its payload nor its signed bytes, which are long. */
export type OpenTx = Pick<
  Row<'OutgoingTx'>,
  | 'id'
  | 'chain'
  | 'kind'
  | 'subjectId'
  | 'attempt'
  | 'executor'
  | 'nonce'
  | 'status'
  | 'succeeded'
  | 'minedHash'
  | 'minedBlock'
  | 'minedBlockHash'
  | 'minedDigest'
  | 'unclearLooks'
> & {
  attempts: Pick<Row<'TxAttempt'>, 'hash' | 'number' | 'signedAt' | 'broadcastAt' | 'lastValidHeight'>[];
};

/**
 * Where a transaction stands that no block was noted for: the receipt of the block that has it, by any endpoint's word; `seen` where a block has it and
 * its node cannot tell more yet; null in no block.
 */
export type Place = Receipt | 'seen' | null;

/**
 * Where one stands that a block was noted for, as two endpoints show it: `same` in that block with that content, `final` once that cannot change; the
 * receipt where it is in another block, or ended otherwise; null in no block; `unclear` while no two show the same.
 */
export type Standing = Receipt | 'same' | 'final' | 'unclear' | null;

export type SignedCall = Omit<OutgoingCall, 'kind'> & { kind: string };
export type Signed = {
  executor: string;
  /** Null on chains without nonces. */
  nonce: number | null;
  /** The first attempt. */
  attempts: { create: Omit<Row<'TxAttempt'>, 'outgoingTxId' | 'broadcastAt' | 'lastError'> };
};

export type Lane<C extends Chain> = {
  /** Signs with one of our keys, and lets `store` write what was signed in one transaction. @throws AppError `provider_unavailable`, `state_conflict` */
  signAndStore(ctx: Ctx, chain: C, call: SignedCall, store: (tx: Tx, signed: Signed) => Promise<void>): Promise<void>;
  /** Sends the stored bytes, any number of times. */
  broadcastOpen(ctx: Ctx, chain: C, outgoingTxId: string): Promise<void>;
  /** `head` is the number of the newest block. @throws AppError `provider_unavailable` */
  look(chain: C, rows: readonly OpenTx[]): Promise<{ head: bigint; places: Place[] }>;
  /** Of rows that a block was noted for. @throws AppError `provider_unavailable` where one endpoint is enough, and does not answer */
  confirm(chain: C, rows: readonly OpenTx[]): Promise<Standing[]>;
  /** Helps one that no block has. @returns `lost` when nothing that was signed for it can ever be included */
  push(ctx: Ctx, chain: C, row: OpenTx, head: bigint): Promise<'lost' | null>;
};
