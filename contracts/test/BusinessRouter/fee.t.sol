// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";
import {IBusinessRouter} from "../../src/interfaces/IBusinessRouter.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";

abstract contract FeeTest is PaymentRouterTest {
    constructor() {
        onBusiness = true;
    }

    function feeOf(uint256 amount) internal view returns (uint256) {
        return IBusinessRouter(address(router)).feeOf(amount);
    }

    function test_feeOf_isAHundredthHalfUp() external view {
        assertEq(IBusinessRouter(address(router)).FEE_BASIS_POINTS(), 100);
        uint256[2][10] memory rows = [
            [uint256(0), 0],
            [uint256(1), 0],
            [uint256(49), 0],
            [uint256(50), 1],
            [uint256(149), 1],
            [uint256(150), 2],
            [uint256(199), 2],
            [uint256(10_000), 100],
            [uint256(1_234_567), 12_346],
            [type(uint256).max, type(uint256).max / 100]
        ];
        for (uint256 i; i < rows.length; ++i) {
            assertEq(feeOf(rows[i][0]), rows[i][1]);
        }
    }

    /// @dev floor((2 * amount * 100 + 10,000) / 20,000) where it does not overflow, and never all of an amount.
    function testFuzz_feeOf_isAHundredthHalfUp(uint256 amount) external view {
        if (amount != 0) assertLt(feeOf(amount), amount);
        amount = bound(amount, 0, type(uint240).max);
        assertEq(feeOf(amount), (2 * amount * 100 + 10_000) / 20_000);
    }

    function testFuzz_pay_takesNoOtherFee(uint256 amount, uint256 fee) external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        terms.amount = bound(amount, 1, 1000 * USD);
        uint256 right = someFee(terms.amount, 0);
        terms.fee = bound(fee, 0, 2 * right + 2);
        if (terms.fee != right) {
            vm.prank(payer);
            vm.expectRevert(IPaymentRouter.InvalidFee.selector);
            router.pay(terms);
            assertUnpaid(terms);
        }
        terms.fee = right;
        pay(terms);
        assertPaid(terms, payer);
    }

    /// @dev On every way, whoever signed it.
    function test_everyWay_revertsWhenTheFeeIsNotAHundredth() external {
        for (uint256 i; i < 3; ++i) {
            IPaymentRouter.Terms memory terms = usdcTerms();
            terms.fee = [USD - 1, USD + 1, uint256(0)][i];
            bytes memory signature = sign(payerKey, orderHash(terms, payer));
            IPermits.Authorization memory authorized = authorization(terms, payer, payerKey);
            IPermits.Permit2 memory permitted = permit2Of(terms, payer, payerKey);
            IPermits.Permit memory none;
            bytes4 reason = IPaymentRouter.InvalidFee.selector;
            vm.expectRevert(reason);
            router.payWithAllowance(terms, payer, signature);
            vm.expectRevert(reason);
            router.payWithPermit(terms, payer, none, signature);
            vm.expectRevert(reason);
            router.payWithAuthorization(terms, payer, authorized);
            vm.expectRevert(reason);
            router.payWithPermit2(terms, payer, permitted);
            vm.expectRevert(reason);
            router.depositAddress(terms);
            vm.expectRevert(reason);
            router.sweep(terms);
            vm.prank(payee);
            vm.expectRevert(reason);
            router.acceptDeposit(terms, terms.token);
            terms.token = address(0);
            vm.prank(payer);
            vm.expectRevert(reason);
            router.payNative{value: terms.amount}(terms);
        }
    }
}

contract FeeOnUsdcTest is FeeTest {}

contract FeeOnToken18Test is FeeTest {
    constructor() {
        onToken18 = true;
    }
}
