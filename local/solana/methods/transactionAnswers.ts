// Transactions as RPC answers have them: json, jsonParsed, base58 or base64.
import { base58 } from '@scure/base';
import { z } from 'zod';
import type { LandedTransaction, TokenBalance } from '../ledger.ts';
import { parseInstruction } from '../parsed/instructions.ts';
import { unsupportedVersion } from '../rpcErrors.ts';
import { uiAmount } from '../tokens.ts';
import { decodeTransaction, isWritable, type Message } from '../wire.ts';
import { contextFields } from './params.ts';

const encoding = z.enum(['json', 'jsonParsed', 'base58', 'base64', 'binary']);
export const transactionConfig = z.object({
  ...contextFields,
  encoding: encoding.optional(),
  maxSupportedTransactionVersion: z.number().int().min(0).max(255).optional(),
});
export type TransactionConfig = z.infer<typeof transactionConfig>;

/** The whole answer of getTransaction. @throws RpcError for a version that the caller does not know */
export function encodeTransaction(landed: LandedTransaction, config: TransactionConfig) {
  const { encoding: form = 'json', maxSupportedTransactionVersion: most } = config;
  const { raw, slot, blockTime } = landed;
  const { message, signatures } = decodeTransaction(raw);
  if (message.version !== 'legacy' && (most === undefined || message.version > most))
    throw unsupportedVersion(message.version);
  return {
    slot,
    blockTime,
    meta: metaOf(landed, message, form === 'jsonParsed'),
    transaction: encodeContent(landed, message, signatures, form),
    ...(most === undefined ? {} : { version: message.version }),
  };
}

function encodeContent(
  landed: LandedTransaction,
  message: Message,
  signatures: string[],
  form: z.infer<typeof encoding>,
) {
  if (form === 'base64') return [Buffer.from(landed.raw).toString('base64'), 'base64'];
  if (form === 'base58') return [base58.encode(landed.raw), 'base58'];
  if (form === 'binary') return base58.encode(landed.raw);
  return { signatures, message: form === 'jsonParsed' ? parsedMessage(landed, message) : plainMessage(message) };
}

function plainMessage({ header, keys, recentBlockhash, instructions, lookups, version }: Message) {
  return {
    header,
    accountKeys: keys,
    recentBlockhash,
    instructions: instructions.map(({ programIdIndex, accounts, data }) => ({
      programIdIndex,
      accounts,
      data: base58.encode(data),
      stackHeight: 1,
    })),
    ...(version === 'legacy' ? {} : { addressTableLookups: lookups }),
  };
}

function parsedMessage({ keys, loadedWritable }: LandedTransaction, message: Message) {
  return {
    accountKeys: keys.map((pubkey, index) => ({
      pubkey,
      signer: index < message.header.numRequiredSignatures,
      writable: isWritable(message, index, loadedWritable),
      source: index < message.keys.length ? 'transaction' : 'lookupTable',
    })),
    recentBlockhash: message.recentBlockhash,
    instructions: message.instructions.map((instruction) => parseInstruction(keys, instruction, 1)),
    ...(message.version === 'legacy' ? {} : { addressTableLookups: message.lookups }),
  };
}

function metaOf(landed: LandedTransaction, message: Message, isParsed: boolean) {
  const { error, keys, loadedWritable, returnData } = landed;
  const loaded = keys.slice(message.keys.length);
  return {
    err: error,
    status: error === null ? { Ok: null } : { Err: error },
    fee: landed.fee,
    preBalances: landed.preBalances,
    postBalances: landed.postBalances,
    preTokenBalances: landed.preTokens.map(tokenBalance),
    postTokenBalances: landed.postTokens.map(tokenBalance),
    innerInstructions: innerAnswer(landed, isParsed),
    logMessages: landed.logs,
    rewards: [],
    computeUnitsConsumed: landed.computeUnits,
    ...(isParsed
      ? {}
      : { loadedAddresses: { writable: loaded.slice(0, loadedWritable), readonly: loaded.slice(loadedWritable) } }),
    ...(returnData ? { returnData: { programId: returnData.programId, data: [returnData.data, 'base64'] } } : {}),
  };
}

export function innerAnswer({ inner, keys }: Pick<LandedTransaction, 'inner' | 'keys'>, isParsed: boolean) {
  if (!isParsed) return inner;
  return inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((one) =>
      parseInstruction(keys, { ...one, data: base58.decode(one.data) }, one.stackHeight),
    ),
  }));
}

function tokenBalance({ accountIndex, mint, owner, programId, amount, decimals }: TokenBalance) {
  return { accountIndex, mint, owner, programId, uiTokenAmount: uiAmount(BigInt(amount), decimals) };
}
