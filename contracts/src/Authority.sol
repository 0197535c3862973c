// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Executors} from "./Executors.sol";
import {Roles} from "./Roles.sol";
import {IEscrowRouter} from "./interfaces/IEscrowRouter.sol";

/// @title The handle authority of the escrow router, its rotation, and the pause of claims
/// @dev The authority and the end of a pause of claims ride in the executors' lanes, so that a claim reads one slot.
abstract contract Authority is IEscrowRouter, Executors {
    uint64 private constant AUTHORITY_DELAY = 7 days;
    uint64 private constant MOST_PAUSE = 72 hours;
    /// @dev The end of a pause rides in the 32 bits above: good until 2106.
    uint256 private constant CLAIMS_PAUSED_SHIFT = 224;

    address public authority;
    /// @dev Tabs that were opened up to this second are refundable by their senders: they were opened under another authority.
    uint64 internal _changedAt;
    address private _nextAuthority;
    uint64 private _nextAuthorityAt;

    uint64 private _pausedFrom;
    uint64 public claimsPausedUntil;

    constructor(address authority_) {
        _take(authority_);
        authority = authority_;
        _refreshLanes();
        emit AuthorityChanged(address(0), authority_);
    }

    /// @inheritdoc IEscrowRouter
    function announceAuthority(address next) external onlyOwner {
        uint64 effectiveAt;
        if (next != address(0)) {
            _take(next);
            effectiveAt = uint64(block.timestamp) + AUTHORITY_DELAY;
        }
        _nextAuthority = next;
        _nextAuthorityAt = effectiveAt;
        emit AuthorityAnnounced(next, effectiveAt);
    }

    /// @inheritdoc IEscrowRouter
    function applyAuthority() external {
        address next = _nextAuthority;
        if (next == address(0)) revert NothingAnnounced();
        if (block.timestamp < _nextAuthorityAt) revert TooEarly(_nextAuthorityAt);
        emit AuthorityChanged(authority, next);
        authority = next;
        _changedAt = uint64(block.timestamp);
        _nextAuthority = address(0);
        _nextAuthorityAt = 0;
        _refreshLanes();
    }

    /// @inheritdoc IEscrowRouter
    function pendingAuthority() external view returns (address next, uint64 effectiveAt) {
        return (_nextAuthority, _nextAuthorityAt);
    }

    /// @inheritdoc IEscrowRouter
    function pauseClaims(uint64 duration) external {
        if (msg.sender != guardian) revert NotGuardian();
        if (duration == 0 || duration > MOST_PAUSE) revert InvalidDeadline();
        // As long as the last pause was, claims have to run.
        uint64 from = claimsPausedUntil + (claimsPausedUntil - _pausedFrom);
        if (block.timestamp < from) revert PauseTooSoon(from);
        _pausedFrom = uint64(block.timestamp);
        _setClaimsPausedUntil(uint64(block.timestamp) + duration);
    }

    /// @inheritdoc IEscrowRouter
    function unpauseClaims() external onlyOwner {
        // A pause that is over keeps the length that it had.
        if (block.timestamp < claimsPausedUntil) _setClaimsPausedUntil(uint64(block.timestamp));
    }

    /// @dev The caller is an executor in force and claims are not paused.
    /// @return The authority of the day.
    function _enterClaim() internal view returns (address) {
        uint256 lane = _laneOf(msg.sender);
        uint256 activeFrom = uint64(lane >> ACTIVE_FROM_SHIFT);
        if (activeFrom == 0 || activeFrom > block.timestamp) revert NotExecutor();
        uint256 until = lane >> CLAIMS_PAUSED_SHIFT;
        if (block.timestamp < until) revert ClaimsArePaused(uint64(until));
        return address(uint160(lane));
    }

    /// @dev Whether the sender of a tab that was opened then may refund it because the authority changes, or has changed.
    function _underAnotherAuthority(uint256 openedAt) internal view returns (bool) {
        return _nextAuthority != address(0) || openedAt <= _changedAt;
    }

    function _setClaimsPausedUntil(uint64 until) private {
        claimsPausedUntil = until;
        _refreshLanes();
        emit ClaimsPaused(msg.sender, until);
    }

    function _rider() internal view override returns (uint256) {
        return uint256(uint160(authority)) | uint256(claimsPausedUntil) << CLAIMS_PAUSED_SHIFT;
    }

    function _hasRole(address account) internal view override returns (bool) {
        return account == authority || account == _nextAuthority || super._hasRole(account);
    }
}
