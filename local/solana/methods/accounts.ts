// RPC methods about accounts. Each answers from the state after the block that the caller's commitment names.
import { base58 } from '@scure/base';
import { z } from 'zod';
import { accountAt, accountsOf } from '../accounts.ts';
import type { Account } from '../ledger.ts';
import { invalidParams } from '../rpcErrors.ts';
import { isTokenProgram, mintOf, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, tokenAccountOf, uiAmount } from '../tokens.ts';
import { type AccountConfig, accountConfig, encodeAccount } from './accountAnswers.ts';
import { address, blockFor, contextConfig, type Method, method, type View, withContext } from './params.ts';

const MOST_ACCOUNTS = 100;
const LARGEST = 20;
const MOST_FILTERS = 4;
const MOST_FILTER_BYTES = 128;

const filter = z.union([
  z.strictObject({ dataSize: z.number().int().min(0) }),
  z.strictObject({
    memcmp: z.object({
      offset: z.number().int().min(0),
      bytes: z.string(),
      encoding: z.enum(['base58', 'base64']).optional(),
    }),
  }),
  z.strictObject({ tokenAccountState: z.literal(true) }),
]);
export type Filter = z.infer<typeof filter>;
export const programConfig = accountConfig.extend({
  filters: z.array(filter).optional(),
  withContext: z.boolean().optional(),
});
const ownedBy = z.union([z.strictObject({ mint: address }), z.strictObject({ programId: address })]);

export const ACCOUNT_METHODS: Record<string, Method> = {
  getBalance: method([address, contextConfig], (view, key, config) => {
    const block = blockFor(view, config);
    return withContext(block, Number(accountAt(view.ledger, key, block.slot)?.lamports ?? 0n));
  }),
  getAccountInfo: method([address, accountConfig.optional()], (view, key, config) => {
    const block = blockFor(view, config);
    const account = accountAt(view.ledger, key, block.slot);
    return withContext(block, account && encodeAccount(account, config, readAt(view, block.slot)));
  }),
  getMultipleAccounts: method([z.array(address), accountConfig.optional()], (view, keys, config) => {
    if (keys.length > MOST_ACCOUNTS) throw invalidParams(`Too many inputs provided; max ${MOST_ACCOUNTS}`);
    const block = blockFor(view, config);
    const accounts = keys.map((key) => accountAt(view.ledger, key, block.slot));
    const form = { ...config, encoding: config?.encoding ?? ('base64' as const) };
    return withContext(
      block,
      accounts.map((account) => account && encodeAccount(account, form, readAt(view, block.slot))),
    );
  }),
  getProgramAccounts: method([address, programConfig.optional()], (view, program, config) => {
    const block = blockFor(view, config);
    const matches = matcherOf(config?.filters ?? []);
    const found = accountsOf(view.ledger, program, block.slot).filter(([, account]) => matches(account));
    const answer = listAnswer(view, block.slot, found, config);
    return config?.withContext ? withContext(block, answer) : answer;
  }),
  getTokenAccountBalance: method([address, contextConfig], (view, key, config) => {
    const block = blockFor(view, config);
    const account = accountAt(view.ledger, key, block.slot);
    if (!account) throw invalidParams('Invalid param: could not find account');
    const token = tokenAccountOf(account);
    if (!token) throw invalidParams('Invalid param: not a Token account');
    return withContext(block, uiAmount(token.amount, decimalsAt(view, block.slot, token.mint)));
  }),
  getTokenSupply: method([address, contextConfig], (view, key, config) => {
    const block = blockFor(view, config);
    const account = accountAt(view.ledger, key, block.slot);
    if (!account) throw invalidParams('Invalid param: could not find account');
    const mint = mintOf(account);
    if (!mint) throw invalidParams('Invalid param: not a Token mint');
    return withContext(block, uiAmount(mint.supply, mint.decimals));
  }),
  getTokenLargestAccounts: method([address, contextConfig], (view, mint, config) => {
    const block = blockFor(view, config);
    if (!mintOf(accountAt(view.ledger, mint, block.slot))) throw invalidParams('Invalid param: not a Token mint');
    const decimals = decimalsAt(view, block.slot, mint);
    const held = tokenAccounts(view, block.slot, (token) => token.mint === mint)
      .map(([key, , { amount }]) => ({ key, amount }))
      .sort((a, b) => (b.amount > a.amount ? 1 : b.amount < a.amount ? -1 : 0))
      .slice(0, LARGEST);
    return withContext(
      block,
      held.map(({ key, amount }) => ({ address: key, ...uiAmount(amount, decimals) })),
    );
  }),
  getTokenAccountsByOwner: method([address, ownedBy, accountConfig.optional()], (view, owner, by, config) =>
    tokenAccountsBy(view, by, config, (token) => token.owner === owner),
  ),
  getTokenAccountsByDelegate: method([address, ownedBy, accountConfig.optional()], (view, delegate, by, config) =>
    tokenAccountsBy(view, by, config, (token) => token.delegate === delegate),
  ),
};

type Token = NonNullable<ReturnType<typeof tokenAccountOf>>;

function tokenAccountsBy(
  view: View,
  by: z.infer<typeof ownedBy>,
  config: AccountConfig | undefined,
  matches: (token: Token) => boolean,
) {
  const block = blockFor(view, config);
  if ('mint' in by && !mintOf(accountAt(view.ledger, by.mint, block.slot)))
    throw invalidParams('Invalid param: could not find mint');
  if ('programId' in by && !isTokenProgram(by.programId))
    throw invalidParams('Invalid param: unrecognized Token program id');
  const found = tokenAccounts(view, block.slot, (token) => {
    const isWanted = 'mint' in by ? token.mint === by.mint : token.program === by.programId;
    return isWanted && matches(token);
  });
  const pairs = found.map(([key, account]): [string, Account] => [key, account]);
  return withContext(block, listAnswer(view, block.slot, pairs, config));
}

function tokenAccounts({ ledger }: View, slot: number, matches: (token: Token) => boolean): [string, Account, Token][] {
  return [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].flatMap((program) =>
    accountsOf(ledger, program, slot).flatMap(([key, account]): [string, Account, Token][] => {
      const token = tokenAccountOf(account);
      return token && matches(token) ? [[key, account, token]] : [];
    }),
  );
}

function listAnswer(view: View, slot: number, found: [string, Account][], config: AccountConfig | undefined) {
  const read = readAt(view, slot);
  return found.map(([pubkey, account]) => ({ pubkey, account: encodeAccount(account, config, read) }));
}

const readAt =
  ({ ledger }: View, slot: number) =>
  (key: string) =>
    accountAt(ledger, key, slot);

const decimalsAt = ({ ledger }: View, slot: number, mint: string) =>
  mintOf(accountAt(ledger, mint, slot))?.decimals ?? 0;

/** @throws RpcError for filters that a node refuses */
export function matcherOf(filters: readonly Filter[]): (account: Account) => boolean {
  if (filters.length > MOST_FILTERS) throw invalidParams(`Too many filters provided; max ${MOST_FILTERS}`);
  const tests = filters.map((one): ((account: Account) => boolean) => {
    if ('dataSize' in one) return ({ data }) => data.length === one.dataSize;
    if ('tokenAccountState' in one) return (account) => tokenAccountOf(account) !== null;
    const bytes = filterBytes(one.memcmp);
    return ({ data }) =>
      Buffer.from(data)
        .subarray(one.memcmp.offset, one.memcmp.offset + bytes.length)
        .equals(bytes);
  });
  return (account) => tests.every((test) => test(account));
}

function filterBytes({
  bytes: text,
  encoding = 'base58',
}: {
  bytes: string;
  encoding?: 'base58' | 'base64' | undefined;
}): Buffer {
  let bytes: Buffer;
  try {
    bytes = encoding === 'base64' ? Buffer.from(text, 'base64') : Buffer.from(base58.decode(text));
  } catch {
    throw invalidParams('Invalid param: invalid memcmp filter: base58 decode error');
  }
  if (bytes.length > MOST_FILTER_BYTES)
    throw invalidParams('Invalid param: encoded binary data should be less than 128 bytes');
  return bytes;
}
