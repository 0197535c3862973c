// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BotRouterTest} from "../setup/BotRouterTest.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";
import {IExecutors} from "../../src/interfaces/IExecutors.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

abstract contract TipTest is BotRouterTest {
    function test_tip_paysRecipientAndTreasury() external {
        IBotRouter.Tip memory t = usdcTip();
        vm.expectEmit(address(router));
        emit IBotRouter.TipSettled(t.messageKey, sender, recipient, address(usdc), t.amount, t.fee);
        settle(t);
        assertEq(usdc.balanceOf(recipient), t.amount);
        assertEq(usdc.balanceOf(treasury), t.fee);
        assertEq(usdc.balanceOf(sender), 1000 * USD - t.amount - t.fee);
        assertTrue(router.processed(t.messageKey));
        assertEq(spentOf(sender, address(usdc)), t.amount + t.fee);
        assertRouterEmpty();
    }

    function test_tip_withoutFee() external {
        IBotRouter.Tip memory t = usdcTip();
        t.fee = 0;
        settle(t);
        assertEq(usdc.balanceOf(treasury), 0);
        assertEq(usdc.balanceOf(recipient), t.amount);
    }

    function test_tip_atItsLastSecond() external {
        IBotRouter.Tip memory t = usdcTip();
        vm.warp(t.validUntil);
        settle(t);
        assertTrue(router.processed(t.messageKey));
    }

    function test_tip_revertsWhenExpired() external {
        IBotRouter.Tip memory t = usdcTip();
        vm.warp(t.validUntil + 1);
        expectTipRevert(t, IBotRouter.Expired.selector);
    }

    function test_tip_revertsWhenCallerIsNoExecutor() external {
        IBotRouter.Tip memory t = usdcTip();
        for (uint256 i; i < 4; ++i) {
            vm.prank([owner, guardian, treasury, sender][i]);
            vm.expectRevert(IExecutors.NotExecutor.selector);
            router.tip(t);
        }
    }

    function test_tip_revertsWhenPaused() external {
        vm.prank(guardian);
        router.pause();
        expectTipRevert(usdcTip(), IRoles.Paused.selector);
        vm.prank(owner);
        router.unpause();
        settle(usdcTip());
    }

    function test_tip_revertsWhenKeyWasUsed() external {
        IBotRouter.Tip memory t = usdcTip();
        settle(t);
        t.amount = 1;
        t.recipient = makeAddr("somebody else");
        vm.prank(executor);
        vm.expectRevert(abi.encodeWithSelector(IBotRouter.AlreadyProcessed.selector, t.messageKey));
        router.tip(t);
    }

    function test_tip_revertsWhenTokenIsUnknown() external {
        IBotRouter.Tip memory t = usdcTip();
        t.token = makeAddr("token");
        expectTipRevert(t, IBotRouter.UnsupportedToken.selector);
    }

    function test_tip_revertsWhenAmountIsZero() external {
        IBotRouter.Tip memory t = usdcTip();
        t.amount = 0;
        expectTipRevert(t, IBotRouter.ZeroAmount.selector);
    }

    function test_tip_revertsWhenRecipientCouldNeverSpend() external {
        IBotRouter.Tip memory t = usdcTip();
        for (uint256 i; i < 4; ++i) {
            t.recipient = [address(0), address(router), address(usdc), address(wrapped)][i];
            expectTipRevert(t, IBotRouter.InvalidRecipient.selector);
        }
    }

    function test_tip_revertsWhenSenderHasNoLimits() external {
        IBotRouter.Tip memory t = usdcTip();
        t.sender = makeAddr("without limits");
        usdc.mint(t.sender, 100 * USD);
        vm.prank(t.sender);
        usdc.approve(address(router), type(uint256).max);
        expectTipRevert(t, IBotRouter.LimitPerTip.selector);
    }

    function test_tip_revertsWhenAmountAndFeeExceedTheTipLimit() external {
        IBotRouter.Tip memory t = usdcTip();
        t.fee = 1;
        t.amount = 100 * USD;
        expectTipRevert(t, IBotRouter.LimitPerTip.selector);
        t.amount -= 1;
        settle(t);
    }

    function test_tip_revertsWhenFeeExceedsItsLimit() external {
        IBotRouter.Tip memory t = usdcTip();
        t.fee = USD + 1;
        expectTipRevert(t, IBotRouter.LimitFee.selector);
        t.fee = USD;
        settle(t);
    }

    function test_tip_revertsWhenBalanceIsTooLow() external {
        vm.prank(sender);
        usdc.transfer(recipient, 1000 * USD - 5 * USD);
        vm.prank(executor);
        vm.expectPartialRevert(IBotRouter.TransferFailed.selector);
        router.tip(usdcTip());
        assertEq(usdc.balanceOf(sender), 5 * USD, "amount without fee was taken");
    }

    function test_tip_revertsWhenAllowanceIsTooLow() external {
        vm.prank(sender);
        usdc.approve(address(router), 5 * USD);
        vm.prank(executor);
        vm.expectPartialRevert(IBotRouter.TransferFailed.selector);
        router.tip(usdcTip());
        assertEq(spentOf(sender, address(usdc)), 0);
    }

    /// @dev Upper bits beyond a field's width change nothing about whom and what it names.
    function test_tip_dropsWhatLiesBeyondAFieldsWidth() external {
        IBotRouter.Tip memory t = usdcTip();
        bytes memory data = abi.encodeCall(router.tip, (t));
        data[4 + 0x20] = 0xff;
        data[4 + 0x40] = 0xff;
        data[4 + 0x60] = 0xff;
        data[4 + 0x80] = 0xff;
        data[4 + 0xa0] = 0xff;
        data[4 + 0xc0] = 0xff;
        vm.prank(executor);
        (bool ok,) = address(router).call(data);
        assertTrue(ok);
        assertEq(usdc.balanceOf(recipient), t.amount);
        assertEq(spentOf(sender, address(usdc)), t.amount + t.fee);
    }

    function testFuzz_tip_movesExactlyAmountAndFee(uint128 amount, uint128 fee) external {
        IBotRouter.Tip memory t = usdcTip();
        t.fee = uint128(bound(fee, 0, USD));
        t.amount = uint128(bound(amount, 1, 100 * USD - t.fee));
        settle(t);
        assertEq(usdc.balanceOf(recipient), t.amount);
        assertEq(usdc.balanceOf(treasury), t.fee);
        assertEq(usdc.balanceOf(sender), 1000 * USD - t.amount - t.fee);
    }
}

contract TipOnUsdcTest is TipTest {
    function test_tip_revertsWhenUsdcBlacklistedSomebody() external {
        IBotRouter.Tip memory t = usdcTip();
        for (uint256 i; i < 4; ++i) {
            uint256 snapshot = vm.snapshotState();
            usdc.blacklist([sender, recipient, treasury, address(router)][i]);
            expectTipRevert(t, transferFailed("Blacklistable: account is blacklisted"));
            vm.revertToState(snapshot);
        }
    }

    function test_tip_revertsWhenUsdcIsPaused() external {
        usdc.pause();
        expectTipRevert(usdcTip(), transferFailed("Pausable: paused"));
    }

    function test_tip_namesUsdcsOwnReason() external {
        vm.prank(sender);
        usdc.approve(address(router), 0);
        expectTipRevert(usdcTip(), transferFailed("ERC20: transfer amount exceeds allowance"));
    }
}

contract TipOnToken18Test is TipTest {
    constructor() {
        onToken18 = true;
    }
}
