// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";

import {ContractWallet} from "../setup/Hostile.sol";
import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

/// @dev On any token, permits or none: a permit that fails leaves the allowance to decide.
abstract contract PayWithPermitTest is PaymentRouterTest {
    function test_payWithPermit_goesOnWhenThePermitFailsAndTheAllowanceIsEnough() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Permit memory none;
        router.payWithPermit(terms, payer, none, sign(payerKey, orderHash(terms, payer)));
        assertPaid(terms, payer);
    }

    function test_payWithPermit_needsNoSignatureOfACallingPayer() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Permit memory none;
        vm.prank(payer);
        router.payWithPermit(terms, payer, none, "");
        assertPaid(terms, payer);
    }

    function test_payWithPermit_revertsWhenThePermitFailsAndThereIsNoAllowance() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        vm.prank(payer);
        usdc.approve(address(router), 0);
        IPermits.Permit memory none;
        bytes memory signature = sign(payerKey, orderHash(terms, payer));
        vm.expectPartialRevert(IPaymentRouter.TransferFailed.selector);
        router.payWithPermit(terms, payer, none, signature);
        assertUnpaid(terms);
    }

    function test_payWithPermit_revertsWhenTheOrderIsNotSigned() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Permit memory none;
        vm.expectRevert(IPaymentRouter.InvalidSignature.selector);
        router.payWithPermit(terms, payer, none, "");
        assertUnpaid(terms);
    }

    function test_payWithPermit_revertsWhenPausedExpiredOrSettled() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Permit memory none;
        bytes memory signature = sign(payerKey, orderHash(terms, payer));
        pauseRouter();
        vm.expectRevert(IRoles.Paused.selector);
        router.payWithPermit(terms, payer, none, signature);
        vm.prank(owner);
        router.unpause();
        bytes32 key = pay(terms);
        vm.expectRevert(abi.encodeWithSelector(IPaymentRouter.AlreadySettled.selector, key));
        router.payWithPermit(terms, payer, none, signature);
        vm.warp(terms.deadline + 1);
        vm.expectRevert(IPaymentRouter.Expired.selector);
        router.payWithPermit(terms, payer, none, signature);
    }
}

contract PayWithPermitOnToken18Test is PayWithPermitTest {
    constructor() {
        onToken18 = true;
    }
}

/// @dev Circle's own permit, from a payer without allowance.
contract PayWithPermitOnUsdcTest is PayWithPermitTest {
    address private fresh;
    uint256 private freshKey;

    function setUp() public override {
        super.setUp();
        (fresh, freshKey) = makeAddrAndKey("fresh payer");
        usdc.mint(fresh, 1000 * USD);
    }

    function test_payWithPermit_paysWithoutAnAllowanceBefore() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Permit memory permit = permitOf("USD Coin", fresh, freshKey, terms.amount);
        bytes memory signature = sign(freshKey, orderHash(terms, fresh));
        expectSettled(terms, fresh);
        vm.prank(other);
        router.payWithPermit(terms, fresh, permit, signature);
        assertPaid(terms, fresh);
        assertEq(usdc.allowance(fresh, address(router)), 0);
    }

    function test_payWithPermit_goesOnWhenSomebodyUsedThePermitFirst() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Permit memory permit = permitOf("USD Coin", fresh, freshKey, terms.amount);
        vm.prank(other);
        IERC20Permit(address(usdc)).permit(fresh, address(router), permit.value, permit.deadline, permit.v, permit.r, permit.s);
        router.payWithPermit(terms, fresh, permit, sign(freshKey, orderHash(terms, fresh)));
        assertPaid(terms, fresh);
    }

    /// @dev Whoever sees a permit gets no draw out of it: the order is missing.
    function test_payWithPermit_revertsWhenSomebodyElseUsesThePermitForOtherTerms() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Permit memory permit = permitOf("USD Coin", fresh, freshKey, terms.amount);
        bytes memory signature = sign(freshKey, orderHash(terms, fresh));
        IPaymentRouter.Terms memory theirs = changed(terms, 1);
        vm.prank(other);
        vm.expectRevert(IPaymentRouter.InvalidSignature.selector);
        router.payWithPermit(theirs, fresh, permit, signature);
        assertUnpaid(theirs);
    }

    function test_payWithPermit_revertsWhenThePermitIsForLess() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        expectNoAllowance(terms, permitOf("USD Coin", fresh, freshKey, terms.amount - 1));
    }

    function test_payWithPermit_revertsWhenThePermitIsForgedExpiredOrOfAnotherDomain() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        expectNoAllowance(terms, permitOf("USD Coin", fresh, payerKey, terms.amount));
        expectNoAllowance(terms, permitOf("USDC", fresh, freshKey, terms.amount));
        IPermits.Permit memory permit = permitOf("USD Coin", fresh, freshKey, terms.amount);
        permit.deadline += 1;
        expectNoAllowance(terms, permit);
        permit.deadline -= 1;
        permit.value += 1;
        expectNoAllowance(terms, permit);
        permit.value -= 1;
        vm.warp(permit.deadline + 1);
        expectNoAllowance(terms, permit);
    }

    /// @dev USDC asks the code of a delegated account, which knows no ERC-1271: the permit fails, an allowance still pays.
    function test_payWithPermit_ofADelegatedAccountNeedsAnAllowance() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Permit memory permit = permitOf("USD Coin", fresh, freshKey, terms.amount);
        vm.etch(fresh, abi.encodePacked(hex"ef0100", address(usdc)));
        expectNoAllowance(terms, permit);
        vm.prank(fresh);
        usdc.approve(address(router), terms.amount);
        router.payWithPermit(terms, fresh, permit, sign(freshKey, orderHash(terms, fresh)));
        assertPaid(terms, fresh);
    }

    /// @dev One whose delegate knows ERC-1271 goes through.
    function test_payWithPermit_ofADelegatedAccountThatKnowsErc1271() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        IPermits.Permit memory permit = permitOf("USD Coin", fresh, freshKey, terms.amount);
        vm.etch(fresh, abi.encodePacked(hex"ef0100", address(new ContractWallet(fresh))));
        router.payWithPermit(terms, fresh, permit, sign(freshKey, orderHash(terms, fresh)));
        assertPaid(terms, fresh);
    }

    function test_payWithPermit_takesAContractWallet() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        address wallet = address(new ContractWallet(fresh));
        usdc.mint(wallet, 1000 * USD);
        IPermits.Permit memory permit = permitOf("USD Coin", wallet, freshKey, terms.amount);
        router.payWithPermit(terms, wallet, permit, sign(freshKey, orderHash(terms, wallet)));
        assertPaid(terms, wallet);
    }

    function expectNoAllowance(IPaymentRouter.Terms memory terms, IPermits.Permit memory permit) private {
        bytes memory signature = sign(freshKey, orderHash(terms, fresh));
        vm.expectRevert(transferFailed("ERC20: transfer amount exceeds allowance"));
        router.payWithPermit(terms, fresh, permit, signature);
        assertUnpaid(terms);
    }
}
