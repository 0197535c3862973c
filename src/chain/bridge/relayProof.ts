// What a transaction that Relay names really brought: read from its chain, in a final block, by two endpoints.
import { erc20Abi, isAddressEqual, type PublicClient, parseEventLogs, type TransactionReceipt } from 'viem';
import { readSolanaSignature } from '../../domain/solanaAddress.ts';
import { familyOf } from '../../domain/walletFamily.ts';
import type { Chain } from '../chain.ts';
import { agreed } from '../rpc/agreement.ts';
import type { Address, EvmChain, Hash } from '../rpc/client.ts';
import type { FinalBlock } from '../rpc/finality.ts';
import { anyReceipt } from '../rpc/outcomes.ts';
import { finalCredit } from '../solana/credits.ts';

/**
 * @param name a hash, or a signature on Solana, as Relay wrote it
 * @param token null for the native asset
 * @returns what an account got by it; null while it is in no final block, and for what is no transaction, or no account, of this chain
 * @throws AppError `provider_unavailable`
 */
export async function receivedBy(
  chain: Chain,
  name: string,
  { account, token }: { account: string; token: string | null },
  final: FinalBlock,
): Promise<bigint | null> {
  if (familyOf(account) !== chain.family) return null;
  if (chain.family === 'solana')
    return readSolanaSignature(name) && finalCredit(chain, name, { owner: account, mint: token });
  if (!/^0x[0-9a-fA-F]{64}$/.test(name)) return null;
  return receivedOnEvm(chain, name as Hash, { account: account as Address, token: token as Address | null }, final);
}

async function receivedOnEvm(
  chain: EvmChain,
  hash: Hash,
  { account, token }: { account: Address; token: Address | null },
  final: FinalBlock,
): Promise<bigint | null> {
  const ask = async (client: PublicClient): Promise<{ units: bigint; block: bigint } | null> => {
    const receipt = await anyReceipt(client, [hash]);
    if (!receipt || receipt.blockNumber > final.number) return null;
    return { units: await receivedIn(client, receipt, { account, token }), block: receipt.blockNumber };
  };
  const got = await agreed(chain, ask, (answer) => `${answer?.block} ${answer?.units}`);
  return got?.units ?? null;
}

async function receivedIn(
  client: PublicClient,
  { status, logs, blockNumber }: TransactionReceipt,
  { account, token }: { account: Address; token: Address | null },
): Promise<bigint> {
  if (status !== 'success') return 0n;
  if (token !== null) {
    const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs });
    return transfers
      .filter(({ address, args }) => isAddressEqual(address, token) && isAddressEqual(args.to, account))
      .reduce((sum, { args }) => sum + args.value, 0n);
  }
  // Contracts pay without a log: what the account has more after the block than before it.
  const [after, before] = await Promise.all([
    client.getBalance({ address: account, blockNumber }),
    client.getBalance({ address: account, blockNumber: blockNumber - 1n }),
  ]);
  return after > before ? after - before : 0n;
}
