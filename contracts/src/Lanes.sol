// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Executors} from "./Executors.sol";
import {Roles} from "./Roles.sol";
import {Treasury} from "./Treasury.sol";

/// @title Executors whose lanes carry the treasury and the pause flag
/// @dev An executor's transaction learns from one slot that it is in force, that new work is not paused, and where fees go.
abstract contract Lanes is Executors, Treasury {
    uint256 private constant PAUSED = 1 << 224;

    /// @dev The caller is an executor in force and new work is not paused.
    /// @return feeTo The treasury of the day.
    function _enter() internal view returns (address feeTo) {
        uint256 lane = _laneOf(msg.sender);
        unchecked {
            // The flag stands above the time, and zero wraps: neither a stranger nor a paused or future executor is below now.
            if ((lane >> ACTIVE_FROM_SHIFT) - 1 >= block.timestamp) _refuse(lane);
        }
        assembly ("memory-safe") {
            // Whoever reads the address in assembly finds its upper bits clean.
            feeTo := shr(96, shl(96, lane))
        }
    }

    function _refuse(uint256 lane) private view {
        uint256 activeFrom = uint64(lane >> ACTIVE_FROM_SHIFT);
        if (activeFrom == 0 || activeFrom > block.timestamp) revert NotExecutor();
        revert Paused();
    }

    /// @inheritdoc Treasury
    function paused() public view override(Roles, Treasury) returns (bool) {
        return super.paused();
    }

    function _rider() internal view override returns (uint256) {
        return uint256(uint160(treasury)) | (paused() ? PAUSED : 0);
    }

    function _setPaused(bool paused_) internal override(Roles, Treasury) {
        super._setPaused(paused_);
        _refreshLanes();
    }

    function _setTreasury(address treasury_) internal override {
        super._setTreasury(treasury_);
        _refreshLanes();
    }

    function _hasRole(address account) internal view override(Executors, Treasury) returns (bool) {
        return super._hasRole(account);
    }
}
