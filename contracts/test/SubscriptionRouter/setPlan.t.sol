// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ContractWallet} from "../setup/Hostile.sol";
import {PlainDelegate, SubscriptionRouterTest} from "../setup/SubscriptionRouterTest.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";
import {ISubscriptionRouter} from "../../src/interfaces/ISubscriptionRouter.sol";

contract SetPlanTest is SubscriptionRouterTest {
    ISubscriptionRouter.PlanState private constant ACTIVE = ISubscriptionRouter.PlanState.Active;
    ISubscriptionRouter.PlanState private constant INACTIVE = ISubscriptionRouter.PlanState.Inactive;

    function test_deactivatePlan_stopsChargesAndSubscriptions() external {
        join();
        vm.warp(START + PERIOD);
        vm.expectEmit(address(router));
        emit ISubscriptionRouter.PlanStateSet(planKey, INACTIVE);
        vm.prank(creator);
        router.deactivatePlan(planKey);
        assertPlanState(INACTIVE);
        assertFalse(router.isDue(planKey, subscriber));
        bytes memory reason = abi.encodeWithSelector(ISubscriptionRouter.PlanInactive.selector, planKey);
        vm.expectRevert(reason);
        router.charge(planKey, subscriber);
        vm.prank(other);
        vm.expectRevert(reason);
        router.subscribe(planKey, amount, PERIOD);
        assertPaid(1);
    }

    function test_reactivatePlan_letsChargesInAgain() external {
        join();
        vm.startPrank(creator);
        router.deactivatePlan(planKey);
        vm.warp(START + PERIOD);
        vm.expectEmit(address(router));
        emit ISubscriptionRouter.PlanStateSet(planKey, ACTIVE);
        router.reactivatePlan(planKey);
        vm.stopPrank();
        router.charge(planKey, subscriber);
        assertPaid(2);
    }

    /// @dev While it is inactive time runs on: what is missed is missed, and after three unpaid periods all is over.
    function test_reactivatePlan_bringsNoLapsedSubscriptionBack() external {
        join();
        vm.startPrank(creator);
        router.deactivatePlan(planKey);
        vm.warp(START + 4 * PERIOD);
        router.reactivatePlan(planKey);
        vm.stopPrank();
        expectNotActive(ISubscriptionRouter.SubscriptionState.Halted);
        router.charge(planKey, subscriber);
    }

    function test_setPlan_revertsWhenCallerIsNotItsCreator() external {
        address[5] memory callers = [owner, guardian, executor, subscriber, treasury];
        for (uint256 i; i < callers.length; ++i) {
            vm.startPrank(callers[i]);
            vm.expectRevert(ISubscriptionRouter.NotCreator.selector);
            router.deactivatePlan(planKey);
            vm.expectRevert(ISubscriptionRouter.NotCreator.selector);
            router.reactivatePlan(planKey);
            vm.stopPrank();
        }
    }

    function test_setPlan_revertsWhenPlanIsUnknown() external {
        bytes memory reason = abi.encodeWithSelector(ISubscriptionRouter.UnknownPlan.selector, bytes32("x"));
        vm.expectRevert(reason);
        router.deactivatePlan("x");
        vm.expectRevert(reason);
        router.reactivatePlan("x");
        vm.expectRevert(reason);
        router.setPlanBySig("x", ACTIVE, 0, START, "");
    }

    function test_setPlan_revertsWhenStateIsTheSame() external {
        vm.startPrank(creator);
        vm.expectRevert(ISubscriptionRouter.InvalidState.selector);
        router.reactivatePlan(planKey);
        router.deactivatePlan(planKey);
        vm.expectRevert(ISubscriptionRouter.InvalidState.selector);
        router.deactivatePlan(planKey);
        vm.stopPrank();
    }

    function test_deactivatePlan_worksWhilePaused() external {
        pauseRouter();
        vm.prank(creator);
        router.deactivatePlan(planKey);
        assertPlanState(INACTIVE);
    }

    function test_reactivatePlan_revertsWhenPaused() external {
        vm.prank(creator);
        router.deactivatePlan(planKey);
        pauseRouter();
        vm.prank(creator);
        vm.expectRevert(IRoles.Paused.selector);
        router.reactivatePlan(planKey);
        bytes memory signature = _signed(creatorKey, ACTIVE, 1, START);
        vm.expectRevert(IRoles.Paused.selector);
        router.setPlanBySig(planKey, ACTIVE, 1, START, signature);
        assertEq(router.nonces(creator), 1);
    }

    function test_setPlanBySig_setsItOnTheCreatorsSignature() external {
        bytes memory signature = _signed(creatorKey, INACTIVE, 0, START);
        vm.expectEmit(address(router));
        emit ISubscriptionRouter.PlanStateSet(planKey, INACTIVE);
        vm.prank(relayer);
        router.setPlanBySig(planKey, INACTIVE, 0, START, signature);
        assertPlanState(INACTIVE);
        assertEq(router.nonces(creator), 1);
        router.setPlanBySig(planKey, ACTIVE, 1, START, _signed(creatorKey, ACTIVE, 1, START));
        assertPlanState(ACTIVE);
    }

    function test_setPlanBySig_deactivatesWhilePaused() external {
        pauseRouter();
        router.setPlanBySig(planKey, INACTIVE, 0, START, _signed(creatorKey, INACTIVE, 0, START));
        assertPlanState(INACTIVE);
    }

    function test_setPlanBySig_revertsWhenStateIsUnknownOrTheSame() external {
        bytes memory signature = _signed(creatorKey, ISubscriptionRouter.PlanState.Unknown, 0, START);
        vm.expectRevert(ISubscriptionRouter.InvalidState.selector);
        router.setPlanBySig(planKey, ISubscriptionRouter.PlanState.Unknown, 0, START, signature);
        signature = _signed(creatorKey, ACTIVE, 0, START);
        vm.expectRevert(ISubscriptionRouter.InvalidState.selector);
        router.setPlanBySig(planKey, ACTIVE, 0, START, signature);
        // A state that is none at all is not even decoded.
        bytes memory call = abi.encodeCall(router.setPlanBySig, (planKey, INACTIVE, 0, START, signature));
        call[4 + 63] = 0x03;
        (bool ok,) = address(router).call(call);
        assertFalse(ok);
    }

    function test_setPlanBySig_revertsWhenReplayed() external {
        bytes memory signature = _signed(creatorKey, INACTIVE, 0, START);
        router.setPlanBySig(planKey, INACTIVE, 0, START, signature);
        router.setPlanBySig(planKey, ACTIVE, 1, START, _signed(creatorKey, ACTIVE, 1, START));
        expectInvalidNonce(2);
        router.setPlanBySig(planKey, INACTIVE, 0, START, signature);
    }

    function test_setPlanBySig_revertsWhenTheCreatorActedSince() external {
        vm.startPrank(creator);
        router.deactivatePlan(planKey);
        bytes memory signature = _signed(creatorKey, ACTIVE, 1, START + 1 days);
        router.reactivatePlan(planKey);
        router.deactivatePlan(planKey);
        vm.stopPrank();
        expectInvalidNonce(3);
        router.setPlanBySig(planKey, ACTIVE, 1, START + 1 days, signature);
        assertPlanState(INACTIVE);
    }

    function test_setPlanBySig_revertsWhenExpired() external {
        bytes memory signature = _signed(creatorKey, INACTIVE, 0, START);
        vm.warp(START + 1);
        vm.expectRevert(ISubscriptionRouter.Expired.selector);
        router.setPlanBySig(planKey, INACTIVE, 0, START, signature);
    }

    function test_setPlanBySig_revertsWhenAnythingElseWasSigned() external {
        bytes32 hash = setPlanHash(planKey, 2, 0, START);
        bytes[9] memory signatures = [
            sign(subscriberKey, hash),
            signIn(creatorKey, "Ampersat Bot Router", block.chainid, address(router), hash),
            signIn(creatorKey, NAME, block.chainid + 1, address(router), hash),
            signIn(creatorKey, NAME, block.chainid, PERMIT2, hash),
            sign(creatorKey, setPlanHash("x", 2, 0, START)),
            sign(creatorKey, setPlanHash(planKey, 1, 0, START)),
            sign(creatorKey, setPlanHash(planKey, 2, 1, START)),
            sign(creatorKey, setPlanHash(planKey, 2, 0, START + 1)),
            bytes("")
        ];
        for (uint256 i; i < signatures.length; ++i) {
            vm.expectRevert(ISubscriptionRouter.InvalidSignature.selector);
            router.setPlanBySig(planKey, INACTIVE, 0, START, signatures[i]);
        }
        assertPlanState(ACTIVE);
        assertEq(router.nonces(creator), 0);
    }

    function test_setPlanBySig_takesTheSignatureOfAContractWallet() external {
        address wallet = address(new ContractWallet(creator));
        vm.prank(wallet);
        bytes32 key = router.createPlan(PLAN_ID, address(usdc), amount, PERIOD);
        bytes memory wrong = sign(subscriberKey, setPlanHash(key, 2, 0, START));
        vm.expectRevert(ISubscriptionRouter.InvalidSignature.selector);
        router.setPlanBySig(key, INACTIVE, 0, START, wrong);
        router.setPlanBySig(key, INACTIVE, 0, START, sign(creatorKey, setPlanHash(key, 2, 0, START)));
        assertEq(uint8(router.planOf(key).state), 2);
    }

    function test_setPlanBySig_takesTheKeyOfADelegatedAccount() external {
        vm.etch(creator, address(new PlainDelegate()).code);
        router.setPlanBySig(planKey, INACTIVE, 0, START, _signed(creatorKey, INACTIVE, 0, START));
        assertPlanState(INACTIVE);
    }

    function _signed(uint256 key, ISubscriptionRouter.PlanState state, uint256 nonce, uint256 deadline)
        private
        view
        returns (bytes memory)
    {
        return sign(key, setPlanHash(planKey, uint8(state), nonce, deadline));
    }
}
