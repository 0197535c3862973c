// Tabs as the services see them: what is open on the escrow router, on the word of every endpoint, and the calls that open, claim and refund.
import {
  BaseError,
  decodeErrorResult,
  encodeAbiParameters,
  encodeFunctionData,
  isHex,
  keccak256,
  type PublicClient,
  toHex,
} from 'viem';
import { botRouterAbi } from './abis/BotRouter.ts';
import { escrowRouterAbi } from './abis/EscrowRouter.ts';
import { type Address, type EvmChain, type Hex, isRevert, reading } from './evm.ts';

/** The terms of a tab: all of them are needed for whatever is done with it (IEscrowRouter.Tab). */
export type Tab = {
  sender: Address;
  token: Address;
  handleKey: Hex;
  /** Smallest units of the token. */
  amount: bigint;
  /** Unix seconds from which anyone may refund. */
  deadline: bigint;
  senderNonce: bigint;
  revocable: boolean;
};

/** What every endpoint says of a tab with exactly these terms. */
export type TabState = 'open' | 'claimed' | 'refunded' | 'unknown';

/** In the order of IEscrowRouter.Status. */
const STATES: readonly TabState[] = ['unknown', 'open', 'claimed', 'refunded'];

/** The key of a slug such as `alice` or `telegram:id:123`. */
export function handleKeyOf(slug: string): Hex {
  return keccak256(toHex(slug));
}

export function tabIdOf(chain: EvmChain, sender: Address, senderNonce: bigint): Hex {
  return keccak256(
    encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'address' }, { type: 'address' }, { type: 'uint256' }],
      [BigInt(chain.facts.chainId), chain.routers.escrow, sender, senderNonce],
    ),
  );
}

export type TabTip = Pick<Tab, 'sender' | 'token' | 'handleKey' | 'amount' | 'deadline'> & {
  messageKey: Hex;
  /** Unix seconds. */
  validUntil: bigint;
};

/** The tab that a tip opens: its sender may take it back while it is unclaimed, and the message key is its number. */
export function tabOfTip({ messageKey, sender, token, handleKey, amount, deadline }: TabTip): Tab {
  return { sender, token, handleKey, amount, deadline, senderNonce: BigInt(messageKey), revocable: true };
}

export function encodeTabTip(tip: TabTip): Hex {
  return encodeFunctionData({ abi: botRouterAbi, functionName: 'tipToTab', args: [tip] });
}

export function encodeClaim(tab: Tab, recipient: Address, notAfter: bigint, signature: Hex): Hex {
  const args = [tab, recipient, notAfter, signature] as const;
  return encodeFunctionData({ abi: escrowRouterAbi, functionName: 'claim', args });
}

export function encodeTabRefund(tab: Tab): Hex {
  return encodeFunctionData({ abi: escrowRouterAbi, functionName: 'refund', args: [tab] });
}

/** The handle authority that the router believes now. @throws AppError `provider_unavailable` */
export function authorityOf(chain: EvmChain): Promise<Address> {
  return reading(chain, () =>
    chain.client.readContract({ address: chain.routers.escrow, abi: escrowRouterAbi, functionName: 'authority' }),
  );
}

/**
 * Asks every endpoint of the chain about a tab with exactly these terms; nobody is believed unless all agree.
 * @returns its state and the time of the chain that lags most, in Unix seconds; null when the endpoints do not agree
 * @throws AppError `provider_unavailable`
 */
export async function proveTab(chain: EvmChain, tab: Tab): Promise<{ state: TabState; time: bigint } | null> {
  return reading(chain, async () => {
    const answers = await Promise.all(chain.endpoints.map((client) => askAboutTab(chain, client, tab)));
    const [first] = answers;
    if (!first || answers.some(({ state }) => state !== first.state)) return null;
    return { state: first.state, time: answers.map(({ time }) => time).reduce((a, b) => (a < b ? a : b)) };
  });
}

/**
 * Its status is asked by its id. For its terms a refund is played, by the sender: the router compares them before anything else, so every answer
 * but `TabNotOpen` means that they are exactly these, whether or not it could be refunded now.
 */
async function askAboutTab(
  chain: EvmChain,
  client: PublicClient,
  tab: Tab,
): Promise<{ state: TabState; time: bigint }> {
  const { number: blockNumber, timestamp: time } = await client.getBlock();
  const to = chain.routers.escrow;
  const [status, same] = await Promise.all([
    client.readContract({
      address: to,
      abi: escrowRouterAbi,
      functionName: 'statusOf',
      args: [tabIdOf(chain, tab.sender, tab.senderNonce)],
      blockNumber,
    }),
    client.call({ account: tab.sender, to, data: encodeTabRefund(tab), blockNumber }).then(
      () => true,
      (error: unknown) => saysMore(error),
    ),
  ]);
  const state = STATES[status] ?? 'unknown';
  return { state: state === 'open' && !same ? 'unknown' : state, time };
}

/** Whether a refused refund had the terms of an open tab. @throws what is no answer of the router */
function saysMore(error: unknown): boolean {
  if (!(error instanceof BaseError) || !isRevert(error)) throw error;
  const withData = error.walk((inner) => isHex((inner as { data?: unknown }).data)) as { data: Hex } | null;
  const { errorName } = decodeErrorResult({ abi: escrowRouterAbi, data: withData?.data ?? '0x' });
  return errorName !== 'TabNotOpen';
}
