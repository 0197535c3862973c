// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {GasTest} from "../setup/GasTest.sol";
import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";
import {RouterTest} from "../setup/RouterTest.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";

contract PaymentRouterGasTest is PaymentRouterTest, GasTest {
    function setUp() public override(PaymentRouterTest, RouterTest) {
        PaymentRouterTest.setUp();
    }

    function test_gas() external {
        usdc.mint(payee, 1000 * USD);
        usdc.mint(treasury, USD);
        vm.prank(payee);
        usdc.approve(address(router), type(uint256).max);
        vm.deal(payee, 1 ether);
        vm.deal(treasury, 1 ether);

        recordTransferFrom(payer, payee);

        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Authorization memory authorized = authorization(terms, payer, payerKey);
        vm.prank(other);
        router.payWithAuthorization(terms, payer, authorized);
        record("pay_authorization", 1);

        // A first permit in this word of Permit2's nonces, so that what is measured is the usual one.
        terms = usdcTerms();
        router.payWithPermit2(
            terms, payer, permit2Of(payerKey, terms.token, terms.amount, address(router), 1, orderHash(terms, payer))
        );
        terms = usdcTerms();
        IPermits.Permit2 memory permitted = permit2Of(terms, payer, payerKey);
        vm.prank(other);
        router.payWithPermit2(terms, payer, permitted);
        record("pay_permit2", 1);

        terms = usdcTerms();
        vm.prank(payer);
        usdc.approve(address(router), 0);
        IPermits.Permit memory permit = permitOf("USD Coin", payer, payerKey, terms.amount);
        bytes memory signature = sign(payerKey, orderHash(terms, payer));
        vm.prank(other);
        router.payWithPermit(terms, payer, permit, signature);
        record("pay_permit", 1);

        terms = usdcTerms();
        vm.prank(payer);
        usdc.approve(address(router), type(uint256).max);
        signature = sign(payerKey, orderHash(terms, payer));
        vm.prank(other);
        router.payWithAllowance(terms, payer, signature);
        record("pay_allowance", 1);

        terms = usdcTerms();
        vm.prank(payer);
        router.pay(terms);
        record("pay", 1);

        terms = usdcTerms();
        terms.fee = 0;
        vm.prank(payer);
        router.pay(terms);
        record("pay_without_fee", 1);

        vm.prank(payee);
        router.refund(terms, payer, 5 * USD);
        vm.prank(payee);
        router.refund(terms, payer, 5 * USD);
        record("refund", 1);

        terms = nativeTerms();
        vm.prank(payer);
        router.payNative{value: terms.amount}(terms);
        record("pay_native", 1);

        terms = usdcTerms();
        sendToDeposit(terms, terms.token, terms.amount);
        vm.prank(other);
        router.sweep(terms);
        record("sweep", 1);

        save("payment");
    }
}
