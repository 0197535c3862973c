// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BotRouterTest} from "../setup/BotRouterTest.sol";
import {ExecutorsSuite} from "../setup/ExecutorsSuite.sol";
import {RolesSuite} from "../setup/RolesSuite.sol";
import {RouterTest} from "../setup/RouterTest.sol";
import {TreasurySuite} from "../setup/TreasurySuite.sol";
import {BotRouter} from "../../src/BotRouter.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";
import {IExecutors} from "../../src/interfaces/IExecutors.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

contract RolesTest is BotRouterTest, RolesSuite, ExecutorsSuite, TreasurySuite {
    function setUp() public override(BotRouterTest, RouterTest) {
        BotRouterTest.setUp();
    }

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

    function test_addExecutor_settlesAfter24Hours() external {
        vm.prank(owner);
        router.addExecutor(other);
        IBotRouter.Tip memory t = usdcTip();
        t.validUntil = uint64(START + 2 days);
        vm.warp(START + 24 hours - 1);
        vm.prank(other);
        vm.expectRevert(IExecutors.NotExecutor.selector);
        router.tip(t);
        vm.warp(START + 24 hours);
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

    function test_removeExecutor_stopsItsTips() external {
        vm.prank(owner);
        router.removeExecutor(executor);
        expectTipRevert(usdcTip(), IExecutors.NotExecutor.selector);
    }

    function test_applyTreasury_sendsFeesToTheNewOne() external {
        vm.prank(owner);
        router.announceTreasury(other);
        vm.warp(START + 48 hours);
        settle(usdcTip());
        router.applyTreasury();
        settle(usdcTip());
        assertEq(usdc.balanceOf(treasury), USD / 10);
        assertEq(usdc.balanceOf(other), USD / 10);
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
