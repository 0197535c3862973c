// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Roles} from "./Roles.sol";
import {ITreasury} from "./interfaces/ITreasury.sol";

/// @title The address that a router's fees go to, and the pause flag in the same slot
abstract contract Treasury is Roles, ITreasury {
    uint64 private constant TREASURY_DELAY = 48 hours;

    address public treasury;
    bool private _paused;
    address private _nextTreasury;
    uint64 private _nextTreasuryAt;

    constructor(address treasury_) {
        _take(treasury_);
        _setTreasury(treasury_);
        emit TreasuryChanged(address(0), treasury_);
    }

    /// @inheritdoc ITreasury
    function pendingTreasury() external view returns (address next, uint64 effectiveAt) {
        return (_nextTreasury, _nextTreasuryAt);
    }

    /// @inheritdoc ITreasury
    function announceTreasury(address next) external onlyOwner {
        uint64 effectiveAt;
        if (next != address(0)) {
            _take(next);
            effectiveAt = uint64(block.timestamp) + TREASURY_DELAY;
        }
        _nextTreasury = next;
        _nextTreasuryAt = effectiveAt;
        emit TreasuryAnnounced(next, effectiveAt);
    }

    /// @inheritdoc ITreasury
    function applyTreasury() external {
        address next = _nextTreasury;
        if (next == address(0)) revert NothingAnnounced();
        if (block.timestamp < _nextTreasuryAt) revert TooEarly(_nextTreasuryAt);
        emit TreasuryChanged(treasury, next);
        _nextTreasury = address(0);
        _nextTreasuryAt = 0;
        _setTreasury(next);
    }

    /// @inheritdoc Roles
    function paused() public view virtual override returns (bool) {
        return _paused;
    }

    function _setPaused(bool paused_) internal virtual override {
        _paused = paused_;
    }

    function _setTreasury(address treasury_) internal virtual {
        treasury = treasury_;
    }

    function _hasRole(address account) internal view virtual override returns (bool) {
        return account == treasury || account == _nextTreasury || super._hasRole(account);
    }
}
