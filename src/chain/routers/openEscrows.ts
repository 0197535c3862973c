// Escrows as the services rely on them: opened by a tip, and believed open only on the word of every endpoint.
import { encodeFunctionData, type PublicClient } from 'viem';
import type { EscrowTerms } from '../../domain/typedData/escrow.ts';
import { agreed } from '../rpc/agreement.ts';
import { type Address, commonBlock, type EvmChain, type Hex, reading } from '../rpc/client.ts';
import { botRouterAbi } from './abis/BotRouter.ts';
import { escrowRouterAbi } from './abis/EscrowRouter.ts';
import { ESCROW_CHAIN_STATUSES, type EscrowChainStatus, encodeEscrowRefund, escrowOnChainId } from './escrow.ts';
import { decodeRevert, revertData } from './reverts.ts';

export type EscrowTip = Pick<EscrowTerms, 'sender' | 'token' | 'handleKey' | 'amount' | 'deadline'> & {
  messageKey: Hex;
  /** Unix seconds. */
  validUntil: bigint;
};

/** The escrow that a tip opens: its sender may take it back while it is unclaimed, and the message key is its number. */
export function escrowOfTip({ messageKey, sender, token, handleKey, amount, deadline }: EscrowTip): EscrowTerms {
  return { sender, token, handleKey, amount, deadline, senderNonce: BigInt(messageKey), revocable: true };
}

export function encodeEscrowTip(tip: EscrowTip): Hex {
  return encodeFunctionData({ abi: botRouterAbi, functionName: 'tipToTab', args: [tip] });
}

/** The transaction in which a tip opened exactly this escrow, searched in the last `blocks` blocks, or null. @throws AppError `provider_unavailable` */
export async function findEscrowTip(chain: EvmChain, tip: EscrowTip, blocks: bigint): Promise<Hex | null> {
  const find = async (client: PublicClient): Promise<Hex | null> => {
    const head = await client.getBlockNumber({ cacheTime: 0 });
    const events = await client.getContractEvents({
      address: chain.routers.bot,
      abi: botRouterAbi,
      eventName: 'TabTipSettled',
      args: { messageKey: tip.messageKey, sender: tip.sender, handleKey: tip.handleKey },
      fromBlock: head > blocks ? head - blocks : 0n,
    });
    const same = events.find(
      ({ args }) =>
        args.amount === tip.amount &&
        args.deadline === tip.deadline &&
        args.token?.toLowerCase() === tip.token.toLowerCase(),
    );
    return same?.transactionHash ?? null;
  };
  return agreed(chain, find, String);
}

/** The handle authority that the router believes now. @throws AppError `provider_unavailable` */
export function authorityOf(chain: EvmChain): Promise<Address> {
  return reading(chain, () =>
    chain.client.readContract({ address: chain.routers.escrow, abi: escrowRouterAbi, functionName: 'authority' }),
  );
}

/**
 * Queries every endpoint of the chain about an escrow with exactly these terms, and believes them only when all agree.
 * @returns its state and the time of the block in which all of them saw it, in Unix seconds; null when they do not agree
 * @throws AppError `provider_unavailable`
 */
export async function proveEscrow(
  chain: EvmChain,
  escrow: EscrowTerms,
): Promise<{ state: EscrowChainStatus; time: bigint } | null> {
  return reading(chain, async () => {
    const block = await commonBlock(chain);
    if (block === null) return null;
    const answers = await Promise.all(chain.endpoints.map((client) => queryEscrow(chain, client, escrow, block)));
    const [first] = answers;
    const agreed = answers.every(({ state, blockHash }) => state === first?.state && blockHash === first.blockHash);
    return agreed && first ? { state: first.state, time: first.time } : null;
  });
}

/**
 * Its status is read by its id. For its terms a refund is simulated, by the sender: the router compares them before anything else, so every answer
 * but `TabNotOpen` means that they are exactly these, whether or not it could be refunded now.
 */
async function queryEscrow(
  chain: EvmChain,
  client: PublicClient,
  escrow: EscrowTerms,
  blockNumber: bigint,
): Promise<{ state: EscrowChainStatus; time: bigint; blockHash: Hex }> {
  const { timestamp: time, hash: blockHash } = await client.getBlock({ blockNumber });
  const to = chain.routers.escrow;
  const [status, same] = await Promise.all([
    client.readContract({
      address: to,
      abi: escrowRouterAbi,
      functionName: 'statusOf',
      args: [escrowOnChainId(chain, escrow.sender, escrow.senderNonce)],
      blockNumber,
    }),
    client.call({ account: escrow.sender, to, data: encodeEscrowRefund(escrow), blockNumber }).then(
      () => true,
      (error: unknown) => saysMore(error),
    ),
  ]);
  const state = ESCROW_CHAIN_STATUSES[status] ?? 'unknown';
  return { state: state === 'open' && !same ? 'unknown' : state, time, blockHash };
}

/** Whether a refused refund had the terms of an open escrow. @throws what is no answer of the router */
function saysMore(error: unknown): boolean {
  const data = revertData(error);
  if (data === null) throw error;
  // A refusal that is not in our words is not the router's about these terms.
  return !['TabNotOpen', 'Unknown', 'NoReason'].includes(decodeRevert(data).name);
}
