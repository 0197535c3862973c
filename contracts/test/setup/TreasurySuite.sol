// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {RouterTest} from "./RouterTest.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";
import {ITreasury} from "../../src/interfaces/ITreasury.sol";

/// @dev What ITreasury promises, for any router that has a treasury. That fees follow it is tested beside each operation.
abstract contract TreasurySuite is RouterTest {
    function test_announceTreasury_isInForceAfter48Hours() external {
        ITreasury router = ITreasury(subject);
        assertEq(router.treasury(), treasury);
        vm.expectRevert(ITreasury.NothingAnnounced.selector);
        router.applyTreasury();
        vm.expectEmit(address(router));
        emit ITreasury.TreasuryAnnounced(other, uint64(START + 48 hours));
        vm.prank(owner);
        router.announceTreasury(other);
        (address next, uint64 effectiveAt) = router.pendingTreasury();
        assertEq(next, other);
        assertEq(effectiveAt, START + 48 hours);
        vm.warp(effectiveAt - 1);
        vm.expectRevert(abi.encodeWithSelector(ITreasury.TooEarly.selector, effectiveAt));
        router.applyTreasury();
        assertEq(router.treasury(), treasury);
        vm.warp(effectiveAt);
        vm.expectEmit(address(router));
        emit ITreasury.TreasuryChanged(treasury, other);
        router.applyTreasury();
        assertEq(router.treasury(), other);
        vm.expectRevert(ITreasury.NothingAnnounced.selector);
        router.applyTreasury();
    }

    function test_announceTreasury_canBeReplacedAndWithdrawn() external {
        ITreasury router = ITreasury(subject);
        vm.startPrank(owner);
        router.announceTreasury(other);
        vm.warp(START + 47 hours);
        router.announceTreasury(makeAddr("heir"));
        vm.warp(START + 48 hours);
        vm.expectPartialRevert(ITreasury.TooEarly.selector);
        router.applyTreasury();
        router.announceTreasury(address(0));
        vm.warp(START + 96 hours);
        vm.expectRevert(ITreasury.NothingAnnounced.selector);
        router.applyTreasury();
        vm.stopPrank();
    }

    function test_treasury_staysDistinctFromOtherRoles() external {
        ITreasury router = ITreasury(subject);
        vm.prank(guardian);
        vm.expectRevert(IRoles.NotOwner.selector);
        router.announceTreasury(other);
        vm.startPrank(owner);
        router.announceTreasury(other);
        address[5] memory taken = [owner, guardian, treasury, other, subject];
        for (uint256 i; i < taken.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, taken[i]));
            router.announceTreasury(taken[i]);
        }
        vm.expectRevert(abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, other));
        IRoles(subject).setGuardian(other);
        vm.expectRevert(abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, treasury));
        IRoles(subject).setGuardian(treasury);
        vm.stopPrank();
    }
}
