// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The allowlist of executors: the service's hot keys
/// @notice The executors of the constructor are in force at once, later ones 24 hours after they were added; removal is
/// immediate. At most 16 at a time.
interface IExecutors {
    event ExecutorAdded(address indexed executor, uint64 activeFrom);
    event ExecutorRemoved(address indexed executor);

    error NotExecutor();
    error AlreadyExecutor(address account);
    error UnknownExecutor(address account);
    error TooManyExecutors();

    /// @notice Whether `account` may act now: added, and its delay is over.
    function isExecutor(address account) external view returns (bool);
    /// @notice Unix second from which `account` may act; 0 when it was never added or has been removed.
    function executorActiveFrom(address account) external view returns (uint64);
    /// @notice All executors, those that wait for their delay too.
    function executors() external view returns (address[] memory);
    /// @notice In force after 24 hours. Owner only.
    function addExecutor(address account) external;
    /// @notice At once. Owner only.
    function removeExecutor(address account) external;
}
