// Puts everything on the local Solana chain that the service needs there: USDC, the program by its real loader, its roles. A second call finds it all and
// changes nothing.
import { Keypair as Web3Keypair } from '@solana/web3.js';
import { decodeConfig } from '../../src/chain/solana/accounts.ts';
import {
  configOf,
  programDataOf,
  spenderOf,
  tokenAccount,
  vaultOf,
  WRAPPED_SOL,
} from '../../src/chain/solana/addresses.ts';
import { deploySolanaProgram } from '../../src/chain/solana/deploy.ts';
import { SolanaDeployError } from '../../src/chain/solana/deployPlan.ts';
import { buildInstruction, type FixedAccounts } from '../../src/chain/solana/instructions.ts';
import { readAccount } from './accounts.ts';
import { callOf, ledgerCluster } from './cluster.ts';
import { airdrop, createTokenAccount, execute, placeMint } from './genesis.ts';
import { type Keypair, localSolanaKey } from './keys.ts';
import type { Ledger } from './ledger.ts';
import { stepSlots } from './slots.ts';
import { mintOf, tokenAccountOf } from './tokens.ts';

export type SolanaRoles = {
  /** Pays for the deployment, and stays the upgrade authority. */
  deployer: Keypair;
  owner: Keypair;
  guardian: Keypair;
  treasury: Keypair;
  authority: Keypair;
  executors: readonly Keypair[];
};

export type LocalSolana = {
  program: string;
  fixed: FixedAccounts;
  /** Not the mint of a real USDC: what pays here must not pay there. */
  usdc: string;
  wrappedNative: string;
  /** Mints and freezes USDC, as Circle does. */
  issuer: Keypair;
};

const PROGRAM = localSolanaKey('program');
const USDC = localSolanaKey('usdc').address;
const ISSUER = localSolanaKey('usdc issuer');

const LAMPORTS_PER_SOL = 1_000_000_000n;
/** The deployer pays rent for the program, executors for what they open; the others sign now and then. */
const DEPLOYER_LAMPORTS = 100n * LAMPORTS_PER_SOL;
const EXECUTOR_LAMPORTS = 100n * LAMPORTS_PER_SOL;
const ROLE_LAMPORTS = 10n * LAMPORTS_PER_SOL;

/** Where the program is on every local chain, with what its address decides. */
export function localSolana(): LocalSolana {
  const program = PROGRAM.address;
  const fixed = {
    config: configOf(program).address,
    spender: spenderOf(program).address,
    vault: vaultOf(program).address,
  };
  return { program, fixed, usdc: USDC, wrappedNative: WRAPPED_SOL, issuer: ISSUER };
}

/**
 * Deploys an image, makes the mint and the token accounts, initializes the program, and gives the roles SOL. What a start that was cut off did is
 * not done again.
 * @throws SolanaDeployError when the chain has another program than the image
 */
export async function deployLocalSolana(
  ledger: Ledger,
  { image, roles }: { image: Uint8Array; roles: SolanaRoles },
): Promise<LocalSolana> {
  const local = localSolana();
  const before = ledger.changes;
  if (!mintOf(readAccount(ledger, USDC)))
    placeMint(ledger, { address: USDC, mintAuthority: ISSUER.address, freezeAuthority: ISSUER.address });
  giveSol(ledger, roles);
  const [program, deployer] = [PROGRAM, roles.deployer].map(({ secretBytes }) =>
    Web3Keypair.fromSecretKey(secretBytes, { skipValidation: true }),
  ) as [Web3Keypair, Web3Keypair];
  const { slot } = await deploySolanaProgram(ledgerCluster(ledger), { image, program, deployer });
  // A program can be called from the slot after its deployment on.
  if (slot >= ledger.svm.getClock().slot) stepSlots(ledger);
  await openTokenAccounts(ledger, local, roles.treasury);
  initialize(ledger, local, roles);
  if (ledger.changes !== before) settleAll(ledger);
  return local;
}

/** Everything that landed is final: nothing of it is lost by a fork, or to a client that asks for what is final. */
export function settleAll(ledger: Ledger): void {
  stepSlots(ledger, ledger.finalizedAfter + 1);
}

function giveSol(ledger: Ledger, { deployer, executors, ...others }: SolanaRoles): void {
  const grants: [Keypair, bigint][] = [
    [deployer, DEPLOYER_LAMPORTS],
    ...executors.map((executor): [Keypair, bigint] => [executor, EXECUTOR_LAMPORTS]),
    ...Object.values(others).map((role): [Keypair, bigint] => [role, ROLE_LAMPORTS]),
  ];
  for (const [{ address }, lamports] of grants) {
    const has = readAccount(ledger, address)?.lamports ?? 0n;
    // Executors pay for everything here: they get more before they run out.
    if (has < lamports / 2n) airdrop(ledger, address, lamports - has);
  }
}

/** Those of the vault hold open tabs, those of the treasury get fees. */
async function openTokenAccounts(ledger: Ledger, { fixed, usdc }: LocalSolana, treasury: Keypair): Promise<void> {
  for (const owner of [fixed.vault, treasury.address])
    for (const mint of [usdc, WRAPPED_SOL])
      if (!tokenAccountOf(readAccount(ledger, tokenAccount(owner, mint).address)))
        await createTokenAccount(ledger, { owner, mint });
}

function initialize(ledger: Ledger, { program, fixed, usdc }: LocalSolana, roles: SolanaRoles): void {
  const config = readAccount(ledger, fixed.config);
  const known = config?.owner === program ? decodeConfig(config.data) : null;
  if (known) {
    if (known.usdc !== usdc) throw new SolanaDeployError(`${program} has another USDC: ${known.usdc}`);
    return;
  }
  const { deployer, owner, guardian, authority, treasury, executors } = roles;
  const instruction = buildInstruction({ id: program, fixed }, 'initialize', {
    args: {
      owner: owner.address,
      guardian: guardian.address,
      authority: authority.address,
      treasury: treasury.address,
      executors: executors.length,
    },
    accounts: {
      payer: deployer.address,
      upgradeAuthority: deployer.address,
      programData: programDataOf(program).address,
      usdc,
      vaultUsdc: tokenAccount(fixed.vault, usdc).address,
      vaultWrapped: tokenAccount(fixed.vault, WRAPPED_SOL).address,
    },
    each: executors.map(({ address }) => ({ key: address })),
  });
  execute(ledger, [deployer], [callOf(instruction)]);
}
