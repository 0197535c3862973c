// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HostileReceiver} from "../setup/Hostile.sol";
import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";
import {ScriptedPayee} from "../setup/ScriptedPayee.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";

abstract contract RefundDepositTest is PaymentRouterTest {
    bool internal inNative;
    address internal sender = makeAddr("who sent it");

    function newTerms() internal returns (IPaymentRouter.Terms memory) {
        return inNative ? nativeTerms() : usdcTerms();
    }

    function otherAsset() internal view returns (address) {
        return inNative ? address(usdc) : address(0);
    }

    function test_refundDeposit_sendsAPartBackWithoutAFee() external {
        IPaymentRouter.Terms memory terms = newTerms();
        address at = sendToDeposit(terms, terms.token, 50);
        expectMoved(terms, terms.token, 30);
        giveBack(terms, terms.token, 30);
        assertEq(balanceOf(terms.token, sender), 30);
        assertEq(balanceOf(terms.token, at), 20);
        // The second time its code stands already.
        expectMoved(terms, terms.token, 20);
        giveBack(terms, terms.token, 20);
        assertEq(balanceOf(terms.token, sender), 50);
        assertEq(balanceOf(terms.token, at), 0);
        assertEq(balanceOf(terms.token, treasury), 0);
        assertEq(router.refunded(router.keyOf(terms)), 0, "no refund of a payment");
        assertRouterEmpty();
    }

    function test_refundDeposit_sendsBackWhatIsLate() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, terms.amount);
        vm.warp(terms.deadline + 1);
        giveBack(terms, terms.token, terms.amount);
        assertEq(balanceOf(terms.token, sender), terms.amount);
    }

    function test_refundDeposit_sendsTheExcessBack() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, 2 * terms.amount + 7);
        router.sweep(terms);
        giveBack(terms, terms.token, terms.amount + 7);
        assertEq(balanceOf(terms.token, sender), terms.amount + 7);
        assertEq(balanceOf(terms.token, payee), terms.amount - terms.fee);
    }

    function test_refundDeposit_sendsTheOtherAssetBack() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, terms.amount);
        sendToDeposit(terms, otherAsset(), 9);
        giveBack(terms, otherAsset(), 9);
        assertEq(balanceOf(otherAsset(), sender), 9);
        router.sweep(terms);
        assertTrue(router.settled(router.keyOf(terms)));
    }

    /// @dev Who sent the whole amount in time has paid: the payee cannot take it past the order, nor past the treasury.
    function test_refundDeposit_revertsWhileTheDepositCovers() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, terms.amount + 1);
        vm.warp(terms.deadline);
        expectRefused(terms, terms.token, sender, 1, abi.encodePacked(IPaymentRouter.DepositCovered.selector));
        expectRefused(terms, terms.token, payee, terms.amount, abi.encodePacked(IPaymentRouter.DepositCovered.selector));
        router.sweep(terms);
        giveBack(terms, terms.token, 1);
        assertEq(balanceOf(terms.token, sender), 1);
    }

    function test_refundDeposit_sendsACoveringDepositBackWhilePaused() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, terms.amount);
        pauseRouter();
        giveBack(terms, terms.token, terms.amount);
        assertEq(balanceOf(terms.token, sender), terms.amount);
        assertFalse(router.settled(router.keyOf(terms)));
    }

    /// @dev Terms that could never settle have an address too, and what strayed there is not lost.
    function test_refundDeposit_ofTermsThatCouldNeverSettle() external {
        IPaymentRouter.Terms memory terms = newTerms();
        terms.fee = terms.amount;
        vm.deal(uncheckedAddress(terms), 1000 ether);
        giveBack(terms, address(0), 1000 ether);
        (terms.amount, terms.fee) = (0, 0);
        vm.deal(uncheckedAddress(terms), 5);
        giveBack(terms, address(0), 5);
        assertEq(sender.balance, 1000 ether + 5);
    }

    function test_refundDeposit_revertsWhenCallerIsNotThePayee() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, 5);
        address[5] memory callers = [owner, guardian, treasury, payer, other];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(IPaymentRouter.NotPayee.selector);
            router.refundDeposit(terms, terms.token, callers[i], 5);
        }
    }

    function test_refundDeposit_revertsWhenItHoldsLess() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, 5);
        bytes memory reason = abi.encodeWithSelector(IPaymentRouter.DepositIncomplete.selector, 5);
        expectRefused(terms, terms.token, sender, 6, reason);
        expectRefused(terms, terms.token, sender, type(uint256).max, reason);
        expectRefused(terms, terms.token, sender, 0, abi.encodePacked(IPaymentRouter.ZeroAmount.selector));
    }

    function test_refundDeposit_revertsWhenNobodyCouldGetIt() external {
        IPaymentRouter.Terms memory terms = newTerms();
        address at = sendToDeposit(terms, terms.token, 5);
        address[4] memory nobody = [address(0), address(router), address(usdc), at];
        for (uint256 i; i < nobody.length; ++i) {
            expectRefused(terms, terms.token, nobody[i], 5, abi.encodePacked(IPaymentRouter.InvalidPayee.selector));
        }
        expectRefused(terms, address(wrapped), sender, 5, abi.encodePacked(IPaymentRouter.UnsupportedToken.selector));
    }

    function uncheckedAddress(IPaymentRouter.Terms memory terms) internal view returns (address) {
        return vm.computeCreate2Address(router.keyOf(terms), keccak256(shippedCode("Deposit")), address(router));
    }

    function giveBack(IPaymentRouter.Terms memory terms, address token, uint256 amount) internal {
        vm.prank(terms.payee);
        router.refundDeposit(terms, token, sender, amount);
    }

    function expectMoved(IPaymentRouter.Terms memory terms, address token, uint256 amount) internal {
        bytes32 key = router.keyOf(terms);
        vm.expectEmit(address(router));
        emit IPaymentRouter.DepositMoved(key, terms.orderId, sender, token, amount, 0, false);
    }

    function expectRefused(IPaymentRouter.Terms memory terms, address token, address to, uint256 amount, bytes memory reason)
        internal
    {
        vm.prank(terms.payee);
        vm.expectRevert(reason);
        router.refundDeposit(terms, token, to, amount);
    }
}

contract RefundDepositOnUsdcTest is RefundDepositTest {
    function test_refundDeposit_revertsWhenUsdcRefuses() external {
        IPaymentRouter.Terms memory terms = newTerms();
        address at = sendToDeposit(terms, terms.token, 5);
        for (uint256 i; i < 2; ++i) {
            uint256 snapshot = vm.snapshotState();
            usdc.blacklist([at, sender][i]);
            expectRefused(terms, terms.token, sender, 5, transferFailed("Blacklistable: account is blacklisted"));
            vm.revertToState(snapshot);
        }
        // A blacklisted payee may still send back what strayed, for it gets nothing.
        usdc.blacklist(payee);
        giveBack(terms, terms.token, 5);
        assertEq(usdc.balanceOf(sender), 5);
    }
}

contract RefundDepositOnToken18Test is RefundDepositTest {
    constructor() {
        onToken18 = true;
    }
}

contract RefundDepositOnNativeTest is RefundDepositTest {
    constructor() {
        inNative = true;
    }

    function test_refundDeposit_revertsWhenTheReceiverRefuses() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, address(0), 5);
        HostileReceiver receiver = new HostileReceiver();
        receiver.set(HostileReceiver.Mode.Reverts);
        vm.prank(payee);
        vm.expectPartialRevert(IPaymentRouter.TransferFailed.selector);
        router.refundDeposit(terms, address(0), address(receiver), 5);
    }

    /// @dev Called again by who is being paid back, it gives no more than lies there.
    function test_refundDeposit_reenteredGivesNoMoreThanThereIs() external {
        IPaymentRouter.Terms memory terms = newTerms();
        ScriptedPayee scripted = new ScriptedPayee();
        terms.payee = address(scripted);
        sendToDeposit(terms, address(0), 50);
        bytes memory again = abi.encodeCall(router.refundDeposit, (terms, address(0), address(scripted), 30));
        scripted.onReceive(address(router), 0, again);
        scripted.act(address(router), 0, again);
        assertEq(scripted.answer(), abi.encodeWithSelector(IPaymentRouter.DepositIncomplete.selector, 20));
        assertEq(address(scripted).balance, 30);
    }
}
