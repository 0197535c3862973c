// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Across, ISpokePool} from "../setup/Across.sol";
import {AcrossAdapterTest} from "../setup/AcrossAdapterTest.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";
import {IBridgeAdapter} from "../../src/interfaces/IBridgeAdapter.sol";

abstract contract BridgeTest is AcrossAdapterTest {
    function test_bridge_depositsForTheSender() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        Across.Deposit memory expected = expectedOf(t);
        vm.expectEmit(address(router));
        emit IBotRouter.CrossChainTipSettled(
            t.messageKey,
            sender,
            t.recipient,
            DESTINATION,
            token,
            t.amount,
            t.minOutput,
            t.fee,
            adapter.transferIdOf(sender, t.messageKey)
        );
        assertDeposit(send(t), expected);
        assertEq(expected.depositor, bytes32(uint256(uint160(sender))));
        assertEq(expected.fillDeadline, t.validUntil);
        assertTrue(router.processed(t.messageKey));
    }

    function test_bridge_movesAmountAndFeeAndNothingElse() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        uint256 before = balanceOf(sender);
        send(t);
        assertEq(balanceOf(sender), before - t.amount - t.fee);
        assertEq(balanceOf(address(pool)), t.amount);
        assertEq(balanceOf(treasury), t.fee);
        assertEq(spentOf(sender, token), t.amount + t.fee);
        assertAdapterEmpty();
        assertRouterEmpty();
    }

    function test_bridge_answersTheIdThatThePoolUses() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        give(address(adapter), t.amount);
        vm.prank(address(router));
        bytes32 id = adapter.bridge(orderOf(t));
        assertEq(id, adapter.transferIdOf(sender, t.messageKey));
        assertEq(uint256(id), pool.getUnsafeDepositId(address(adapter), Across.word(sender), uint256(t.messageKey)));
    }

    /// @dev Across refuses a deadline further ahead; the money is back the sooner.
    function test_bridge_capsTheDeadlineAtThePoolsBuffer() external {
        uint64 latest = uint64(block.timestamp) + Across.BUFFER;
        uint64[6] memory ends = [uint64(block.timestamp), latest - 1, latest, latest + 1, 1 << 32, type(uint64).max];
        for (uint256 i; i < ends.length; ++i) {
            IBotRouter.CrossChainTip memory t = crossTip();
            t.validUntil = ends[i];
            assertEq(send(t).fillDeadline, i < 2 ? ends[i] : latest);
        }
    }

    /// @dev Across may put another implementation behind the address.
    function test_bridge_asksThePoolForItsBufferEachTime() external {
        address shorter = Across.deployImplementation(address(wrapped), 600, poolOwner);
        vm.prank(poolOwner);
        pool.upgradeTo(shorter);
        assertEq(send(crossTip()).fillDeadline, block.timestamp + 600);
    }

    function test_bridge_takesARecipientOf32Bytes() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        (t.destinationChain, t.recipient) = (SOLANA, keccak256("account on Solana"));
        assertDeposit(send(t), expectedOf(t));
    }

    /// @dev The hint of a route changes nothing, whatever it says.
    function test_bridge_ignoresTheHint() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        t.route = "";
        assertEq(send(t).message, "");
        t = crossTip();
        t.route = abi.encode(other, address(adapter), t.amount);
        assertDeposit(send(t), expectedOf(t));
    }

    function test_bridge_depositsForEachSenderApart() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        fund(other);
        Across.Deposit memory first = send(t);
        t.messageKey = newKey();
        t.sender = other;
        Across.Deposit memory second = send(t);
        assertDeposit(second, expectedOf(t));
        assertTrue(first.depositId != second.depositId);
        assertEq(balanceOf(address(pool)), 2 * t.amount);
    }

    // ----------------------------------------------------------------------------------------------------------------- who may call

    function testFuzz_bridge_revertsWhenCallerIsNotTheRouter(address caller) external {
        vm.assume(caller != address(router));
        IBridgeAdapter.Order memory order = orderOf(crossTip());
        give(address(adapter), order.amount);
        vm.prank(caller);
        vm.expectRevert(IBridgeAdapter.NotRouter.selector);
        adapter.bridge(order);
        assertAdapterHolds(order.amount);
    }

    function test_bridge_revertsForEveryRole() external {
        IBridgeAdapter.Order memory order = orderOf(crossTip());
        address[7] memory callers = [owner, guardian, executor, treasury, sender, address(pool), address(adapter)];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(IBridgeAdapter.NotRouter.selector);
            adapter.bridge(order);
        }
    }

    // ------------------------------------------------------------------------------------------------------------- what is refused

    function testFuzz_bridge_revertsWithoutARoute(uint256 destination) external {
        vm.assume(destination != DESTINATION && destination != SOLANA);
        IBotRouter.CrossChainTip memory t = crossTip();
        t.destinationChain = destination;
        expectCrossRevert(t, abi.encodeWithSelector(IBridgeAdapter.UnsupportedDestination.selector, destination));
        t.destinationChain = block.chainid;
        expectCrossRevert(t, abi.encodeWithSelector(IBridgeAdapter.UnsupportedDestination.selector, block.chainid));
    }

    /// @dev The destination is known, and has no route for this token.
    function test_bridge_revertsWithoutARouteOfTheToken() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        t.destinationChain = SOLANA;
        t.token = onWrapped ? address(usdc) : address(wrapped);
        (t.amount, t.fee) = (1e6, 0);
        expectCrossRevert(t, abi.encodeWithSelector(IBridgeAdapter.UnsupportedDestination.selector, SOLANA));
        t.destinationChain = DESTINATION;
        send(t);
    }

    function test_bridge_neverTwiceForOneKey() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        send(t);
        bytes memory used = abi.encodeWithSelector(IBotRouter.AlreadyProcessed.selector, t.messageKey);
        expectCrossRevert(t, used);
        fund(other);
        (t.sender, t.amount, t.destinationChain) = (other, unit, SOLANA);
        expectCrossRevert(t, used);
        IBotRouter.Tip memory direct = usdcTip();
        direct.messageKey = t.messageKey;
        vm.prank(executor);
        vm.expectRevert(used);
        router.tip(direct);
    }

    function test_bridge_isUndoneAsAWholeWhileThePoolIsPaused() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        vm.prank(poolOwner);
        pool.pauseDeposits(true);
        expectCrossRevert(t, ISpokePool.DepositsArePaused.selector);
        assertFalse(router.processed(t.messageKey));
        assertAdapterEmpty();
        vm.prank(poolOwner);
        pool.pauseDeposits(false);
        assertDeposit(send(t), expectedOf(t));
    }

    function test_bridge_revertsWhenExpired() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        vm.warp(t.validUntil + 1);
        expectCrossRevert(t, IBotRouter.Expired.selector);
        vm.warp(t.validUntil);
        assertEq(send(t).fillDeadline, t.validUntil);
    }

    function test_bridge_revertsWhenOverTheSendersLimitOfATip() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        (t.amount, t.fee) = (100 * unit + 1, 0);
        expectCrossRevert(t, IBotRouter.LimitPerTip.selector);
        t.amount = 100 * unit;
        send(t);
    }

    function test_bridge_revertsWhenOverTheSendersLimitOfADay() external {
        for (uint256 i; i < 5; ++i) {
            IBotRouter.CrossChainTip memory t = crossTip();
            (t.amount, t.fee) = (99 * unit, unit);
            send(t);
        }
        IBotRouter.CrossChainTip memory last = crossTip();
        (last.amount, last.fee) = (1, 0);
        expectCrossRevert(last, IBotRouter.LimitPerDay.selector);
    }

    function test_bridge_revertsWhenOverTheSendersMostFee() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        t.fee = unit + 1;
        expectCrossRevert(t, IBotRouter.LimitFee.selector);
        t.fee = unit;
        send(t);
    }

    function test_bridge_revertsWhenTheSenderIsPaused() external {
        vm.prank(sender);
        router.pauseSender(sender);
        expectCrossRevert(crossTip(), IBotRouter.SenderPaused.selector);
        vm.prank(sender);
        router.unpauseSender();
        send(crossTip());
    }

    // ------------------------------------------------------------------------------------------------------- what came by accident

    function test_bridge_leavesWhatCameByAccident() external {
        give(address(adapter), 7 * unit);
        IBotRouter.CrossChainTip memory t = crossTip();
        assertDeposit(send(t), expectedOf(t));
        assertEq(balanceOf(address(pool)), t.amount);
        assertAdapterHolds(7 * unit);
        send(crossTip());
        assertEq(balanceOf(address(pool)), 2 * t.amount);
        assertAdapterHolds(7 * unit);
    }

    /// @dev Not by the adapter, not by the token, and not by way of the pool.
    function test_adapter_givesNobodyWhatCameByAccident() external {
        give(address(adapter), 7 * unit);
        IBridgeAdapter.Order memory order = orderOf(crossTip());
        order.amount = 7 * unit;
        address[5] memory callers = [owner, executor, sender, poolOwner, address(pool)];
        for (uint256 i; i < callers.length; ++i) {
            order.sender = callers[i];
            vm.startPrank(callers[i]);
            vm.expectRevert(IBridgeAdapter.NotRouter.selector);
            adapter.bridge(order);
            (bool ok,) = token.call(abi.encodeCall(usdc.transferFrom, (address(adapter), callers[i], 1)));
            assertFalse(ok, "taken from the token");
            vm.stopPrank();
        }
        bytes32 here = Across.word(address(adapter));
        bytes32 to = Across.word(other);
        bytes32 what = Across.word(token);
        uint32 now_ = uint32(block.timestamp);
        vm.prank(other);
        vm.expectRevert();
        pool.unsafeDeposit(here, to, what, what, 7 * unit, 1, DESTINATION, 0, 0, now_, now_, 0, "");
        assertAdapterHolds(7 * unit);
    }

    function test_adapter_takesNoValue() external {
        vm.deal(address(this), 1 ether);
        (bool ok,) = address(adapter).call{value: 1 ether}("");
        assertFalse(ok);
        bytes memory data = abi.encodeCall(adapter.bridge, (orderOf(crossTip())));
        (ok,) = address(adapter).call{value: 1 ether}(data);
        assertFalse(ok);
        assertEq(address(adapter).balance, 0);
    }

    // ----------------------------------------------------------------------------------------------------------------------- fuzzed

    /// @dev Through the router, up to the highest limits that a sender can set.
    function testFuzz_bridge_isOneDepositOfItsOwnFields(IBotRouter.CrossChainTip memory t, bool toSolana) external {
        vm.startPrank(sender);
        router.setLimits(token, type(uint128).max, type(uint128).max, type(uint128).max);
        vm.stopPrank();
        (uint128 most,, uint128 maxFee,,) = router.limitsOf(sender, token);
        (t.sender, t.token) = (sender, token);
        t.destinationChain = toSolana ? SOLANA : DESTINATION;
        if (t.recipient == 0) t.recipient = Across.word(recipient);
        t.amount = uint128(bound(t.amount, 1, most));
        t.fee = uint128(bound(t.fee, 0, most - t.amount < maxFee ? most - t.amount : maxFee));
        t.minOutput = uint128(bound(t.minOutput, 1, type(uint128).max));
        t.validUntil = uint64(bound(t.validUntil, block.timestamp, type(uint64).max));
        give(sender, uint256(t.amount) + t.fee);
        uint256 before = balanceOf(sender);
        assertDeposit(send(t), expectedOf(t));
        assertEq(balanceOf(sender), before - t.amount - t.fee);
        assertEq(balanceOf(address(pool)), t.amount);
        assertEq(balanceOf(treasury), t.fee);
        assertAdapterEmpty();
    }

    /// @dev Without the router's limits, any amount of 128 bits for anybody.
    function testFuzz_bridge_takesEveryAmount(IBridgeAdapter.Order memory order) external {
        order.token = token;
        order.destinationChain = DESTINATION;
        // The router takes no tip of zero.
        order.amount = uint128(bound(order.amount, 1, type(uint128).max));
        order.validUntil = uint64(bound(order.validUntil, block.timestamp, type(uint64).max));
        bridgeAlone(order);
    }

    function test_bridge_takesTheHighestAmounts() external {
        IBridgeAdapter.Order memory order = orderOf(crossTip());
        (order.amount, order.minOutput) = (type(uint128).max, type(uint128).max);
        bridgeAlone(order);
        order.amount = 1;
        order.messageKey = bytes32(type(uint256).max);
        bridgeAlone(order);
        assertEq(balanceOf(address(pool)), 1 << 128);
    }

    function bridgeAlone(IBridgeAdapter.Order memory order) private {
        give(address(adapter), order.amount);
        vm.recordLogs();
        vm.prank(address(router));
        adapter.bridge(order);
        Across.Deposit[] memory deposits = Across.recorded(pool);
        assertEq(deposits.length, 1);
        assertEq(deposits[0].inputAmount, order.amount);
        assertEq(deposits[0].outputAmount, order.minOutput);
        assertEq(deposits[0].depositor, Across.word(order.sender));
        assertEq(deposits[0].recipient, order.recipient);
        assertEq(bytes32(deposits[0].depositId), adapter.transferIdOf(order.sender, order.messageKey));
        assertAdapterEmpty();
    }
}

contract BridgeOnUsdcTest is BridgeTest {
    /// @dev Circle may refuse the pool or the adapter; the tip is undone and the key free.
    function test_bridge_isUndoneAsAWholeWhenUsdcRefusesThePool() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        usdc.blacklist(address(pool));
        expectCrossRevert(t, abi.encodeWithSignature("Error(string)", "Blacklistable: account is blacklisted"));
        assertFalse(router.processed(t.messageKey));
    }

    function test_bridge_isUndoneAsAWholeWhenUsdcRefusesTheAdapter() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        usdc.blacklist(address(adapter));
        expectCrossRevert(t, transferFailed("Blacklistable: account is blacklisted"));
        assertFalse(router.processed(t.messageKey));
    }
}

contract BridgeOnToken18Test is BridgeTest {
    constructor() {
        onToken18 = true;
    }
}

contract BridgeOnWrappedTest is BridgeTest {
    constructor() {
        onWrapped = true;
    }
}
