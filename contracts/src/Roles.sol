// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRoles} from "./interfaces/IRoles.sol";

/// @title Owner and guardian of a router
/// @dev Where the pause flag stands is each router's own business: it reads the flag together with what else its hot path needs.
abstract contract Roles is IRoles {
    address public owner;
    address public pendingOwner;
    address public guardian;

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner();
        _;
    }

    modifier whenNotPaused() {
        if (paused()) revert Paused();
        _;
    }

    constructor(address owner_, address guardian_) {
        _take(owner_);
        owner = owner_;
        _take(guardian_);
        guardian = guardian_;
        emit OwnershipTransferred(address(0), owner_);
        emit GuardianChanged(address(0), guardian_);
    }

    /// @inheritdoc IRoles
    function transferOwnership(address newOwner) external onlyOwner {
        if (newOwner != address(0)) _take(newOwner);
        pendingOwner = newOwner;
        emit OwnershipTransferStarted(owner, newOwner);
    }

    /// @inheritdoc IRoles
    function acceptOwnership() external {
        if (msg.sender != pendingOwner) revert NotPendingOwner();
        emit OwnershipTransferred(owner, msg.sender);
        owner = msg.sender;
        pendingOwner = address(0);
    }

    /// @inheritdoc IRoles
    function setGuardian(address newGuardian) external onlyOwner {
        _take(newGuardian);
        emit GuardianChanged(guardian, newGuardian);
        guardian = newGuardian;
    }

    /// @inheritdoc IRoles
    function pause() external {
        if (msg.sender != guardian && msg.sender != owner) revert NotGuardian();
        _setPaused(true);
        emit PausedSet(msg.sender, true);
    }

    /// @inheritdoc IRoles
    function unpause() external onlyOwner {
        _setPaused(false);
        emit PausedSet(msg.sender, false);
    }

    /// @inheritdoc IRoles
    function paused() public view virtual returns (bool);

    function _setPaused(bool paused_) internal virtual;

    /// @dev Whether `account` has a role or is a candidate for one. Each part of a router adds its own. The router itself can hold none:
    /// fees that it got, for one, could never leave it again.
    function _hasRole(address account) internal view virtual returns (bool) {
        return account == owner || account == pendingOwner || account == guardian || account == address(this);
    }

    /// @dev Refuses an address that cannot get another role.
    function _take(address account) internal view {
        if (account == address(0)) revert ZeroAddress();
        if (_hasRole(account)) revert RolesNotDistinct(account);
    }
}
