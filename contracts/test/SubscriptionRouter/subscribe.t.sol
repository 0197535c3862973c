// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUsdcPermits, SubscriptionRouterTest} from "../setup/SubscriptionRouterTest.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";
import {ISubscriptionRouter} from "../../src/interfaces/ISubscriptionRouter.sol";

abstract contract SubscribeTest is SubscriptionRouterTest {
    ISubscriptionRouter.SubscriptionState private constant HALTED = ISubscriptionRouter.SubscriptionState.Halted;

    function test_subscribe_chargesTheFirstPeriod() external {
        vm.recordLogs();
        vm.expectEmit(address(router));
        emit ISubscriptionRouter.Subscribed(planKey, subscriber, uint64(START + PERIOD));
        expectCharged(START + PERIOD);
        join();
        assertEq(countLogs(), 2);
        ISubscriptionRouter.Subscription memory s = subscription();
        assertEq(uint8(s.state), uint8(ISubscriptionRouter.SubscriptionState.Active));
        assertEq(s.startedAt, START);
        assertEq(s.lastChargedAt, START);
        assertEq(s.nextChargeAt, START + PERIOD);
        assertEq(s.chargesPaid, 1);
        assertFalse(s.viaPermit2);
        assertPaid(1);
    }

    function test_subscribe_leavesTheRestOfTheAllowance() external {
        vm.prank(subscriber);
        usdc.approve(address(router), amount + 7);
        join();
        assertEq(usdc.allowance(subscriber, address(router)), 7);
    }

    function test_subscribe_isOneAPlanAndOneASubscriber() external {
        join();
        bytes32 second = newPlan(2 * amount, 1 days);
        vm.prank(subscriber);
        router.subscribe(second, 2 * amount, 1 days);
        assertEq(router.subscriptionOf(second, subscriber).nextChargeAt, START + 1 days);
        assertEq(subscription().nextChargeAt, START + PERIOD);
        assertEq(uint8(router.subscriptionOf(planKey, other).state), uint8(ISubscriptionRouter.SubscriptionState.None));
        assertEq(usdc.balanceOf(subscriber), 1000 * USD - 3 * amount);
    }

    function test_subscribe_worksForTheCreatorItself() external {
        fund(creator);
        vm.prank(creator);
        router.subscribe(planKey, amount, PERIOD);
        assertEq(usdc.balanceOf(creator), 1000 * USD - fee);
    }

    function test_subscribe_revertsWhenTermsAreOthersThanExpected() external {
        vm.startPrank(subscriber);
        vm.expectRevert(ISubscriptionRouter.TermsMismatch.selector);
        router.subscribe(planKey, amount - 1, PERIOD);
        vm.expectRevert(ISubscriptionRouter.TermsMismatch.selector);
        router.subscribe(planKey, amount + 1, PERIOD);
        vm.expectRevert(ISubscriptionRouter.TermsMismatch.selector);
        router.subscribe(planKey, amount, PERIOD + 1);
        vm.stopPrank();
    }

    function test_subscribe_revertsWhenPlanIsUnknownOrInactive() external {
        vm.expectRevert(abi.encodeWithSelector(ISubscriptionRouter.UnknownPlan.selector, bytes32("x")));
        router.subscribe("x", 0, 0);
        vm.prank(creator);
        router.deactivatePlan(planKey);
        vm.prank(subscriber);
        vm.expectRevert(abi.encodeWithSelector(ISubscriptionRouter.PlanInactive.selector, planKey));
        router.subscribe(planKey, amount, PERIOD);
    }

    function test_subscribe_revertsWhenPaused() external {
        pauseRouter();
        vm.prank(subscriber);
        vm.expectRevert(IRoles.Paused.selector);
        router.subscribe(planKey, amount, PERIOD);
    }

    function test_subscribe_revertsWhenSubscribedAlready() external {
        join();
        vm.startPrank(subscriber);
        vm.expectRevert(ISubscriptionRouter.AlreadySubscribed.selector);
        router.subscribe(planKey, amount, PERIOD);
        // Overdue is still subscribed, to the last second before it lapses.
        vm.warp(START + 4 * PERIOD - 1);
        vm.expectRevert(ISubscriptionRouter.AlreadySubscribed.selector);
        router.subscribe(planKey, amount, PERIOD);
        vm.stopPrank();
        assertPaid(1);
    }

    function test_subscribe_againHalfAPeriodAfterTheLastChargeAtTheEarliest() external {
        join();
        vm.warp(START + PERIOD);
        router.charge(planKey, subscriber);
        vm.startPrank(subscriber);
        router.cancel(planKey, subscriber);
        vm.warp(START + PERIOD + PERIOD / 2 - 1);
        expectTooSoon(START + PERIOD + PERIOD / 2);
        router.subscribe(planKey, amount, PERIOD);
        vm.warp(START + PERIOD + PERIOD / 2);
        expectCharged(START + 2 * PERIOD + PERIOD / 2);
        router.subscribe(planKey, amount, PERIOD);
        vm.stopPrank();
        ISubscriptionRouter.Subscription memory s = subscription();
        assertEq(s.startedAt, START + PERIOD + PERIOD / 2, "starts anew");
        assertEq(s.chargesPaid, 1);
        assertPaid(3);
    }

    /// @dev Half of an odd period is rounded up.
    function test_subscribe_againOnAnOddPeriod() external {
        uint32 period = 1 hours + 1;
        planKey = newPlan(amount, period);
        vm.startPrank(subscriber);
        router.subscribe(planKey, amount, period);
        router.cancel(planKey, subscriber);
        vm.warp(START + 1800);
        expectTooSoon(START + 1801);
        router.subscribe(planKey, amount, period);
        vm.warp(START + 1801);
        router.subscribe(planKey, amount, period);
        vm.stopPrank();
    }

    function test_subscribe_againAfterHalt() external {
        join();
        vm.prank(executor);
        router.halt(planKey, subscriber);
        vm.startPrank(subscriber);
        expectTooSoon(START + PERIOD / 2);
        router.subscribe(planKey, amount, PERIOD);
        vm.warp(START + PERIOD / 2);
        router.subscribe(planKey, amount, PERIOD);
        vm.stopPrank();
        assertPaid(2);
    }

    function test_subscribe_againAfterItLapsed() external {
        join();
        vm.warp(START + 4 * PERIOD);
        assertState(HALTED);
        join();
        assertState(ISubscriptionRouter.SubscriptionState.Active);
        assertPaid(2);
        assertEq(subscription().startedAt, START + 4 * PERIOD);
    }

    function test_subscribe_voidsOlderSignatures() external {
        bytes memory signature = sign(subscriberKey, subscribeHash(subscriber, 0, START));
        join();
        assertEq(router.nonces(subscriber), 1);
        vm.prank(subscriber);
        router.cancel(planKey, subscriber);
        expectInvalidNonce(2);
        router.subscribeBySig(planKey, subscriber, amount, PERIOD, 0, START, signature, noPermit());
    }

    function test_subscribe_revertsWhenAllowanceOrBalanceIsTooLow() external {
        vm.startPrank(subscriber);
        usdc.approve(address(router), amount - 1);
        vm.expectPartialRevert(ISubscriptionRouter.TransferFailed.selector);
        router.subscribe(planKey, amount, PERIOD);
        usdc.approve(address(router), amount);
        usdc.transfer(other, 990 * USD + 1);
        vm.expectPartialRevert(ISubscriptionRouter.TransferFailed.selector);
        router.subscribe(planKey, amount, PERIOD);
        vm.stopPrank();
        assertState(ISubscriptionRouter.SubscriptionState.None);
        assertEq(usdc.balanceOf(creator) + usdc.balanceOf(treasury), 0, "something was taken");
        assertEq(router.nonces(subscriber), 0);
    }
}

contract SubscribeOnUsdcTest is SubscribeTest {
    function test_subscribe_revertsWhenAPartyIsBlacklisted() external {
        address[3] memory parties = [subscriber, creator, treasury];
        for (uint256 i; i < parties.length; ++i) {
            usdc.blacklist(parties[i]);
            vm.prank(subscriber);
            vm.expectRevert(transferFailed("Blacklistable: account is blacklisted"));
            router.subscribe(planKey, amount, PERIOD);
            IUsdcPermits(address(usdc)).unBlacklist(parties[i]);
        }
        join();
        assertPaid(1);
    }

    function test_subscribe_revertsWhenTheTokenIsPaused() external {
        usdc.pause();
        vm.prank(subscriber);
        vm.expectRevert(transferFailed("Pausable: paused"));
        router.subscribe(planKey, amount, PERIOD);
    }

    function test_subscribe_namesTheTokensReason() external {
        vm.startPrank(subscriber);
        usdc.approve(address(router), amount - fee);
        // The creator's part would go through; without the fee nothing does.
        vm.expectRevert(transferFailed("ERC20: transfer amount exceeds allowance"));
        router.subscribe(planKey, amount, PERIOD);
        vm.stopPrank();
        assertEq(usdc.balanceOf(creator), 0);
    }
}

contract SubscribeOnToken18Test is SubscribeTest {
    constructor() {
        onToken18 = true;
    }
}
