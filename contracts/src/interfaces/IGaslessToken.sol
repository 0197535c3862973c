// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title What Circle's USDC offers beside ERC-20: EIP-2612 and EIP-3009, the latter with a signature of any length (ERC-1271)
interface IGaslessToken {
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external;

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
}
