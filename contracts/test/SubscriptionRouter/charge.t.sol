// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPermit2Allowances, IUsdcPermits, SubscriptionRouterTest} from "../setup/SubscriptionRouterTest.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";
import {ISubscriptionRouter} from "../../src/interfaces/ISubscriptionRouter.sol";

abstract contract ChargeTest is SubscriptionRouterTest {
    ISubscriptionRouter.SubscriptionState private constant NONE = ISubscriptionRouter.SubscriptionState.None;
    ISubscriptionRouter.SubscriptionState private constant CANCELLED = ISubscriptionRouter.SubscriptionState.Cancelled;
    ISubscriptionRouter.SubscriptionState private constant HALTED = ISubscriptionRouter.SubscriptionState.Halted;

    function test_charge_paysCreatorAndTreasuryOncePerPeriod() external {
        join();
        for (uint256 i = 1; i < 4; ++i) {
            vm.warp(START + i * PERIOD - 1);
            assertFalse(router.isDue(planKey, subscriber));
            expectTooSoon(START + i * PERIOD);
            router.charge(planKey, subscriber);
            vm.warp(START + i * PERIOD);
            assertTrue(router.isDue(planKey, subscriber));
            expectCharged(START + (i + 1) * PERIOD);
            vm.prank(relayer);
            router.charge(planKey, subscriber);
            assertPaid(i + 1);
        }
        ISubscriptionRouter.Subscription memory s = subscription();
        assertEq(s.chargesPaid, 4);
        assertEq(s.startedAt, START);
        assertEq(s.lastChargedAt, START + 3 * PERIOD);
        assertEq(s.nextChargeAt, START + 4 * PERIOD);
    }

    function test_charge_revertsWhenRepeatedInTheSameSecond() external {
        join();
        vm.warp(START + PERIOD);
        router.charge(planKey, subscriber);
        expectTooSoon(START + 2 * PERIOD);
        router.charge(planKey, subscriber);
        assertPaid(2);
    }

    /// @dev Late by less than half a period: the next is due when it would have been anyhow.
    function test_charge_lateKeepsTheTimesOfTheStart() external {
        join();
        vm.warp(START + PERIOD + PERIOD / 2);
        expectCharged(START + 2 * PERIOD);
        router.charge(planKey, subscriber);
        vm.warp(START + 2 * PERIOD);
        router.charge(planKey, subscriber);
        assertEq(subscription().nextChargeAt, START + 3 * PERIOD);
    }

    /// @dev Late by more: half a period lies between two charges, and then the times are those of the start again.
    function test_charge_veryLateLeavesHalfAPeriod() external {
        join();
        vm.warp(START + 2 * PERIOD - 1);
        uint256 next = START + 2 * PERIOD - 1 + PERIOD / 2;
        expectCharged(next);
        router.charge(planKey, subscriber);
        vm.warp(START + 2 * PERIOD);
        expectTooSoon(next);
        router.charge(planKey, subscriber);
        vm.warp(next);
        expectCharged(START + 3 * PERIOD);
        router.charge(planKey, subscriber);
    }

    function test_charge_neverCatchesUpWhatWasMissed() external {
        join();
        // Due at the first multiple; the second and the third pass as well.
        vm.warp(START + 3 * PERIOD + 1);
        expectCharged(START + 4 * PERIOD);
        router.charge(planKey, subscriber);
        expectTooSoon(START + 4 * PERIOD);
        router.charge(planKey, subscriber);
        assertPaid(2);
    }

    function test_charge_worksToTheLastSecondBeforeItLapses() external {
        join();
        vm.warp(START + 4 * PERIOD - 1);
        assertTrue(router.isDue(planKey, subscriber));
        router.charge(planKey, subscriber);
        assertPaid(2);
    }

    function test_charge_revertsWhenUnpaidForThreePeriods() external {
        join();
        vm.warp(START + 4 * PERIOD);
        assertState(HALTED);
        assertFalse(router.isDue(planKey, subscriber));
        expectNotActive(HALTED);
        router.charge(planKey, subscriber);
        vm.warp(START + 400 * uint256(PERIOD));
        expectNotActive(HALTED);
        router.charge(planKey, subscriber);
        assertPaid(1);
    }

    function test_charge_revertsWhenNeverSubscribedOrEnded() external {
        expectNotActive(NONE);
        router.charge(planKey, subscriber);
        join();
        vm.prank(subscriber);
        router.cancel(planKey, subscriber);
        vm.warp(START + PERIOD);
        expectNotActive(CANCELLED);
        router.charge(planKey, subscriber);
        assertFalse(router.isDue(planKey, subscriber));
        join();
        vm.prank(executor);
        router.halt(planKey, subscriber);
        vm.warp(START + 2 * PERIOD);
        expectNotActive(HALTED);
        router.charge(planKey, subscriber);
        assertFalse(router.isDue(planKey, subscriber));
        assertPaid(2);
    }

    function test_charge_revertsWhenPlanIsUnknownOrInactive() external {
        join();
        vm.warp(START + PERIOD);
        vm.expectRevert(abi.encodeWithSelector(ISubscriptionRouter.UnknownPlan.selector, bytes32("x")));
        router.charge("x", subscriber);
        assertFalse(router.isDue("x", subscriber));
        vm.prank(creator);
        router.deactivatePlan(planKey);
        vm.expectRevert(abi.encodeWithSelector(ISubscriptionRouter.PlanInactive.selector, planKey));
        router.charge(planKey, subscriber);
    }

    function test_charge_revertsWhenPaused() external {
        join();
        vm.warp(START + PERIOD);
        pauseRouter();
        assertFalse(router.isDue(planKey, subscriber));
        vm.expectRevert(IRoles.Paused.selector);
        router.charge(planKey, subscriber);
        vm.prank(owner);
        router.unpause();
        router.charge(planKey, subscriber);
        assertPaid(2);
    }

    /// @dev A charge that fails takes nothing, not even the creator's part, and can be tried again.
    function test_charge_revertsWhenAllowanceIsTooLow() external {
        join();
        vm.warp(START + PERIOD);
        vm.prank(subscriber);
        usdc.approve(address(router), amount - 1);
        vm.expectPartialRevert(ISubscriptionRouter.TransferFailed.selector);
        router.charge(planKey, subscriber);
        assertPaid(1);
        assertTrue(router.isDue(planKey, subscriber));
        vm.prank(subscriber);
        usdc.approve(address(router), amount);
        router.charge(planKey, subscriber);
        assertPaid(2);
    }

    function test_charge_ofTwoSubscribersIsApart() external {
        fund(other);
        join();
        vm.warp(START + 1 days);
        vm.prank(other);
        router.subscribe(planKey, amount, PERIOD);
        vm.warp(START + PERIOD);
        router.charge(planKey, subscriber);
        expectTooSoon(START + PERIOD + 1 days);
        router.charge(planKey, other);
    }

    function test_charge_byPermit2RevertsWhenExpired() external {
        fundPermit2(subscriber, uint160(1000 * USD), START + PERIOD);
        _joinByPermit2();
        vm.warp(START + PERIOD);
        router.charge(planKey, subscriber);
        vm.warp(START + 2 * PERIOD);
        vm.expectRevert(abi.encodeWithSelector(IPermit2Allowances.AllowanceExpired.selector, START + PERIOD));
        router.charge(planKey, subscriber);
    }

    function test_charge_byPermit2RevertsWhenTooSmall() external {
        fundPermit2(subscriber, uint160(2 * amount - fee), START + 365 days);
        _joinByPermit2();
        vm.warp(START + PERIOD);
        vm.expectRevert(abi.encodeWithSelector(IPermit2Allowances.InsufficientAllowance.selector, 0));
        router.charge(planKey, subscriber);
        assertEq(usdc.balanceOf(creator), amount - fee);
    }

    function test_charge_byPermit2RevertsWhenRevoked() external {
        joinByPermit2();
        IPermit2Allowances.TokenSpenderPair[] memory revoked = new IPermit2Allowances.TokenSpenderPair[](1);
        revoked[0] = IPermit2Allowances.TokenSpenderPair(address(usdc), address(router));
        vm.prank(subscriber);
        IPermit2Allowances(PERMIT2).lockdown(revoked);
        vm.warp(START + PERIOD);
        vm.expectRevert(abi.encodeWithSelector(IPermit2Allowances.InsufficientAllowance.selector, 0));
        router.charge(planKey, subscriber);
        // The token's allowance is not drawn on instead.
        assertEq(usdc.allowance(subscriber, address(router)), type(uint256).max);
    }

    function _joinByPermit2() private {
        vm.prank(subscriber);
        router.subscribeWithPermit2(planKey, amount, PERIOD, noPermit2());
    }
}

contract ChargeOnUsdcTest is ChargeTest {
    function test_charge_revertsWhenAPartyIsBlacklisted() external {
        join();
        vm.warp(START + PERIOD);
        address[3] memory parties = [subscriber, creator, treasury];
        for (uint256 i; i < parties.length; ++i) {
            usdc.blacklist(parties[i]);
            vm.expectRevert(transferFailed("Blacklistable: account is blacklisted"));
            router.charge(planKey, subscriber);
            IUsdcPermits(address(usdc)).unBlacklist(parties[i]);
        }
        assertPaid(1);
        router.charge(planKey, subscriber);
        assertPaid(2);
    }

    function test_charge_revertsWhenTheTokenIsPaused() external {
        join();
        vm.warp(START + PERIOD);
        usdc.pause();
        vm.expectRevert(transferFailed("Pausable: paused"));
        router.charge(planKey, subscriber);
        IUsdcPermits(address(usdc)).unpause();
        router.charge(planKey, subscriber);
    }
}

contract ChargeOnToken18Test is ChargeTest {
    constructor() {
        onToken18 = true;
    }
}
