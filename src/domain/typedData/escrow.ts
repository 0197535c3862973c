// What is signed for the escrow router (IEscrowRouter): a claim by the handle authority, a refund by the escrow's sender; and the escrow
// itself, which a sender signs as part of what the token or Permit2 asks for.
import { type Bytes, type Struct, signedFor, struct, type TypedData, type Verifier } from '../typedData.ts';

const ROUTER = { name: 'Ampersat Escrow Router', version: '1' } as const;

/** An escrow's terms. Claims and refunds are given all of them again. */
export type EscrowTerms = {
  sender: Bytes;
  /** USDC or the wrapped native asset. */
  token: Bytes;
  /** keccak256 of the slug, such as `telegram:id:123`. */
  handleKey: Bytes;
  /** Smallest units. */
  amount: bigint;
  /** Unix second from which anyone may refund: 1 hour to 90 days after opening. */
  deadline: bigint;
  /** The sender's own choice; with the sender it makes the escrow's id. */
  senderNonce: bigint;
  /** The sender may refund at any time while it is unclaimed. */
  revocable: boolean;
};

/** The terms of a tab on a chain of any family: addresses as the chain writes them. */
export type TabTerms = Omit<EscrowTerms, 'sender' | 'token'> & { sender: string; token: string };

/** The struct whose hash is the EIP-3009 nonce and the Permit2 witness of an opening. */
export function escrowStruct(escrow: EscrowTerms): Struct {
  const members =
    'address sender,address token,bytes32 handleKey,uint128 amount,uint64 deadline,uint256 senderNonce,bool revocable';
  return struct('Tab', members, escrow);
}

export type ClaimTerms = {
  tabId: Bytes;
  /** The escrow's own. */
  handleKey: Bytes;
  recipient: Bytes;
  /** Last Unix second of the attestation, at most 10 minutes ahead. */
  notAfter: bigint;
};

/** `Claim`: the handle authority attests that the recipient is the handle's owner. */
export function claimData(at: Verifier, terms: ClaimTerms): TypedData {
  const members = 'bytes32 tabId,bytes32 handleKey,address recipient,uint64 notAfter';
  return signedFor(at, ROUTER, struct('Claim', members, terms));
}

/** `Refund`: anyone may submit the sender's early refund until `deadline` (Unix seconds). */
export function escrowRefundData(at: Verifier, terms: { tabId: Bytes; deadline: bigint }): TypedData {
  return signedFor(at, ROUTER, struct('Refund', 'bytes32 tabId,uint256 deadline', terms));
}
