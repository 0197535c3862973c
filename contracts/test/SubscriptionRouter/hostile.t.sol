// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HostileToken} from "../setup/Hostile.sol";
import {IUsdc} from "../setup/Usdc.sol";
import {SubscriptionRouterTest} from "../setup/SubscriptionRouterTest.sol";
import {ISubscriptionRouter} from "../../src/interfaces/ISubscriptionRouter.sol";

/// @dev Refuses whatever it is asked, at length.
contract LongReason {
    fallback() external {
        assembly {
            revert(0x80, 5000)
        }
    }
}

/// @dev The token is fixed when the router is deployed, and trusted. Should it ever misbehave, this is what happens.
contract HostileTokenTest is SubscriptionRouterTest {
    HostileToken private token;

    function setUp() public override {
        super.setUp();
        join();
        vm.warp(START + PERIOD);
    }

    function deployUsdc() internal override returns (IUsdc) {
        token = new HostileToken();
        return IUsdc(address(token));
    }

    function test_charge_takesNoAnswerForSuccess() external {
        token.set(HostileToken.Mode.NoReturn);
        router.charge(planKey, subscriber);
        assertPaid(2);
    }

    function test_charge_revertsWhenTheTokenDoesNotSayTrue() external {
        HostileToken.Mode[5] memory modes = [
            HostileToken.Mode.FalseReturn,
            HostileToken.Mode.OtherReturn,
            HostileToken.Mode.ShortReturn,
            HostileToken.Mode.Silent,
            HostileToken.Mode.LongReason
        ];
        for (uint256 i; i < modes.length; ++i) {
            token.set(modes[i]);
            vm.expectPartialRevert(ISubscriptionRouter.TransferFailed.selector);
            router.charge(planKey, subscriber);
            vm.prank(subscriber);
            vm.expectRevert();
            router.subscribe(planKey, amount, PERIOD);
        }
        assertEq(subscription().lastChargedAt, START);
        assertPaid(1);
    }

    /// @dev A reason of any length is cut to what a report may cost: 512 bytes of a token's, 1,024 of any.
    function test_chargeBatch_cutsALongReason() external {
        token.set(HostileToken.Mode.LongReason);
        _expectReason(abi.encodeWithSelector(ISubscriptionRouter.TransferFailed.selector, new bytes(512)));
        assertEq(router.chargeBatch(_charges(1)), 0);
        token.set(HostileToken.Mode.None);
        vm.prank(subscriber);
        router.cancel(planKey, subscriber);
        joinByPermit2();
        vm.etch(PERMIT2, address(new LongReason()).code);
        vm.warp(block.timestamp + PERIOD);
        _expectReason(new bytes(1024));
        assertEq(router.chargeBatch(_charges(1)), 0);
    }

    /// @dev What the token keeps is missing at the creator and the treasury; the subscriber gives the amount and no more.
    function test_charge_ofAFeeTakingTokenTakesTheAmount() external {
        token.set(HostileToken.Mode.TakesFee);
        router.charge(planKey, subscriber);
        assertEq(usdc.balanceOf(subscriber), 1000 * USD - 2 * amount);
        assertEq(usdc.balanceOf(creator), 2 * (amount - fee) - (amount - fee) / 100);
        assertRouterEmpty();
    }

    function test_chargeBatch_reportsATokenThatEatsAllGas() external {
        token.set(HostileToken.Mode.EatsGas);
        ISubscriptionRouter.Charge[] memory charges = _charges(1);
        _expectReason(abi.encodeWithSelector(ISubscriptionRouter.TransferFailed.selector, bytes("")));
        assertEq(router.chargeBatch{gas: 5_000_000}(charges), 0);
        // With more of them nothing is left for the next: the batch is undone, and each can be charged alone.
        charges = _charges(3);
        vm.expectRevert(ISubscriptionRouter.InsufficientGas.selector);
        router.chargeBatch{gas: 5_000_000}(charges);
    }

    function test_charge_isNotEnteredTwice() external {
        token.setReentry(address(router), abi.encodeCall(router.charge, (planKey, subscriber)));
        router.charge(planKey, subscriber);
        assertTrue(token.reentryFailed());
        assertPaid(2);
    }

    function test_charge_isNotEnteredTwiceByABatch() external {
        token.setReentry(address(router), abi.encodeCall(router.chargeBatch, (_charges(1))));
        router.charge(planKey, subscriber);
        assertPaid(2);
    }

    /// @dev The token is made to act for a subscriber: inside of the subscription's own charge it can only end it.
    function test_subscribe_isNotEnteredTwice() external {
        address account = address(token);
        usdc.mint(account, 1000 * USD);
        vm.prank(account);
        usdc.approve(address(router), type(uint256).max);
        token.setReentry(address(router), abi.encodeCall(router.subscribe, (planKey, amount, PERIOD)));
        vm.prank(account);
        router.subscribe(planKey, amount, PERIOD);
        assertTrue(token.reentryFailed());
        assertEq(usdc.balanceOf(account), 1000 * USD - amount);
    }

    function test_charge_leavesWhatWasCancelledInsideCancelled() external {
        address account = address(token);
        usdc.mint(account, 1000 * USD);
        vm.startPrank(account);
        usdc.approve(address(router), type(uint256).max);
        router.subscribe(planKey, amount, PERIOD);
        vm.stopPrank();
        vm.warp(block.timestamp + PERIOD);
        token.setReentry(address(router), abi.encodeCall(router.cancel, (planKey, account)));
        router.charge(planKey, account);
        ISubscriptionRouter.Subscription memory s = router.subscriptionOf(planKey, account);
        assertEq(uint8(s.state), uint8(ISubscriptionRouter.SubscriptionState.Cancelled));
        assertEq(s.chargesPaid, 2);
        assertEq(usdc.balanceOf(account), 1000 * USD - 2 * amount);
    }

    function _expectReason(bytes memory reason) private {
        vm.expectEmit(address(router));
        emit ISubscriptionRouter.ChargeFailed(planKey, subscriber, reason);
    }

    function _charges(uint256 count) private view returns (ISubscriptionRouter.Charge[] memory charges) {
        charges = new ISubscriptionRouter.Charge[](count);
        for (uint256 i; i < count; ++i) {
            charges[i] = ISubscriptionRouter.Charge(planKey, subscriber);
        }
    }
}
