// The bot router in TypeScript: what the services call, and what its events and reverts mean.
import { type Address, encodeFunctionData, erc20Abi, type Hex, type PublicClient, type TransactionReceipt } from 'viem';
import { ownEvents } from '../logs/routerEvents.ts';
import { agreed } from '../rpc/agreement.ts';
import { type EvmChain, reading } from '../rpc/client.ts';
import { botRouterAbi } from './abis/BotRouter.ts';
import { escrowRouterAbi } from './abis/EscrowRouter.ts';
import { decodeRevert, type RevertReason, simulateCall } from './reverts.ts';

/** One leg as the router takes it: addresses, smallest units, `validUntil` in Unix seconds. */
export type RouterTip = {
  messageKey: Hex;
  sender: Address;
  recipient: Address;
  token: Address;
  amount: bigint;
  fee: bigint;
  validUntil: bigint;
};

/** The outcome of one leg in a mined transaction. `hash` is set when the payment is in another transaction than the given one. */
export type LegOutcome = { paid: true; hash?: string } | { paid: false; reason: RevertReason };

export type SenderState = {
  balance: bigint;
  allowance: bigint;
  perTip: bigint;
  perDay: bigint;
  maxFee: bigint;
  spent24h: bigint;
  paused: boolean;
  routerPaused: boolean;
};

/** One leg goes as `tip`, several as `tipBatch`, in which a failing leg undoes nothing else. */
export function encodeTips(tips: readonly RouterTip[]): Hex {
  const [first] = tips;
  if (tips.length === 1 && first) return encodeFunctionData({ abi: botRouterAbi, functionName: 'tip', args: [first] });
  return encodeFunctionData({ abi: botRouterAbi, functionName: 'tipBatch', args: [tips] });
}

export function encodePauseSender(sender: Address): Hex {
  return encodeFunctionData({ abi: botRouterAbi, functionName: 'pauseSender', args: [sender] });
}

/** Enough for the most expensive leg (a native one to a gas-hungry wallet); what is not used is not paid. */
const GAS_BASE = 450_000n;
const GAS_PER_LEG = 260_000n;
export function gasForTips(count: number): bigint {
  return GAS_BASE + GAS_PER_LEG * BigInt(count);
}

/**
 * Plays a call to the router against the newest block without sending it.
 * @returns null when it would succeed, else why not
 * @throws AppError `provider_unavailable`
 */
export async function simulate(chain: EvmChain, from: Address, data: Hex): Promise<RevertReason | null> {
  return simulateCall(chain, { account: from, to: chain.routers.bot, data });
}

/** The outcome of each message key that this transaction speaks of, read from the router's own events only. */
export function legOutcomes(chain: EvmChain, receipt: TransactionReceipt): Map<Hex, LegOutcome> {
  const outcomes = new Map<Hex, LegOutcome>();
  for (const { eventName, args } of ownEvents(botRouterAbi, chain.routers.bot, receipt.logs)) {
    if (eventName === 'TipSettled' || eventName === 'TabTipSettled' || eventName === 'CrossChainTipSettled')
      outcomes.set(args.messageKey, { paid: true });
    if (eventName === 'TipFailed') outcomes.set(args.messageKey, { paid: false, reason: decodeRevert(args.reason) });
  }
  return outcomes;
}

/** The transaction in which exactly these terms were settled, searched in the last `blocks` blocks, or null. @throws AppError `provider_unavailable` */
export async function findSettled(chain: EvmChain, tip: RouterTip, blocks: bigint): Promise<Hex | null> {
  const find = async (client: PublicClient): Promise<Hex | null> => {
    const head = await client.getBlockNumber({ cacheTime: 0 });
    const events = await client.getContractEvents({
      address: chain.routers.bot,
      abi: botRouterAbi,
      eventName: 'TipSettled',
      args: { messageKey: tip.messageKey, sender: tip.sender, recipient: tip.recipient },
      fromBlock: head > blocks ? head - blocks : 0n,
    });
    const same = events.find(
      ({ args }) =>
        args.amount === tip.amount && args.fee === tip.fee && args.token?.toLowerCase() === tip.token.toLowerCase(),
    );
    return same?.transactionHash ?? null;
  };
  return agreed(chain, find, String);
}

/** The first router that does not know a key of ours as an executor, or null: any of our keys may be given any call. */
export function strangerTo(chain: EvmChain, address: Address): Promise<'bot' | 'escrow' | null> {
  const escrow = { address: chain.routers.escrow, abi: escrowRouterAbi } as const;
  const ask = async (client: PublicClient) => {
    const [tips, claims] = await Promise.all([
      readRouter(chain, 'isExecutor', [address], client),
      client.readContract({ ...escrow, functionName: 'isExecutor', args: [address] }),
    ]);
    if (!tips) return 'bot';
    return claims ? null : 'escrow';
  };
  return agreed(chain, ask, String);
}

/** @throws AppError `provider_unavailable` */
export async function isProcessed(chain: EvmChain, messageKey: Hex): Promise<boolean> {
  return agreed(chain, (client) => readRouter(chain, 'processed', [messageKey], client), String);
}

/** Where fees go. @throws AppError `provider_unavailable` */
export async function treasuryOf(chain: EvmChain): Promise<Address> {
  return reading(chain, () =>
    chain.client.readContract({ address: chain.routers.bot, abi: botRouterAbi, functionName: 'treasury' }),
  );
}

/** Everything that decides whether a sender can pay, read at once at the newest block. */
export async function senderState(chain: EvmChain, sender: Address, token: Address): Promise<SenderState> {
  const [state] = await senderStates(chain, [{ sender, token }]);
  if (!state) throw new Error('every sender has a state');
  return state;
}

export type SenderToken = { sender: Address; token: Address };
/** About eighty reads a call: far below what nodes take as the code of a call. */
const READS_BYTES = 4_096;

/** The same of many, in the same order. A call carries the code that makes many reads, so a chain needs no contract for it and all see one block. */
export async function senderStates(chain: EvmChain, senders: SenderToken[]): Promise<SenderState[]> {
  const router = { address: chain.routers.bot, abi: botRouterAbi } as const;
  const contracts = senders.flatMap(({ sender, token }) => {
    const erc20 = { address: token, abi: erc20Abi } as const;
    return [
      { ...erc20, functionName: 'balanceOf', args: [sender] },
      { ...erc20, functionName: 'allowance', args: [sender, chain.routers.bot] },
      { ...router, functionName: 'limitsOf', args: [sender, token] },
      { ...router, functionName: 'paused' },
    ] as const;
  });
  // The compiler cannot follow four kinds of reads in turn; what each answers is in the router's and the token's interfaces.
  const answers = (await reading(chain, () =>
    chain.client.multicall({
      contracts: contracts as never[],
      deployless: true,
      batchSize: READS_BYTES,
      allowFailure: false,
    }),
  )) as unknown[];
  return senders.map((_, index) => {
    const [balance, allowance, limits, routerPaused] = answers.slice(index * 4, index * 4 + 4) as [
      bigint,
      bigint,
      readonly [bigint, bigint, bigint, bigint, boolean],
      boolean,
    ];
    const [perTip, perDay, maxFee, spent24h, paused] = limits;
    return { balance, allowance, perTip, perDay, maxFee, spent24h, paused, routerPaused };
  });
}

export async function tokenBalance(chain: EvmChain, token: Address, owner: Address): Promise<bigint> {
  return reading(chain, () =>
    chain.client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
  );
}

function readRouter<Name extends 'processed' | 'isExecutor'>(
  chain: EvmChain,
  functionName: Name,
  // biome-ignore lint/suspicious/noExplicitAny: viem infers the arguments from the name; the callers above are typed.
  args: any,
  client: PublicClient = chain.client,
) {
  return client.readContract({ address: chain.routers.bot, abi: botRouterAbi, functionName, args });
}
