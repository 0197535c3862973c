// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HostileReceiver} from "../setup/Hostile.sol";
import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";
import {ScriptedPayee} from "../setup/ScriptedPayee.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

abstract contract PayNativeTest is PaymentRouterTest {
    HostileReceiver internal receiver;

    function setUp() public override {
        super.setUp();
        receiver = new HostileReceiver();
    }

    function test_payNative_paysPayeeAndTreasury() external {
        IPaymentRouter.Terms memory terms = nativeTerms();
        expectSettled(terms, payer);
        bytes32 key = pay(terms);
        assertEq(key, router.keyOf(terms));
        assertPaid(terms, payer);
    }

    function test_payNative_paysAContract() external {
        IPaymentRouter.Terms memory terms = nativeTerms();
        terms.payee = address(receiver);
        pay(terms);
        assertPaid(terms, payer);
    }

    function test_payNative_revertsWhenValueIsNotTheAmount() external {
        IPaymentRouter.Terms memory terms = nativeTerms();
        uint256[3] memory values = [0, terms.amount - 1, terms.amount + 1];
        for (uint256 i; i < values.length; ++i) {
            vm.prank(payer);
            vm.expectRevert(IPaymentRouter.InvalidValue.selector);
            router.payNative{value: values[i]}(terms);
        }
        assertUnpaid(terms);
    }

    function test_payNative_revertsWhenAmountIsZero() external {
        IPaymentRouter.Terms memory terms = nativeTerms();
        (terms.amount, terms.fee) = (0, 0);
        vm.expectRevert(IPaymentRouter.ZeroAmount.selector);
        router.payNative(terms);
    }

    function test_payNative_revertsWhenTermsAskForUsdc() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        vm.prank(payer);
        vm.expectRevert(IPaymentRouter.UnsupportedToken.selector);
        router.payNative{value: terms.amount}(terms);
    }

    function test_payNative_revertsWhenAlreadySettled() external {
        IPaymentRouter.Terms memory terms = nativeTerms();
        bytes32 key = pay(terms);
        vm.prank(payer);
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.AlreadySettled.selector, key));
        router.payNative{value: terms.amount}(terms);
        assertPaid(terms, payer);
    }

    function test_payNative_revertsWhenExpiredOrPaused() external {
        IPaymentRouter.Terms memory terms = nativeTerms();
        pauseRouter();
        vm.prank(payer);
        vm.expectRevert(IRoles.Paused.selector);
        router.payNative{value: terms.amount}(terms);
        vm.prank(owner);
        router.unpause();
        vm.warp(terms.deadline + 1);
        vm.prank(payer);
        vm.expectRevert(IPaymentRouter.Expired.selector);
        router.payNative{value: terms.amount}(terms);
        assertUnpaid(terms);
    }

    function test_payNative_revertsWhenThePayeeRefuses() external {
        IPaymentRouter.Terms memory terms = nativeTerms();
        terms.payee = address(receiver);
        HostileReceiver.Mode[3] memory modes =
            [HostileReceiver.Mode.Reverts, HostileReceiver.Mode.EatsGas, HostileReceiver.Mode.ReturnsMuch];
        for (uint256 i; i < modes.length; ++i) {
            receiver.set(modes[i]);
            vm.prank(payer);
            vm.expectPartialRevert(IPaymentRouter.TransferFailed.selector);
            router.payNative{value: terms.amount, gas: 500_000}(terms);
        }
        assertUnpaid(terms);
        assertEq(payer.balance, 1000 ether);
    }

    /// @dev The key is used up before the payee hears of it, on every way to settle it.
    function test_payNative_cannotBeReenteredToSettleTwice() external {
        IPaymentRouter.Terms memory terms = nativeTerms();
        ScriptedPayee scripted = new ScriptedPayee();
        terms.payee = address(scripted);
        bytes[2] memory again = [abi.encodeCall(router.sweep, (terms)), abi.encodeCall(router.payNative, (terms))];
        vm.deal(router.depositAddress(terms), terms.amount);
        uint256 snapshot = vm.snapshotState();
        for (uint256 i; i < again.length; ++i) {
            vm.deal(address(scripted), i * terms.amount);
            scripted.onReceive(address(router), i * terms.amount, again[i]);
            pay(terms);
            assertTrue(scripted.called());
            assertFalse(scripted.ok());
            assertEq(scripted.answer(), abi.encodeWithSelector(IPaymentRouter.AlreadySettled.selector, router.keyOf(terms)));
            assertEq(address(scripted).balance, i * terms.amount + terms.amount - terms.fee);
            assertEq(treasury.balance, terms.fee);
            assertRouterEmpty();
            vm.revertToState(snapshot);
        }
    }

    /// @dev Inside the payment it counts as settled already, so the payee may refund from there, its own money and no more.
    function test_payNative_reenteredRefundComesFromThePayee() external {
        IPaymentRouter.Terms memory terms = nativeTerms();
        ScriptedPayee scripted = new ScriptedPayee();
        terms.payee = address(scripted);
        uint256 back = terms.amount - terms.fee;
        scripted.onReceive(address(router), back, abi.encodeCall(router.refund, (terms, other, back)));
        pay(terms);
        assertTrue(scripted.ok());
        assertEq(other.balance, back);
        assertEq(address(scripted).balance, 0);
        assertEq(treasury.balance, terms.fee);
        assertEq(router.refunded(router.keyOf(terms)), back);
        assertRouterEmpty();
    }

    function test_payNative_revertsWhenTheTreasuryRefuses() external {
        vm.prank(owner);
        router.announceTreasury(address(receiver));
        vm.warp(START + 48 hours);
        router.applyTreasury();
        receiver.set(HostileReceiver.Mode.Reverts);
        IPaymentRouter.Terms memory terms = nativeTerms();
        vm.prank(payer);
        vm.expectPartialRevert(IPaymentRouter.TransferFailed.selector);
        router.payNative{value: terms.amount}(terms);
        assertUnpaid(terms);
    }

    function testFuzz_payNative_movesExactlyTheAmount(uint256 amount, uint256 fee) external {
        IPaymentRouter.Terms memory terms = nativeTerms();
        terms.amount = bound(amount, 1, 1000 ether);
        terms.fee = someFee(terms.amount, fee);
        pay(terms);
        assertPaid(terms, payer);
    }
}

contract PayNativeOnUsdcTest is PayNativeTest {
    function test_payNative_withoutFee() external {
        IPaymentRouter.Terms memory terms = nativeTerms();
        terms.fee = 0;
        pay(terms);
        assertPaid(terms, payer);
    }
}
