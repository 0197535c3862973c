// What jsonParsed answers have of accounts: token accounts and mints.
import type { Account } from '../ledger.ts';
import { mintOf, TOKEN_2022_PROGRAM, tokenAccountOf, uiAmount } from '../tokens.ts';

/** Null for a format that is not known here. */
export function parseAccount(account: Account, read: (address: string) => Account | null): object | null {
  const token = tokenAccountOf(account);
  const mint = token ? null : mintOf(account);
  if (!token && !mint) return null;
  const program = account.owner === TOKEN_2022_PROGRAM ? 'spl-token-2022' : 'spl-token';
  const parsed = token
    ? { type: 'account', info: tokenInfo(token, mintOf(read(token.mint))?.decimals ?? 0) }
    : { type: 'mint', info: mintInfo(mint as NonNullable<typeof mint>) };
  return { program, parsed, space: account.data.length };
}

function tokenInfo(token: NonNullable<ReturnType<typeof tokenAccountOf>>, decimals: number) {
  return {
    isNative: token.nativeReserve !== null,
    mint: token.mint,
    owner: token.owner,
    state: token.state,
    tokenAmount: uiAmount(token.amount, decimals),
    ...(token.delegate ? { delegate: token.delegate, delegatedAmount: uiAmount(token.delegatedAmount, decimals) } : {}),
    ...(token.closeAuthority ? { closeAuthority: token.closeAuthority } : {}),
    ...(token.nativeReserve === null ? {} : { rentExemptReserve: uiAmount(token.nativeReserve, decimals) }),
  };
}

function mintInfo({
  mintAuthority,
  supply,
  decimals,
  isInitialized,
  freezeAuthority,
}: NonNullable<ReturnType<typeof mintOf>>) {
  return { mintAuthority, supply: supply.toString(), decimals, isInitialized, freezeAuthority };
}
