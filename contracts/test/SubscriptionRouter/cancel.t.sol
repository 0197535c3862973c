// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ContractWallet} from "../setup/Hostile.sol";
import {PlainDelegate, SubscriptionRouterTest} from "../setup/SubscriptionRouterTest.sol";
import {IExecutors} from "../../src/interfaces/IExecutors.sol";
import {ISubscriptionRouter} from "../../src/interfaces/ISubscriptionRouter.sol";

contract CancelTest is SubscriptionRouterTest {
    ISubscriptionRouter.SubscriptionState private constant NONE = ISubscriptionRouter.SubscriptionState.None;
    ISubscriptionRouter.SubscriptionState private constant CANCELLED = ISubscriptionRouter.SubscriptionState.Cancelled;
    ISubscriptionRouter.SubscriptionState private constant HALTED = ISubscriptionRouter.SubscriptionState.Halted;

    function test_cancel_bySubscriberOrCreator() external {
        address[2] memory parties = [subscriber, creator];
        for (uint256 i; i < parties.length; ++i) {
            vm.warp(START + i * PERIOD);
            join();
            uint256 nonce = router.nonces(parties[i]);
            _expectCancelled(parties[i]);
            vm.prank(parties[i]);
            router.cancel(planKey, subscriber);
            assertState(CANCELLED);
            assertEq(router.nonces(parties[i]), nonce + 1);
        }
        ISubscriptionRouter.Subscription memory s = subscription();
        assertEq(s.lastChargedAt, START + PERIOD, "what was paid stays known");
        assertEq(s.chargesPaid, 1);
        assertPaid(2);
    }

    function test_cancel_worksWhilePausedAndOnAnInactivePlan() external {
        join();
        vm.prank(creator);
        router.deactivatePlan(planKey);
        pauseRouter();
        vm.prank(subscriber);
        router.cancel(planKey, subscriber);
        assertState(CANCELLED);
    }

    function test_cancel_worksWhenOverdueLapsedOrHalted() external {
        join();
        uint256 snapshot = vm.snapshotState();
        vm.warp(START + 2 * PERIOD);
        _cancel();
        vm.revertToState(snapshot);
        vm.warp(START + 5 * PERIOD);
        assertState(HALTED);
        _cancel();
        vm.revertToState(snapshot);
        vm.prank(executor);
        router.halt(planKey, subscriber);
        _cancel();
    }

    function test_cancel_revertsWhenThereIsNothingToEnd() external {
        vm.startPrank(subscriber);
        expectNotActive(NONE);
        router.cancel(planKey, subscriber);
        router.subscribe(planKey, amount, PERIOD);
        router.cancel(planKey, subscriber);
        expectNotActive(CANCELLED);
        router.cancel(planKey, subscriber);
        vm.stopPrank();
        assertEq(router.nonces(subscriber), 2);
    }

    function test_cancel_revertsWhenCallerIsSomebodyElse() external {
        join();
        address[5] memory callers = [owner, guardian, executor, treasury, other];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(ISubscriptionRouter.NotSubscriberOrCreator.selector);
            router.cancel(planKey, subscriber);
        }
        assertState(ISubscriptionRouter.SubscriptionState.Active);
    }

    /// @dev A creator ends subscriptions to its own plans alone.
    function test_cancel_revertsWhenCallerCreatedAnotherPlan() external {
        join();
        vm.startPrank(other);
        router.createPlan(PLAN_ID, address(usdc), amount, PERIOD);
        vm.expectRevert(ISubscriptionRouter.NotSubscriberOrCreator.selector);
        router.cancel(planKey, subscriber);
        vm.stopPrank();
    }

    function test_cancel_revertsWhenPlanIsUnknown() external {
        vm.expectRevert(abi.encodeWithSelector(ISubscriptionRouter.UnknownPlan.selector, bytes32("x")));
        router.cancel("x", subscriber);
        vm.prank(subscriber);
        expectNotActive(NONE);
        router.cancel("x", subscriber);
    }

    function test_cancelBySig_bySubscriberOrCreator() external {
        address[2] memory parties = [subscriber, creator];
        uint256[2] memory keys = [subscriberKey, creatorKey];
        for (uint256 i; i < parties.length; ++i) {
            vm.warp(START + i * PERIOD);
            join();
            uint256 nonce = router.nonces(parties[i]);
            bytes memory signature = sign(keys[i], cancelHash(subscriber, nonce, block.timestamp));
            _expectCancelled(parties[i]);
            vm.prank(relayer);
            router.cancelBySig(planKey, subscriber, parties[i], nonce, block.timestamp, signature);
            assertState(CANCELLED);
            assertEq(router.nonces(parties[i]), nonce + 1);
        }
    }

    function test_cancelBySig_worksWhilePaused() external {
        join();
        pauseRouter();
        _bySig(sign(subscriberKey, cancelHash(subscriber, 1, START)), 1, START);
        assertState(CANCELLED);
    }

    function test_cancelBySig_revertsWhenReplayed() external {
        join();
        bytes memory signature = sign(subscriberKey, cancelHash(subscriber, 1, START + PERIOD));
        _bySig(signature, 1, START + PERIOD);
        vm.warp(START + PERIOD);
        join();
        expectInvalidNonce(3);
        _bySig(signature, 1, START + PERIOD);
    }

    function test_cancelBySig_revertsWhenExpired() external {
        join();
        bytes memory signature = sign(subscriberKey, cancelHash(subscriber, 1, START));
        vm.warp(START + 1);
        vm.expectRevert(ISubscriptionRouter.Expired.selector);
        _bySig(signature, 1, START);
    }

    function test_cancelBySig_revertsWhenThereIsNothingToEnd() external {
        bytes memory signature = sign(subscriberKey, cancelHash(subscriber, 0, START));
        expectNotActive(NONE);
        _bySig(signature, 0, START);
        assertEq(router.nonces(subscriber), 0);
    }

    function test_cancelBySig_revertsWhenSignerIsSomebodyElse() external {
        join();
        (address stranger, uint256 key) = makeAddrAndKey("stranger");
        bytes memory signature = sign(key, cancelHash(subscriber, 0, START));
        vm.expectRevert(ISubscriptionRouter.NotSubscriberOrCreator.selector);
        router.cancelBySig(planKey, subscriber, stranger, 0, START, signature);
        vm.expectRevert(abi.encodeWithSelector(ISubscriptionRouter.UnknownPlan.selector, bytes32("x")));
        router.cancelBySig("x", subscriber, stranger, 0, START, signature);
    }

    function test_cancelBySig_revertsWhenAnythingElseWasSigned() external {
        join();
        bytes32 hash = cancelHash(subscriber, 1, START);
        bytes[11] memory signatures = [
            sign(creatorKey, hash),
            signIn(subscriberKey, "Ampersat Bot Router", block.chainid, address(router), hash),
            signIn(subscriberKey, NAME, block.chainid + 1, address(router), hash),
            signIn(subscriberKey, NAME, block.chainid, address(usdc), hash),
            sign(subscriberKey, setSubscriptionHash("x", subscriber, 2, 1, START)),
            sign(subscriberKey, setSubscriptionHash(planKey, other, 2, 1, START)),
            sign(subscriberKey, setSubscriptionHash(planKey, subscriber, 1, 1, START)),
            sign(subscriberKey, setSubscriptionHash(planKey, subscriber, 3, 1, START)),
            sign(subscriberKey, cancelHash(subscriber, 0, START)),
            sign(subscriberKey, cancelHash(subscriber, 1, START + 1)),
            bytes("")
        ];
        for (uint256 i; i < signatures.length; ++i) {
            vm.expectRevert(ISubscriptionRouter.InvalidSignature.selector);
            _bySig(signatures[i], 1, START);
        }
        // The subscriber's signature is not the creator's.
        bytes memory signature = sign(subscriberKey, cancelHash(subscriber, 0, START));
        vm.expectRevert(ISubscriptionRouter.InvalidSignature.selector);
        router.cancelBySig(planKey, subscriber, creator, 0, START, signature);
        assertState(ISubscriptionRouter.SubscriptionState.Active);
    }

    function test_cancelBySig_takesTheSignatureOfAContractWallet() external {
        address wallet = address(new ContractWallet(subscriber));
        fund(wallet);
        vm.prank(wallet);
        router.subscribe(planKey, amount, PERIOD);
        bytes memory wrong = sign(creatorKey, cancelHash(wallet, 1, START));
        vm.expectRevert(ISubscriptionRouter.InvalidSignature.selector);
        router.cancelBySig(planKey, wallet, wallet, 1, START, wrong);
        router.cancelBySig(planKey, wallet, wallet, 1, START, sign(subscriberKey, cancelHash(wallet, 1, START)));
        assertEq(uint8(router.subscriptionOf(planKey, wallet).state), uint8(CANCELLED));
    }

    function test_cancelBySig_takesTheKeyOfADelegatedAccount() external {
        join();
        vm.etch(subscriber, address(new PlainDelegate()).code);
        _bySig(sign(subscriberKey, cancelHash(subscriber, 1, START)), 1, START);
        assertState(CANCELLED);
    }

    function test_halt_byAnExecutorAlone() external {
        join();
        address[6] memory callers = [owner, guardian, treasury, creator, subscriber, other];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(IExecutors.NotExecutor.selector);
            router.halt(planKey, subscriber);
        }
        vm.expectEmit(address(router));
        emit ISubscriptionRouter.SubscriptionHalted(planKey, subscriber, executor);
        vm.prank(executor);
        router.halt(planKey, subscriber);
        assertState(HALTED);
        assertEq(router.nonces(subscriber), 1, "the subscriber's signatures stay good");
    }

    function test_halt_worksWhilePausedAndOnAnInactivePlan() external {
        join();
        vm.prank(creator);
        router.deactivatePlan(planKey);
        pauseRouter();
        vm.prank(executor);
        router.halt(planKey, subscriber);
        assertState(HALTED);
    }

    function test_halt_revertsWhenItIsNotActive() external {
        vm.startPrank(executor);
        vm.expectRevert(abi.encodeWithSelector(ISubscriptionRouter.UnknownPlan.selector, bytes32("x")));
        router.halt("x", subscriber);
        expectNotActive(NONE);
        router.halt(planKey, subscriber);
        vm.stopPrank();
        join();
        vm.startPrank(executor);
        router.halt(planKey, subscriber);
        expectNotActive(HALTED);
        router.halt(planKey, subscriber);
        vm.stopPrank();
        _cancel();
        vm.prank(executor);
        expectNotActive(CANCELLED);
        router.halt(planKey, subscriber);
        vm.warp(START + PERIOD);
        join();
        vm.warp(START + 5 * PERIOD);
        vm.prank(executor);
        expectNotActive(HALTED);
        router.halt(planKey, subscriber);
    }

    function test_halt_revertsForANewOrRemovedExecutor() external {
        join();
        vm.startPrank(owner);
        router.addExecutor(other);
        router.removeExecutor(executor);
        vm.stopPrank();
        vm.prank(other);
        vm.expectRevert(IExecutors.NotExecutor.selector);
        router.halt(planKey, subscriber);
        vm.prank(executor);
        vm.expectRevert(IExecutors.NotExecutor.selector);
        router.halt(planKey, subscriber);
        vm.warp(START + 24 hours);
        vm.prank(other);
        router.halt(planKey, subscriber);
    }

    function _cancel() private {
        vm.prank(subscriber);
        router.cancel(planKey, subscriber);
        assertState(CANCELLED);
    }

    function _bySig(bytes memory signature, uint256 nonce, uint256 deadline) private {
        vm.prank(relayer);
        router.cancelBySig(planKey, subscriber, subscriber, nonce, deadline, signature);
    }

    function _expectCancelled(address by) private {
        vm.expectEmit(address(router));
        emit ISubscriptionRouter.SubscriptionCancelled(planKey, subscriber, by);
    }
}
