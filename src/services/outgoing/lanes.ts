// The lane of a chain, by its family.
import type { Chain } from '../../chain/chain.ts';
import { evmLane } from './evmLane.ts';
import type { Lane } from './lane.ts';
import { solanaLane } from './solanaLane.ts';

export function laneOf(chain: Chain): Lane<Chain> {
  return (chain.family === 'evm' ? evmLane : solanaLane) as Lane<Chain>;
}
