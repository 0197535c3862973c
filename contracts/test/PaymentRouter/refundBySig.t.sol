// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ContractWallet} from "../setup/Hostile.sol";
import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";

abstract contract RefundBySigTest is PaymentRouterTest {
    function setUp() public override {
        super.setUp();
        fund(payee);
    }

    function test_refundBySig_refundsOnThePayeesSignature() external {
        (IPaymentRouter.Terms memory terms, bytes32 key) = paid();
        bytes memory signature = signed(key, 40 * USD, 0);
        vm.expectEmit(address(router));
        emit IPaymentRouter.PaymentRefunded(key, terms.orderId, payer, terms.token, 40 * USD, 40 * USD);
        vm.prank(other);
        router.refundBySig(terms, payer, 40 * USD, 0, START, signature);
        assertEq(router.refunded(key), 40 * USD);
        assertEq(router.nonces(payee), 1);
        assertEq(usdc.balanceOf(payer), 940 * USD);
        router.refundBySig(terms, payer, 60 * USD, 1, START, signed(key, 60 * USD, 1));
        assertEq(router.refunded(key), terms.amount);
        assertRouterEmpty();
    }

    function test_refundBySig_worksWhilePaused() external {
        (IPaymentRouter.Terms memory terms, bytes32 key) = paid();
        pauseRouter();
        router.refundBySig(terms, payer, USD, 0, START, signed(key, USD, 0));
        assertEq(router.refunded(key), USD);
    }

    function test_refundBySig_revertsWhenReplayedOrOutOfTurn() external {
        (IPaymentRouter.Terms memory terms, bytes32 key) = paid();
        bytes memory signature = signed(key, USD, 0);
        router.refundBySig(terms, payer, USD, 0, START, signature);
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.InvalidNonce.selector, 1));
        router.refundBySig(terms, payer, USD, 0, START, signature);
        bytes memory early = signed(key, USD, 2);
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.InvalidNonce.selector, 1));
        router.refundBySig(terms, payer, USD, 2, START, early);
        assertEq(router.refunded(key), USD);
    }

    /// @dev A payee that lost patience with a relayer and refunds itself does not refund twice.
    function test_refund_voidsARefundSignedBefore() external {
        (IPaymentRouter.Terms memory terms, bytes32 key) = paid();
        bytes memory signature = signed(key, 40 * USD, 0);
        vm.prank(payee);
        router.refund(terms, payer, 40 * USD);
        assertEq(router.nonces(payee), 1);
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.InvalidNonce.selector, 1));
        router.refundBySig(terms, payer, 40 * USD, 0, START, signature);
        assertEq(router.refunded(key), 40 * USD);
    }

    function test_refundBySig_revertsWhenExpired() external {
        (IPaymentRouter.Terms memory terms, bytes32 key) = paid();
        bytes memory signature = signed(key, USD, 0);
        vm.warp(START + 1);
        vm.expectRevert(IPaymentRouter.Expired.selector);
        router.refundBySig(terms, payer, USD, 0, START, signature);
    }

    function test_refundBySig_revertsWhenAnythingElseWasSigned() external {
        (IPaymentRouter.Terms memory terms, bytes32 key) = paid();
        (, bytes32 otherKey) = paid();
        address otherRouter = address(deployRouter());
        string memory name = domainName();
        string memory wrongName = onBusiness ? "Ampersat Payment Router" : "Ampersat Business Router";
        bytes32 hash = refundHash(key, payer, USD, 0, START);
        bytes[10] memory signatures = [
            sign(payerKey, hash),
            sign(payeeKey, refundHash(otherKey, payer, USD, 0, START)),
            sign(payeeKey, refundHash(key, other, USD, 0, START)),
            sign(payeeKey, refundHash(key, payer, USD + 1, 0, START)),
            sign(payeeKey, refundHash(key, payer, USD, 1, START)),
            sign(payeeKey, refundHash(key, payer, USD, 0, START + 1)),
            signIn(payeeKey, wrongName, block.chainid, address(router), hash),
            signIn(payeeKey, name, block.chainid + 1, address(router), hash),
            signIn(payeeKey, name, block.chainid, otherRouter, hash),
            bytes("")
        ];
        for (uint256 i; i < signatures.length; ++i) {
            vm.expectRevert(IPaymentRouter.InvalidSignature.selector);
            router.refundBySig(terms, payer, USD, 0, START, signatures[i]);
        }
        assertEq(router.nonces(payee), 0);
        assertEq(router.refunded(key), 0);
    }

    /// @dev Naming other terms names another key, and another payee is another signer.
    function test_refundBySig_revertsWhenOtherTermsAreGiven() external {
        (IPaymentRouter.Terms memory terms, bytes32 key) = paid();
        bytes memory signature = signed(key, USD, 0);
        for (uint256 i; i < FIELDS; ++i) {
            vm.expectRevert(IPaymentRouter.InvalidSignature.selector);
            router.refundBySig(changed(terms, i), payer, USD, 0, START, signature);
        }
    }

    function test_refundBySig_revertsWhenTheSumIsAboveTheAmount() external {
        (IPaymentRouter.Terms memory terms, bytes32 key) = paid();
        bytes memory signature = signed(key, terms.amount + 1, 0);
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.RefundTooLarge.selector, terms.amount));
        router.refundBySig(terms, payer, terms.amount + 1, 0, START, signature);
        assertEq(router.nonces(payee), 0);
    }

    function test_refundBySig_revertsWhenNotSettledZeroOrNative() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        bytes32 key = router.keyOf(terms);
        bytes memory signature = signed(key, USD, 0);
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.NotSettled.selector, key));
        router.refundBySig(terms, payer, USD, 0, START, signature);
        pay(terms);
        signature = signed(key, 0, 0);
        vm.expectRevert(IPaymentRouter.ZeroAmount.selector);
        router.refundBySig(terms, payer, 0, 0, START, signature);
        signature = sign(payeeKey, refundHash(key, address(router), USD, 0, START));
        vm.expectRevert(IPaymentRouter.InvalidPayee.selector);
        router.refundBySig(terms, address(router), USD, 0, START, signature);
        terms = nativeTerms();
        key = pay(terms);
        signature = signed(key, 1, 0);
        vm.expectRevert(IPaymentRouter.UnsupportedToken.selector);
        router.refundBySig(terms, payer, 1, 0, START, signature);
    }

    function test_refundBySig_revertsWithoutThePayeesAllowance() external {
        (IPaymentRouter.Terms memory terms, bytes32 key) = paid();
        vm.prank(payee);
        usdc.approve(address(router), USD - 1);
        bytes memory signature = signed(key, USD, 0);
        vm.expectPartialRevert(IPaymentRouter.TransferFailed.selector);
        router.refundBySig(terms, payer, USD, 0, START, signature);
        assertEq(router.refunded(key), 0);
        assertEq(router.nonces(payee), 0);
    }

    function test_refundBySig_takesTheSignatureOfAContractWallet() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        address wallet = address(new ContractWallet(payee));
        fund(wallet);
        terms.payee = wallet;
        bytes32 key = pay(terms);
        bytes memory wrong = sign(payerKey, refundHash(key, payer, USD, 0, START));
        vm.expectRevert(IPaymentRouter.InvalidSignature.selector);
        router.refundBySig(terms, payer, USD, 0, START, wrong);
        router.refundBySig(terms, payer, USD, 0, START, signed(key, USD, 0));
        assertEq(router.refunded(key), USD);
        assertEq(router.nonces(wallet), 1);
    }

    /// @dev EIP-7702: the account has code now, which knows no ERC-1271, and its own key still counts.
    function test_refundBySig_takesTheKeyOfADelegatedAccount() external {
        (IPaymentRouter.Terms memory terms, bytes32 key) = paid();
        vm.etch(payee, abi.encodePacked(hex"ef0100", address(usdc)));
        router.refundBySig(terms, payer, USD, 0, START, signed(key, USD, 0));
        assertEq(router.refunded(key), USD);
    }

    function paid() internal returns (IPaymentRouter.Terms memory terms, bytes32 key) {
        terms = usdcTerms();
        key = pay(terms);
    }

    /// @dev By the payee, of `amount` to the payer, until START.
    function signed(bytes32 key, uint256 amount, uint256 nonce) internal view returns (bytes memory) {
        return sign(payeeKey, refundHash(key, payer, amount, nonce, START));
    }
}

contract RefundBySigOnUsdcTest is RefundBySigTest {}

contract RefundBySigOnToken18Test is RefundBySigTest {
    constructor() {
        onToken18 = true;
    }
}
