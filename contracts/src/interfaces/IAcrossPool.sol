// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title What the adapter uses of Across's SpokePool
interface IAcrossPool {
    /// @notice Takes `inputAmount` of `inputToken` from the caller; a relayer that pays `outputAmount` of `outputToken` to `recipient` on the
    /// destination before `fillDeadline` gets it, and otherwise it returns to `depositor`.
    /// @param depositNonce Chosen by the caller. The deposit's id is keccak256(abi.encodePacked(caller, depositor, depositNonce)).
    function unsafeDeposit(
        bytes32 depositor,
        bytes32 recipient,
        bytes32 inputToken,
        bytes32 outputToken,
        uint256 inputAmount,
        uint256 outputAmount,
        uint256 destinationChainId,
        bytes32 exclusiveRelayer,
        uint256 depositNonce,
        uint32 quoteTimestamp,
        uint32 fillDeadline,
        uint32 exclusivityParameter,
        bytes calldata message
    ) external payable;

    /// @notice The most seconds that a fill deadline may lie ahead.
    function fillDeadlineBuffer() external view returns (uint32);
}
