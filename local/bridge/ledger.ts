// One local chain as the local bridges use it: an account with money of every token, and transactions one after the other.
import { type Address, erc20Abi, parseEther } from 'viem';
import { CHAINS, type ChainName } from '../../src/domain/chains.ts';
import { type LocalChain, openLocalChain } from '../chains/deploy/send.ts';
import { mintUsdc } from '../chains/deploy/usdc.ts';
import { localKey } from '../stack/people.ts';

/** Whole units of USDC with which a bridge begins. */
const FLOAT = 1_000_000n;
const NATIVE_FLOAT = parseEther('1000000');

export type BridgeChain = {
  name: ChainName;
  chainId: number;
  rpcUrl: string;
  usdc: Address;
  across: { pool: Address };
  nativeUsdPrice: number;
};

export type Ledger = BridgeChain & { local: LocalChain; address: Address };

/** Opens a chain for the account of a role, which gets its money where it has none. */
export async function openLedger(chain: BridgeChain, role: string): Promise<Ledger> {
  const { key, address } = localKey(role);
  const local = await openLocalChain(chain.rpcUrl, key);
  if ((await local.client.getBalance({ address })) < NATIVE_FLOAT / 2n)
    await local.client.setBalance({ address, value: NATIVE_FLOAT });
  const amount = FLOAT * 10n ** BigInt(CHAINS[chain.name].usdcDecimals);
  const balance = await local.client.readContract({
    address: chain.usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address],
  });
  if (balance < amount / 2n) await mintUsdc({ rpcUrl: chain.rpcUrl, usdc: chain.usdc, to: [address], amount });
  return { ...chain, local, address };
}
