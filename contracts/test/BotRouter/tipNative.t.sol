// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BotRouterTest} from "../setup/BotRouterTest.sol";
import {DualNative, HostileReceiver} from "../setup/Hostile.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";
import {WrappedNative} from "../../src/local/WrappedNative.sol";

contract TipNativeTest is BotRouterTest {
    HostileReceiver private receiver;

    function setUp() public override {
        super.setUp();
        receiver = new HostileReceiver();
    }

    function test_tipNative_deliversTheNativeAsset() external {
        IBotRouter.Tip memory t = nativeTip();
        settle(t);
        assertEq(recipient.balance, t.amount);
        assertEq(wrapped.balanceOf(recipient), 0);
        assertEq(wrapped.balanceOf(treasury), t.fee, "the fee stays wrapped");
        assertEq(wrapped.balanceOf(sender), 1000 ether - t.amount - t.fee);
        assertEq(spentOf(sender, address(wrapped)), t.amount + t.fee);
        assertRouterEmpty();
    }

    function test_tipNative_deliversToAContract() external {
        IBotRouter.Tip memory t = nativeTip();
        t.recipient = address(receiver);
        settle(t);
        assertEq(address(receiver).balance, t.amount);
    }

    function test_tipNative_fallsBackToTheWrappedAsset() external {
        HostileReceiver.Mode[3] memory modes =
            [HostileReceiver.Mode.Reverts, HostileReceiver.Mode.EatsGas, HostileReceiver.Mode.ReturnsMuch];
        for (uint256 i; i < modes.length; ++i) {
            receiver.set(modes[i]);
            IBotRouter.Tip memory t = nativeTip();
            t.recipient = address(receiver);
            vm.expectEmit(address(router));
            emit IBotRouter.DeliveredWrapped(t.messageKey, t.recipient, t.amount);
            settle(t);
            assertLt(vm.lastCallGas().gasTotalUsed, 300_000, "the recipient's gas is not bounded");
            assertEq(wrapped.balanceOf(address(receiver)), t.amount * (i + 1));
            assertRouterEmpty();
        }
    }

    function test_tipNative_revertsWhenNotEvenTheWrappedAssetArrives() external {
        receiver.set(HostileReceiver.Mode.Reverts);
        IBotRouter.Tip memory t = nativeTip();
        t.recipient = address(receiver);
        vm.mockCall(address(wrapped), abi.encodeCall(wrapped.transfer, (t.recipient, t.amount)), abi.encode(false));
        expectTipRevert(t, abi.encodeWithSelector(IBotRouter.TransferFailed.selector, abi.encode(false)));
        assertEq(wrapped.balanceOf(sender), 1000 ether);
    }

    function test_tipNative_reentryFindsTheKeyUsed() external {
        IBotRouter.Tip memory t = nativeTip();
        t.recipient = address(receiver);
        // The worst case: the recipient itself is an executor.
        vm.prank(owner);
        router.addExecutor(address(receiver));
        vm.warp(block.timestamp + 24 hours);
        t.validUntil = uint64(block.timestamp);
        receiver.setReentry(address(router), abi.encodeCall(router.tip, (t)));
        settle(t);
        assertEq(address(receiver).balance, t.amount, "paid once");
        assertEq(spentOf(sender, address(wrapped)), t.amount + t.fee);
    }

    function test_tipNative_revertsWhenGasIsTooLowForTheRecipient() external {
        IBotRouter.Tip memory t = nativeTip();
        t.recipient = address(receiver);
        vm.prank(executor);
        vm.expectRevert(IBotRouter.InsufficientGas.selector);
        router.tip{gas: 230_000}(t);
        assertFalse(router.processed(t.messageKey));
        vm.prank(executor);
        router.tip{gas: 360_000}(t);
        assertEq(address(receiver).balance, t.amount);
    }

    function test_tipNative_ignoresValueThatWasForcedIn() external {
        vm.deal(address(router), 3 ether);
        IBotRouter.Tip memory t = nativeTip();
        settle(t);
        assertEq(recipient.balance, t.amount);
        assertEq(address(router).balance, 3 ether, "nobody's");
        assertEq(wrapped.balanceOf(address(router)), 0);
    }

    function test_tipNative_whereTheNativeAssetIsAToken() external {
        DualNative dual = new DualNative();
        wrapped = WrappedNative(payable(address(dual)));
        router = deployRouter(address(0));
        vm.deal(sender, 1000 ether);
        vm.startPrank(sender);
        dual.approve(address(router), type(uint256).max);
        router.setLimits(address(dual), 100 ether, 500 ether, 1 ether);
        vm.stopPrank();
        IBotRouter.Tip memory t = nativeTip();
        settle(t);
        assertEq(recipient.balance, t.amount);
        assertEq(treasury.balance, t.fee);
        assertEq(address(router).balance, 0);

        receiver.set(HostileReceiver.Mode.Reverts);
        t = nativeTip();
        t.recipient = address(receiver);
        settle(t);
        assertEq(address(receiver).balance, t.amount, "as a token it arrives all the same");
        assertEq(address(router).balance, 0);
    }

    function test_receive_revertsWhenNotFromTheWrappedAsset() external {
        vm.deal(sender, 1 ether);
        vm.prank(sender);
        (bool ok, bytes memory reason) = address(router).call{value: 1}("");
        assertFalse(ok);
        assertEq(reason, abi.encodePacked(IBotRouter.UnexpectedValue.selector));
    }

    function testFuzz_tipNative_movesExactlyAmountAndFee(uint128 amount, uint128 fee) external {
        IBotRouter.Tip memory t = nativeTip();
        t.fee = uint128(bound(fee, 0, 1 ether));
        t.amount = uint128(bound(amount, 1, 99 ether));
        settle(t);
        assertEq(recipient.balance, t.amount);
        assertEq(wrapped.balanceOf(treasury), t.fee);
        assertEq(wrapped.balanceOf(sender), 1000 ether - t.amount - t.fee);
        assertRouterEmpty();
    }
}
