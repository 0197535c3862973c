// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ContractWallet} from "../setup/Hostile.sol";
import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";
import {IGaslessToken} from "../../src/interfaces/IGaslessToken.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

interface ICancel {
    function cancelAuthorization(address authorizer, bytes32 nonce, bytes calldata signature) external;
    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool);
}

abstract contract PayWithAuthorizationTest is PaymentRouterTest {
    /// @dev The payer needs no allowance.
    function setUp() public override {
        super.setUp();
        vm.prank(payer);
        usdc.approve(address(router), 0);
    }

    function test_payWithAuthorization_paysPayeeAndTreasury() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Authorization memory signed = authorization(terms, payer, payerKey);
        expectSettled(terms, payer);
        vm.prank(other);
        bytes32 key = router.payWithAuthorization(terms, payer, signed);
        assertEq(key, router.keyOf(terms));
        assertPaid(terms, payer);
        assertTrue(ICancel(address(usdc)).authorizationState(payer, router.orderHash(terms, payer)));
    }

    function test_payWithAuthorization_revertsWhenReplayed() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Authorization memory signed = authorization(terms, payer, payerKey);
        bytes32 key = router.payWithAuthorization(terms, payer, signed);
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.AlreadySettled.selector, key));
        router.payWithAuthorization(terms, payer, signed);
        assertPaid(terms, payer);
    }

    /// @dev The nonce names the order: an authorization pays no other.
    function test_payWithAuthorization_revertsWhenOtherTermsWereSigned() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        for (uint256 i; i < FIELDS; ++i) {
            IPaymentRouter.Terms memory others = changed(terms, i);
            IPermits.Authorization memory theirs = authorization(others, payer, payerKey);
            theirs.validBefore = uint256(others.deadline) + 1;
            expectRefused(terms, payer, theirs, "FiatTokenV2: invalid signature");
        }
    }

    function test_payWithAuthorization_revertsWhenForgedOrOfAnotherDomain() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        string memory refusal = "FiatTokenV2: invalid signature";
        IPermits.Authorization memory signed = authorization(terms, payer, payerKey);
        expectRefused(terms, payer, authorization(terms, payer, payeeKey), refusal);
        expectRefused(terms, other, signed, refusal);
        signed.signature = signDigest(payerKey, usdcDigest("USDC", authorizationHash(terms, payer, address(router))));
        expectRefused(terms, payer, signed, refusal);
        address otherRouter = address(deployRouter());
        signed.signature = signDigest(payerKey, usdcDigest("USD Coin", authorizationHash(terms, payer, otherRouter)));
        expectRefused(terms, payer, signed, refusal);
        signed = authorization(terms, payer, payerKey);
        signed.validAfter -= 1;
        expectRefused(terms, payer, signed, refusal);
        signed.validAfter += 1;
        signed.validBefore += 1;
        expectRefused(terms, payer, signed, refusal);
        signed = authorization(terms, payer, payerKey);
        vm.chainId(block.chainid + 1);
        expectRefused(terms, payer, signed, refusal);
    }

    /// @dev The router itself and what stands at a deposit address sign nothing.
    function test_payWithAuthorization_revertsWhenThePayerIsTheRouter() external {
        usdc.mint(address(router), 100 * USD);
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Authorization memory signed = authorization(terms, address(router), payerKey);
        vm.expectRevert("FiatTokenV2: invalid signature");
        router.payWithAuthorization(terms, address(router), signed);
    }

    function test_payWithAuthorization_revertsOutsideItsTime() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Authorization memory signed = authorization(terms, payer, payerKey);
        vm.warp(START - 1);
        expectRefused(terms, payer, signed, "FiatTokenV2: authorization is not yet valid");
        vm.warp(uint256(terms.deadline) + 1);
        vm.expectRevert(IPaymentRouter.Expired.selector);
        router.payWithAuthorization(terms, payer, signed);
        vm.warp(terms.deadline);
        router.payWithAuthorization(terms, payer, signed);
        assertPaid(terms, payer);
    }

    function test_payWithAuthorization_revertsWhenCancelledBefore() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Authorization memory signed = authorization(terms, payer, payerKey);
        bytes32 typeHash = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
        bytes32 nonce = orderHash(terms, payer);
        bytes32 structHash = keccak256(abi.encode(typeHash, payer, nonce));
        ICancel(address(usdc)).cancelAuthorization(payer, nonce, signDigest(payerKey, usdcDigest("USD Coin", structHash)));
        expectRefused(terms, payer, signed, "FiatTokenV2: authorization is used or canceled");
    }

    /// @dev Only the receiver may use it, so nobody takes it out of the mempool and spends it elsewhere.
    function test_payWithAuthorization_cannotBeUsedWithoutTheRouter() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Authorization memory signed = authorization(terms, payer, payerKey);
        bytes32 nonce = orderHash(terms, payer);
        vm.prank(other);
        vm.expectRevert("FiatTokenV2: caller must be the payee");
        IGaslessToken(address(usdc))
            .receiveWithAuthorization(
                payer, address(router), terms.amount, signed.validAfter, signed.validBefore, nonce, signed.signature
            );
    }

    function test_payWithAuthorization_takesAContractWallet() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        address wallet = address(new ContractWallet(payer));
        usdc.mint(wallet, 1000 * USD);
        expectRefused(terms, wallet, authorization(terms, wallet, payeeKey), "FiatTokenV2: invalid signature");
        router.payWithAuthorization(terms, wallet, authorization(terms, wallet, payerKey));
        assertPaid(terms, wallet);
    }

    /// @dev EIP-7702: USDC asks the delegate, whatever the key says.
    function test_payWithAuthorization_ofADelegatedAccountDependsOnItsDelegate() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Authorization memory signed = authorization(terms, payer, payerKey);
        vm.etch(payer, abi.encodePacked(hex"ef0100", address(wrapped)));
        expectRefused(terms, payer, signed, "FiatTokenV2: invalid signature");
        vm.etch(payer, abi.encodePacked(hex"ef0100", address(new ContractWallet(payer))));
        router.payWithAuthorization(terms, payer, signed);
        assertPaid(terms, payer);
    }

    function test_payWithAuthorization_revertsWhenPausedOrOfAnotherToken() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Authorization memory signed = authorization(terms, payer, payerKey);
        terms.token = address(0);
        vm.expectRevert(IPaymentRouter.UnsupportedToken.selector);
        router.payWithAuthorization(terms, payer, signed);
        terms.token = address(usdc);
        pauseRouter();
        vm.expectRevert(IRoles.Paused.selector);
        router.payWithAuthorization(terms, payer, signed);
        assertUnpaid(terms);
    }

    function test_payWithAuthorization_revertsWhenUsdcRefuses() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Authorization memory signed = authorization(terms, payer, payerKey);
        for (uint256 i; i < 2; ++i) {
            uint256 snapshot = vm.snapshotState();
            usdc.blacklist([payer, address(router)][i]);
            expectRefused(terms, payer, signed, "Blacklistable: account is blacklisted");
            vm.revertToState(snapshot);
            usdc.blacklist([payee, treasury][i]);
            vm.expectRevert(transferFailed("Blacklistable: account is blacklisted"));
            router.payWithAuthorization(terms, payer, signed);
            assertUnpaid(terms);
            vm.revertToState(snapshot);
        }
        vm.prank(payer);
        usdc.transfer(other, 901 * USD);
        expectRefused(terms, payer, signed, "ERC20: transfer amount exceeds balance");
        usdc.pause();
        expectRefused(terms, payer, signed, "Pausable: paused");
    }

    function testFuzz_payWithAuthorization_movesExactlyTheAmount(uint256 amount, uint256 fee) external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        terms.amount = bound(amount, 1, 1000 * USD);
        terms.fee = someFee(terms.amount, fee);
        router.payWithAuthorization(terms, payer, authorization(terms, payer, payerKey));
        assertPaid(terms, payer);
    }

    function expectRefused(
        IPaymentRouter.Terms memory terms,
        address from,
        IPermits.Authorization memory signed,
        string memory reason
    ) internal {
        vm.expectRevert(bytes(reason));
        router.payWithAuthorization(terms, from, signed);
        assertUnpaid(terms);
    }
}

contract PayWithAuthorizationOnUsdcTest is PayWithAuthorizationTest {
    /// @dev Without a fee the router makes one transfer and not two.
    function test_payWithAuthorization_withoutFee() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        terms.fee = 0;
        usdc.blacklist(treasury);
        router.payWithAuthorization(terms, payer, authorization(terms, payer, payerKey));
        assertPaid(terms, payer);
    }
}

/// @dev A token without EIP-3009 refuses it as a whole.
contract PayWithAuthorizationOnToken18Test is PaymentRouterTest {
    constructor() {
        onToken18 = true;
    }

    function test_payWithAuthorization_revertsWhenTheTokenHasNone() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Authorization memory signed = authorization(terms, payer, payerKey);
        vm.expectRevert(bytes(""));
        router.payWithAuthorization(terms, payer, signed);
        assertUnpaid(terms);
    }
}
