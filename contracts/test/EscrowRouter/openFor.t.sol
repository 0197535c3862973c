// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EscrowRouterTest} from "../setup/EscrowRouterTest.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

/// @dev What the real bot router does with it is tested in BotRouter/tipToTab.t.sol.
abstract contract OpenForTest is EscrowRouterTest {
    function test_openFor_opensARevocableTabOfTheSender() external {
        IEscrowRouter.Tab memory tab = newTab();
        _give(tab);
        uint256 before = usdc.balanceOf(sender);
        expectOpened(tab);
        assertEq(openFor(tab), idOf(tab));
        assertStatus(tab, IEscrowRouter.Status.Open);
        assertEq(usdc.balanceOf(sender), before, "it took something itself");
        assertHolds(tab.amount, 0);
        refund(tab);
        assertEq(usdc.balanceOf(sender), FUNDS * USD);
    }

    function test_openFor_takesTheWrappedAsset() external {
        IEscrowRouter.Tab memory tab = nativeTab();
        _give(tab);
        openFor(tab);
        assertHolds(0, tab.amount);
        claim(tab, recipient);
        assertEq(recipient.balance, tab.amount);
    }

    function test_openFor_revertsWhenCallerIsNotTheBotRouter() external {
        IEscrowRouter.Tab memory tab = newTab();
        _give(tab);
        address[6] memory callers = [sender, executor, authority, owner, guardian, other];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(IEscrowRouter.NotBotRouter.selector);
            router.openFor(sender, tab.token, HANDLE, tab.amount, tab.deadline, tab.senderNonce);
        }
        assertStatus(tab, IEscrowRouter.Status.Unknown);
    }

    function test_openFor_revertsWhenNothingCameIn() external {
        openTab(newTab());
        openTab(nativeTab());
        _expectRevert(newTab(), abi.encodePacked(IEscrowRouter.NotFunded.selector));
        _expectRevert(nativeTab(), abi.encodePacked(IEscrowRouter.NotFunded.selector));
        assertHolds(5 * USD, 5 ether);
    }

    function test_openFor_revertsWhenTooLittleCameIn() external {
        openTab(newTab());
        IEscrowRouter.Tab memory tab = newTab();
        vm.prank(sender);
        usdc.transfer(address(router), tab.amount - 1);
        _expectRevert(tab, abi.encodePacked(IEscrowRouter.NotFunded.selector));
        vm.prank(sender);
        usdc.transfer(address(router), 1);
        openFor(tab);
        assertHolds(2 * tab.amount, 0);
    }

    /// @dev What was given for one tab does not pay for a second one.
    function test_openFor_revertsWhenTheFundsAreTaken() external {
        IEscrowRouter.Tab memory tab = newTab();
        _give(tab);
        openFor(tab);
        _expectRevert(newTab(), abi.encodePacked(IEscrowRouter.NotFunded.selector));
    }

    /// @dev The value that was forced in is not the wrapped asset.
    function test_openFor_revertsWhenOnlyValueWasForcedIn() external {
        vm.deal(address(router), 100 ether);
        _expectRevert(nativeTab(), abi.encodePacked(IEscrowRouter.NotFunded.selector));
    }

    function test_openFor_revertsOnTermsThatOpenRefuses() external {
        IEscrowRouter.Tab memory tab = newTab();
        _give(tab);
        tab.deadline = uint64(block.timestamp + 1 hours - 1);
        _expectRevert(tab, abi.encodePacked(IEscrowRouter.InvalidDeadline.selector));
        tab.deadline = uint64(block.timestamp + 90 days + 1);
        _expectRevert(tab, abi.encodePacked(IEscrowRouter.InvalidDeadline.selector));
        tab = newTab();
        tab.amount = 0;
        _expectRevert(tab, abi.encodePacked(IEscrowRouter.ZeroAmount.selector));
        tab = newTab();
        tab.token = other;
        _expectRevert(tab, abi.encodePacked(IEscrowRouter.UnsupportedToken.selector));
    }

    function test_openFor_revertsWhenPaused() external {
        IEscrowRouter.Tab memory tab = newTab();
        _give(tab);
        vm.prank(guardian);
        router.pause();
        _expectRevert(tab, abi.encodePacked(IRoles.Paused.selector));
    }

    function test_openFor_sharesTheIdsWithOpen() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        _give(tab);
        _expectRevert(tab, exists(tab));
        tab = newTab();
        _give(tab);
        openFor(tab);
        expectOpenRevert(tab, exists(tab));
    }

    function testFuzz_openFor_isNeverWorthMoreThanWhatCameIn(uint128 given, uint128 amount) external {
        openTab(newTab());
        given = uint128(bound(given, 0, 100 * USD));
        IEscrowRouter.Tab memory tab = newTab();
        tab.amount = uint128(bound(amount, 1, 100 * USD));
        vm.prank(sender);
        usdc.transfer(address(router), given);
        if (given < tab.amount) _expectRevert(tab, abi.encodePacked(IEscrowRouter.NotFunded.selector));
        else openFor(tab);
        assertLe(router.openTotal(address(usdc)), usdc.balanceOf(address(router)));
    }

    function _give(IEscrowRouter.Tab memory tab) private {
        vm.prank(tab.sender);
        if (tab.token == address(usdc)) usdc.transfer(address(router), tab.amount);
        else wrapped.transfer(address(router), tab.amount);
    }

    function _expectRevert(IEscrowRouter.Tab memory tab, bytes memory reason) private {
        uint256 total = router.openTotal(tab.token);
        vm.prank(botRouter);
        vm.expectRevert(reason);
        router.openFor(tab.sender, tab.token, tab.handleKey, tab.amount, tab.deadline, tab.senderNonce);
        assertEq(router.openTotal(tab.token), total);
    }
}

contract OpenForOnUsdcTest is OpenForTest {}

contract OpenForOnToken18Test is OpenForTest {
    constructor() {
        onToken18 = true;
    }
}
