// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

abstract contract PayTest is PaymentRouterTest {
    function test_pay_paysPayeeAndTreasury() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        expectSettled(terms, payer);
        bytes32 key = pay(terms);
        assertEq(key, router.keyOf(terms));
        assertPaid(terms, payer);
    }

    function test_pay_atItsLastSecond() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        vm.warp(terms.deadline);
        pay(terms);
        assertPaid(terms, payer);
    }

    function test_pay_revertsWhenExpired() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        vm.warp(terms.deadline + 1);
        expectPayRevert(terms, abi.encodePacked(IPaymentRouter.Expired.selector));
    }

    function test_pay_revertsWhenAlreadySettled() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        bytes32 key = pay(terms);
        vm.prank(payer);
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.AlreadySettled.selector, key));
        router.pay(terms);
        // Whoever pays second pays nothing.
        fund(other);
        vm.prank(other);
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.AlreadySettled.selector, key));
        router.pay(terms);
        assertPaid(terms, payer);
    }

    /// @dev Anyone may pay other terms of the same order: that burns their key and not the right one.
    function test_pay_ofOtherTermsLeavesTheKeyUnused() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        bytes32 key = router.keyOf(terms);
        fund(other);
        for (uint256 i = 1; i < FIELDS; ++i) {
            IPaymentRouter.Terms memory others = changed(terms, i);
            vm.prank(other);
            bytes32 burnt = router.pay(others);
            assertTrue(router.settled(burnt));
            assertTrue(burnt != key);
        }
        assertFalse(router.settled(key));
        pay(terms);
        assertTrue(router.settled(key));
    }

    function test_pay_revertsWhenAmountIsZero() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        (terms.amount, terms.fee) = (0, 0);
        expectPayRevert(terms, abi.encodePacked(IPaymentRouter.ZeroAmount.selector));
    }

    function test_pay_revertsWhenFeeReachesTheAmount() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        terms.fee = terms.amount;
        expectPayRevert(terms, abi.encodePacked(IPaymentRouter.InvalidFee.selector));
        terms.fee = type(uint256).max;
        expectPayRevert(terms, abi.encodePacked(IPaymentRouter.InvalidFee.selector));
    }

    function test_pay_revertsWhenPayeeCouldNeverSpend() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        for (uint256 i; i < 3; ++i) {
            terms.payee = [address(0), address(router), address(usdc)][i];
            expectPayRevert(terms, abi.encodePacked(IPaymentRouter.InvalidPayee.selector));
        }
    }

    function test_pay_revertsWhenTokenIsAnother() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        for (uint256 i; i < 2; ++i) {
            terms.token = [address(0), address(wrapped)][i];
            vm.prank(payer);
            vm.expectRevert(IPaymentRouter.UnsupportedToken.selector);
            router.pay(terms);
        }
    }

    function test_pay_revertsWhenPaused() external {
        pauseRouter();
        IPaymentRouter.Terms memory terms = usdcTerms();
        expectPayRevert(terms, abi.encodePacked(IRoles.Paused.selector));
        vm.prank(owner);
        router.unpause();
        pay(terms);
        assertPaid(terms, payer);
    }

    function test_pay_revertsWhenBalanceIsTooLow() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        vm.prank(payer);
        usdc.transfer(other, 901 * USD);
        // It would do for what the payee gets, and not for the fee.
        vm.prank(payer);
        vm.expectPartialRevert(IPaymentRouter.TransferFailed.selector);
        router.pay(terms);
        assertUnpaid(terms);
    }

    function test_pay_revertsWhenAllowanceIsTooLow() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        vm.prank(payer);
        usdc.approve(address(router), terms.amount - 1);
        vm.prank(payer);
        vm.expectPartialRevert(IPaymentRouter.TransferFailed.selector);
        router.pay(terms);
        assertUnpaid(terms);
    }

    /// @dev A token payment takes no value: none could get stuck here.
    function test_pay_revertsWhenValueComesWithIt() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        vm.startPrank(payer);
        (bool ok,) = address(router).call{value: 1}(abi.encodeCall(router.pay, (terms)));
        assertFalse(ok);
        (ok,) = address(router).call{value: 1}("");
        assertFalse(ok);
        vm.stopPrank();
        assertUnpaid(terms);
    }

    function test_pay_sendsTheFeeToTheTreasuryOfTheDay() external {
        vm.prank(owner);
        router.announceTreasury(other);
        vm.warp(START + 48 hours);
        pay(usdcTerms());
        assertEq(usdc.balanceOf(treasury), USD);
        assertEq(usdc.balanceOf(other), 0);
        router.applyTreasury();
        pay(usdcTerms());
        assertEq(usdc.balanceOf(treasury), USD);
        assertEq(usdc.balanceOf(other), USD);
    }

    function testFuzz_pay_movesExactlyTheAmount(uint256 amount, uint256 fee) external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        terms.amount = bound(amount, 1, 1000 * USD);
        terms.fee = someFee(terms.amount, fee);
        pay(terms);
        assertPaid(terms, payer);
    }

    function expectPayRevert(IPaymentRouter.Terms memory terms, bytes memory reason) internal {
        vm.prank(payer);
        vm.expectRevert(reason);
        router.pay(terms);
        assertUnpaid(terms);
    }
}

contract PayOnUsdcTest is PayTest {
    function test_pay_withoutFee() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        terms.fee = 0;
        pay(terms);
        assertPaid(terms, payer);
    }

    function test_pay_whenTheFeeIsNearlyAll() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        terms.fee = terms.amount - 1;
        pay(terms);
        assertPaid(terms, payer);
    }

    function test_pay_revertsWhenUsdcBlacklistedSomebody() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        for (uint256 i; i < 4; ++i) {
            uint256 snapshot = vm.snapshotState();
            usdc.blacklist([payer, payee, treasury, address(router)][i]);
            expectPayRevert(terms, transferFailed("Blacklistable: account is blacklisted"));
            vm.revertToState(snapshot);
        }
    }

    /// @dev Without a fee the treasury is not touched.
    function test_pay_withoutFeeWhenTheTreasuryIsBlacklisted() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        terms.fee = 0;
        usdc.blacklist(treasury);
        pay(terms);
        assertPaid(terms, payer);
    }

    function test_pay_revertsWhenUsdcIsPaused() external {
        usdc.pause();
        expectPayRevert(usdcTerms(), transferFailed("Pausable: paused"));
    }

    function test_pay_namesUsdcsOwnReason() external {
        vm.prank(payer);
        usdc.approve(address(router), 0);
        expectPayRevert(usdcTerms(), transferFailed("ERC20: transfer amount exceeds allowance"));
    }
}

contract PayOnToken18Test is PayTest {
    constructor() {
        onToken18 = true;
    }
}
