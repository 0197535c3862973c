// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "./Tokens.sol";

/// @title What stands at a deposit address: it takes anything and obeys its router alone
/// @dev The router deploys it by CREATE2 with the order's key as the salt, so its code takes no argument.
contract Deposit {
    address private immutable _router = msg.sender;

    error NotRouter();

    receive() external payable {}

    /// @param token The zero address for the native asset.
    function move(address token, address to, uint256 amount) external {
        if (msg.sender != _router) revert NotRouter();
        if (token == address(0)) Tokens.send(to, amount);
        else Tokens.push(token, to, amount);
    }
}
