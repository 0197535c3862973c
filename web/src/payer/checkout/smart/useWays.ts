// The ways to pay an order from the wallets that have shown themselves, and which of them is chosen.
import { useState } from 'react';
import { shortAmount } from '../../../app/format.ts';
import type { Candidate } from '../../../smart/smartApi.ts';
import type { LegWallets } from '../../../smart/smartRun.ts';
import type { PublicOrder } from '../checkoutApi.ts';
import { useCandidates, wayOf } from './useSmart.ts';

/** The accounts of wallets. */
export function payersOf({ evm, solana }: LegWallets): string[] {
  return [evm, solana].flatMap((one) => (one === null ? [] : [one.address]));
}

/** From where else the wallets can pay; of a part-paid order also from its own network, because the router takes the whole. */
export function useWays(order: PublicOrder, payers: readonly string[], isBusy: boolean) {
  const [chosen, choose] = useState<string | null>(null);
  const { data, isLoading } = useCandidates(order, payers, isBusy);
  const payable = (data?.data ?? []).filter(({ balance_ok }) => balance_ok);
  const partPaid = Number(order.amount_received) > 0;
  const picked = payable.find((one) => wayOf(one) === chosen) ?? payable[0];
  const isDirect = (one: Candidate) => one.kind === 'direct' && !partPaid;
  return {
    candidates: payable,
    unavailable: (data?.unavailable ?? []) as ('across' | 'relay')[],
    held: heldElsewhere(data?.data ?? [], order),
    chosen: picked ? wayOf(picked) : '',
    onChoose: choose,
    isLoading,
    /** One way that is the usual one needs no list. */
    isShown: payable.some((one) => !isDirect(one)),
    picked: picked ?? null,
    elsewhere: picked && !isDirect(picked) ? picked : null,
  };
}

/** What the wallet has of what it could pay with on other networks, where all of that is too little. */
function heldElsewhere(candidates: readonly Candidate[], { chain }: PublicOrder): string {
  const legs = candidates.flatMap((one) => (one.balance_ok ? [] : one.legs));
  const held = legs.filter((leg) => leg.chain !== chain && Number(leg.balance) > 0);
  const lines = held.map(
    ({ balance, asset, chain_label }) => `${shortAmount(balance, asset)} ${asset} (${chain_label})`,
  );
  return [...new Set(lines)].join(', ');
}
