// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IBridgeAdapter} from "./IBridgeAdapter.sol";

/// @title The bridge adapter that uses Across
interface IAcrossAdapter is IBridgeAdapter {
    /// @param destinationChain EIP-155 id of the destination.
    /// @param token What leaves this chain.
    /// @param outputToken What arrives there; an EVM address stands in the low 20 bytes.
    struct Route {
        uint256 destinationChain;
        address token;
        bytes32 outputToken;
    }

    error ZeroAddress();
    error NoCode(address account);
    /// @notice A route names no token, this chain, or a pair that another one has.
    error InvalidRoute(uint256 destinationChain, address token);

    /// @notice Across's SpokePool of this chain.
    function pool() external view returns (address);

    /// @notice What arrives on `destinationChain` for `token`; zero without a route.
    function outputTokenOf(uint256 destinationChain, address token) external view returns (bytes32);

    /// @notice The id that the deposit of a message of `sender` has or will have.
    function transferIdOf(address sender, bytes32 messageKey) external view returns (bytes32);
}
