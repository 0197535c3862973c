// What a room writes about the transactions that it has sent: one kind each, everything else about sending is the same for all.
import type { Chain } from '../../chain/chain.ts';
import type { Receipt } from '../../chain/receipt.ts';
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
export type OutgoingKind = Kind<Chain, Receipt>;
/** One that is made of contracts of EVM. */
type EvmKind = Kind<EvmChain, TransactionReceipt>;

type Kind<C extends Chain, R> = {
  /** What ends a queued call that is too late whatever its chain says, as where that chain is not served; null while it is in time. */
  expire?(ctx: Ctx, call: QueuedCall): Promise<Write | null>;
  /** Once more before a queued call uses a nonce. @returns null to send it, 'wait' to look again later, or what ends its subject instead */
  check?(ctx: Ctx, chain: C, call: QueuedCall): Promise<null | 'wait' | Write>;
  /** In the transaction that stores the signed bytes. @throws AppError `state_conflict`, and nothing is signed */
  onSigned?(ctx: Ctx, tx: Tx, outgoing: Pick<Outgoing, 'id' | 'chain' | 'subjectId'>): Promise<void>;
  /** A block has it, with `outgoing.succeeded`. */
  onMined?(ctx: Ctx, chain: C, outgoing: Outgoing, receipt: R): Promise<Write>;
  /** A reorg took that block back. */
  onUnmined?(ctx: Ctx, outgoing: Outgoing): Promise<Write>;
  /** Its block is final: it succeeded or failed permanently. */
  onFinal(ctx: Ctx, chain: C, outgoing: Outgoing): Promise<Write>;
  /** Nothing that was signed for its nonce can still be mined. */
  onLost(ctx: Ctx, chain: C, outgoing: Outgoing): Promise<Write>;
  /** The chain does not answer, or makes no blocks, while these wait for one. */
  onStalled?(ctx: Ctx, chain: C, problem: Stall, outgoing: Outgoing[]): Promise<void>;
};
/** A kind of EVM among the kinds of all families. */
export function ofEvm({
  expire,
  check,
  onSigned,
  onMined,
  onUnmined,
  onFinal,
  onLost,
  onStalled,
}: EvmKind): OutgoingKind {
  return {
    ...(expire && { expire }),
    ...(onSigned && { onSigned }),
    ...(onUnmined && { onUnmined }),
    ...(check && { check: (ctx, chain, call) => check(ctx, evm(chain), call) }),
    ...(onMined && { onMined: (ctx, chain, outgoing, receipt) => onMined(ctx, evm(chain), outgoing, rawOf(receipt)) }),
    ...(onStalled && { onStalled: (ctx, chain, problem, outgoing) => onStalled(ctx, evm(chain), problem, outgoing) }),
    onFinal: (ctx, chain, outgoing) => onFinal(ctx, evm(chain), outgoing),
    onLost: (ctx, chain, outgoing) => onLost(ctx, evm(chain), outgoing),
  };
}

function evm(chain: Chain): EvmChain {
  if (chain.family !== 'evm') throw new Error(`this kind of transaction is not one of ${chain.name}`);
  return chain;
}

function rawOf(receipt: Receipt): TransactionReceipt {
  if (receipt.family !== 'evm') throw new Error('this receipt is not one of EVM');
  return receipt.raw;
}

export type Stall = 'does not answer' | 'makes no blocks';

/** All kinds; the process that sends puts them together. */
export type OutgoingKinds = Readonly<Record<OutgoingKindName, OutgoingKind>>;

export const NOTHING: Write = async () => {};

export function kindOf(kinds: OutgoingKinds, { kind }: { kind: string }): OutgoingKind {
  const found = kinds[kind as OutgoingKindName];
  if (!found) throw new Error(`no kind of transaction is called ${kind}`);
  return found;
}
