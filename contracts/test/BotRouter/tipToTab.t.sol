// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BotRouterTest} from "../setup/BotRouterTest.sol";
import {Bridge} from "../setup/Hostile.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";
import {IExecutors} from "../../src/interfaces/IExecutors.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

contract TipToTabTest is BotRouterTest {
    function test_tipToTab_opensARevocableTabWithoutFee() external {
        IBotRouter.TabTip memory t = tabTip();
        bytes32 id = keccak256(abi.encode(block.chainid, address(escrow), sender, uint256(t.messageKey)));
        vm.expectEmit(address(escrow));
        emit IEscrowRouter.TabOpened(id, sender, t.handleKey, address(usdc), t.amount, t.deadline, uint256(t.messageKey), true);
        vm.expectEmit(address(router));
        emit IBotRouter.TabTipSettled(t.messageKey, sender, t.handleKey, id, address(usdc), t.amount, t.deadline);
        vm.prank(executor);
        assertEq(router.tipToTab(t), id);
        assertEq(usdc.balanceOf(address(escrow)), t.amount);
        assertEq(usdc.balanceOf(treasury), 0);
        assertEq(spentOf(sender, address(usdc)), t.amount);
        assertTrue(router.processed(t.messageKey));
        assertRouterEmpty();
    }

    function test_tipToTab_opensATabInTheWrappedAsset() external {
        IBotRouter.TabTip memory t = tabTip();
        t.token = address(wrapped);
        t.amount = 5 ether;
        vm.prank(executor);
        router.tipToTab(t);
        assertEq(wrapped.balanceOf(address(escrow)), 5 ether);
    }

    function test_tipToTab_sharesTheKeysWithTips() external {
        IBotRouter.TabTip memory t = tabTip();
        IBotRouter.Tip memory direct = usdcTip();
        direct.messageKey = t.messageKey;
        bytes memory used = abi.encodeWithSelector(IBotRouter.AlreadyProcessed.selector, t.messageKey);
        vm.prank(executor);
        router.tipToTab(t);
        vm.prank(executor);
        vm.expectRevert(used);
        router.tip(direct);
        vm.prank(executor);
        vm.expectRevert(used);
        router.tipToTab(t);
    }

    function test_tipToTab_revertsAsAWholeWhenTheEscrowRefuses() external {
        IBotRouter.TabTip memory t = tabTip();
        t.deadline = uint64(block.timestamp + 59 minutes);
        _expectRevert(t, abi.encodePacked(IEscrowRouter.InvalidDeadline.selector));
        assertEq(usdc.balanceOf(sender), 1000 * USD);
        assertFalse(router.processed(t.messageKey));
    }

    function test_tipToTab_revertsWhenThereIsNoEscrow() external {
        vm.etch(address(escrow), "");
        _expectRevert(tabTip(), abi.encodePacked(IBotRouter.EscrowUnavailable.selector));
    }

    function test_tipToTab_revertsWhenExpired() external {
        IBotRouter.TabTip memory t = tabTip();
        vm.warp(t.validUntil + 1);
        _expectRevert(t, abi.encodePacked(IBotRouter.Expired.selector));
    }

    function test_tipToTab_revertsWhenOverTheLimit() external {
        IBotRouter.TabTip memory t = tabTip();
        t.amount = 100 * USD + 1;
        _expectRevert(t, abi.encodePacked(IBotRouter.LimitPerTip.selector));
    }

    function test_tipToTab_revertsWhenCallerIsNoExecutor() external {
        vm.expectRevert(IExecutors.NotExecutor.selector);
        router.tipToTab(tabTip());
    }

    function test_tipToTab_revertsWhenPaused() external {
        vm.prank(guardian);
        router.pause();
        _expectRevert(tabTip(), abi.encodePacked(IRoles.Paused.selector));
    }

    function tabTip() internal returns (IBotRouter.TabTip memory) {
        return IBotRouter.TabTip({
            messageKey: newKey(),
            sender: sender,
            handleKey: keccak256("telegram:id:123"),
            token: address(usdc),
            amount: 5 * USD,
            deadline: uint64(block.timestamp + 7 days),
            validUntil: uint64(block.timestamp + 15 minutes)
        });
    }

    function _expectRevert(IBotRouter.TabTip memory t, bytes memory reason) private {
        vm.prank(executor);
        vm.expectRevert(reason);
        router.tipToTab(t);
    }
}

contract TipCrossChainTest is BotRouterTest {
    Bridge private bridge;

    function setUp() public override {
        super.setUp();
        bridge = new Bridge();
        router = deployRouter(address(bridge));
        fund(sender);
    }

    function test_tipCrossChain_bindsTheOrder() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        vm.expectEmit(address(router));
        emit IBotRouter.CrossChainTipSettled(
            t.messageKey, sender, t.recipient, 10, t.token, t.amount, t.minOutput, t.fee, keccak256("transfer")
        );
        vm.prank(executor);
        assertEq(router.tipCrossChain(t), keccak256("transfer"));
        Bridge.Order memory order =
            Bridge.Order(t.messageKey, sender, t.token, t.amount, 10, t.recipient, t.minOutput, t.validUntil, t.route);
        assertEq(bridge.orderHash(), keccak256(abi.encode(order)));
        assertEq(usdc.balanceOf(address(bridge)), t.amount);
        assertEq(usdc.balanceOf(treasury), t.fee);
        assertEq(spentOf(sender, address(usdc)), t.amount + t.fee);
        assertRouterEmpty();
    }

    function test_tipCrossChain_sharesTheKeysWithTips() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        IBotRouter.Tip memory direct = usdcTip();
        t.messageKey = direct.messageKey;
        settle(direct);
        _expectRevert(t, abi.encodeWithSelector(IBotRouter.AlreadyProcessed.selector, t.messageKey));
    }

    function test_tipCrossChain_revertsAsAWholeWhenTheBridgeRefuses() external {
        bridge.refuse();
        IBotRouter.CrossChainTip memory t = crossTip();
        uint256 before = usdc.balanceOf(sender);
        _expectRevert(t, abi.encodePacked(Bridge.Refused.selector));
        assertEq(usdc.balanceOf(sender), before);
        assertFalse(router.processed(t.messageKey));
    }

    function test_tipCrossChain_revertsWhenThereIsNoAdapter() external {
        router = deployRouter(address(0));
        _expectRevert(crossTip(), abi.encodePacked(IBotRouter.BridgeUnavailable.selector));
    }

    function test_tipCrossChain_revertsWhenNothingBindsTheBridge() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        t.recipient = 0;
        _expectRevert(t, abi.encodePacked(IBotRouter.InvalidRecipient.selector));
        t = crossTip();
        t.minOutput = 0;
        _expectRevert(t, abi.encodePacked(IBotRouter.ZeroAmount.selector));
    }

    function test_tipCrossChain_revertsWhenCallerIsNoExecutor() external {
        vm.expectRevert(IExecutors.NotExecutor.selector);
        router.tipCrossChain(crossTip());
    }

    function test_tipCrossChain_revertsWhenOverTheLimit() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        t.fee = USD + 1;
        _expectRevert(t, abi.encodePacked(IBotRouter.LimitFee.selector));
    }

    function crossTip() internal returns (IBotRouter.CrossChainTip memory) {
        return IBotRouter.CrossChainTip({
            messageKey: newKey(),
            sender: sender,
            recipient: bytes32(uint256(uint160(recipient))),
            destinationChain: 10,
            token: address(usdc),
            amount: 5 * USD,
            minOutput: 4 * USD,
            fee: USD / 10,
            validUntil: uint64(block.timestamp + 15 minutes),
            route: hex"1234"
        });
    }

    function _expectRevert(IBotRouter.CrossChainTip memory t, bytes memory reason) private {
        vm.prank(executor);
        vm.expectRevert(reason);
        router.tipCrossChain(t);
    }
}
