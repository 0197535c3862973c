// Resumes a local person's spending on every chain, signed with that person's own wallets.
import { createWalletClient, http, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Address, Hex } from '../../src/chain/rpc/client.ts';
import { senderState } from '../../src/chain/senders.ts';
import { limitsOf } from '../../src/chain/solana/addresses.ts';
import {
  broadcastSolana,
  compileMessage,
  newestLifetime,
  type SolanaChain,
  signMessageOf,
  solanaKeyOf,
} from '../../src/chain/solana/client.ts';
import { buildInstruction } from '../../src/chain/solana/instructions.ts';
import type { Ctx } from '../../src/context.ts';
import { base58Bytes } from '../../src/domain/solanaAddress.ts';
import { evmChainsIn, type LocalAccount, type LocalFile } from '../stack/localFile.ts';

const routerAbi = parseAbi(['function unpauseSender()']);
const UNITS = 20_000;

export async function resume(
  ctx: Ctx,
  local: LocalFile,
  person: LocalAccount,
): Promise<{ chain: string; hash: string }[]> {
  const account = privateKeyToAccount(person.evm_private_key as Hex);
  const sent: { chain: string; hash: string }[] = [];
  for (const [name, chain] of evmChainsIn(local)) {
    const wallet = createWalletClient({ account, transport: http(chain.rpc_url, { timeout: 5_000 }) });
    const address = chain.routers.bot as Address;
    const hash = await wallet.writeContract({ address, abi: routerAbi, functionName: 'unpauseSender', chain: null });
    sent.push({ chain: name, hash });
  }
  const { solana } = ctx.chains;
  const hash = solana?.family === 'solana' ? await resumeOnSolana(ctx, solana, person) : null;
  return hash === null ? sent : [...sent, { chain: 'solana', hash }];
}

/** @returns null where nothing is paused: a wallet without limits cannot be paused either */
async function resumeOnSolana(ctx: Ctx, chain: SolanaChain, person: LocalAccount): Promise<string | null> {
  const owner = person.solana_address;
  const { paused } = await senderState(chain, owner, chain.usdc, ctx.clock.now());
  if (!paused) return null;
  const accounts = { signer: owner, limits: limitsOf(chain.program.id, owner).address };
  const instructions = [buildInstruction(chain.program, 'setPaused', { args: { paused: false }, accounts })];
  const message = compileMessage(owner, { instructions, units: UNITS }, 0, await newestLifetime(chain));
  const { raw, signature } = signMessageOf(message, [solanaKeyOf(base58Bytes(person.solana_private_key))]);
  await broadcastSolana(chain, raw);
  return signature;
}
