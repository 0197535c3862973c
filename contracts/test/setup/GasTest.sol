// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {RouterTest} from "./RouterTest.sol";

/// @dev Measures whole isolated transactions, intrinsic gas and calldata included. The numbers go to out/gas/<table>.json; docs/gas.md is
/// written from there. Accounts hold some of each token already unless a row says otherwise.
abstract contract GasTest is RouterTest {
    uint256 internal constant ITEMS = 20;
    string private _json;

    /// @dev Of the call just made, divided by its items.
    function record(string memory name, uint256 items) internal {
        uint256 used = vm.lastCallGas().gasTotalUsed;
        _json = vm.serializeUint("gas", name, used / items);
    }

    /// @dev The measure of everything: one plain `transferFrom` of the token.
    function recordTransferFrom(address from, address to) internal {
        vm.prank(from);
        usdc.approve(address(this), 100 * USD);
        usdc.transferFrom(from, to, 5 * USD);
        record("usdc_transfer_from", 1);
    }

    function save(string memory table) internal {
        vm.createDir("out/gas", true);
        vm.writeFile(string.concat("out/gas/", table, ".json"), _json);
    }
}
