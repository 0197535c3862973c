// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PlainDelegate, SubscriptionRouterTest} from "../setup/SubscriptionRouterTest.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";
import {ISubscriptionRouter} from "../../src/interfaces/ISubscriptionRouter.sol";

/// @dev A whole life of a subscription whose parties both delegated their accounts by EIP-7702, on a chain that knows it.
contract DelegatedTest is SubscriptionRouterTest {
    /// forge-config: default.evm_version = "prague"
    function test_delegated_signaturesForTheRouterStillWork() external {
        address delegate = address(new PlainDelegate());
        vm.signAndAttachDelegation(delegate, subscriberKey);
        usdc.balanceOf(subscriber);
        vm.signAndAttachDelegation(delegate, creatorKey);
        usdc.balanceOf(creator);
        assertEq(subscriber.code, abi.encodePacked(hex"ef0100", delegate));
        assertEq(creator.code, abi.encodePacked(hex"ef0100", delegate));

        // What it signed for USDC is refused, so the router draws on the allowance alone.
        IPermits.Permit memory permit = tokenPermit(subscriberKey, subscriber, 5 * amount, START);
        bytes memory signature = sign(subscriberKey, subscribeHash(subscriber, 0, START));
        vm.prank(subscriber);
        usdc.approve(address(router), 0);
        vm.expectRevert(transferFailed("ERC20: transfer amount exceeds allowance"));
        router.subscribeBySig(planKey, subscriber, amount, PERIOD, 0, START, signature, permit);
        vm.prank(subscriber);
        usdc.approve(address(router), 2 * amount);
        router.subscribeBySig(planKey, subscriber, amount, PERIOD, 0, START, signature, permit);

        vm.warp(START + PERIOD);
        router.charge(planKey, subscriber);
        assertPaid(2);

        uint256 deadline = START + PERIOD;
        router.setPlanBySig(
            planKey, ISubscriptionRouter.PlanState.Inactive, 0, deadline, sign(creatorKey, setPlanHash(planKey, 2, 0, deadline))
        );
        signature = sign(subscriberKey, cancelHash(subscriber, 1, deadline));
        router.cancelBySig(planKey, subscriber, subscriber, 1, deadline, signature);
        assertState(ISubscriptionRouter.SubscriptionState.Cancelled);
        assertPlanState(ISubscriptionRouter.PlanState.Inactive);
    }
}
