// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ContractWallet} from "../setup/Hostile.sol";
import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

abstract contract PayWithAllowanceTest is PaymentRouterTest {
    function test_payWithAllowance_paysOnThePayersSignature() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        bytes memory signature = sign(payerKey, orderHash(terms, payer));
        expectSettled(terms, payer);
        vm.prank(other);
        bytes32 key = router.payWithAllowance(terms, payer, signature);
        assertEq(key, router.keyOf(terms));
        assertPaid(terms, payer);
    }

    function test_payWithAllowance_needsNoSignatureOfACallingPayer() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        expectSettled(terms, payer);
        vm.prank(payer);
        router.payWithAllowance(terms, payer, "");
        assertPaid(terms, payer);
    }

    /// @dev An allowance is no word: without the payer's signature nobody draws on it.
    function test_payWithAllowance_revertsWhenOnlyTheAllowanceIsThere() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        address[6] memory callers = [owner, guardian, treasury, payee, other, address(this)];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(IPaymentRouter.InvalidSignature.selector);
            router.payWithAllowance(terms, payer, "");
        }
        assertUnpaid(terms);
    }

    function test_payWithAllowance_revertsWhenReplayed() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        bytes memory signature = sign(payerKey, orderHash(terms, payer));
        bytes32 key = router.payWithAllowance(terms, payer, signature);
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.AlreadySettled.selector, key));
        router.payWithAllowance(terms, payer, signature);
        assertPaid(terms, payer);
    }

    function test_payWithAllowance_revertsWhenOtherTermsWereSigned() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        for (uint256 i; i < FIELDS; ++i) {
            IPaymentRouter.Terms memory others = changed(terms, i);
            expectForged(terms, payer, sign(payerKey, orderHash(others, payer)));
        }
        IPaymentRouter.Terms memory native = abi.decode(abi.encode(terms), (IPaymentRouter.Terms));
        native.token = address(0);
        expectForged(terms, payer, sign(payerKey, orderHash(native, payer)));
        expectForged(terms, payer, sign(payerKey, orderHash(terms, other)));
    }

    function test_payWithAllowance_revertsWhenSignedInAnotherDomainOrByAnother() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        bytes32 hash = orderHash(terms, payer);
        string memory name = domainName();
        string memory wrongName = onBusiness ? "Ampersat Payment Router" : "Ampersat Business Router";
        address otherRouter = address(deployRouter());
        expectForged(terms, payer, sign(payeeKey, hash));
        expectForged(terms, payer, signIn(payerKey, wrongName, block.chainid, address(router), hash));
        expectForged(terms, payer, signIn(payerKey, name, block.chainid + 1, address(router), hash));
        expectForged(terms, payer, signIn(payerKey, name, block.chainid, otherRouter, hash));
        expectForged(terms, payer, sign(payerKey, keccak256("RefundTo")));
        expectForged(terms, payer, new bytes(65));
        expectForged(terms, payee, sign(payerKey, hash));
        // Nobody has the key of the zero address, and what recovers to it is no signature.
        expectForged(terms, address(0), new bytes(65));
    }

    /// @dev After a fork of the chain a signature counts on one side only.
    function test_payWithAllowance_followsTheChainId() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        bytes memory signature = sign(payerKey, orderHash(terms, payer));
        bytes32 separator = router.DOMAIN_SEPARATOR();
        bytes32 key = router.keyOf(terms);
        vm.chainId(block.chainid + 1);
        assertTrue(router.DOMAIN_SEPARATOR() != separator);
        assertTrue(router.keyOf(terms) != key);
        expectForged(terms, payer, signature);
        router.payWithAllowance(terms, payer, sign(payerKey, orderHash(terms, payer)));
        assertPaid(terms, payer);
    }

    function test_payWithAllowance_takesTheSignatureOfAContractWallet() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        address wallet = address(new ContractWallet(payer));
        fund(wallet);
        expectForged(terms, wallet, sign(payeeKey, orderHash(terms, wallet)));
        expectForged(terms, wallet, sign(payerKey, orderHash(terms, payer)));
        bytes memory signature = sign(payerKey, orderHash(terms, wallet));
        expectSettled(terms, wallet);
        router.payWithAllowance(terms, wallet, signature);
        assertPaid(terms, wallet);
    }

    /// @dev EIP-7702: the account has code now, which knows no ERC-1271, and its own key still counts.
    function test_payWithAllowance_takesTheKeyOfADelegatedAccount() external {
        vm.etch(payer, abi.encodePacked(hex"ef0100", address(usdc)));
        IPaymentRouter.Terms memory terms = usdcTerms();
        expectForged(terms, payer, sign(payeeKey, orderHash(terms, payer)));
        router.payWithAllowance(terms, payer, sign(payerKey, orderHash(terms, payer)));
        assertPaid(terms, payer);
    }

    /// @dev A router cannot be made a payer, nor can a deposit address: neither signs.
    function test_payWithAllowance_revertsWhenThePayerIsARouterOrADeposit() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPaymentRouter.Terms memory swept = usdcTerms();
        address deposit = sendToDeposit(swept, address(usdc), swept.amount + terms.amount);
        router.sweep(swept);
        usdc.mint(address(router), terms.amount);
        for (uint256 i; i < 2; ++i) {
            address from = [address(router), deposit][i];
            bytes memory signature = sign(payerKey, orderHash(terms, from));
            vm.expectRevert(IPaymentRouter.InvalidSignature.selector);
            router.payWithAllowance(terms, from, signature);
        }
    }

    function test_payWithAllowance_revertsWhenPausedOrExpired() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        bytes memory signature = sign(payerKey, orderHash(terms, payer));
        pauseRouter();
        vm.expectRevert(IRoles.Paused.selector);
        router.payWithAllowance(terms, payer, signature);
        vm.prank(owner);
        router.unpause();
        vm.warp(terms.deadline + 1);
        vm.expectRevert(IPaymentRouter.Expired.selector);
        router.payWithAllowance(terms, payer, signature);
        assertUnpaid(terms);
    }

    function test_payWithAllowance_revertsWhenTokenIsAnother() external {
        IPaymentRouter.Terms memory terms = nativeTerms();
        bytes memory signature = sign(payerKey, orderHash(terms, payer));
        vm.expectRevert(IPaymentRouter.UnsupportedToken.selector);
        router.payWithAllowance(terms, payer, signature);
    }

    function test_payWithAllowance_revertsWhenAllowanceIsTooLow() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        vm.prank(payer);
        usdc.approve(address(router), terms.amount - terms.fee);
        bytes memory signature = sign(payerKey, orderHash(terms, payer));
        vm.expectPartialRevert(IPaymentRouter.TransferFailed.selector);
        router.payWithAllowance(terms, payer, signature);
        assertUnpaid(terms);
    }

    function expectForged(IPaymentRouter.Terms memory terms, address from, bytes memory signature) internal {
        vm.prank(other);
        vm.expectRevert(IPaymentRouter.InvalidSignature.selector);
        router.payWithAllowance(terms, from, signature);
        assertUnpaid(terms);
    }
}

contract PayWithAllowanceOnUsdcTest is PayWithAllowanceTest {}

contract PayWithAllowanceOnToken18Test is PayWithAllowanceTest {
    constructor() {
        onToken18 = true;
    }
}
