// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {RouterTest} from "./RouterTest.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

/// @dev What IRoles promises, for any router.
abstract contract RolesSuite is RouterTest {
    function test_transferOwnership_takesTwoSteps() external {
        IRoles router = IRoles(subject);
        vm.expectEmit(address(router));
        emit IRoles.OwnershipTransferStarted(owner, other);
        vm.prank(owner);
        router.transferOwnership(other);
        assertEq(router.owner(), owner);
        assertEq(router.pendingOwner(), other);
        vm.expectEmit(address(router));
        emit IRoles.OwnershipTransferred(owner, other);
        vm.prank(other);
        router.acceptOwnership();
        assertEq(router.owner(), other);
        assertEq(router.pendingOwner(), address(0));
    }

    function test_transferOwnership_canBeWithdrawn() external {
        IRoles router = IRoles(subject);
        vm.startPrank(owner);
        router.transferOwnership(other);
        router.transferOwnership(address(0));
        vm.stopPrank();
        vm.prank(other);
        vm.expectRevert(IRoles.NotPendingOwner.selector);
        router.acceptOwnership();
    }

    function test_ownersCalls_revertWhenCallerIsNot() external {
        IRoles router = IRoles(subject);
        vm.startPrank(guardian);
        vm.expectRevert(IRoles.NotOwner.selector);
        router.transferOwnership(other);
        vm.expectRevert(IRoles.NotOwner.selector);
        router.setGuardian(other);
        vm.expectRevert(IRoles.NotOwner.selector);
        router.unpause();
        vm.stopPrank();
    }

    function test_pause_byGuardianOrOwnerOnly() external {
        IRoles router = IRoles(subject);
        vm.expectEmit(address(router));
        emit IRoles.PausedSet(guardian, true);
        vm.prank(guardian);
        router.pause();
        assertTrue(router.paused());
        vm.expectEmit(address(router));
        emit IRoles.PausedSet(owner, false);
        vm.startPrank(owner);
        router.unpause();
        assertFalse(router.paused());
        router.pause();
        vm.stopPrank();
        assertTrue(router.paused());
        vm.prank(executor);
        vm.expectRevert(IRoles.NotGuardian.selector);
        router.pause();
    }

    function test_setGuardian_atOnce() external {
        IRoles router = IRoles(subject);
        vm.expectEmit(address(router));
        emit IRoles.GuardianChanged(guardian, other);
        vm.prank(owner);
        router.setGuardian(other);
        vm.prank(guardian);
        vm.expectRevert(IRoles.NotGuardian.selector);
        router.pause();
        vm.prank(other);
        router.pause();
    }

    function test_roles_stayDistinct() external {
        IRoles router = IRoles(subject);
        address candidate = makeAddr("candidate");
        vm.startPrank(owner);
        router.transferOwnership(candidate);
        address[4] memory taken = [owner, guardian, candidate, subject];
        for (uint256 i; i < taken.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, taken[i]));
            router.transferOwnership(taken[i]);
            vm.expectRevert(abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, taken[i]));
            router.setGuardian(taken[i]);
        }
        vm.expectRevert(IRoles.ZeroAddress.selector);
        router.setGuardian(address(0));
        vm.stopPrank();
    }
}
