// Whether the program can take plans and subscriptions now: what the cluster says of it, its config and its token.
import { PublicKey } from '@solana/web3.js';
import { decodeConfig } from './accounts.ts';
import { programDataOf, TOKEN_PROGRAM } from './addresses.ts';
import { readingSolana, type SolanaChain } from './client.ts';
import { CLOCK_SYSVAR, timeOfClock } from './clock.ts';
import { decodeLoaderAccount } from './loader.ts';

export type ProgramDiagnosis = {
  executable: boolean;
  /** Whether no key can upgrade the program. */
  final: boolean;
  config: { initialized: boolean; mintOk: boolean; paused: boolean };
  /** The newest confirmed slot, and its time in Unix seconds. */
  slot: bigint;
  time: bigint;
};

/** All of one slot. @throws AppError `provider_unavailable` */
export async function diagnoseProgram(chain: SolanaChain): Promise<ProgramDiagnosis> {
  const { id, fixed } = chain.program;
  const keys = [id, programDataOf(id).address, fixed.config, chain.usdc, CLOCK_SYSVAR];
  const { context, value } = await readingSolana(chain, (at) =>
    at.getMultipleAccountsInfoAndContext(
      keys.map((key) => new PublicKey(key)),
      'confirmed',
    ),
  );
  const [program, code, configAccount, mint, clock] = value;
  const loaded = code ? decodeLoaderAccount(code.data) : null;
  const config = configAccount?.owner.toBase58() === id ? decodeConfig(configAccount.data) : null;
  const time = timeOfClock(clock);
  const isMint = mint?.owner.toBase58() === TOKEN_PROGRAM && mint.data[44] === chain.facts.usdcDecimals;
  return {
    executable: program?.executable ?? false,
    final: loaded?.kind === 'data' && loaded.authority === null,
    config: {
      initialized: config !== null,
      mintOk: isMint && config?.usdc === chain.usdc,
      paused: config !== null && time < config.pausedUntil,
    },
    slot: BigInt(context.slot),
    time,
  };
}
