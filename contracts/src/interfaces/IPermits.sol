// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title What a payer signs for a token so that no separate approval is needed
interface IPermits {
    /// @notice EIP-2612. It is tried and may fail (somebody may have used it first): then the allowance decides.
    struct Permit {
        uint256 value;
        uint256 deadline;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    /// @notice Permit2 SignatureTransfer with a witness; the spender is the router and the permitted amount the exact one.
    struct Permit2 {
        uint256 nonce;
        uint256 deadline;
        bytes signature;
    }

    /// @notice Permit2 AllowanceTransfer, for draws that recur: token, amount and expiration of `PermitSingle`; the spender is
    /// the router.
    struct Permit2Allowance {
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
        uint256 deadline;
        bytes signature;
    }

    /// @notice EIP-3009 `receiveWithAuthorization`; its nonce is not given, the router derives it.
    struct Authorization {
        uint256 validAfter;
        uint256 validBefore;
        bytes signature;
    }
}
