// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {Slots} from "../src/Slots.sol";

contract SlotsTest is Test {
    function testFuzz_at_isApartForEachTagAndAddress(address a, address b) external pure {
        uint256[3] memory tags = [Slots.LANE, Slots.USDC, Slots.NATIVE];
        for (uint256 i; i < 3; ++i) {
            assertEq(uint160(tags[i]), 0, "a tag leaves the address its bits");
            for (uint256 j; j < 3; ++j) {
                assertEq(_slot(tags[i], a) == _slot(tags[j], b), i == j && a == b);
            }
        }
    }

    function _slot(uint256 tag, address account) private pure returns (uint256 slot) {
        Slots.Word storage word = Slots.at(tag, account);
        assembly ("memory-safe") {
            slot := word.slot
        }
    }
}
