// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUsdcPermits, PlainDelegate, SubscriptionRouterTest} from "../setup/SubscriptionRouterTest.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";
import {ISubscriptionRouter} from "../../src/interfaces/ISubscriptionRouter.sol";

contract SubscribeWithPermitTest is SubscriptionRouterTest {
    function setUp() public override {
        super.setUp();
        vm.prank(subscriber);
        usdc.approve(address(router), 0);
    }

    function test_subscribeWithPermit_usesThePermit() external {
        IPermits.Permit memory permit = tokenPermit(subscriberKey, subscriber, 12 * amount, START);
        vm.expectEmit(address(router));
        emit ISubscriptionRouter.Subscribed(planKey, subscriber, uint64(START + PERIOD));
        expectCharged(START + PERIOD);
        _subscribe(permit);
        assertPaid(1);
        assertEq(usdc.allowance(subscriber, address(router)), 11 * amount);
        assertFalse(subscription().viaPermit2);
        assertEq(router.nonces(subscriber), 1);
        vm.warp(START + PERIOD);
        router.charge(planKey, subscriber);
        assertPaid(2);
    }

    function test_subscribeWithPermit_worksWhenThePermitWasUsedFirst() external {
        IPermits.Permit memory permit = tokenPermit(subscriberKey, subscriber, 12 * amount, START);
        vm.prank(other);
        IUsdcPermits(address(usdc))
            .permit(subscriber, address(router), permit.value, permit.deadline, permit.v, permit.r, permit.s);
        _subscribe(permit);
        assertPaid(1);
    }

    function test_subscribeWithPermit_worksWhenAnAllowanceStands() external {
        vm.prank(subscriber);
        usdc.approve(address(router), amount);
        _subscribe(tokenPermit(creatorKey, subscriber, 12 * amount, START));
        assertPaid(1);
        assertEq(usdc.allowance(subscriber, address(router)), 0);
    }

    function test_subscribeWithPermit_revertsWhenThePermitIsNone() external {
        IPermits.Permit[5] memory permits = [
            tokenPermit(creatorKey, subscriber, amount, START),
            tokenPermitIn("USDC", subscriberKey, subscriber, amount, START),
            tokenPermit(subscriberKey, subscriber, amount - 1, START),
            tokenPermit(subscriberKey, subscriber, amount, START - 1),
            noPermit()
        ];
        for (uint256 i; i < permits.length; ++i) {
            vm.prank(subscriber);
            vm.expectRevert(transferFailed("ERC20: transfer amount exceeds allowance"));
            router.subscribeWithPermit(planKey, amount, PERIOD, permits[i]);
        }
        assertPaid(0);
        assertEq(router.nonces(subscriber), 0);
    }

    /// @dev USDC asks an account that has code by ERC-1271, so a delegated one needs an allowance.
    function test_subscribeWithPermit_refusesTheKeyOfADelegatedAccount() external {
        vm.etch(subscriber, address(new PlainDelegate()).code);
        IPermits.Permit memory permit = tokenPermit(subscriberKey, subscriber, amount, START);
        vm.prank(subscriber);
        vm.expectRevert(transferFailed("ERC20: transfer amount exceeds allowance"));
        router.subscribeWithPermit(planKey, amount, PERIOD, permit);
        vm.prank(subscriber);
        usdc.approve(address(router), amount);
        _subscribe(permit);
        assertPaid(1);
    }

    /// @dev Somebody else's permit gives the caller nothing: it is tried for the caller alone.
    function test_subscribeWithPermit_drawsOnTheCallerAlone() external {
        IPermits.Permit memory permit = tokenPermit(subscriberKey, subscriber, amount, START);
        vm.prank(other);
        vm.expectRevert(transferFailed("ERC20: transfer amount exceeds allowance"));
        router.subscribeWithPermit(planKey, amount, PERIOD, permit);
        assertEq(usdc.allowance(subscriber, address(router)), 0);
    }

    function test_subscribeWithPermit_revertsWhenPausedOrTermsDiffer() external {
        IPermits.Permit memory permit = tokenPermit(subscriberKey, subscriber, amount, START);
        vm.startPrank(subscriber);
        vm.expectRevert(ISubscriptionRouter.TermsMismatch.selector);
        router.subscribeWithPermit(planKey, amount - 1, PERIOD, permit);
        vm.expectRevert(ISubscriptionRouter.TermsMismatch.selector);
        router.subscribeWithPermit(planKey, amount, PERIOD - 1, permit);
        vm.stopPrank();
        pauseRouter();
        vm.prank(subscriber);
        vm.expectRevert(IRoles.Paused.selector);
        router.subscribeWithPermit(planKey, amount, PERIOD, permit);
        assertEq(usdc.allowance(subscriber, address(router)), 0, "the permit was undone with it");
    }

    function _subscribe(IPermits.Permit memory permit) private {
        vm.prank(subscriber);
        router.subscribeWithPermit(planKey, amount, PERIOD, permit);
    }
}

/// @dev A token that knows no permits: then the allowance decides.
contract SubscribeWithPermitOnToken18Test is SubscriptionRouterTest {
    constructor() {
        onToken18 = true;
    }

    function test_subscribeWithPermit_usesTheAllowance() external {
        IPermits.Permit memory permit = tokenPermit(subscriberKey, subscriber, amount, START);
        vm.prank(subscriber);
        router.subscribeWithPermit(planKey, amount, PERIOD, permit);
        assertPaid(1);
    }

    function test_subscribeWithPermit_revertsWithoutAnAllowance() external {
        vm.startPrank(subscriber);
        usdc.approve(address(router), 0);
        IPermits.Permit memory permit = tokenPermit(subscriberKey, subscriber, amount, START);
        vm.expectPartialRevert(ISubscriptionRouter.TransferFailed.selector);
        router.subscribeWithPermit(planKey, amount, PERIOD, permit);
        vm.stopPrank();
    }
}
