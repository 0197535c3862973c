// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Roles} from "./Roles.sol";
import {Slots} from "./Slots.sol";
import {IExecutors} from "./interfaces/IExecutors.sol";

/// @title The allowlist of executors
/// @dev Each executor has one slot, its lane: the Unix second from which it may act in bits 160 to 223. What else an executor's
/// transaction has to know rides in the other bits, so that the hot path reads one slot; whoever changes it refreshes the lanes,
/// of which there are at most 16. A lane stands at a tag and the executor's address (see Slots).
abstract contract Executors is Roles, IExecutors {
    uint256 private constant MAX_EXECUTORS = 16;
    uint64 private constant EXECUTOR_DELAY = 24 hours;
    uint256 internal constant ACTIVE_FROM_SHIFT = 160;

    address[] private _executors;

    constructor(address[] memory executors_) {
        for (uint256 i; i < executors_.length; ++i) {
            _addExecutor(executors_[i], uint64(block.timestamp));
        }
    }

    /// @inheritdoc IExecutors
    function addExecutor(address account) external onlyOwner {
        _addExecutor(account, uint64(block.timestamp) + EXECUTOR_DELAY);
    }

    /// @inheritdoc IExecutors
    function removeExecutor(address account) external onlyOwner {
        if (executorActiveFrom(account) == 0) revert UnknownExecutor(account);
        Slots.at(Slots.LANE, account).value = 0;
        uint256 last = _executors.length - 1;
        uint256 at;
        while (_executors[at] != account) ++at;
        _executors[at] = _executors[last];
        _executors.pop();
        emit ExecutorRemoved(account);
    }

    /// @inheritdoc IExecutors
    function isExecutor(address account) public view returns (bool) {
        uint64 activeFrom = executorActiveFrom(account);
        return activeFrom != 0 && activeFrom <= block.timestamp;
    }

    /// @inheritdoc IExecutors
    function executorActiveFrom(address account) public view returns (uint64) {
        return uint64(_laneOf(account) >> ACTIVE_FROM_SHIFT);
    }

    /// @inheritdoc IExecutors
    function executors() external view returns (address[] memory) {
        return _executors;
    }

    function _laneOf(address account) internal view returns (uint256) {
        return Slots.at(Slots.LANE, account).value;
    }

    /// @dev What rides in the lanes: bits 0 to 159 and 224 to 255.
    function _rider() internal view virtual returns (uint256) {
        return 0;
    }

    /// @dev Writes what rides into every lane.
    function _refreshLanes() internal {
        uint256 rider = _rider();
        for (uint256 i; i < _executors.length; ++i) {
            Slots.Word storage lane = Slots.at(Slots.LANE, _executors[i]);
            lane.value = uint256(uint64(lane.value >> ACTIVE_FROM_SHIFT)) << ACTIVE_FROM_SHIFT | rider;
        }
    }

    function _hasRole(address account) internal view virtual override returns (bool) {
        return executorActiveFrom(account) != 0 || super._hasRole(account);
    }

    function _addExecutor(address account, uint64 activeFrom) private {
        if (executorActiveFrom(account) != 0) revert AlreadyExecutor(account);
        if (_executors.length == MAX_EXECUTORS) revert TooManyExecutors();
        _take(account);
        Slots.at(Slots.LANE, account).value = uint256(activeFrom) << ACTIVE_FROM_SHIFT | _rider();
        _executors.push(account);
        emit ExecutorAdded(account, activeFrom);
    }
}
