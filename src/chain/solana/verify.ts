// Whether a Solana cluster is what it is configured to be: its program, the program's config, and its token.
import { PublicKey } from '@solana/web3.js';
import { type ConfigAccount, decodeConfig } from './accounts.ts';
import { TOKEN_PROGRAM } from './addresses.ts';
import { readingSolana, type SolanaChain } from './client.ts';

/** The genesis of mainnet: where real money is. */
export const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** @returns null while the program is not initialized. @throws AppError `provider_unavailable` */
export async function readConfig(chain: SolanaChain): Promise<ConfigAccount | null> {
  const account = await readingSolana(chain, (at) => at.getAccountInfo(new PublicKey(chain.program.fixed.config)));
  return account?.owner.toBase58() === chain.program.id ? decodeConfig(account.data) : null;
}

/**
 * What is wrong with the cluster, in words for an operator, or null.
 * @param executors the addresses of our keys
 * @throws AppError `provider_unavailable`
 */
export async function solanaProblem(chain: SolanaChain, executors: readonly string[]): Promise<string | null> {
  const { label } = chain.facts;
  const [genesis, program, mint, config] = await Promise.all([
    readingSolana(chain, (at) => at.getGenesisHash()),
    readingSolana(chain, (at) => at.getAccountInfo(new PublicKey(chain.program.id))),
    readingSolana(chain, (at) => at.getAccountInfo(new PublicKey(chain.usdc))),
    readConfig(chain),
  ]);
  if (!chain.local && genesis !== MAINNET_GENESIS) return `${label}: the endpoint is of another cluster (${genesis})`;
  if (!program?.executable) return `${label}: there is no program at ${chain.program.id}`;
  if (!config) return `${label}: the program is not initialized`;
  if (config.usdc !== chain.usdc) return `${label}: the program’s USDC is ${config.usdc}, not ${chain.usdc}`;
  if (mint?.owner.toBase58() !== TOKEN_PROGRAM || mint.data[44] !== chain.facts.usdcDecimals)
    return `${label}: ${chain.usdc} is no token with ${chain.facts.usdcDecimals} decimals`;
  const role = [config.owner, config.guardian, config.authority, config.treasury].find((key) =>
    executors.includes(key),
  );
  return role ? `${label}: the executor key ${role} has another role of the program` : null;
}

/** Whether the program lets a key of ours act now. @throws AppError `provider_unavailable` */
export async function isSolanaExecutor(chain: SolanaChain, address: string, nowSeconds: bigint): Promise<boolean> {
  const config = await readConfig(chain);
  return config?.executors.some(({ key, activeFrom }) => key === address && activeFrom <= nowSeconds) ?? false;
}
