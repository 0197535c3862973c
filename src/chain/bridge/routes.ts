// Which bridges lead from an asset of one chain to an asset of another, by the configuration.
import type { BridgeName } from '../../domain/smartLeg.ts';
import type { Chain } from '../chain.ts';

type Way = { origin: Chain; destination: Chain; areTokens: boolean };

/** Across moves USDC between EVM chains; Relay anything, also on one chain. @param areTokens neither end is a native asset */
export function bridgesBetween({ origin, destination, areTokens }: Way): BridgeName[] {
  const overAcross = areTokens && origin.name !== destination.name && hasAcross(origin) && hasAcross(destination);
  const overRelay = origin.relay.length > 0 && destination.relay.length > 0;
  return [...(overAcross ? ['across' as const] : []), ...(overRelay ? ['relay' as const] : [])];
}

function hasAcross(chain: Chain): boolean {
  return chain.family === 'evm' && chain.across !== null;
}
