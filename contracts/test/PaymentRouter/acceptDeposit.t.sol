// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";
import {ScriptedPayee} from "../setup/ScriptedPayee.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";

abstract contract AcceptDepositTest is PaymentRouterTest {
    bool internal inNative;

    function newTerms() internal returns (IPaymentRouter.Terms memory) {
        return inNative ? nativeTerms() : usdcTerms();
    }

    function otherAsset() internal view returns (address) {
        return inNative ? address(usdc) : address(0);
    }

    function test_acceptDeposit_takesAPartLessItsShareOfTheFee() external {
        IPaymentRouter.Terms memory terms = newTerms();
        uint256 part = terms.amount / 2;
        address at = sendToDeposit(terms, terms.token, part);
        expectAccepted(terms, terms.token, part, terms.fee / 2);
        assertEq(accept(terms, terms.token), part);
        assertEq(balanceOf(terms.token, payee), part - terms.fee / 2);
        assertEq(balanceOf(terms.token, treasury), terms.fee / 2);
        assertEq(balanceOf(terms.token, at), 0);
        assertFalse(router.settled(router.keyOf(terms)), "accepting settles nothing");
        assertRouterEmpty();
    }

    /// @dev The order stays payable in full.
    function test_acceptDeposit_ofAPartLeavesTheOrderOpen() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, terms.amount - 1);
        accept(terms, terms.token);
        sendToDeposit(terms, terms.token, 1);
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.DepositIncomplete.selector, 1));
        router.sweep(terms);
        sendToDeposit(terms, terms.token, terms.amount - 1);
        router.sweep(terms);
        assertTrue(router.settled(router.keyOf(terms)));
    }

    function test_acceptDeposit_revertsWhileTheDepositCovers() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, terms.amount);
        vm.warp(terms.deadline);
        expectAcceptRevert(terms, terms.token, IPaymentRouter.DepositCovered.selector);
        router.sweep(terms);
        assertPaid(terms, payer);
    }

    function test_acceptDeposit_takesALateDeposit() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, terms.amount);
        vm.warp(terms.deadline + 1);
        expectAccepted(terms, terms.token, terms.amount, terms.fee);
        accept(terms, terms.token);
        assertEq(balanceOf(terms.token, payee), terms.amount - terms.fee);
        assertFalse(router.settled(router.keyOf(terms)));
    }

    function test_acceptDeposit_takesTheExcessAfterTheSweep() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, 2 * terms.amount);
        router.sweep(terms);
        expectAccepted(terms, terms.token, terms.amount, terms.fee);
        accept(terms, terms.token);
        assertEq(balanceOf(terms.token, payee), 2 * (terms.amount - terms.fee));
        assertEq(balanceOf(terms.token, treasury), 2 * terms.fee);
    }

    function test_acceptDeposit_takesWhatCameAfterAnotherPayment() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, terms.amount);
        pay(terms);
        accept(terms, terms.token);
        assertEq(balanceOf(terms.token, payee), 2 * (terms.amount - terms.fee));
    }

    /// @dev Nothing sweeps while the router is paused, and the payee's money is not kept from it.
    function test_acceptDeposit_takesACoveringDepositWhilePaused() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, terms.amount);
        pauseRouter();
        accept(terms, terms.token);
        assertEq(balanceOf(terms.token, payee), terms.amount - terms.fee);
        assertFalse(router.settled(router.keyOf(terms)));
    }

    /// @dev What was sent may not be what the terms ask for; it is never in the way of the sweep.
    function test_acceptDeposit_takesTheOtherAsset() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, terms.amount);
        sendToDeposit(terms, otherAsset(), 50);
        expectAccepted(terms, otherAsset(), 50, 1);
        accept(terms, otherAsset());
        assertEq(balanceOf(otherAsset(), payee), 49);
        assertEq(balanceOf(otherAsset(), treasury), 1);
        router.sweep(terms);
        assertEq(balanceOf(terms.token, payee), terms.amount - terms.fee);
    }

    function test_acceptDeposit_ofTheSmallestUnit() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, 1);
        expectAccepted(terms, terms.token, 1, 0);
        accept(terms, terms.token);
        assertEq(balanceOf(terms.token, payee), 1);
    }

    function test_acceptDeposit_revertsWhenCallerIsNotThePayee() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, 5);
        address[5] memory callers = [owner, guardian, treasury, payer, other];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(IPaymentRouter.NotPayee.selector);
            router.acceptDeposit(terms, terms.token);
        }
        // Naming oneself the payee names another address.
        terms.payee = other;
        vm.prank(other);
        vm.expectRevert(IPaymentRouter.ZeroAmount.selector);
        router.acceptDeposit(terms, terms.token);
    }

    function test_acceptDeposit_revertsWhenNothingIsThere() external {
        IPaymentRouter.Terms memory terms = newTerms();
        expectAcceptRevert(terms, terms.token, IPaymentRouter.ZeroAmount.selector);
        sendToDeposit(terms, terms.token, 5);
        expectAcceptRevert(terms, otherAsset(), IPaymentRouter.ZeroAmount.selector);
        accept(terms, terms.token);
        expectAcceptRevert(terms, terms.token, IPaymentRouter.ZeroAmount.selector);
    }

    function test_acceptDeposit_revertsWhenTokenIsUnknownOrTermsCouldNeverSettle() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, 5);
        expectAcceptRevert(terms, address(wrapped), IPaymentRouter.UnsupportedToken.selector);
        terms.fee = terms.amount;
        expectAcceptRevert(terms, terms.token, IPaymentRouter.InvalidFee.selector);
        (terms.amount, terms.fee) = (0, 0);
        expectAcceptRevert(terms, terms.token, IPaymentRouter.ZeroAmount.selector);
    }

    function test_acceptDeposit_paysTheTreasuryOfTheDay() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, terms.amount / 2);
        address heir = makeAddr("heir");
        vm.prank(owner);
        router.announceTreasury(heir);
        vm.warp(START + 48 hours);
        router.applyTreasury();
        accept(terms, terms.token);
        assertEq(balanceOf(terms.token, heir), terms.fee / 2);
        assertEq(balanceOf(terms.token, treasury), 0);
    }

    /// @dev The share against schoolbook arithmetic: floor((2 * part * fee + amount) / (2 * amount)), where nothing overflows.
    function testFuzz_acceptDeposit_sharesHalfUp(uint256 amount, uint256 fee, uint256 part) external {
        IPaymentRouter.Terms memory terms = newTerms();
        terms.amount = bound(amount, 1, 900 * (inNative ? 1 ether : USD));
        terms.fee = someFee(terms.amount, fee);
        part = bound(part, 1, 900 * (inNative ? 1 ether : USD));
        sendToDeposit(terms, terms.token, part);
        vm.warp(terms.deadline + 1);
        accept(terms, terms.token);
        uint256 share = (2 * part * terms.fee + terms.amount) / (2 * terms.amount);
        assertEq(balanceOf(terms.token, treasury), share, "treasury");
        assertEq(balanceOf(terms.token, payee), part - share, "payee");
        assertRouterEmpty();
    }

    function accept(IPaymentRouter.Terms memory terms, address token) internal returns (uint256) {
        vm.prank(terms.payee);
        return router.acceptDeposit(terms, token);
    }

    function expectAccepted(IPaymentRouter.Terms memory terms, address token, uint256 amount, uint256 fee) internal {
        bytes32 key = router.keyOf(terms);
        vm.expectEmit(address(router));
        emit IPaymentRouter.DepositMoved(key, terms.orderId, terms.payee, token, amount, fee, true);
    }

    function expectAcceptRevert(IPaymentRouter.Terms memory terms, address token, bytes4 reason) internal {
        vm.prank(terms.payee);
        vm.expectRevert(reason);
        router.acceptDeposit(terms, token);
    }
}

contract AcceptDepositOnUsdcTest is AcceptDepositTest {
    /// @dev A fee of nearly all, half up, can be all of a small part: the payee gets nothing and the call goes through.
    function test_acceptDeposit_whenTheShareIsAllOfIt() external {
        IPaymentRouter.Terms memory terms = newTerms();
        terms.fee = terms.amount - 1;
        sendToDeposit(terms, terms.token, 3);
        expectAccepted(terms, terms.token, 3, 3);
        accept(terms, terms.token);
        assertEq(usdc.balanceOf(treasury), 3);
        assertEq(usdc.balanceOf(payee), 0);
    }

    function test_acceptDeposit_roundsHalfUp() external {
        IPaymentRouter.Terms memory terms = newTerms();
        (terms.amount, terms.fee) = (100, 1);
        sendToDeposit(terms, terms.token, 50);
        expectAccepted(terms, terms.token, 50, 1);
        accept(terms, terms.token);
        sendToDeposit(terms, terms.token, 49);
        expectAccepted(terms, terms.token, 49, 0);
        accept(terms, terms.token);
        assertEq(usdc.balanceOf(payee), 98);
    }

    function test_acceptDeposit_revertsWhenUsdcRefuses() external {
        IPaymentRouter.Terms memory terms = newTerms();
        address at = sendToDeposit(terms, terms.token, terms.amount / 2);
        for (uint256 i; i < 3; ++i) {
            uint256 snapshot = vm.snapshotState();
            usdc.blacklist([at, payee, treasury][i]);
            vm.prank(payee);
            vm.expectRevert(transferFailed("Blacklistable: account is blacklisted"));
            router.acceptDeposit(terms, terms.token);
            vm.revertToState(snapshot);
        }
        assertEq(usdc.balanceOf(at), terms.amount / 2);
    }
}

contract AcceptDepositOnToken18Test is AcceptDepositTest {
    constructor() {
        onToken18 = true;
    }
}

contract AcceptDepositOnNativeTest is AcceptDepositTest {
    constructor() {
        inNative = true;
    }

    /// @dev A payee that calls again while it is paid cannot reach the treasury's share.
    function test_acceptDeposit_reenteredByThePayee() external {
        IPaymentRouter.Terms memory terms = newTerms();
        ScriptedPayee scripted = new ScriptedPayee();
        terms.payee = address(scripted);
        address at = sendToDeposit(terms, address(0), terms.amount / 2);
        bytes memory again = abi.encodeCall(router.acceptDeposit, (terms, address(0)));
        scripted.onReceive(address(router), 0, again);
        vm.expectPartialRevert(IPaymentRouter.TransferFailed.selector);
        scripted.act(address(router), 0, again);
        assertEq(at.balance, terms.amount / 2);
    }
}
