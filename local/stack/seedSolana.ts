// What the Solana chain has of the seed. Repeating it changes nothing: a person has all of it or nothing, because one transaction gives it.
import { parseUnits } from 'viem';
import { limitsOf } from '../../src/chain/solana/addresses.ts';
import type { EmbeddedSolana } from '../chains/embeddedSolana.ts';
import { readAccount } from '../solana/accounts.ts';
import { settleAll } from '../solana/deployLocal.ts';
import { giveSolana } from '../solana/grants.ts';
import { localSolanaKey } from '../solana/keys.ts';
import { PEOPLE } from './people.ts';
import { SOLANA_ROLES } from './roles.ts';
import { FUNDS, LIMITS } from './seed.ts';

const LAMPORTS = 10_000_000_000n;
/** What payers sent to the treasury leaves it through the program. */
const TREASURY_UNITS = 1_000_000_000_000n;
const inUsdc = (usd: number) => parseUnits(String(usd), 6);

/** For each person who has a handle: SOL and USDC, and for those who are connected an allowance and limits, as on EVM chains. */
export function seedSolana({ ledger, ...local }: EmbeddedSolana): void {
  const before = ledger.changes;
  for (const { name, handle, connected } of PEOPLE) {
    const key = localSolanaKey(name);
    if (handle === null || readAccount(ledger, key.address)) continue;
    const limits = { perTip: inUsdc(LIMITS.perTip), perDay: inUsdc(LIMITS.perDay), maxFee: inUsdc(LIMITS.maxFee) };
    giveSolana(ledger, local, key, { lamports: LAMPORTS, usdc: inUsdc(FUNDS), ...(connected ? { limits } : {}) });
  }
  const limits = { perTip: TREASURY_UNITS, perDay: TREASURY_UNITS, maxFee: 0n };
  const { treasury } = SOLANA_ROLES;
  if (readAccount(ledger, limitsOf(local.program, treasury.address).address) === null)
    giveSolana(ledger, local, treasury, { lamports: 0n, usdc: 0n, limits });
  if (ledger.changes !== before) settleAll(ledger);
}
