// Whose signature is it? A key's is recovered here; a contract wallet's (ERC-1271) is checked at every endpoint of the chain, and all must agree.
import {
  BaseError,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  hashMessage,
  hashStruct,
  hashTypedData,
  isAddress,
  type PublicClient,
  parseAbi,
  recoverAddress,
  size,
} from 'viem';
import { AppError } from '../../domain/errors.ts';
import type { Struct, TypedData } from '../../domain/typedData.ts';
import { isSameAddress } from '../../domain/walletFamily.ts';
import { revertData } from '../routers/reverts.ts';
import { type Address, commonBlock, type EvmChain, type Hex, isRevert, reading } from '../rpc/client.ts';

/** "account": the address's own key signed. "contract": the code at the address accepted the signature, on the given chain. */
export type Proof = 'account' | 'contract';
export type Signed = { address: Address; hash: Hex; signature: Hex };

const erc1271Abi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
const MAGIC = '0x1626ba7e';
/** More than any wallet's check takes, and a bound for code that wants to keep our providers busy. */
const CHECK_GAS = 5_000_000n;

/** The hash of a text as `personal_sign` signs it (EIP-191). */
export function messageHash(text: string): Hex {
  return hashMessage(text);
}

/** EIP-712 `hashStruct`: what a token's nonce or a Permit2 witness is made of. */
export function structHash({ types, primaryType, message }: Struct): Hex {
  return hashStruct({ data: message, types, primaryType });
}

export function typedDataHash({ domain, types, primaryType, message }: TypedData): Hex {
  return hashTypedData({ domain, types, primaryType, message } as Parameters<typeof hashTypedData>[0]);
}

/** The checksummed address, or null for what is none or has a wrong checksum. */
export function checkedAddress(text: string): Address | null {
  return isAddress(text) ? getAddress(text) : null;
}

/**
 * How the signature proves the address, or null when it does not. A wallet whose code is not there yet (ERC-6492) proves nothing.
 * @throws AppError `provider_unavailable` when an endpoint is away, or they do not agree: then none is believed
 */
export async function proveSignature(chain: EvmChain, signed: Signed): Promise<Proof | null> {
  if (await isOwnKey(signed)) return 'account';
  return (await isValidOnChain(chain, signed)) ? 'contract' : null;
}

/** Whether the address's own key signed: true for accounts with delegated code (EIP-7702) as well. */
export async function isOwnKey({ address, hash, signature }: Signed): Promise<boolean> {
  if (size(signature) !== 65) return false;
  try {
    return isSameAddress(await recoverAddress({ hash, signature }), address);
  } catch {
    return false;
  }
}

/** Asks the code at the address, at one block that all endpoints know under one hash. */
async function isValidOnChain(chain: EvmChain, signed: Signed): Promise<boolean> {
  const valid = await reading(chain, () => agreedAnswer(chain, signed));
  if (valid === null) {
    const words = `${chain.facts.label} isn’t responding clearly right now. Try again shortly.`;
    throw new AppError('provider_unavailable', words);
  }
  return valid;
}

/** What all endpoints say, or null when they differ. */
async function agreedAnswer(chain: EvmChain, signed: Signed): Promise<boolean | null> {
  const block = await commonBlock(chain);
  if (block === null) return null;
  const answers = await Promise.all(chain.endpoints.map((endpoint) => askEndpoint(endpoint, signed, block)));
  const [first] = answers;
  const agreed = answers.every(({ blockHash, valid }) => blockHash === first?.blockHash && valid === first.valid);
  return agreed && first ? first.valid : null;
}

async function askEndpoint(
  endpoint: PublicClient,
  { address, hash, signature }: Signed,
  blockNumber: bigint,
): Promise<{ blockHash: Hex; valid: boolean }> {
  const [block, code] = await Promise.all([
    endpoint.getBlock({ blockNumber }),
    endpoint.getCode({ address, blockNumber }),
  ]);
  if (!code || code === '0x') return { blockHash: block.hash, valid: false };
  return {
    blockHash: block.hash,
    valid: (await askCode(endpoint, { address, hash, signature }, blockNumber)) === 'valid',
  };
}

/** What code says of a signature (ERC-1271). "mute": it does not know the question, so no signature will ever be valid. */
export type CodeAnswer = 'valid' | 'invalid' | 'mute';

/** Asks the code at an address, by default at the newest block. @throws what the client throws when the endpoint does not answer */
export async function askCode(
  endpoint: PublicClient,
  { address, hash, signature }: Signed,
  blockNumber?: bigint,
): Promise<CodeAnswer> {
  const data = encodeFunctionData({ abi: erc1271Abi, functionName: 'isValidSignature', args: [hash, signature] });
  try {
    const at = blockNumber === undefined ? {} : { blockNumber };
    const answer = await endpoint.call({ to: address, data, gas: CHECK_GAS, ...at });
    if (answer.data === undefined || size(answer.data) !== 32) return 'mute';
    const magic = decodeFunctionResult({ abi: erc1271Abi, functionName: 'isValidSignature', data: answer.data });
    return magic === MAGIC ? 'valid' : 'invalid';
  } catch (error) {
    // Code that does not know a function reverts without a word; some wallets refuse a wrong signature in words of their own.
    if (isRevert(error)) return (revertData(error) ?? '0x') === '0x' ? 'mute' : 'invalid';
    if (isFault(error)) return 'mute';
    throw error;
  }
}

/** Nodes report code that runs out of gas or fails by itself in a message only. */
function isFault(error: unknown): boolean {
  return (
    error instanceof BaseError && /out ?of ?gas|invalid ?(\w*opcode|jump)|stack ?(under|over)flow/i.test(error.details)
  );
}
