// What a room writes about the transactions that it has sent: one kind each, everything else about sending is the same for all.
import type { EvmChain, TransactionReceipt } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import type { OutgoingKindName } from '../../domain/outgoing.ts';

/** A transaction of ours as its kind sees it: without its payload and signed bytes, which are long. */
export type Outgoing = Pick<
  Row<'OutgoingTx'>,
  'id' | 'chain' | 'kind' | 'subjectId' | 'attempt' | 'executor' | 'succeeded' | 'minedHash'
>;
/** A call that waits for a key. */
export type QueuedCall = Row<'OutgoingTx'>;

/** What is written together with the new status of the transaction. */
export type Write = (tx: Tx) => Promise<void>;

/**
 * Each hook first asks the chain what has to be known, outside of any database transaction, and returns what is then written. One that throws is called
 * again in the next round, and may be called again for what it has written already (a chain can lose final blocks): writes go by compare-and-set.
 */
export type OutgoingKind = {
  /** What ends a queued call that is too late whatever its chain says, as where that chain is not served; null while it is in time. */
  expire?(ctx: Ctx, call: QueuedCall): Promise<Write | null>;
  /** Once more before a queued call uses a nonce. @returns null to send it, 'wait' to look again later, or what ends its subject instead */
  check?(ctx: Ctx, chain: EvmChain, call: QueuedCall): Promise<null | 'wait' | Write>;
  /** In the transaction that stores the signed bytes. @throws AppError `state_conflict`, and nothing is signed */
  onSigned?(ctx: Ctx, tx: Tx, outgoing: Pick<Outgoing, 'id' | 'chain' | 'subjectId'>): Promise<void>;
  /** A block has it, with `outgoing.succeeded`. */
  onMined?(ctx: Ctx, chain: EvmChain, outgoing: Outgoing, receipt: TransactionReceipt): Promise<Write>;
  /** A reorg took that block back. */
  onUnmined?(ctx: Ctx, outgoing: Outgoing): Promise<Write>;
  /** Its block is final: it succeeded or failed permanently. */
  onFinal(ctx: Ctx, chain: EvmChain, outgoing: Outgoing): Promise<Write>;
  /** Nothing that was signed for its nonce can still be mined. */
  onLost(ctx: Ctx, chain: EvmChain, outgoing: Outgoing): Promise<Write>;
  /** The chain does not answer, or makes no blocks, while these wait for one. */
  onStalled?(ctx: Ctx, chain: EvmChain, problem: Stall, outgoing: Outgoing[]): Promise<void>;
};
export type Stall = 'does not answer' | 'makes no blocks';

/** All kinds; the process that sends puts them together. */
export type OutgoingKinds = Readonly<Record<OutgoingKindName, OutgoingKind>>;

export const NOTHING: Write = async () => {};

export function kindOf(kinds: OutgoingKinds, { kind }: { kind: string }): OutgoingKind {
  const found = kinds[kind as OutgoingKindName];
  if (!found) throw new Error(`no kind of transaction is called ${kind}`);
  return found;
}
