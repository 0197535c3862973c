// Which bridges lead from an asset of one chain to an asset of another, by the configuration.
import type { BridgeName } from '../../domain/smartLeg.ts';
import type { EvmChain } from '../rpc/client.ts';

type Way = { origin: EvmChain; destination: EvmChain; areTokens: boolean };

/** Across moves USDC between chains; Relay anything, also on one chain. @param areTokens neither end is a native asset */
export function bridgesBetween({ origin, destination, areTokens }: Way): BridgeName[] {
  const overAcross = areTokens && origin.name !== destination.name && origin.across && destination.across;
  const overRelay = origin.relay.length > 0 && destination.relay.length > 0;
  return [...(overAcross ? ['across' as const] : []), ...(overRelay ? ['relay' as const] : [])];
}
