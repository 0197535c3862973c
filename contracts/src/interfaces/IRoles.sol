// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Owner, guardian and the pause that every router shares
/// @notice Owner, guardian, treasury, handle authority and executors are pairwise distinct: the constructor checks it and so
/// does every later change. No role can move the funds of a user.
interface IRoles {
    event OwnershipTransferStarted(address indexed owner, address indexed pendingOwner);
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);
    event GuardianChanged(address indexed previousGuardian, address indexed newGuardian);
    event PausedSet(address indexed by, bool paused);

    error NotOwner();
    error NotPendingOwner();
    error NotGuardian();
    /// @notice New work is paused. What ends a commitment (refund, cancel, revoke, unsubscribe, close) never reverts with this.
    error Paused();
    error ZeroAddress();
    /// @notice One address would hold two roles.
    error RolesNotDistinct(address account);

    function owner() external view returns (address);
    function pendingOwner() external view returns (address);
    function guardian() external view returns (address);
    /// @notice Whether new work is paused.
    function paused() external view returns (bool);

    /// @notice First of two steps; a second call replaces the candidate, the zero address withdraws it. Owner only.
    function transferOwnership(address newOwner) external;
    /// @notice Second step, by the candidate.
    function acceptOwnership() external;
    /// @notice Replaces the guardian at once: all that it can do is pause, so no user needs time to leave. Owner only.
    function setGuardian(address newGuardian) external;
    /// @notice Stops new work. Guardian or owner.
    function pause() external;
    /// @notice Lets new work in again. Owner only.
    function unpause() external;
}
