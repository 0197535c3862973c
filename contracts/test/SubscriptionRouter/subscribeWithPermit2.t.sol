// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {IPermit2Allowances, PlainDelegate, SubscriptionRouterTest} from "../setup/SubscriptionRouterTest.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";
import {ISubscriptionRouter} from "../../src/interfaces/ISubscriptionRouter.sol";

abstract contract SubscribeWithPermit2Test is SubscriptionRouterTest {
    function setUp() public override {
        super.setUp();
        // Permit2 alone may draw.
        vm.startPrank(subscriber);
        usdc.approve(address(router), 0);
        usdc.approve(PERMIT2, type(uint256).max);
        vm.stopPrank();
    }

    function test_subscribeWithPermit2_drawsByPermit2NowAndLater() external {
        IPermits.Permit2Allowance memory permit = _permit(2 * amount, PERIOD);
        vm.expectEmit(address(router));
        emit ISubscriptionRouter.Subscribed(planKey, subscriber, uint64(START + PERIOD));
        expectCharged(START + PERIOD);
        _subscribe(permit);
        assertTrue(subscription().viaPermit2);
        assertEq(router.nonces(subscriber), 1);
        assertPaid(1);
        vm.warp(START + PERIOD);
        expectCharged(START + 2 * PERIOD);
        router.charge(planKey, subscriber);
        assertPaid(2);
        (uint160 left,,) = IPermit2Allowances(PERMIT2).allowance(subscriber, address(usdc), address(router));
        assertEq(left, 0);
    }

    function test_subscribeWithPermit2_worksWhenThePermitWasUsedFirst() external {
        IPermits.Permit2Allowance memory permit = _permit(2 * amount, PERIOD);
        usePermit2Allowance(subscriber, permit);
        _subscribe(permit);
        assertPaid(1);
    }

    function test_subscribeWithPermit2_neverDrawsOnTheTokensAllowance() external {
        vm.prank(subscriber);
        usdc.approve(address(router), type(uint256).max);
        vm.prank(subscriber);
        vm.expectRevert(abi.encodeWithSelector(IPermit2Allowances.AllowanceExpired.selector, 0));
        router.subscribeWithPermit2(planKey, amount, PERIOD, noPermit2());
        assertPaid(0);
    }

    function test_subscribeWithPermit2_revertsWhenTheAllowanceIsTooSmall() external {
        IPermits.Permit2Allowance memory permit = _permit(amount - 1, PERIOD);
        vm.prank(subscriber);
        // The creator's part leaves too little for the fee.
        vm.expectRevert(abi.encodeWithSelector(IPermit2Allowances.InsufficientAllowance.selector, fee - 1));
        router.subscribeWithPermit2(planKey, amount, PERIOD, permit);
        assertPaid(0);
    }

    function test_subscribeWithPermit2_revertsWhenForgedOrForAnother() external {
        IPermits.Permit2Allowance memory forged = permit2Allowance(creatorKey, uint160(amount), uint48(START + PERIOD), 0);
        IPermits.Permit2Allowance memory raised = _permit(amount - fee, PERIOD);
        raised.amount = uint160(amount);
        bytes memory reason = abi.encodeWithSelector(IPermit2Allowances.AllowanceExpired.selector, 0);
        vm.startPrank(subscriber);
        vm.expectRevert(reason);
        router.subscribeWithPermit2(planKey, amount, PERIOD, forged);
        vm.expectRevert(reason);
        router.subscribeWithPermit2(planKey, amount, PERIOD, raised);
        vm.stopPrank();
    }

    function test_subscribeWithPermit2_revertsWithoutAnAllowanceForPermit2() external {
        vm.prank(subscriber);
        usdc.approve(PERMIT2, 0);
        IPermits.Permit2Allowance memory permit = _permit(amount, PERIOD);
        vm.prank(subscriber);
        vm.expectRevert("TRANSFER_FROM_FAILED");
        router.subscribeWithPermit2(planKey, amount, PERIOD, permit);
    }

    function test_subscribeWithPermit2_revertsWhenPausedOrTermsDiffer() external {
        IPermits.Permit2Allowance memory permit = _permit(amount, PERIOD);
        vm.startPrank(subscriber);
        vm.expectRevert(ISubscriptionRouter.TermsMismatch.selector);
        router.subscribeWithPermit2(planKey, amount - 1, PERIOD, permit);
        vm.expectRevert(ISubscriptionRouter.TermsMismatch.selector);
        router.subscribeWithPermit2(planKey, amount, PERIOD - 1, permit);
        vm.stopPrank();
        pauseRouter();
        vm.prank(subscriber);
        vm.expectRevert(IRoles.Paused.selector);
        router.subscribeWithPermit2(planKey, amount, PERIOD, permit);
    }

    /// @dev Permit2 moves at most 2^160 - 1 at once. What is above is refused and not cut off.
    function test_subscribeWithPermit2_revertsWhenTheAmountIsTooLargeForPermit2() external {
        uint256 huge = (1 << 160) * uint256(2) + 100;
        planKey = newPlan(huge, PERIOD);
        IPermits.Permit2Allowance memory permit = _permit(type(uint160).max, PERIOD);
        uint256 rest = huge - (huge * BASIS_POINTS + 5000) / 10_000;
        vm.prank(subscriber);
        vm.expectRevert(abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 160, rest));
        router.subscribeWithPermit2(planKey, huge, PERIOD, permit);
        assertState(ISubscriptionRouter.SubscriptionState.None);
    }

    /// @dev With a high fee it is the fee alone that is too large.
    function test_subscribeWithPermit2_revertsWhenTheFeeIsTooLargeForPermit2() external {
        router = deployRouter(address(usdc), 9999);
        uint256 huge = 1 << 161;
        planKey = newPlan(huge, PERIOD);
        // The creator's part does go through.
        usdc.mint(subscriber, huge);
        IPermits.Permit2Allowance memory permit = _permit(type(uint160).max, PERIOD);
        uint256 fee_ = (huge * 9999 + 5000) / 10_000;
        vm.prank(subscriber);
        vm.expectRevert(abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 160, fee_));
        router.subscribeWithPermit2(planKey, huge, PERIOD, permit);
        assertEq(usdc.balanceOf(creator), 0);
    }

    /// @dev Who subscribes again chooses anew how draws are made.
    function test_subscribeWithPermit2_canBeLeftForTheTokensAllowance() external {
        _subscribe(_permit(amount, PERIOD));
        vm.startPrank(subscriber);
        router.cancel(planKey, subscriber);
        usdc.approve(address(router), amount);
        vm.warp(START + PERIOD);
        router.subscribe(planKey, amount, PERIOD);
        vm.stopPrank();
        assertFalse(subscription().viaPermit2);
        assertPaid(2);
    }

    /// @dev Permit2 asks an account that has code by ERC-1271; an allowance that was given by a call still works.
    function test_subscribeWithPermit2_refusesTheKeyOfADelegatedAccount() external {
        vm.etch(subscriber, address(new PlainDelegate()).code);
        IPermits.Permit2Allowance memory permit = _permit(amount, PERIOD);
        vm.prank(subscriber);
        vm.expectRevert(abi.encodeWithSelector(IPermit2Allowances.AllowanceExpired.selector, 0));
        router.subscribeWithPermit2(planKey, amount, PERIOD, permit);
        vm.prank(subscriber);
        IPermit2Allowances(PERMIT2).approve(address(usdc), address(router), uint160(amount), uint48(START + PERIOD));
        _subscribe(permit);
        assertPaid(1);
    }

    /// @dev Where there is no Permit2 the other ways go on.
    function test_subscribeWithPermit2_revertsWhereThereIsNone() external {
        IPermits.Permit2Allowance memory permit = _permit(amount, PERIOD);
        vm.etch(PERMIT2, "");
        vm.startPrank(subscriber);
        vm.expectRevert(bytes(""));
        router.subscribeWithPermit2(planKey, amount, PERIOD, permit);
        usdc.approve(address(router), amount);
        router.subscribe(planKey, amount, PERIOD);
        vm.stopPrank();
        assertPaid(1);
    }

    function _permit(uint256 most, uint256 lifetime) private view returns (IPermits.Permit2Allowance memory) {
        return permit2Allowance(subscriberKey, uint160(most), uint48(START + lifetime), 0);
    }

    function _subscribe(IPermits.Permit2Allowance memory permit) private {
        vm.prank(subscriber);
        router.subscribeWithPermit2(planKey, amount, PERIOD, permit);
    }
}

contract SubscribeWithPermit2OnUsdcTest is SubscribeWithPermit2Test {}

contract SubscribeWithPermit2OnToken18Test is SubscribeWithPermit2Test {
    constructor() {
        onToken18 = true;
    }
}
