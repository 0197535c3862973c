// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A plain token with 18 decimals and without permits, as USDC is on BSC; for local chains and tests
contract Token18 is ERC20 {
    address public immutable minter;

    error NotMinter();

    constructor(address minter_) ERC20("USD Coin", "USDC") {
        minter = minter_;
    }

    function mint(address to, uint256 amount) external {
        if (msg.sender != minter) revert NotMinter();
        _mint(to, amount);
    }
}
