// The subscription router in TypeScript (ISubscriptionRouter): a plan's key, the calls of plans and subscriptions, how they stand.
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  type Log,
  parseAbiParameters,
  toHex,
} from 'viem';
import {
  type CancelTerms,
  PLAN_STATES,
  type PlanState,
  type SetPlanTerms,
  SUBSCRIPTION_STATES,
  type SubscribeTerms,
  type SubscriptionState,
} from '../../domain/typedData/subscriptions.ts';
import { ownEvents } from '../logs/routerEvents.ts';
import { type EvmChain, reading } from '../rpc/client.ts';
import { NO_PERMIT, type Permit, type Permit2Allowance } from '../signing/authorizations.ts';
import { subscriptionRouterAbi as abi } from './abis/SubscriptionRouter.ts';

/** A plan's terms: they never change, so other terms are another plan. `amount` in smallest units, `period` in seconds. */
export type PlanTerms = { creator: Address; planIdHash: Hex; token: Address; amount: bigint; period: number };

/** How the subscriber lets the router draw. All but `signature` are calls of the subscriber itself. */
export type SubscribeMeans =
  | { way: 'direct' }
  | { way: 'eip2612'; permit: Permit }
  | { way: 'permit2'; permit: Permit2Allowance }
  | { way: 'signature'; nonce: bigint; deadline: bigint; signature: Hex; permit?: Permit };

/** The on-chain `planIdHash` of a plan's identifier. */
export function planIdHash(id: string): Hex {
  return keccak256(toHex(id));
}

const KEY = parseAbiParameters('uint256, address, address, bytes32, address, uint256, uint32');

export function planKeyOf(chain: EvmChain, terms: PlanTerms): Hex {
  const { creator, planIdHash: id, token, amount, period } = terms;
  return keccak256(
    encodeAbiParameters(KEY, [
      BigInt(chain.facts.chainId),
      chain.routers.subscription,
      creator,
      id,
      token,
      amount,
      period,
    ]),
  );
}

/** Creates a plan of the caller. */
export function encodeCreatePlan({ planIdHash: id, token, amount, period }: Omit<PlanTerms, 'creator'>): Hex {
  return encodeFunctionData({ abi, functionName: 'createPlan', args: [id, token, amount, period] });
}

/** The creator's own call. */
export function encodeSetPlan(planKey: Hex, state: SetPlanTerms['state']): Hex {
  const functionName = state === 'active' ? 'reactivatePlan' : 'deactivatePlan';
  return encodeFunctionData({ abi, functionName, args: [planKey] });
}

/** The same on the creator's signature `SetPlan`. Anyone. */
export function encodeSetPlanBySig({ planKey, state, nonce, deadline }: SetPlanTerms, signature: Hex): Hex {
  const args = [planKey, PLAN_STATES[state], nonce, deadline, signature] as const;
  return encodeFunctionData({ abi, functionName: 'setPlanBySig', args });
}

/** Subscribes and draws the first period. */
export function encodeSubscribe(
  { planKey, subscriber, amount, period }: Pick<SubscribeTerms, 'planKey' | 'subscriber' | 'amount' | 'period'>,
  means: SubscribeMeans,
): Hex {
  const terms = [planKey, amount, period] as const;
  switch (means.way) {
    case 'direct':
      return encodeFunctionData({ abi, functionName: 'subscribe', args: terms });
    case 'eip2612':
      return encodeFunctionData({ abi, functionName: 'subscribeWithPermit', args: [...terms, means.permit] });
    case 'permit2':
      return encodeFunctionData({ abi, functionName: 'subscribeWithPermit2', args: [...terms, means.permit] });
    case 'signature': {
      const { nonce, deadline, signature, permit = NO_PERMIT } = means;
      const args = [planKey, subscriber, amount, period, nonce, deadline, signature, permit] as const;
      return encodeFunctionData({ abi, functionName: 'subscribeBySig', args });
    }
  }
}

export type Charge = { planKey: Hex; subscriber: Address };

/** One charge goes as `charge`, several as `chargeBatch`, in which a failing one undoes nothing else. Anyone. */
export function encodeCharges(charges: readonly Charge[]): Hex {
  const [first] = charges;
  if (charges.length === 1 && first)
    return encodeFunctionData({ abi, functionName: 'charge', args: [first.planKey, first.subscriber] });
  return encodeChargeBatch(charges);
}

/** As a batch also where it is one: a failing charge then says why in an event. Anyone. */
export function encodeChargeBatch(charges: readonly Charge[]): Hex {
  return encodeFunctionData({ abi, functionName: 'chargeBatch', args: [charges] });
}

/** The call of the subscriber itself, or of the plan's creator. */
export function encodeCancel({ planKey, subscriber }: Charge): Hex {
  return encodeFunctionData({ abi, functionName: 'cancel', args: [planKey, subscriber] });
}

/** The same on the signature `SetSubscription` of `signer`. Anyone. */
export function encodeCancelBySig(
  { planKey, subscriber, nonce, deadline }: CancelTerms,
  signer: Address,
  signature: Hex,
): Hex {
  const args = [planKey, subscriber, signer, nonce, deadline, signature] as const;
  return encodeFunctionData({ abi, functionName: 'cancelBySig', args });
}

/** Stops charges until the subscriber subscribes again. An executor. */
export function encodeHalt({ planKey, subscriber }: Charge): Hex {
  return encodeFunctionData({ abi, functionName: 'halt', args: [planKey, subscriber] });
}

export type PlanRecord = { creator: Address; token: Address; amount: bigint; period: number; state: PlanState };
/** Times are Unix seconds, 0 for never. */
export type SubscriptionRecord = {
  state: SubscriptionState;
  startedAt: bigint;
  lastChargedAt: bigint;
  nextChargeAt: bigint;
  chargesPaid: number;
  viaPermit2: boolean;
};

/** The plan of a key, now or as of a block; state `unknown` when there is none. @throws AppError `provider_unavailable` */
export async function readPlan(chain: EvmChain, planKey: Hex, blockNumber?: bigint): Promise<PlanRecord> {
  const at = blockNumber === undefined ? {} : { blockNumber };
  const plan = await reading(chain, () =>
    chain.client.readContract({
      address: chain.routers.subscription,
      abi,
      functionName: 'planOf',
      args: [planKey],
      ...at,
    }),
  );
  return { ...plan, state: nameOf(PLAN_STATES, plan.state) };
}

/** A subscription, and whether it is due now (balance and allowance aside). @throws AppError `provider_unavailable` */
export async function readSubscription(
  chain: EvmChain,
  { planKey, subscriber }: Charge,
): Promise<SubscriptionRecord & { due: boolean }> {
  const at = { address: chain.routers.subscription, abi, args: [planKey, subscriber] } as const;
  const [record, due] = await reading(chain, () =>
    Promise.all([
      chain.client.readContract({ ...at, functionName: 'subscriptionOf' }),
      chain.client.readContract({ ...at, functionName: 'isDue' }),
    ]),
  );
  return { ...record, state: nameOf(SUBSCRIPTION_STATES, record.state), due };
}

/** The number that the signer's next signature must carry. @throws AppError `provider_unavailable` */
export async function subscriptionNonce(chain: EvmChain, signer: Address): Promise<bigint> {
  return reading(chain, () =>
    chain.client.readContract({ address: chain.routers.subscription, abi, functionName: 'nonces', args: [signer] }),
  );
}

/** The router's own events among logs. `ChargeFailed` carries revert data: read it with `decodeRevert`. */
export function subscriptionEvents(chain: EvmChain, logs: readonly Log[]) {
  return ownEvents(abi, chain.routers.subscription, logs);
}

function nameOf<Name extends string>(states: Record<Name, number>, value: number): Name {
  const found = (Object.keys(states) as Name[]).find((name) => states[name] === value);
  if (found === undefined) throw new Error(`the router answered the unknown state ${value}`);
  return found;
}
