// Accounts as RPC answers have them: base58, base64, or parsed where the local chain knows the format.
import { base58 } from '@scure/base';
import { z } from 'zod';
import type { Account } from '../ledger.ts';
import { parseAccount } from '../parsed/accounts.ts';
import { invalidParams, RpcError } from '../rpcErrors.ts';
import { contextFields } from './params.ts';

const MOST_BASE58_BYTES = 128;
/** Rent is never collected from an account that is exempt. */
const RENT_EPOCH = 18_446_744_073_709_551_615n;

export const accountConfig = z.object({
  ...contextFields,
  encoding: z.enum(['base58', 'base64', 'base64+zstd', 'jsonParsed', 'binary']).optional(),
  dataSlice: z.object({ offset: z.number().int().min(0), length: z.number().int().min(0) }).optional(),
});
export type AccountConfig = z.infer<typeof accountConfig>;

export function encodeAccount(
  account: Account,
  config: Pick<AccountConfig, 'encoding' | 'dataSlice'> | undefined,
  read: (address: string) => Account | null,
) {
  return {
    data: encodeData(account, config, read),
    executable: account.executable,
    lamports: Number(account.lamports),
    owner: account.owner,
    rentEpoch: RENT_EPOCH,
    space: account.data.length,
  };
}

function encodeData(
  account: Account,
  config: Pick<AccountConfig, 'encoding' | 'dataSlice'> | undefined,
  read: (address: string) => Account | null,
) {
  const { encoding = 'binary', dataSlice } = config ?? {};
  if (encoding === 'base64+zstd')
    throw invalidParams('Invalid params: base64+zstd is not supported by the local chain');
  // What has no parser is answered in base64, as nodes do.
  const parsed = encoding === 'jsonParsed' ? parseAccount(account, read) : null;
  if (parsed) return parsed;
  const { offset, length } = dataSlice ?? { offset: 0, length: account.data.length };
  const data = Buffer.from(account.data).subarray(offset, offset + length);
  if (encoding === 'base64' || encoding === 'jsonParsed') return [data.toString('base64'), 'base64'];
  if (data.length > MOST_BASE58_BYTES) {
    if (encoding === 'binary') return 'error: data too large for bs58 encoding';
    throw new RpcError(
      -32600,
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    );
  }
  return encoding === 'binary' ? base58.encode(data) : [base58.encode(data), 'base58'];
}
