// What is signed for the subscription router (ISubscriptionRouter). Its nonces are sequential for each signer.
import { type Bytes, signedFor, struct, type TypedData, type Verifier } from '../typedData.ts';

const ROUTER = { name: 'Ampersat Subscription Router', version: '1' } as const;

/** The numbers are the contract's. */
export const PLAN_STATES = { unknown: 0, active: 1, inactive: 2 } as const;
export type PlanState = keyof typeof PLAN_STATES;
/** The numbers are the contract's. A subscription that stayed unpaid for three periods reads as halted. */
export const SUBSCRIPTION_STATES = { none: 0, active: 1, cancelled: 2, halted: 3 } as const;
export type SubscriptionState = keyof typeof SUBSCRIPTION_STATES;

/** Sequential number of the signer at the router, and the last Unix second of the signature. */
type Use = { nonce: bigint; deadline: bigint };

export type SubscribeTerms = Use & {
  planKey: Bytes;
  subscriber: Bytes;
  /** The plan's amount in smallest units and its period in seconds, as the subscriber knows them. */
  amount: bigint;
  period: number;
};

/** `Subscribe`: anyone may submit the subscriber's subscription, which draws the first period at once. */
export function subscribeData(at: Verifier, terms: SubscribeTerms): TypedData {
  const members = 'bytes32 planKey,address subscriber,uint256 amount,uint32 period,uint256 nonce,uint256 deadline';
  return signedFor(at, ROUTER, struct('Subscribe', members, terms));
}

export type CancelTerms = Use & { planKey: Bytes; subscriber: Bytes };

/** `SetSubscription` to cancelled: the only state that a signature can set. The subscriber signs it, or the plan's creator. */
export function cancelData(at: Verifier, terms: CancelTerms): TypedData {
  const members = 'bytes32 planKey,address subscriber,uint8 state,uint256 nonce,uint256 deadline';
  const values = { ...terms, state: SUBSCRIPTION_STATES.cancelled };
  return signedFor(at, ROUTER, struct('SetSubscription', members, values));
}

export type SetPlanTerms = Use & { planKey: Bytes; state: 'active' | 'inactive' };

/** `SetPlan`: anyone may submit the creator's change of the plan's state. */
export function setPlanData(at: Verifier, terms: SetPlanTerms): TypedData {
  const members = 'bytes32 planKey,uint8 state,uint256 nonce,uint256 deadline';
  return signedFor(at, ROUTER, struct('SetPlan', members, { ...terms, state: PLAN_STATES[terms.state] }));
}
