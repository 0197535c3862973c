// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ContractWallet} from "../setup/Hostile.sol";
import {PlainDelegate, SubscriptionRouterTest} from "../setup/SubscriptionRouterTest.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";
import {ISubscriptionRouter} from "../../src/interfaces/ISubscriptionRouter.sol";

abstract contract SubscribeBySigTest is SubscriptionRouterTest {
    function test_subscribeBySig_subscribesTheSigner() external {
        bytes memory signature = sign(subscriberKey, subscribeHash(subscriber, 0, START));
        vm.expectEmit(address(router));
        emit ISubscriptionRouter.Subscribed(planKey, subscriber, uint64(START + PERIOD));
        expectCharged(START + PERIOD);
        _submit(signature, 0, START);
        assertPaid(1);
        assertEq(router.nonces(subscriber), 1);
        assertEq(usdc.balanceOf(relayer), 0);
        assertFalse(subscription().viaPermit2);
    }

    function test_subscribeBySig_revertsWhenReplayed() external {
        bytes memory signature = sign(subscriberKey, subscribeHash(subscriber, 0, START + PERIOD));
        _submit(signature, 0, START + PERIOD);
        vm.prank(executor);
        router.halt(planKey, subscriber);
        vm.warp(START + PERIOD);
        expectInvalidNonce(1);
        _submit(signature, 0, START + PERIOD);
        vm.expectRevert(ISubscriptionRouter.InvalidSignature.selector);
        _submit(signature, 1, START + PERIOD);
        assertPaid(1);
    }

    /// @dev Whatever was signed before a subscriber cancelled is void, a signature for later too.
    function test_subscribeBySig_bringsNothingBackThatItsSubscriberCancelled() external {
        bytes memory spare = sign(subscriberKey, subscribeHash(subscriber, 1, START + 365 days));
        join();
        vm.prank(subscriber);
        router.cancel(planKey, subscriber);
        vm.warp(START + PERIOD);
        expectInvalidNonce(2);
        _submit(spare, 1, START + 365 days);
        assertState(ISubscriptionRouter.SubscriptionState.Cancelled);
    }

    /// @dev Halted by an executor, it can still be cancelled, and that voids what was signed before.
    function test_subscribeBySig_bringsNothingBackThatWasCancelledAfterAHalt() external {
        bytes memory spare = sign(subscriberKey, subscribeHash(subscriber, 1, START + 365 days));
        join();
        vm.prank(executor);
        router.halt(planKey, subscriber);
        router.cancelBySig(planKey, subscriber, subscriber, 1, START, sign(subscriberKey, cancelHash(subscriber, 1, START)));
        vm.warp(START + PERIOD);
        expectInvalidNonce(2);
        _submit(spare, 1, START + 365 days);
        assertState(ISubscriptionRouter.SubscriptionState.Cancelled);
    }

    function test_subscribeBySig_revertsWhenExpired() external {
        bytes memory signature = sign(subscriberKey, subscribeHash(subscriber, 0, START));
        vm.warp(START + 1);
        vm.expectRevert(ISubscriptionRouter.Expired.selector);
        _submit(signature, 0, START);
    }

    function test_subscribeBySig_revertsWhenAnythingElseWasSigned() external {
        bytes32 hash = subscribeHash(subscriber, 0, START);
        bytes[12] memory signatures = [
            sign(creatorKey, hash),
            signIn(subscriberKey, "Ampersat Bot Router", block.chainid, address(router), hash),
            signIn(subscriberKey, NAME, block.chainid + 1, address(router), hash),
            signIn(subscriberKey, NAME, block.chainid, address(usdc), hash),
            sign(subscriberKey, subscribeHash("x", subscriber, amount, PERIOD, 0, START)),
            sign(subscriberKey, subscribeHash(planKey, other, amount, PERIOD, 0, START)),
            sign(subscriberKey, subscribeHash(planKey, subscriber, amount - 1, PERIOD, 0, START)),
            sign(subscriberKey, subscribeHash(planKey, subscriber, amount, PERIOD + 1, 0, START)),
            sign(subscriberKey, subscribeHash(planKey, subscriber, amount, PERIOD, 1, START)),
            sign(subscriberKey, subscribeHash(planKey, subscriber, amount, PERIOD, 0, START + 1)),
            sign(subscriberKey, cancelHash(subscriber, 0, START)),
            bytes("")
        ];
        for (uint256 i; i < signatures.length; ++i) {
            vm.expectRevert(ISubscriptionRouter.InvalidSignature.selector);
            _submit(signatures[i], 0, START);
        }
        // Nor is it good for somebody else.
        bytes memory signature = sign(subscriberKey, hash);
        vm.expectRevert(ISubscriptionRouter.InvalidSignature.selector);
        router.subscribeBySig(planKey, other, amount, PERIOD, 0, START, signature, noPermit());
        assertPaid(0);
        assertEq(router.nonces(subscriber), 0);
    }

    function test_subscribeBySig_revertsWhenTheTermsAreOthers() external {
        bytes memory less = sign(subscriberKey, subscribeHash(planKey, subscriber, amount - 1, PERIOD, 0, START));
        vm.expectRevert(ISubscriptionRouter.TermsMismatch.selector);
        router.subscribeBySig(planKey, subscriber, amount - 1, PERIOD, 0, START, less, noPermit());
        bytes memory longer = sign(subscriberKey, subscribeHash(planKey, subscriber, amount, PERIOD + 1, 0, START));
        vm.expectRevert(ISubscriptionRouter.TermsMismatch.selector);
        router.subscribeBySig(planKey, subscriber, amount, PERIOD + 1, 0, START, longer, noPermit());
    }

    function test_subscribeBySig_revertsWhenPausedInactiveOrSubscribed() external {
        bytes memory signature = sign(subscriberKey, subscribeHash(subscriber, 0, START));
        pauseRouter();
        vm.expectRevert(IRoles.Paused.selector);
        _submit(signature, 0, START);
        vm.prank(owner);
        router.unpause();
        vm.prank(creator);
        router.deactivatePlan(planKey);
        vm.expectRevert(abi.encodeWithSelector(ISubscriptionRouter.PlanInactive.selector, planKey));
        _submit(signature, 0, START);
        vm.prank(creator);
        router.reactivatePlan(planKey);
        _submit(signature, 0, START);
        signature = sign(subscriberKey, subscribeHash(subscriber, 1, START));
        vm.expectRevert(ISubscriptionRouter.AlreadySubscribed.selector);
        _submit(signature, 1, START);
        assertEq(router.nonces(subscriber), 1, "what is refused uses no nonce");
        assertPaid(1);
    }

    function test_subscribeBySig_takesTheSignatureOfAContractWallet() external {
        address wallet = address(new ContractWallet(subscriber));
        fund(wallet);
        bytes memory wrong = sign(creatorKey, subscribeHash(wallet, 0, START));
        vm.expectRevert(ISubscriptionRouter.InvalidSignature.selector);
        router.subscribeBySig(planKey, wallet, amount, PERIOD, 0, START, wrong, noPermit());
        bytes memory right = sign(subscriberKey, subscribeHash(wallet, 0, START));
        router.subscribeBySig(planKey, wallet, amount, PERIOD, 0, START, right, noPermit());
        assertEq(usdc.balanceOf(wallet), 1000 * USD - amount);
    }

    /// @dev EIP-7702: the account has code now, which knows no ERC-1271, and its own key still counts.
    function test_subscribeBySig_takesTheKeyOfADelegatedAccount() external {
        vm.etch(subscriber, address(new PlainDelegate()).code);
        _submit(sign(subscriberKey, subscribeHash(subscriber, 0, START)), 0, START);
        assertPaid(1);
    }

    /// @dev Nobody signs for the zero address, for the router or for a precompiled contract.
    function test_subscribeBySig_revertsWhenNobodyCouldHaveSigned() external {
        bytes[3] memory signatures = [bytes(""), new bytes(65), abi.encodePacked(bytes32(0), bytes32(0), uint8(27))];
        for (uint160 account; account < 11; ++account) {
            address signer = account == 10 ? address(router) : address(account);
            for (uint256 i; i < signatures.length; ++i) {
                vm.expectRevert(ISubscriptionRouter.InvalidSignature.selector);
                router.subscribeBySig(planKey, signer, amount, PERIOD, 0, START, signatures[i], noPermit());
            }
        }
    }

    function _submit(bytes memory signature, uint256 nonce, uint256 deadline) internal {
        vm.prank(relayer);
        router.subscribeBySig(planKey, subscriber, amount, PERIOD, nonce, deadline, signature, noPermit());
    }
}

contract SubscribeBySigOnUsdcTest is SubscribeBySigTest {
    function test_subscribeBySig_triesThePermitOfTheSigner() external {
        vm.prank(subscriber);
        usdc.approve(address(router), 0);
        IPermits.Permit memory permit = tokenPermit(subscriberKey, subscriber, 2 * amount, START);
        bytes memory signature = sign(subscriberKey, subscribeHash(subscriber, 0, START));
        vm.expectRevert(transferFailed("ERC20: transfer amount exceeds allowance"));
        router.subscribeBySig(planKey, subscriber, amount, PERIOD, 0, START, signature, noPermit());
        vm.prank(relayer);
        router.subscribeBySig(planKey, subscriber, amount, PERIOD, 0, START, signature, permit);
        assertPaid(1);
        assertEq(usdc.allowance(subscriber, address(router)), amount);
    }

    /// @dev Its key is good for the router and not for USDC, so it needs an allowance.
    function test_subscribeBySig_refusesThePermitOfADelegatedAccount() external {
        vm.prank(subscriber);
        usdc.approve(address(router), 0);
        vm.etch(subscriber, address(new PlainDelegate()).code);
        IPermits.Permit memory permit = tokenPermit(subscriberKey, subscriber, 2 * amount, START);
        bytes memory signature = sign(subscriberKey, subscribeHash(subscriber, 0, START));
        vm.expectRevert(transferFailed("ERC20: transfer amount exceeds allowance"));
        router.subscribeBySig(planKey, subscriber, amount, PERIOD, 0, START, signature, permit);
        vm.prank(subscriber);
        usdc.approve(address(router), amount);
        router.subscribeBySig(planKey, subscriber, amount, PERIOD, 0, START, signature, permit);
        assertPaid(1);
    }
}

contract SubscribeBySigOnToken18Test is SubscribeBySigTest {
    constructor() {
        onToken18 = true;
    }
}
