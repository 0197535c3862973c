// A chain of any family as the services know it. What differs between families is behind the functions of src/chain, and in the executor's room.
import type { EvmChain } from './rpc/client.ts';
import type { SolanaChain } from './solana/client.ts';

export type Chain = EvmChain | SolanaChain;
