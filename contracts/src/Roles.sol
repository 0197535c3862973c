// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutors} from "./interfaces/IExecutors.sol";
import {IRoles} from "./interfaces/IRoles.sol";
import {ITreasury} from "./interfaces/ITreasury.sol";
import {Slots} from "./Slots.sol";

/// @title Owner, guardian, treasury and executors of a router
/// @dev Everything that an executor's transaction needs to know (is it in force, is new work paused, where do fees go) stands in
/// one slot per executor, its lane, so that the hot path reads one slot instead of three. `treasury` and `paused` are the
/// originals; whatever changes them rewrites the lanes, of which there are at most 16. A lane stands at a tag and the executor's
/// address, which are 256 bits together: no hash is needed to keep it apart (see Slots).
abstract contract Roles is IRoles, IExecutors, ITreasury {
    /// @param activeFrom Unix second; 0 for no executor.
    struct Lane {
        address treasury;
        uint64 activeFrom;
        bool paused;
    }

    uint256 private constant MAX_EXECUTORS = 16;
    uint64 private constant EXECUTOR_DELAY = 24 hours;
    uint64 private constant TREASURY_DELAY = 48 hours;

    address public owner;
    address public pendingOwner;
    address public guardian;
    bool public paused;
    address public treasury;

    address private _nextTreasury;
    uint64 private _nextTreasuryAt;

    address[] private _executors;

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner();
        _;
    }

    constructor(address owner_, address guardian_, address treasury_, address[] memory executors_) {
        _take(owner_);
        owner = owner_;
        _take(guardian_);
        guardian = guardian_;
        _take(treasury_);
        treasury = treasury_;
        emit OwnershipTransferred(address(0), owner_);
        emit GuardianChanged(address(0), guardian_);
        emit TreasuryChanged(address(0), treasury_);
        for (uint256 i; i < executors_.length; ++i) {
            _addExecutor(executors_[i], uint64(block.timestamp));
        }
    }

    // ----------------------------------------------------------------------------------------------------------------------- owner

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
    }

    /// @inheritdoc IRoles
    function unpause() external onlyOwner {
        _setPaused(false);
    }

    // ------------------------------------------------------------------------------------------------------------------- executors

    /// @inheritdoc IExecutors
    function addExecutor(address account) external onlyOwner {
        _addExecutor(account, uint64(block.timestamp) + EXECUTOR_DELAY);
    }

    /// @inheritdoc IExecutors
    function removeExecutor(address account) external onlyOwner {
        if (_lane(account).activeFrom == 0) revert UnknownExecutor(account);
        Lane storage lane = _lane(account);
        (lane.treasury, lane.activeFrom, lane.paused) = (address(0), 0, false);
        uint256 last = _executors.length - 1;
        uint256 at;
        while (_executors[at] != account) ++at;
        _executors[at] = _executors[last];
        _executors.pop();
        emit ExecutorRemoved(account);
    }

    /// @inheritdoc IExecutors
    function isExecutor(address account) public view returns (bool) {
        uint64 activeFrom = _lane(account).activeFrom;
        return activeFrom != 0 && activeFrom <= block.timestamp;
    }

    /// @inheritdoc IExecutors
    function executorActiveFrom(address account) external view returns (uint64) {
        return _lane(account).activeFrom;
    }

    /// @inheritdoc IExecutors
    function executors() external view returns (address[] memory) {
        return _executors;
    }

    // -------------------------------------------------------------------------------------------------------------------- treasury

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
        treasury = next;
        _nextTreasury = address(0);
        _nextTreasuryAt = 0;
        for (uint256 i; i < _executors.length; ++i) {
            _lane(_executors[i]).treasury = next;
        }
    }

    // -------------------------------------------------------------------------------------------------------------------- internal

    /// @dev The caller is an executor in force and new work is not paused.
    /// @return feeTo The treasury of the day.
    function _enter() internal view returns (address feeTo) {
        uint256 word = Slots.at(Slots.LANE, msg.sender).value;
        unchecked {
            // The flag stands above the time, and zero wraps: neither a stranger nor a paused or future executor is below now.
            if ((word >> 160) - 1 >= block.timestamp) _refuse(word);
        }
        assembly ("memory-safe") {
            // Whoever reads the address in assembly finds its upper bits clean.
            feeTo := shr(96, shl(96, word))
        }
    }

    function _refuse(uint256 lane) private view {
        uint256 activeFrom = uint64(lane >> 160);
        if (activeFrom == 0 || activeFrom > block.timestamp) revert NotExecutor();
        revert Paused();
    }

    function _lane(address executor) private pure returns (Lane storage lane) {
        Slots.Word storage word = Slots.at(Slots.LANE, executor);
        assembly ("memory-safe") {
            lane.slot := word.slot
        }
    }

    function _setPaused(bool paused_) private {
        paused = paused_;
        for (uint256 i; i < _executors.length; ++i) {
            _lane(_executors[i]).paused = paused_;
        }
        emit PausedSet(msg.sender, paused_);
    }

    function _addExecutor(address account, uint64 activeFrom) private {
        if (_lane(account).activeFrom != 0) revert AlreadyExecutor(account);
        if (_executors.length == MAX_EXECUTORS) revert TooManyExecutors();
        _take(account);
        Lane storage lane = _lane(account);
        (lane.treasury, lane.activeFrom, lane.paused) = (treasury, activeFrom, paused);
        _executors.push(account);
        emit ExecutorAdded(account, activeFrom);
    }

    /// @dev Refuses an address that already has a role or is a candidate for one.
    function _take(address account) private view {
        if (account == address(0)) revert ZeroAddress();
        if (
            account == owner || account == pendingOwner || account == guardian || account == treasury || account == _nextTreasury
                || _lane(account).activeFrom != 0
        ) revert RolesNotDistinct(account);
    }
}
