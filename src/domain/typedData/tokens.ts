// What a payer signs for the token (EIP-3009) or for Permit2, so that a router may take the amount without an approval of its own.
import { type Bytes, fields, type Struct, signedFor, struct, type TypedData, type Verifier } from '../typedData.ts';

export type AuthorizationTerms = {
  from: Bytes;
  /** The router: only it may use the authorization. */
  to: Bytes;
  value: bigint;
  /** Unix seconds: usable after the first and before the second, both exclusive. */
  validAfter: bigint;
  validBefore: bigint;
  /** Hash of the order or of the escrow that is paid: the router demands exactly that one. */
  nonce: Bytes;
};

const AUTHORIZATION = 'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce';

/** EIP-3009 `ReceiveWithAuthorization`. `tokenDomain` is the token's own EIP-712 name and version. */
export function authorizationData(
  at: Verifier,
  tokenDomain: { name: string; version: string },
  terms: AuthorizationTerms,
): TypedData {
  return signedFor(at, tokenDomain, struct('ReceiveWithAuthorization', AUTHORIZATION, terms));
}

/** EIP-3009 `TransferWithAuthorization`: anyone may send it, and `to` gets the value. `nonce` is any that the owner has not used. */
export function transferData(
  at: Verifier,
  tokenDomain: { name: string; version: string },
  terms: AuthorizationTerms,
): TypedData {
  return signedFor(at, tokenDomain, struct('TransferWithAuthorization', AUTHORIZATION, terms));
}

/** Permit2 has no version in its domain. */
const PERMIT2 = { name: 'Permit2' };

export type WitnessTerms = {
  token: Bytes;
  amount: bigint;
  /** The router. */
  spender: Bytes;
  /** Any number that the owner has not used with Permit2: they need no order. */
  nonce: bigint;
  /** Unix seconds. */
  deadline: bigint;
};

/** Permit2 `PermitWitnessTransferFrom`, with the order or the escrow that is paid as its witness. */
export function permit2WitnessData(at: Verifier, terms: WitnessTerms, witness: Struct): TypedData {
  const outer = fields('TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline');
  const permitted = struct('TokenPermissions', 'address token,uint256 amount', terms);
  return signedFor(at, PERMIT2, {
    primaryType: 'PermitWitnessTransferFrom',
    types: {
      PermitWitnessTransferFrom: [...outer, { name: 'witness', type: witness.primaryType }],
      ...permitted.types,
      ...witness.types,
    },
    message: {
      permitted: permitted.message,
      spender: terms.spender,
      nonce: String(terms.nonce),
      deadline: String(terms.deadline),
      witness: witness.message,
    },
  });
}

export type Permit2AllowanceTerms = {
  token: Bytes;
  /** The most that may be drawn until `expiration` (Unix seconds, 48 bits). Below 2^160. */
  amount: bigint;
  expiration: number;
  /** The owner's next one for (token, spender) at Permit2. */
  nonce: number;
  /** The router. */
  spender: Bytes;
  /** Unix seconds. */
  deadline: bigint;
};

/** Permit2 `PermitSingle`, for draws that recur. */
export function permit2AllowanceData(at: Verifier, terms: Permit2AllowanceTerms): TypedData {
  const details = struct('PermitDetails', 'address token,uint160 amount,uint48 expiration,uint48 nonce', terms);
  return signedFor(at, PERMIT2, {
    primaryType: 'PermitSingle',
    types: {
      PermitSingle: fields('PermitDetails details,address spender,uint256 sigDeadline'),
      ...details.types,
    },
    message: { details: details.message, spender: terms.spender, sigDeadline: String(terms.deadline) },
  });
}
