// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ContractWallet} from "../setup/Hostile.sol";
import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";
import {IPermit2} from "../../src/interfaces/IPermit2.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

/// @dev On Permit2's own bytecode. The payer has an allowance for Permit2 and none for the router.
abstract contract PayWithPermit2Test is PaymentRouterTest {
    bytes4 private constant INVALID_SIGNER = bytes4(keccak256("InvalidSigner()"));
    bytes4 private constant INVALID_NONCE = bytes4(keccak256("InvalidNonce()"));

    function setUp() public override {
        super.setUp();
        vm.prank(payer);
        usdc.approve(address(router), 0);
    }

    function test_payWithPermit2_paysPayeeAndTreasury() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Permit2 memory signed = permit2Of(terms, payer, payerKey);
        expectSettled(terms, payer);
        vm.prank(other);
        bytes32 key = router.payWithPermit2(terms, payer, signed);
        assertEq(key, router.keyOf(terms));
        assertPaid(terms, payer);
    }

    function test_payWithPermit2_revertsWhenReplayed() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Permit2 memory signed = permit2Of(terms, payer, payerKey);
        bytes32 key = router.payWithPermit2(terms, payer, signed);
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.AlreadySettled.selector, key));
        router.payWithPermit2(terms, payer, signed);
        // Its nonce is used up for other terms too.
        IPaymentRouter.Terms memory next = usdcTerms();
        signed = permit2Of(next, payer, payerKey);
        vm.expectRevert(INVALID_NONCE);
        router.payWithPermit2(next, payer, signed);
        assertPaid(terms, payer);
    }

    function test_payWithPermit2_revertsWhenOtherTermsWereSigned() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        for (uint256 i; i < FIELDS; ++i) {
            expectRefused(terms, payer, permit2Of(changed(terms, i), payer, payerKey), INVALID_SIGNER);
        }
    }

    function test_payWithPermit2_revertsWhenAnythingElseWasSigned() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        bytes32 witness = orderHash(terms, payer);
        address token = address(usdc);
        uint256 amount = terms.amount;
        address to = address(router);
        address otherRouter = address(deployRouter());
        expectRefused(terms, payer, permit2Of(payeeKey, token, amount, to, 7, witness), INVALID_SIGNER);
        expectRefused(terms, payer, permit2Of(payerKey, address(wrapped), amount, to, 7, witness), INVALID_SIGNER);
        expectRefused(terms, payer, permit2Of(payerKey, token, amount + 1, to, 7, witness), INVALID_SIGNER);
        expectRefused(terms, payer, permit2Of(payerKey, token, amount, otherRouter, 7, witness), INVALID_SIGNER);
        expectRefused(terms, payer, permit2Of(payerKey, token, amount, to, 7, orderHash(terms, other)), INVALID_SIGNER);
        IPermits.Permit2 memory signed = permit2Of(terms, payer, payerKey);
        expectRefused(terms, other, signed, INVALID_SIGNER);
        signed.nonce = 8;
        expectRefused(terms, payer, signed, INVALID_SIGNER);
        signed.nonce = 7;
        signed.deadline += 1;
        expectRefused(terms, payer, signed, INVALID_SIGNER);
        signed.deadline -= 1;
        vm.chainId(block.chainid + 1);
        expectRefused(terms, payer, signed, INVALID_SIGNER);
    }

    /// @dev Permit2 lets only the spender who was signed use it.
    function test_payWithPermit2_cannotBeUsedWithoutTheRouter() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Permit2 memory signed = permit2Of(terms, payer, payerKey);
        IPermit2.PermitTransferFrom memory permit =
            IPermit2.PermitTransferFrom(IPermit2.TokenPermissions(terms.token, terms.amount), signed.nonce, signed.deadline);
        bytes32 witness = orderHash(terms, payer);
        vm.prank(other);
        vm.expectRevert(INVALID_SIGNER);
        IPermit2(PERMIT2)
            .permitWitnessTransferFrom(
                permit,
                IPermit2.SignatureTransferDetails(other, terms.amount),
                payer,
                witness,
                "Order witness)Order(bytes32 orderId,address payer,address payee,address token,uint256 amount,uint256 fee,uint64 deadline)TokenPermissions(address token,uint256 amount)",
                signed.signature
            );
    }

    function test_payWithPermit2_revertsWhenThePermitExpired() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Permit2 memory signed = permit2Of(terms, payer, payerKey);
        vm.warp(signed.deadline + 1);
        vm.expectPartialRevert(bytes4(keccak256("SignatureExpired(uint256)")));
        router.payWithPermit2(terms, payer, signed);
        assertUnpaid(terms);
    }

    function test_payWithPermit2_revertsWhenPausedExpiredOrOfAnotherToken() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Permit2 memory signed = permit2Of(terms, payer, payerKey);
        terms.token = address(wrapped);
        vm.expectRevert(IPaymentRouter.UnsupportedToken.selector);
        router.payWithPermit2(terms, payer, signed);
        terms.token = address(usdc);
        pauseRouter();
        vm.expectRevert(IRoles.Paused.selector);
        router.payWithPermit2(terms, payer, signed);
        vm.prank(owner);
        router.unpause();
        vm.warp(terms.deadline + 1);
        vm.expectRevert(IPaymentRouter.Expired.selector);
        router.payWithPermit2(terms, payer, signed);
        assertUnpaid(terms);
    }

    function test_payWithPermit2_revertsWithoutAnAllowanceForPermit2() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        vm.prank(payer);
        usdc.approve(PERMIT2, terms.amount - 1);
        IPermits.Permit2 memory signed = permit2Of(terms, payer, payerKey);
        vm.expectRevert("TRANSFER_FROM_FAILED");
        router.payWithPermit2(terms, payer, signed);
        assertUnpaid(terms);
    }

    function test_payWithPermit2_takesAContractWallet() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        address wallet = address(new ContractWallet(payer));
        fund(wallet);
        expectRefused(terms, wallet, permit2Of(terms, wallet, payeeKey), bytes4(keccak256("InvalidContractSignature()")));
        router.payWithPermit2(terms, wallet, permit2Of(terms, wallet, payerKey));
        assertPaid(terms, wallet);
    }

    /// @dev EIP-7702: Permit2 asks the delegate, whatever the key says.
    function test_payWithPermit2_ofADelegatedAccountDependsOnItsDelegate() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Permit2 memory signed = permit2Of(terms, payer, payerKey);
        vm.etch(payer, abi.encodePacked(hex"ef0100", address(usdc)));
        vm.expectRevert();
        router.payWithPermit2(terms, payer, signed);
        vm.etch(payer, abi.encodePacked(hex"ef0100", address(new ContractWallet(payer))));
        router.payWithPermit2(terms, payer, signed);
        assertPaid(terms, payer);
    }

    function testFuzz_payWithPermit2_movesExactlyTheAmount(uint256 amount, uint256 fee) external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        terms.amount = bound(amount, 1, 1000 * USD);
        terms.fee = someFee(terms.amount, fee);
        router.payWithPermit2(terms, payer, permit2Of(terms, payer, payerKey));
        assertPaid(terms, payer);
    }

    function expectRefused(IPaymentRouter.Terms memory terms, address from, IPermits.Permit2 memory signed, bytes4 reason)
        internal
    {
        vm.expectRevert(reason);
        router.payWithPermit2(terms, from, signed);
        assertUnpaid(terms);
    }
}

contract PayWithPermit2OnUsdcTest is PayWithPermit2Test {
    function test_payWithPermit2_revertsWhenUsdcBlacklistedSomebody() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Permit2 memory signed = permit2Of(terms, payer, payerKey);
        for (uint256 i; i < 4; ++i) {
            uint256 snapshot = vm.snapshotState();
            usdc.blacklist([payer, address(router), payee, treasury][i]);
            // Permit2 has one answer to whatever a token says; the router passes the token's own on.
            if (i < 2) vm.expectRevert("TRANSFER_FROM_FAILED");
            else vm.expectRevert(transferFailed("Blacklistable: account is blacklisted"));
            router.payWithPermit2(terms, payer, signed);
            assertUnpaid(terms);
            vm.revertToState(snapshot);
        }
    }
}

contract PayWithPermit2OnToken18Test is PayWithPermit2Test {
    constructor() {
        onToken18 = true;
    }
}
