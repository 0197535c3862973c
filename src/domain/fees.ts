// The relay fee on chat tips, as the interface's table has it: in USD, on top of the tip, per leg.
import { type MicroUsd, unitsForUsd } from './money.ts';

const SMALL_TIP_FEE: MicroUsd = 50_000n;
const TIP_FEE: MicroUsd = 100_000n;
const CROSS_CHAIN_FEE: MicroUsd = 300_000n;
const SMALL_TIP_BELOW: MicroUsd = 5_000_000n;

/** The relay fee in micro-USD of one leg worth `tipUsd`: 0.05 under 5 USD, 0.10 from 5 USD, 0.30 flat across chains. */
export function relayFeeUsd(tipUsd: MicroUsd, crossChain: boolean): MicroUsd {
  if (crossChain) return CROSS_CHAIN_FEE;
  return tipUsd < SMALL_TIP_BELOW ? SMALL_TIP_FEE : TIP_FEE;
}

/** The same fee in units of the tip's asset at `price` micro-USD for one whole unit, rounded half-up. */
export function relayFeeUnits(tipUsd: MicroUsd, crossChain: boolean, price: MicroUsd, decimals: number): bigint {
  return unitsForUsd(relayFeeUsd(tipUsd, crossChain), price, decimals);
}

/** A fee above a tenth of the tip needs a confirmation. */
export function feeNeedsConfirmation(tipUsd: MicroUsd, feeUsd: MicroUsd): boolean {
  return feeUsd * 10n > tipUsd;
}
