// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BotRouterTest} from "../setup/BotRouterTest.sol";
import {BotRouter} from "../../src/BotRouter.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";
import {IExecutors} from "../../src/interfaces/IExecutors.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";
import {ITreasury} from "../../src/interfaces/ITreasury.sol";

contract RolesTest is BotRouterTest {
    address private other = makeAddr("other");

    function test_constructor_setsEverything() external view {
        assertEq(router.owner(), owner);
        assertEq(router.guardian(), guardian);
        assertEq(router.treasury(), treasury);
        assertEq(router.executors().length, 1);
        assertTrue(router.isExecutor(executor));
        assertEq(router.executorActiveFrom(executor), START);
        assertEq(router.usdc(), address(usdc));
        assertEq(router.wrappedNative(), address(wrapped));
        assertEq(router.escrowRouter(), address(escrow));
        assertEq(router.bridgeAdapter(), address(0));
        assertFalse(router.paused());
    }

    function test_constructor_revertsWhenRolesAreNotDistinct() external {
        address[] memory none = new address[](0);
        address[] memory twice = new address[](2);
        twice[0] = executor;
        twice[1] = executor;
        address[] memory guards = new address[](1);
        guards[0] = guardian;
        _expectConstructor(owner, owner, treasury, none, abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, owner));
        _expectConstructor(owner, guardian, guardian, none, abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, guardian));
        _expectConstructor(owner, guardian, treasury, guards, abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, guardian));
        _expectConstructor(
            owner, guardian, treasury, twice, abi.encodeWithSelector(IExecutors.AlreadyExecutor.selector, executor)
        );
        _expectConstructor(address(0), guardian, treasury, none, abi.encodePacked(IRoles.ZeroAddress.selector));
        _expectConstructor(owner, address(0), treasury, none, abi.encodePacked(IRoles.ZeroAddress.selector));
        _expectConstructor(owner, guardian, address(0), none, abi.encodePacked(IRoles.ZeroAddress.selector));
    }

    function test_constructor_revertsWhenTokensAreNoneOrOne() external {
        address[2][3] memory pairs = [[address(usdc), address(usdc)], [other, address(wrapped)], [address(usdc), other]];
        for (uint256 i; i < pairs.length; ++i) {
            vm.expectRevert(IBotRouter.UnsupportedToken.selector);
            new BotRouter(owner, guardian, treasury, new address[](0), pairs[i][0], pairs[i][1], address(escrow), address(0));
        }
        vm.expectRevert(IRoles.ZeroAddress.selector);
        new BotRouter(owner, guardian, treasury, new address[](0), address(usdc), address(wrapped), address(0), address(0));
    }

    function test_transferOwnership_takesTwoSteps() external {
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
        vm.startPrank(owner);
        router.transferOwnership(other);
        router.transferOwnership(address(0));
        vm.stopPrank();
        vm.prank(other);
        vm.expectRevert(IRoles.NotPendingOwner.selector);
        router.acceptOwnership();
    }

    function test_ownersCalls_revertWhenCallerIsNot() external {
        vm.startPrank(guardian);
        vm.expectRevert(IRoles.NotOwner.selector);
        router.transferOwnership(other);
        vm.expectRevert(IRoles.NotOwner.selector);
        router.setGuardian(other);
        vm.expectRevert(IRoles.NotOwner.selector);
        router.unpause();
        vm.expectRevert(IRoles.NotOwner.selector);
        router.addExecutor(other);
        vm.expectRevert(IRoles.NotOwner.selector);
        router.removeExecutor(executor);
        vm.expectRevert(IRoles.NotOwner.selector);
        router.announceTreasury(other);
        vm.stopPrank();
    }

    function test_pause_byGuardianOrOwnerOnly() external {
        vm.expectEmit(address(router));
        emit IRoles.PausedSet(guardian, true);
        vm.prank(guardian);
        router.pause();
        assertTrue(router.paused());
        vm.startPrank(owner);
        router.unpause();
        router.pause();
        vm.stopPrank();
        vm.prank(executor);
        vm.expectRevert(IRoles.NotGuardian.selector);
        router.pause();
    }

    function test_setGuardian_atOnce() external {
        vm.prank(owner);
        router.setGuardian(other);
        vm.prank(guardian);
        vm.expectRevert(IRoles.NotGuardian.selector);
        router.pause();
        vm.prank(other);
        router.pause();
    }

    function test_addExecutor_isInForceAfter24Hours() external {
        vm.expectEmit(address(router));
        emit IExecutors.ExecutorAdded(other, uint64(START + 24 hours));
        vm.prank(owner);
        router.addExecutor(other);
        IBotRouter.Tip memory t = usdcTip();
        t.validUntil = uint64(START + 2 days);
        vm.warp(START + 24 hours - 1);
        assertFalse(router.isExecutor(other));
        vm.prank(other);
        vm.expectRevert(IExecutors.NotExecutor.selector);
        router.tip(t);
        vm.warp(START + 24 hours);
        assertTrue(router.isExecutor(other));
        vm.prank(other);
        router.tip(t);
    }

    function test_addExecutor_knowsPauseAndTreasury() external {
        vm.prank(guardian);
        router.pause();
        vm.prank(owner);
        router.addExecutor(other);
        vm.warp(START + 24 hours);
        IBotRouter.Tip memory t = usdcTip();
        vm.prank(other);
        vm.expectRevert(IRoles.Paused.selector);
        router.tip(t);
        vm.prank(owner);
        router.unpause();
        vm.prank(other);
        router.tip(t);
        assertEq(usdc.balanceOf(treasury), t.fee);
    }

    function test_addExecutor_revertsWhenThereAreTooMany() external {
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
        vm.expectEmit(address(router));
        emit IExecutors.ExecutorRemoved(executor);
        vm.startPrank(owner);
        router.removeExecutor(executor);
        vm.expectRevert(abi.encodeWithSelector(IExecutors.UnknownExecutor.selector, executor));
        router.removeExecutor(executor);
        vm.stopPrank();
        assertEq(router.executors().length, 0);
        expectTipRevert(usdcTip(), IExecutors.NotExecutor.selector);
    }

    function test_announceTreasury_isInForceAfter48Hours() external {
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
        settle(usdcTip());
        vm.warp(effectiveAt);
        vm.expectEmit(address(router));
        emit ITreasury.TreasuryChanged(treasury, other);
        router.applyTreasury();
        settle(usdcTip());
        assertEq(usdc.balanceOf(treasury), USD / 10);
        assertEq(usdc.balanceOf(other), USD / 10);
        assertEq(router.treasury(), other);
    }

    function test_announceTreasury_canBeReplacedAndWithdrawn() external {
        vm.startPrank(owner);
        router.announceTreasury(other);
        vm.warp(START + 47 hours);
        router.announceTreasury(recipient);
        vm.warp(START + 48 hours);
        vm.expectPartialRevert(ITreasury.TooEarly.selector);
        router.applyTreasury();
        router.announceTreasury(address(0));
        vm.warp(START + 96 hours);
        vm.expectRevert(ITreasury.NothingAnnounced.selector);
        router.applyTreasury();
        vm.stopPrank();
    }

    function test_roles_stayDistinct() external {
        address candidate = makeAddr("candidate");
        address heir = makeAddr("heir");
        vm.startPrank(owner);
        router.transferOwnership(candidate);
        router.announceTreasury(heir);
        address[6] memory taken = [owner, guardian, treasury, executor, candidate, heir];
        for (uint256 i; i < taken.length; ++i) {
            bytes memory reason = abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, taken[i]);
            vm.expectRevert(reason);
            router.transferOwnership(taken[i]);
            vm.expectRevert(reason);
            router.setGuardian(taken[i]);
            vm.expectRevert(reason);
            router.announceTreasury(taken[i]);
            if (taken[i] == executor) reason = abi.encodeWithSelector(IExecutors.AlreadyExecutor.selector, executor);
            vm.expectRevert(reason);
            router.addExecutor(taken[i]);
        }
        vm.stopPrank();
    }

    function _expectConstructor(
        address owner_,
        address guardian_,
        address treasury_,
        address[] memory executors_,
        bytes memory reason
    ) private {
        vm.expectRevert(reason);
        new BotRouter(owner_, guardian_, treasury_, executors_, address(usdc), address(wrapped), address(escrow), address(0));
    }
}
