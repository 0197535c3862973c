/** Chain addresses as people paste them: EVM with its checksum (EIP-55), Solana in base58. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, hex } from '@scure/base';
import { type ParseRefusal, refuse } from './result.ts';

const BASE58 = /^(?=.*[A-Za-z])[1-9A-HJ-NP-Za-km-z]{32,44}$/;
/** Below this stand the zero address and the precompiles, for which no key exists. */
const FIRST_USABLE = 0x10000n;
const BURN = '0x000000000000000000000000000000000000dead';

export function looksLikeAddress(text: string): boolean {
  return /^0x/i.test(text) || BASE58.test(text) || /^(?:eip155|solana|ethereum|base):/i.test(text);
}

/** The mixed-case form of a lower-case EVM address. */
function toChecksum(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = hex.encode(keccak_256(new TextEncoder().encode(digits)));
  let mixed = '0x';
  for (const [index, digit] of [...digits].entries()) {
    mixed += Number.parseInt(hash[index] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit;
  }
  return mixed;
}

function readEvm(text: string): string | ParseRefusal {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return refuse('recipient_invalid');
  const digits = text.slice(2);
  const canonical = toChecksum(text);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!isOneCase && canonical !== text) return refuse('address_checksum');
  const isUsable = BigInt(text) >= FIRST_USABLE && text.toLowerCase() !== BURN;
  return isUsable ? canonical : refuse('recipient_invalid');
}

function readSolana(text: string): string | ParseRefusal {
  try {
    const bytes = base58.decode(text);
    return bytes.length === 32 && bytes.some((byte) => byte !== 0) ? text : refuse('recipient_invalid');
  } catch {
    return refuse('recipient_invalid');
  }
}

/** The canonical address, or why it cannot be paid. Does not recognise Solana addresses off the curve. */
export function readAddress(text: string): string | ParseRefusal {
  if (/^0x/i.test(text)) return readEvm(text);
  return BASE58.test(text) ? readSolana(text) : refuse('recipient_invalid');
}
