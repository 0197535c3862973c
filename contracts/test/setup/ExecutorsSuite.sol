// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {RouterTest} from "./RouterTest.sol";
import {IExecutors} from "../../src/interfaces/IExecutors.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

/// @dev What IExecutors promises, for any router that has executors.
abstract contract ExecutorsSuite is RouterTest {
    function test_executors_ofTheConstructorAreInForce() external view {
        IExecutors router = IExecutors(subject);
        assertEq(router.executors(), executorList());
        assertTrue(router.isExecutor(executor));
        assertEq(router.executorActiveFrom(executor), START);
        assertFalse(router.isExecutor(other));
        assertEq(router.executorActiveFrom(other), 0);
    }

    function test_addExecutor_isInForceAfter24Hours() external {
        IExecutors router = IExecutors(subject);
        vm.expectEmit(address(router));
        emit IExecutors.ExecutorAdded(other, uint64(START + 24 hours));
        vm.prank(owner);
        router.addExecutor(other);
        assertEq(router.executorActiveFrom(other), START + 24 hours);
        vm.warp(START + 24 hours - 1);
        assertFalse(router.isExecutor(other));
        vm.warp(START + 24 hours);
        assertTrue(router.isExecutor(other));
    }

    function test_addExecutor_revertsWhenThereAreTooMany() external {
        IExecutors router = IExecutors(subject);
        vm.startPrank(owner);
        for (uint256 i = 1; i < 16; ++i) {
            router.addExecutor(address(uint160(0x1000 + i)));
        }
        vm.expectRevert(IExecutors.TooManyExecutors.selector);
        router.addExecutor(other);
        router.removeExecutor(address(0x1007));
        router.addExecutor(other);
        vm.stopPrank();
        assertEq(router.executors().length, 16);
    }

    function test_removeExecutor_atOnce() external {
        IExecutors router = IExecutors(subject);
        vm.expectEmit(address(router));
        emit IExecutors.ExecutorRemoved(executor);
        vm.startPrank(owner);
        router.removeExecutor(executor);
        vm.expectRevert(abi.encodeWithSelector(IExecutors.UnknownExecutor.selector, executor));
        router.removeExecutor(executor);
        vm.stopPrank();
        assertEq(router.executors().length, 0);
        assertFalse(router.isExecutor(executor));
    }

    function test_executors_revertWhenCallerIsNotOwner() external {
        IExecutors router = IExecutors(subject);
        vm.startPrank(guardian);
        vm.expectRevert(IRoles.NotOwner.selector);
        router.addExecutor(other);
        vm.expectRevert(IRoles.NotOwner.selector);
        router.removeExecutor(executor);
        vm.stopPrank();
    }

    function test_executors_stayDistinctFromOtherRoles() external {
        IExecutors router = IExecutors(subject);
        vm.startPrank(owner);
        IRoles(subject).transferOwnership(other);
        address[3] memory taken = [owner, guardian, other];
        for (uint256 i; i < taken.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, taken[i]));
            router.addExecutor(taken[i]);
        }
        vm.expectRevert(IRoles.ZeroAddress.selector);
        router.addExecutor(address(0));
        vm.expectRevert(abi.encodeWithSelector(IExecutors.AlreadyExecutor.selector, executor));
        router.addExecutor(executor);
        vm.expectRevert(abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, executor));
        IRoles(subject).setGuardian(executor);
        vm.stopPrank();
    }
}
