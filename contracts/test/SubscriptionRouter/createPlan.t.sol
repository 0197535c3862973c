// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SubscriptionRouterTest} from "../setup/SubscriptionRouterTest.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";
import {ISubscriptionRouter} from "../../src/interfaces/ISubscriptionRouter.sol";

contract CreatePlanTest is SubscriptionRouterTest {
    function test_createPlan_keepsTheTerms() external {
        bytes32 id = keccak256("silver");
        bytes32 expected = keccak256(abi.encode(block.chainid, address(router), creator, id, address(usdc), 5 * USD, 7 days));
        vm.recordLogs();
        vm.expectEmit(address(router));
        emit ISubscriptionRouter.PlanCreated(expected, creator, id, address(usdc), 5 * USD, 7 days);
        vm.prank(creator);
        bytes32 key = router.createPlan(id, address(usdc), 5 * USD, 7 days);
        assertEq(countLogs(), 1);
        assertEq(key, expected);
        assertEq(router.planKeyOf(creator, id, address(usdc), 5 * USD, 7 days), expected);
        ISubscriptionRouter.Plan memory plan = router.planOf(key);
        assertEq(plan.creator, creator);
        assertEq(plan.token, address(usdc));
        assertEq(plan.amount, 5 * USD);
        assertEq(plan.period, 7 days);
        assertEq(uint8(plan.state), uint8(ISubscriptionRouter.PlanState.Active));
    }

    function test_createPlan_takesTheShortestAndTheLongestPeriod() external {
        assertEq(router.planOf(newPlan(1, 1 hours)).period, 1 hours);
        assertEq(router.planOf(newPlan(type(uint256).max, 366 days)).period, 366 days);
    }

    function test_createPlan_revertsWhenPeriodIsOutOfBounds() external {
        uint32[4] memory periods = [0, uint32(1 hours - 1), uint32(366 days + 1), type(uint32).max];
        for (uint256 i; i < periods.length; ++i) {
            vm.expectRevert(ISubscriptionRouter.InvalidPeriod.selector);
            router.createPlan("p", address(usdc), 1, periods[i]);
        }
    }

    function test_createPlan_revertsWhenAmountIsZero() external {
        vm.expectRevert(ISubscriptionRouter.ZeroAmount.selector);
        router.createPlan("p", address(usdc), 0, 1 days);
    }

    function test_createPlan_revertsWhenTokenIsAnother() external {
        vm.expectRevert(ISubscriptionRouter.UnsupportedToken.selector);
        router.createPlan("p", address(wrapped), 1, 1 days);
        vm.expectRevert(ISubscriptionRouter.UnsupportedToken.selector);
        router.createPlan("p", address(0), 1, 1 days);
    }

    function test_createPlan_revertsWhenItExists() external {
        bytes memory reason = abi.encodeWithSelector(ISubscriptionRouter.PlanExists.selector, planKey);
        vm.startPrank(creator);
        vm.expectRevert(reason);
        router.createPlan(PLAN_ID, address(usdc), amount, PERIOD);
        router.deactivatePlan(planKey);
        vm.expectRevert(reason);
        router.createPlan(PLAN_ID, address(usdc), amount, PERIOD);
        vm.stopPrank();
        assertPlanState(ISubscriptionRouter.PlanState.Inactive);
    }

    function test_createPlan_revertsWhenPaused() external {
        pauseRouter();
        vm.expectRevert(IRoles.Paused.selector);
        router.createPlan("p", address(usdc), 1, 1 days);
    }

    /// @dev Same identifier, other terms or another creator: another plan. Nobody can occupy somebody else's key.
    function test_createPlan_isAnotherPlanOnOtherTerms() external {
        bytes32[4] memory keys;
        vm.startPrank(creator);
        keys[0] = router.createPlan("another id", address(usdc), amount, PERIOD);
        keys[1] = router.createPlan(PLAN_ID, address(usdc), amount + 1, PERIOD);
        keys[2] = router.createPlan(PLAN_ID, address(usdc), amount, PERIOD + 1);
        vm.stopPrank();
        vm.prank(other);
        keys[3] = router.createPlan(PLAN_ID, address(usdc), amount, PERIOD);
        for (uint256 i; i < keys.length; ++i) {
            assertTrue(keys[i] != planKey);
            for (uint256 j; j < i; ++j) {
                assertTrue(keys[i] != keys[j]);
            }
        }
        assertEq(router.planOf(planKey).amount, amount);
        assertEq(router.planOf(planKey).creator, creator);
    }

    function test_planKeyOf_bindsEverything() external {
        bytes32 key = router.planKeyOf(creator, PLAN_ID, address(usdc), amount, PERIOD);
        assertEq(key, planKey);
        assertTrue(router.planKeyOf(other, PLAN_ID, address(usdc), amount, PERIOD) != key, "creator");
        assertTrue(router.planKeyOf(creator, "x", address(usdc), amount, PERIOD) != key, "identifier");
        assertTrue(router.planKeyOf(creator, PLAN_ID, other, amount, PERIOD) != key, "token");
        assertTrue(router.planKeyOf(creator, PLAN_ID, address(usdc), amount + 1, PERIOD) != key, "amount");
        assertTrue(router.planKeyOf(creator, PLAN_ID, address(usdc), amount, PERIOD + 1) != key, "period");
        ISubscriptionRouter another = deployRouter(address(usdc), BASIS_POINTS);
        assertTrue(another.planKeyOf(creator, PLAN_ID, address(usdc), amount, PERIOD) != key, "router");
        vm.chainId(block.chainid + 1);
        assertTrue(router.planKeyOf(creator, PLAN_ID, address(usdc), amount, PERIOD) != key, "chain");
    }

    function test_planOf_isEmptyWhenUnknown() external view {
        ISubscriptionRouter.Plan memory plan = router.planOf("unknown");
        assertEq(uint8(plan.state), uint8(ISubscriptionRouter.PlanState.Unknown));
        assertEq(plan.creator, address(0));
        assertEq(plan.token, address(0));
        assertEq(plan.amount, 0);
        assertEq(plan.period, 0);
    }
}
