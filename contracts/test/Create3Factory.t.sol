// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {Create3Factory} from "../src/Create3Factory.sol";

contract Create3FactoryTest is Test {
    Create3Factory private factory = new Create3Factory(address(this));

    function test_deploy_atAnAddressOfSaltAlone() external {
        address predicted = factory.addressOf("salt");
        vm.expectEmit(address(factory));
        emit Create3Factory.Deployed("salt", predicted);
        // Code that returns the byte 0x01.
        assertEq(factory.deploy("salt", hex"600160005360016000f3"), predicted);
        assertEq(predicted.code, hex"01");
        assertTrue(factory.addressOf("other") != predicted);
    }

    function test_deploy_revertsWhenTheSaltWasUsed() external {
        factory.deploy("salt", hex"600160005360016000f3");
        vm.expectRevert();
        factory.deploy("salt", hex"600260005360016000f3");
    }

    function test_deploy_revertsWhenCallerIsNotTheOwner() external {
        vm.prank(address(1));
        vm.expectRevert(Create3Factory.NotOwner.selector);
        factory.deploy("salt", hex"600160005360016000f3");
    }
}
