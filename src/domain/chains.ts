// The chain registry: the only place that knows what a chain is. Addresses that differ between deployments (routers,
// local tokens) come from configuration and are merged in src/chain/chains.ts.

export type NativeSymbol = 'ETH' | 'BNB' | 'CELO' | 'SOL';
export type PermitKind = 'eip2612' | 'eip3009' | 'permit2';

export type ChainName = 'base' | 'bsc' | 'ink' | 'celo' | 'solana' | 'base-sepolia';

export type ChainFacts = {
  name: ChainName;
  /** How people read it. */
  label: string;
  caip2: string;
  family: 'evm' | 'solana';
  /** EIP-155 id; 0 for chains outside EIP-155. */
  chainId: number;
  native: NativeSymbol;
  nativeDecimals: number;
  /** The ERC-20 that stands for the native asset; on Celo the native asset is one itself. Empty outside EVM chains. */
  wrappedNative: string;
  usdc: string;
  usdcDecimals: number;
  /** EIP-712 domain of the USDC contract, where it has one. */
  usdcDomain: { name: string; version: string } | null;
  permits: readonly PermitKind[];
  /** Blocks on top of (and with) a transaction's block before it counts as final for us. */
  confirmations: number;
  blockTimeMs: number;
  explorerUrl: string;
  /** A public endpoint, for wallets that do not know the chain yet; ours are for our processes. Null where wallets get none. */
  publicRpcUrl: string | null;
  testnet: boolean;
};

export const CHAINS: Readonly<Record<ChainName, ChainFacts>> = {
  base: {
    name: 'base',
    label: 'Base',
    caip2: 'eip155:8453',
    family: 'evm',
    chainId: 8453,
    native: 'ETH',
    nativeDecimals: 18,
    wrappedNative: '0x4200000000000000000000000000000000000006',
    usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    usdcDecimals: 6,
    usdcDomain: { name: 'USD Coin', version: '2' },
    permits: ['eip2612', 'eip3009', 'permit2'],
    confirmations: 10,
    blockTimeMs: 2_000,
    explorerUrl: 'https://basescan.org',
    publicRpcUrl: 'https://mainnet.base.org',
    testnet: false,
  },
  bsc: {
    name: 'bsc',
    label: 'BNB Smart Chain',
    caip2: 'eip155:56',
    family: 'evm',
    chainId: 56,
    native: 'BNB',
    nativeDecimals: 18,
    wrappedNative: '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
    usdc: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
    usdcDecimals: 18,
    usdcDomain: null,
    permits: ['permit2'],
    confirmations: 15,
    blockTimeMs: 450,
    explorerUrl: 'https://bscscan.com',
    publicRpcUrl: 'https://bsc-dataseed.bnbchain.org',
    testnet: false,
  },
  ink: {
    name: 'ink',
    label: 'Ink',
    caip2: 'eip155:57073',
    family: 'evm',
    chainId: 57073,
    native: 'ETH',
    nativeDecimals: 18,
    wrappedNative: '0x4200000000000000000000000000000000000006',
    usdc: '0x2D270e6886d130D724215A266106e6832161EAEd',
    usdcDecimals: 6,
    usdcDomain: { name: 'USDC', version: '2' },
    permits: ['eip2612', 'eip3009'],
    confirmations: 15,
    blockTimeMs: 1_000,
    explorerUrl: 'https://explorer.inkonchain.com',
    publicRpcUrl: 'https://rpc-gel.inkonchain.com',
    testnet: false,
  },
  celo: {
    name: 'celo',
    label: 'Celo',
    caip2: 'eip155:42220',
    family: 'evm',
    chainId: 42220,
    native: 'CELO',
    nativeDecimals: 18,
    wrappedNative: '0x471EcE3750Da237f93B8E339c536989b8978a438',
    usdc: '0xcebA9300f2b948710d2653dD7B07f33A8B32118C',
    usdcDecimals: 6,
    usdcDomain: { name: 'USDC', version: '2' },
    permits: ['eip2612', 'eip3009', 'permit2'],
    confirmations: 15,
    blockTimeMs: 1_000,
    explorerUrl: 'https://celoscan.io',
    publicRpcUrl: 'https://forno.celo.org',
    testnet: false,
  },
  solana: {
    name: 'solana',
    label: 'Solana',
    caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    family: 'solana',
    chainId: 0,
    native: 'SOL',
    nativeDecimals: 9,
    wrappedNative: '',
    usdc: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    usdcDecimals: 6,
    usdcDomain: null,
    permits: [],
    confirmations: 32,
    blockTimeMs: 400,
    explorerUrl: 'https://solscan.io',
    publicRpcUrl: null,
    testnet: false,
  },
  'base-sepolia': {
    name: 'base-sepolia',
    label: 'Base Sepolia',
    caip2: 'eip155:84532',
    family: 'evm',
    chainId: 84532,
    native: 'ETH',
    nativeDecimals: 18,
    wrappedNative: '0x4200000000000000000000000000000000000006',
    usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    usdcDecimals: 6,
    usdcDomain: { name: 'USDC', version: '2' },
    permits: ['eip2612', 'eip3009', 'permit2'],
    confirmations: 10,
    blockTimeMs: 2_000,
    explorerUrl: 'https://sepolia.basescan.org',
    publicRpcUrl: 'https://sepolia.base.org',
    testnet: true,
  },
};

/** Permit2 (https://github.com/Uniswap/permit2), at one address on every chain that has it. */
export const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

export const CHAIN_NAMES = Object.keys(CHAINS) as ChainName[];

/** The registry's row for a name that came from outside, or undefined. */
export function findChain(name: string): ChainFacts | undefined {
  return Object.hasOwn(CHAINS, name) ? CHAINS[name as ChainName] : undefined;
}

/** The label of a chain, or its name as given where the registry does not have it. */
export function chainLabel(name: string): string {
  return findChain(name)?.label ?? name;
}

/** A chain's name as people type it: `Base` is `base`. */
export function canonicalChain(name: string): string {
  return name.toLowerCase();
}
