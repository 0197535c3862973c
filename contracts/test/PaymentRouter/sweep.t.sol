// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";
import {ScriptedPayee} from "../setup/ScriptedPayee.sol";
import {Deposit} from "../../src/Deposit.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

/// @dev On a token, or on the native asset where a heir sets `inNative`.
abstract contract SweepTest is PaymentRouterTest {
    bool internal inNative;

    function newTerms() internal returns (IPaymentRouter.Terms memory) {
        return inNative ? nativeTerms() : usdcTerms();
    }

    function test_depositAddress_isCreate2OfTheKey() external {
        IPaymentRouter.Terms memory terms = newTerms();
        address expected = vm.computeCreate2Address(router.keyOf(terms), keccak256(shippedCode("Deposit")), address(router));
        assertEq(router.depositAddress(terms), expected);
        sendToDeposit(terms, terms.token, terms.amount);
        assertEq(expected.code.length, 0);
        router.sweep(terms);
        assertGt(expected.code.length, 0, "the forwarder stands elsewhere");
    }

    function test_depositAddress_isBoundToEveryTermRouterAndChain() external {
        IPaymentRouter.Terms memory terms = newTerms();
        address at = router.depositAddress(terms);
        for (uint256 i; i < FIELDS - 1; ++i) {
            IPaymentRouter.Terms memory others = changed(terms, i);
            if (onBusiness) others.fee = someFee(others.amount, 0);
            assertTrue(router.depositAddress(others) != at);
        }
        assertTrue(deployRouter().depositAddress(terms) != at);
        vm.chainId(1);
        assertTrue(router.depositAddress(terms) != at);
    }

    function test_depositAddress_revertsWhenTermsCouldNeverSettle() external {
        IPaymentRouter.Terms memory terms = newTerms();
        address token = terms.token;
        terms.token = address(wrapped);
        vm.expectRevert(IPaymentRouter.UnsupportedToken.selector);
        router.depositAddress(terms);
        terms.token = token;
        terms.payee = address(router);
        vm.expectRevert(IPaymentRouter.InvalidPayee.selector);
        router.depositAddress(terms);
        terms.payee = payee;
        terms.fee = terms.amount;
        vm.expectRevert(IPaymentRouter.InvalidFee.selector);
        router.depositAddress(terms);
        (terms.amount, terms.fee) = (0, 0);
        vm.expectRevert(IPaymentRouter.ZeroAmount.selector);
        router.depositAddress(terms);
    }

    function test_sweep_settlesWhenCovered() external {
        IPaymentRouter.Terms memory terms = newTerms();
        address at = sendToDeposit(terms, terms.token, terms.amount);
        expectSettled(terms, at);
        vm.prank(other);
        assertEq(router.sweep(terms), router.keyOf(terms));
        assertPaid(terms, payer);
        assertEq(balanceOf(terms.token, at), 0);
    }

    function test_sweep_settlesWhatCameInParts() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, 1);
        sendToDeposit(terms, terms.token, terms.amount - 2);
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.DepositIncomplete.selector, terms.amount - 1));
        router.sweep(terms);
        sendToDeposit(terms, terms.token, 1);
        router.sweep(terms);
        assertPaid(terms, payer);
    }

    function test_sweep_atItsLastSecondAndNotLater() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, terms.amount);
        vm.warp(terms.deadline + 1);
        vm.expectRevert(IPaymentRouter.Expired.selector);
        router.sweep(terms);
        vm.warp(terms.deadline);
        router.sweep(terms);
        assertPaid(terms, payer);
    }

    function test_sweep_leavesTheExcess() external {
        IPaymentRouter.Terms memory terms = newTerms();
        address at = sendToDeposit(terms, terms.token, terms.amount + 5);
        router.sweep(terms);
        assertEq(balanceOf(terms.token, at), 5);
        assertEq(balanceOf(terms.token, payee), terms.amount - terms.fee);
        assertEq(balanceOf(terms.token, treasury), terms.fee);
        assertRouterEmpty();
    }

    function test_sweep_revertsWhenAlreadySettled() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, terms.amount * 2);
        bytes32 key = router.sweep(terms);
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.AlreadySettled.selector, key));
        router.sweep(terms);
        terms = newTerms();
        key = pay(terms);
        sendToDeposit(terms, terms.token, terms.amount);
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.AlreadySettled.selector, key));
        router.sweep(terms);
    }

    function test_pay_revertsWhenSweptBefore() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, terms.amount);
        bytes32 key = router.sweep(terms);
        vm.deal(payer, 1000 ether);
        bytes memory reason = abi.encodeWithSelector(IPaymentRouter.AlreadySettled.selector, key);
        vm.prank(payer);
        vm.expectRevert(reason);
        if (inNative) router.payNative{value: terms.amount}(terms);
        else router.pay(terms);
    }

    /// @dev Each terms has its own address, whatever the order: a deposit for one never pays another.
    function test_sweep_ofOtherTermsFindsNothing() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, terms.amount);
        for (uint256 i; i < FIELDS - 1; ++i) {
            IPaymentRouter.Terms memory others = changed(terms, i);
            vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.DepositIncomplete.selector, 0));
            router.sweep(others);
        }
        IPaymentRouter otherRouter = deployRouter();
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.DepositIncomplete.selector, 0));
        otherRouter.sweep(terms);
        router.sweep(terms);
        assertPaid(terms, payer);
    }

    /// @dev The other asset does not count, whatever its amount.
    function test_sweep_revertsWhenTheOtherAssetCame() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, inNative ? address(usdc) : address(0), 100);
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.DepositIncomplete.selector, 0));
        router.sweep(terms);
    }

    function test_sweep_revertsWhenTokenIsUnknown() external {
        IPaymentRouter.Terms memory terms = newTerms();
        terms.token = address(wrapped);
        vm.expectRevert(IPaymentRouter.UnsupportedToken.selector);
        router.sweep(terms);
    }

    function test_sweep_revertsWhenPaused() external {
        IPaymentRouter.Terms memory terms = newTerms();
        sendToDeposit(terms, terms.token, terms.amount);
        pauseRouter();
        vm.expectRevert(IRoles.Paused.selector);
        router.sweep(terms);
        vm.prank(owner);
        router.unpause();
        router.sweep(terms);
        assertPaid(terms, payer);
    }

    /// @dev What is sent once the forwarder stands is taken as well.
    function test_deposit_takesBothAssetsAfterItsCodeStands() external {
        IPaymentRouter.Terms memory terms = newTerms();
        address at = sendToDeposit(terms, terms.token, terms.amount);
        router.sweep(terms);
        sendToDeposit(terms, address(0), 3);
        sendToDeposit(terms, address(usdc), 4);
        assertEq(at.balance, 3);
        assertEq(usdc.balanceOf(at), 4);
    }

    function test_deposit_obeysItsRouterAlone() external {
        IPaymentRouter.Terms memory terms = newTerms();
        address at = sendToDeposit(terms, terms.token, terms.amount + 1);
        router.sweep(terms);
        address[5] memory callers = [owner, guardian, treasury, payee, payer];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(Deposit.NotRouter.selector);
            Deposit(payable(at)).move(terms.token, callers[i], 1);
        }
    }

    function testFuzz_sweep_settlesOnceCovered(uint256 amount, uint256 fee, uint256 sent) external {
        IPaymentRouter.Terms memory terms = newTerms();
        terms.amount = bound(amount, 1, 900 * (inNative ? 1 ether : USD));
        terms.fee = someFee(terms.amount, fee);
        sent = bound(sent, 0, 2 * terms.amount);
        vm.deal(payer, 2000 ether);
        usdc.mint(payer, 1000 * USD);
        address at = sendToDeposit(terms, terms.token, sent);
        if (sent < terms.amount) {
            vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.DepositIncomplete.selector, sent));
            router.sweep(terms);
            assertUnpaid(terms);
        } else {
            router.sweep(terms);
            assertEq(balanceOf(terms.token, payee), terms.amount - terms.fee);
            assertEq(balanceOf(terms.token, treasury), terms.fee);
            assertEq(balanceOf(terms.token, at), sent - terms.amount);
        }
    }
}

contract SweepOnUsdcTest is SweepTest {
    function test_sweep_withoutFee() external {
        IPaymentRouter.Terms memory terms = newTerms();
        terms.fee = 0;
        usdc.blacklist(treasury);
        sendToDeposit(terms, terms.token, terms.amount);
        router.sweep(terms);
        assertPaid(terms, payer);
    }

    function test_sweep_revertsWhenUsdcRefuses() external {
        IPaymentRouter.Terms memory terms = newTerms();
        address at = sendToDeposit(terms, terms.token, terms.amount);
        for (uint256 i; i < 3; ++i) {
            uint256 snapshot = vm.snapshotState();
            usdc.blacklist([at, payee, treasury][i]);
            vm.expectRevert(transferFailed("Blacklistable: account is blacklisted"));
            router.sweep(terms);
            assertUnpaid(terms);
            vm.revertToState(snapshot);
        }
        usdc.pause();
        vm.expectRevert(transferFailed("Pausable: paused"));
        router.sweep(terms);
        assertUnpaid(terms);
    }
}

contract SweepOnToken18Test is SweepTest {
    constructor() {
        onToken18 = true;
    }
}

contract SweepOnNativeTest is SweepTest {
    constructor() {
        inNative = true;
    }

    /// @dev Value needs nobody's consent: some may be there before the forwarder is.
    function test_sweep_countsValueThatWasForcedIn() external {
        IPaymentRouter.Terms memory terms = newTerms();
        vm.deal(router.depositAddress(terms), terms.amount);
        vm.deal(payer, 900 ether);
        router.sweep(terms);
        assertPaid(terms, payer);
    }

    /// @dev Inside its sweep the payee can settle nothing twice, and what it takes from there is not the treasury's.
    function test_sweep_reenteredByThePayee() external {
        IPaymentRouter.Terms memory terms = newTerms();
        ScriptedPayee scripted = new ScriptedPayee();
        terms.payee = address(scripted);
        address at = sendToDeposit(terms, address(0), terms.amount + 5);
        bytes32 key = router.keyOf(terms);
        uint256 snapshot = vm.snapshotState();

        scripted.onReceive(address(router), 0, abi.encodeCall(router.sweep, (terms)));
        router.sweep(terms);
        assertEq(scripted.answer(), abi.encodeWithSelector(IPaymentRouter.AlreadySettled.selector, key));
        assertEq(address(scripted).balance, terms.amount - terms.fee);
        assertEq(treasury.balance, terms.fee);
        assertEq(at.balance, 5);

        vm.revertToState(snapshot);
        scripted.onReceive(address(router), 0, abi.encodeCall(router.refundDeposit, (terms, address(0), other, 5)));
        router.sweep(terms);
        assertTrue(scripted.ok());
        assertEq(other.balance, 5);
        assertEq(treasury.balance, terms.fee);

        // The treasury's fee lies there still: taking it undoes the sweep.
        vm.revertToState(snapshot);
        scripted.onReceive(address(router), 0, abi.encodeCall(router.refundDeposit, (terms, address(0), other, 6)));
        vm.expectPartialRevert(IPaymentRouter.TransferFailed.selector);
        router.sweep(terms);
        scripted.onReceive(address(router), 0, abi.encodeCall(router.acceptDeposit, (terms, address(0))));
        vm.expectPartialRevert(IPaymentRouter.TransferFailed.selector);
        router.sweep(terms);
        assertFalse(router.settled(key));
        assertEq(at.balance, terms.amount + 5);
    }
}
