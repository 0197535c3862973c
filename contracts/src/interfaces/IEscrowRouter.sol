// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IExecutors} from "./IExecutors.sol";
import {IPermits} from "./IPermits.sol";
import {IRoles} from "./IRoles.sol";

/// @title OpenTab: funds locked for a handle
/// @notice A tab pays out once, in full, to one party: the claimant, or its sender. It is kept as one commitment hash, so claims
/// and refunds are given the whole tab (the `TabOpened` event carries it); a closed id stays a tombstone. Claims and refunds
/// never touch the treasury: this router has none.
///
/// handleKey = keccak256 of the UTF-8 slug: `alice`, `x:name`, `telegram:id:123`.
/// EIP-712 domain: name "Ampersat Escrow Router", version "1", chainId, verifyingContract. Types:
/// `Claim(bytes32 tabId,bytes32 handleKey,address recipient,uint64 notAfter)`, signed by the handle authority
/// `Refund(bytes32 tabId,uint256 deadline)`, signed by the tab's sender
/// `Tab(address sender,address token,bytes32 handleKey,uint128 amount,uint64 deadline,uint256 senderNonce,bool revocable)`,
/// whose struct hash is the Permit2 witness; witness type string: `Tab witness)Tab(address sender,address token,bytes32
/// handleKey,uint128 amount,uint64 deadline,uint256 senderNonce,bool revocable)TokenPermissions(address token,uint256 amount)`,
/// written without a line break.
/// Signatures are tried as ECDSA first, then by ERC-1271.
interface IEscrowRouter is IRoles, IExecutors, IPermits {
    /// @param token USDC or the wrapped native asset (paid out as the native one with bounded gas, else wrapped).
    /// @param amount In smallest units; not zero.
    /// @param deadline Unix second from which anyone may refund: 1 hour to 90 days after opening.
    /// @param senderNonce The sender's own choice; with the sender it makes the id.
    /// @param revocable The sender may refund at any time while it is unclaimed.
    struct Tab {
        address sender;
        address token;
        bytes32 handleKey;
        uint128 amount;
        uint64 deadline;
        uint256 senderNonce;
        bool revocable;
    }

    /// @dev The values are part of the interface: 0 unknown, 1 open, 2 claimed, 3 refunded.
    enum Status {
        Unknown,
        Open,
        Claimed,
        Refunded
    }

    event TabOpened(
        bytes32 indexed tabId,
        address indexed sender,
        bytes32 indexed handleKey,
        address token,
        uint128 amount,
        uint64 deadline,
        uint256 senderNonce,
        bool revocable
    );
    event TabClaimed(bytes32 indexed tabId, bytes32 indexed handleKey, address indexed recipient, address token, uint256 amount);
    event TabRefunded(bytes32 indexed tabId, address indexed sender, address token, uint256 amount);
    event AuthorityAnnounced(address indexed authority, uint64 effectiveAt);
    event AuthorityChanged(address indexed previousAuthority, address indexed newAuthority);
    event ClaimsPaused(address indexed by, uint64 until);

    error NotBotRouter();
    error TabExists(bytes32 tabId);
    /// @notice No open tab has these terms. `status` tells whether it was claimed (2), refunded (3) or never opened (0).
    error TabNotOpen(bytes32 tabId, Status status);
    error ZeroAmount();
    error UnsupportedToken();
    error InvalidDeadline();
    error InvalidRecipient();
    /// @notice The router's balance does not cover its open tabs and the new one.
    error NotFunded();
    error Expired();
    /// @notice `notAfter` lies more than 10 minutes ahead.
    error AttestationTooLong();
    error InvalidSignature();
    /// @notice Before the deadline only the sender of a revocable tab may refund, or any sender once another authority is announced.
    error NotRefundable();
    error ClaimsArePaused(uint64 until);
    /// @notice The guardian may pause claims again only after they ran for as long as the last pause lasted.
    error PauseTooSoon(uint64 from);
    error NothingAnnounced();
    error TooEarly(uint64 effectiveAt);
    error TransferFailed(bytes reason);

    // ----------------------------------------------------------------------------------------------------------- open: not paused

    /// @notice Opens a tab of the caller, paid from its allowance.
    /// @return tabId keccak256(abi.encode(chainid, router, sender, senderNonce)).
    function open(address token, bytes32 handleKey, uint128 amount, uint64 deadline, uint256 senderNonce, bool revocable)
        external
        returns (bytes32 tabId);

    /// @notice The same after trying an EIP-2612 permit of the caller.
    function openWithPermit(
        address token,
        bytes32 handleKey,
        uint128 amount,
        uint64 deadline,
        uint256 senderNonce,
        bool revocable,
        Permit calldata permit
    ) external returns (bytes32 tabId);

    /// @notice Opens `tab.sender`'s tab by Permit2 with the tab as the witness; anyone may submit it.
    function openWithPermit2(Tab calldata tab, Permit2 calldata permit) external returns (bytes32 tabId);

    /// @notice Opens `tab.sender`'s tab by EIP-3009 with the struct hash of the tab as the nonce; anyone may submit it.
    function openWithAuthorization(Tab calldata tab, Authorization calldata authorization) external returns (bytes32 tabId);

    /// @notice Opens a revocable tab of `sender`. Only the immutable bot router, which has moved `amount` of `token` from the sender
    /// to this router earlier in the same call; this function takes nothing.
    function openFor(address sender, address token, bytes32 handleKey, uint128 amount, uint64 deadline, uint256 senderNonce)
        external
        returns (bytes32 tabId);

    // ---------------------------------------------------------------------------------------------------------------- claim, refund

    /// @notice Pays the tab to `recipient`: an executor, with the handle authority's `Claim` (its handleKey is the tab's). Possible
    /// until the tab is refunded, also after the deadline.
    /// @param notAfter Last Unix second of the attestation, at most 10 minutes ahead.
    function claim(Tab calldata tab, address recipient, uint64 notAfter, bytes calldata authoritySignature) external;

    /// @notice Pays the tab back to its sender: anyone from the deadline on; before it, the sender itself when the tab is
    /// revocable or another authority is announced. Never paused.
    function refund(Tab calldata tab) external;

    /// @notice The sender's early refund on its signature `Refund`, submitted by anyone. Never paused.
    function refundBySig(Tab calldata tab, uint256 deadline, bytes calldata signature) external;

    // ------------------------------------------------------------------------------------------------------- authority and guardian

    /// @notice Announces another handle authority, in force after 7 days; from now on every tab that was open is refundable by its
    /// sender. The zero address withdraws the announcement. Owner only.
    function announceAuthority(address next) external;
    /// @notice Puts the announced authority in force. Anyone, once the delay is over.
    function applyAuthority() external;
    /// @notice Pauses claims for `duration` seconds, at most 72 hours. Guardian only.
    function pauseClaims(uint64 duration) external;
    /// @notice Ends a pause of claims. Owner only.
    function unpauseClaims() external;

    // ----------------------------------------------------------------------------------------------------------------------- views

    function tabIdOf(address sender, uint256 senderNonce) external view returns (bytes32);
    function statusOf(bytes32 tabId) external view returns (Status);
    /// @notice Sum of the open tabs in `token`.
    function openTotal(address token) external view returns (uint256);
    function authority() external view returns (address);
    function pendingAuthority() external view returns (address next, uint64 effectiveAt);
    function claimsPausedUntil() external view returns (uint64);
    function botRouter() external view returns (address);
    function usdc() external view returns (address);
    function wrappedNative() external view returns (address);
    function permit2() external view returns (address);
    function DOMAIN_SEPARATOR() external view returns (bytes32);
}
