// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HostileReceiver} from "../setup/Hostile.sol";
import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";
import {ScriptedPayee} from "../setup/ScriptedPayee.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";

abstract contract RefundTest is PaymentRouterTest {
    function setUp() public override {
        super.setUp();
        fund(payee);
    }

    function test_refund_sendsThePayeesMoneyAndRecordsIt() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        bytes32 key = pay(terms);
        uint256 before = usdc.balanceOf(payee);
        expectRefunded(terms, other, 30 * USD, 30 * USD);
        refund(terms, other, 30 * USD);
        expectRefunded(terms, payer, 70 * USD, 100 * USD);
        refund(terms, payer, 70 * USD);
        assertEq(router.refunded(key), 100 * USD);
        assertEq(usdc.balanceOf(other), 30 * USD);
        assertEq(usdc.balanceOf(payer), 970 * USD);
        assertEq(usdc.balanceOf(payee), before - 100 * USD);
        assertEq(usdc.balanceOf(treasury), terms.fee, "the fee stays");
        assertRouterEmpty();
    }

    function test_refund_ofANativePayment() external {
        IPaymentRouter.Terms memory terms = nativeTerms();
        bytes32 key = pay(terms);
        uint256 before = payee.balance;
        expectRefunded(terms, other, 30 ether, 30 ether);
        refund(terms, other, 30 ether);
        assertEq(router.refunded(key), 30 ether);
        assertEq(other.balance, 30 ether);
        assertEq(payee.balance, before - 30 ether);
        assertRouterEmpty();
    }

    function test_refund_ofASweptDeposit() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        sendToDeposit(terms, terms.token, terms.amount);
        router.sweep(terms);
        refund(terms, payer, terms.amount);
        assertEq(usdc.balanceOf(payer), 1000 * USD);
    }

    function test_refund_worksWhilePausedAndAfterTheDeadline() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        pay(terms);
        pauseRouter();
        vm.warp(terms.deadline + 365 days);
        refund(terms, payer, terms.amount);
        assertEq(router.refunded(router.keyOf(terms)), terms.amount);
    }

    function test_refund_revertsWhenTheSumIsAboveTheAmount() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        bytes32 key = pay(terms);
        expectRefundRevert(terms, terms.amount + 1, abi.encodeWithSelector(IPaymentRouter.RefundTooLarge.selector, terms.amount));
        refund(terms, payer, 60 * USD);
        bytes memory reason = abi.encodeWithSelector(IPaymentRouter.RefundTooLarge.selector, 40 * USD);
        expectRefundRevert(terms, 40 * USD + 1, reason);
        expectRefundRevert(terms, type(uint256).max, reason);
        refund(terms, payer, 40 * USD);
        expectRefundRevert(terms, 1, abi.encodeWithSelector(IPaymentRouter.RefundTooLarge.selector, 0));
        assertEq(router.refunded(key), terms.amount);
    }

    function test_refund_revertsWhenTheKeyIsNotSettled() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        pay(terms);
        for (uint256 i; i < FIELDS; ++i) {
            if (i == 1) continue;
            IPaymentRouter.Terms memory others = changed(terms, i);
            bytes32 key = router.keyOf(others);
            expectRefundRevert(others, 1, abi.encodeWithSelector(IPaymentRouter.NotSettled.selector, key));
        }
        // A deposit that nobody swept is no payment.
        IPaymentRouter.Terms memory unswept = usdcTerms();
        sendToDeposit(unswept, unswept.token, unswept.amount);
        bytes32 unsweptKey = router.keyOf(unswept);
        expectRefundRevert(unswept, 1, abi.encodeWithSelector(IPaymentRouter.NotSettled.selector, unsweptKey));
        // Nor is there one on another router.
        IPaymentRouter otherRouter = deployRouter();
        vm.prank(payee);
        vm.expectPartialRevert(IPaymentRouter.NotSettled.selector);
        otherRouter.refund(terms, payer, 1);
    }

    function test_refund_revertsWhenCallerIsNotThePayee() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        pay(terms);
        address[5] memory callers = [owner, guardian, treasury, payer, other];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(IPaymentRouter.NotPayee.selector);
            router.refund(terms, callers[i], 1);
        }
    }

    function test_refund_revertsWhenAmountIsZeroOrNobodyCouldGetIt() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        pay(terms);
        expectRefundRevert(terms, 0, abi.encodePacked(IPaymentRouter.ZeroAmount.selector));
        for (uint256 i; i < 3; ++i) {
            vm.prank(payee);
            vm.expectRevert(IPaymentRouter.InvalidPayee.selector);
            router.refund(terms, [address(0), address(router), address(usdc)][i], 1);
        }
    }

    function test_refund_revertsWhenValueIsWrong() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        pay(terms);
        vm.prank(payee);
        vm.expectRevert(IPaymentRouter.InvalidValue.selector);
        router.refund{value: 1}(terms, payer, 1);
        terms = nativeTerms();
        pay(terms);
        for (uint256 i; i < 2; ++i) {
            vm.prank(payee);
            vm.expectRevert(IPaymentRouter.InvalidValue.selector);
            router.refund{value: [uint256(4), 6][i]}(terms, payer, 5);
        }
        assertRouterEmpty();
    }

    function test_refund_revertsWhenThePayeeHasTooLittle() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        bytes32 key = pay(terms);
        vm.prank(payee);
        usdc.approve(address(router), 4);
        vm.prank(payee);
        vm.expectPartialRevert(IPaymentRouter.TransferFailed.selector);
        router.refund(terms, payer, 5);
        assertEq(router.refunded(key), 0);
    }

    function test_refund_revertsWhenTheReceiverRefuses() external {
        IPaymentRouter.Terms memory terms = nativeTerms();
        bytes32 key = pay(terms);
        HostileReceiver receiver = new HostileReceiver();
        receiver.set(HostileReceiver.Mode.Reverts);
        vm.prank(payee);
        vm.expectPartialRevert(IPaymentRouter.TransferFailed.selector);
        router.refund{value: 5}(terms, address(receiver), 5);
        assertEq(router.refunded(key), 0);
    }

    /// @dev The sum is written before the receiver hears of it.
    function test_refund_reenteredStaysWithinTheAmount() external {
        IPaymentRouter.Terms memory terms = nativeTerms();
        ScriptedPayee scripted = new ScriptedPayee();
        terms.payee = address(scripted);
        pay(terms);
        vm.deal(address(scripted), 500 ether);
        bytes memory again = abi.encodeCall(router.refund, (terms, address(scripted), 60 ether));
        scripted.onReceive(address(router), 60 ether, again);
        scripted.act(address(router), 60 ether, again);
        assertEq(scripted.answer(), abi.encodeWithSelector(IPaymentRouter.RefundTooLarge.selector, 40 ether));
        assertEq(router.refunded(router.keyOf(terms)), 60 ether);
        assertRouterEmpty();
    }

    function testFuzz_refund_neverExceedsTheAmount(uint256[4] calldata amounts) external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        bytes32 key = pay(terms);
        uint256 sum;
        for (uint256 i; i < amounts.length; ++i) {
            uint256 amount = bound(amounts[i], 1, terms.amount);
            if (sum + amount > terms.amount) {
                expectRefundRevert(
                    terms, amount, abi.encodeWithSelector(IPaymentRouter.RefundTooLarge.selector, terms.amount - sum)
                );
            } else {
                refund(terms, other, amount);
                sum += amount;
            }
        }
        assertEq(router.refunded(key), sum);
        assertEq(usdc.balanceOf(other), sum);
        assertLe(sum, terms.amount);
    }

    function refund(IPaymentRouter.Terms memory terms, address to, uint256 amount) internal {
        vm.prank(terms.payee);
        router.refund{value: terms.token == address(0) ? amount : 0}(terms, to, amount);
    }

    function expectRefunded(IPaymentRouter.Terms memory terms, address to, uint256 amount, uint256 total) internal {
        bytes32 key = router.keyOf(terms);
        vm.expectEmit(address(router));
        emit IPaymentRouter.PaymentRefunded(key, terms.orderId, to, terms.token, amount, total);
    }

    function expectRefundRevert(IPaymentRouter.Terms memory terms, uint256 amount, bytes memory reason) internal {
        vm.prank(terms.payee);
        vm.expectRevert(reason);
        router.refund(terms, payer, amount);
    }
}

contract RefundOnUsdcTest is RefundTest {
    function test_refund_revertsWhenUsdcRefuses() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        pay(terms);
        for (uint256 i; i < 2; ++i) {
            uint256 snapshot = vm.snapshotState();
            usdc.blacklist([payee, payer][i]);
            expectRefundRevert(terms, 1, transferFailed("Blacklistable: account is blacklisted"));
            vm.revertToState(snapshot);
        }
        usdc.pause();
        expectRefundRevert(terms, 1, transferFailed("Pausable: paused"));
    }
}

contract RefundOnToken18Test is RefundTest {
    constructor() {
        onToken18 = true;
    }
}
