// What a sender's own wallet sends to open an escrow: the calls as bytes, and the hashes that go with them. Written by hand, so that the pages
// need no library for chains; every value of these calls is one word of 32 bytes but the signature at the end.
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { type EscrowTerms, escrowStruct } from './typedData/escrow.ts';
import type { Bytes } from './typedData.ts';

/** An address or 32 bytes as hexadecimal text, a number, or yes and no. */
type Word = string | bigint | boolean;

const DIGITS = 64;

function word(value: Word): string {
  const digits = typeof value === 'string' ? value.replace(/^0x/i, '').toLowerCase() : BigInt(value).toString(16);
  if (!/^[0-9a-f]{1,64}$/.test(digits)) throw new RangeError('the value does not fit into a word');
  return digits.padStart(DIGITS, '0');
}

const words = (values: readonly Word[]): string => values.map(word).join('');

const hashText = (text: string): string => bytesToHex(keccak_256(utf8ToBytes(text)));
const hashWords = (values: readonly Word[]): Bytes => `0x${bytesToHex(keccak_256(hexToBytes(words(values))))}`;

/** The first four bytes of a call. @param signature such as `approve(address,uint256)` */
const selector = (signature: string): string => hashText(signature).slice(0, 8);

/** The on-chain name of a handle. @param slug `alice`, `x:name` or `telegram:id:123` */
export function handleKeyOf(slug: string): Bytes {
  return `0x${hashText(slug)}`;
}

/** An escrow's id at the escrow router of a chain. */
export function onChainIdOf(at: { chainId: number; router: string }, { sender, senderNonce }: EscrowTerms): Bytes {
  return hashWords([BigInt(at.chainId), at.router, sender, senderNonce]);
}

/** The struct hash of an escrow, which is the nonce of the EIP-3009 authorization that pays for it. */
export function hashOfEscrow(escrow: EscrowTerms): Bytes {
  const { types, primaryType } = escrowStruct(escrow);
  const members = (types[primaryType] ?? []).map(({ type, name }) => `${type} ${name}`).join(',');
  return hashWords([hashText(`${primaryType}(${members})`), ...valuesOf(escrow)]);
}

/** ERC-20 `approve`. */
export function approveCall(spender: string, amount: bigint): Bytes {
  return `0x${selector('approve(address,uint256)')}${words([spender, amount])}`;
}

/** `open`: by the sender itself, paid from its allowance. */
export function openCall(escrow: EscrowTerms): Bytes {
  const [, ...terms] = valuesOf(escrow);
  return `0x${selector('open(address,bytes32,uint128,uint64,uint256,bool)')}${words(terms)}`;
}

export type SignedAuthorization = {
  /** Unix seconds. */
  validAfter: bigint;
  validBefore: bigint;
  signature: string;
};

const ESCROW_TYPE = '(address,address,bytes32,uint128,uint64,uint256,bool)';
const AUTHORIZATION_TYPE = '(uint256,uint256,bytes)';
const WORD_BYTES = 32n;

/** `openWithAuthorization`: sent by anyone, paid by what the sender signed for the token (EIP-3009). */
export function authorizedOpenCall(
  escrow: EscrowTerms,
  { validAfter, validBefore, signature }: SignedAuthorization,
): Bytes {
  const bytes = signature.replace(/^0x/, '');
  const padded = bytes.padEnd(Math.ceil(bytes.length / DIGITS) * DIGITS, '0');
  const terms = valuesOf(escrow);
  // Where what has no fixed length begins: behind the escrow and this word; and, counted from there, behind its own three.
  const head = words([...terms, BigInt(terms.length + 1) * WORD_BYTES]);
  const tail = words([validAfter, validBefore, 3n * WORD_BYTES, BigInt(bytes.length / 2)]);
  return `0x${selector(`openWithAuthorization(${ESCROW_TYPE},${AUTHORIZATION_TYPE})`)}${head}${tail}${padded}`;
}

/** In the order of the struct. */
function valuesOf({ sender, token, handleKey, amount, deadline, senderNonce, revocable }: EscrowTerms): Word[] {
  return [sender, token, handleKey, amount, deadline, senderNonce, revocable];
}
