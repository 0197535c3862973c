// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EscrowRouterTest} from "../setup/EscrowRouterTest.sol";
import {DualNative, HostileReceiver} from "../setup/Hostile.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";
import {WrappedNative} from "../../src/local/WrappedNative.sol";

/// @dev Calls back while it is paid, and keeps what it was answered.
contract CallsBack {
    address private _target;
    bytes private _data;
    bytes32 public answer;

    function set(address target, bytes calldata data) external {
        (_target, _data) = (target, data);
    }

    receive() external payable {
        (bool ok, bytes memory data) = _target.call(_data);
        answer = ok ? bytes32("it went through") : keccak256(data);
    }
}

/// @dev How a tab in the wrapped asset is paid out: the native asset with bounded gas, else the wrapped one.
contract NativeTest is EscrowRouterTest {
    HostileReceiver private receiver;

    function setUp() public override {
        super.setUp();
        receiver = new HostileReceiver();
    }

    function test_native_isDeliveredToAContract() external {
        claim(opened(nativeTab()), address(receiver));
        assertEq(address(receiver).balance, 5 ether);
        assertHolds(0, 0);
    }

    function test_native_claimFallsBackToTheWrappedAsset() external {
        HostileReceiver.Mode[3] memory modes = _hostileModes();
        for (uint256 i; i < modes.length; ++i) {
            receiver.set(modes[i]);
            IEscrowRouter.Tab memory tab = opened(nativeTab());
            openTab(nativeTab());
            claim(tab, address(receiver));
            assertLt(vm.lastCallGas().gasTotalUsed, 260_000, "the recipient's gas is not bounded");
            assertEq(wrapped.balanceOf(address(receiver)), 5 ether * (i + 1));
            assertStatus(tab, IEscrowRouter.Status.Claimed);
            assertHolds(0, 5 ether * (i + 1));
        }
    }

    function test_native_refundFallsBackToTheWrappedAsset() external {
        HostileReceiver.Mode[3] memory modes = _hostileModes();
        fund(address(receiver));
        for (uint256 i; i < modes.length; ++i) {
            receiver.set(modes[i]);
            IEscrowRouter.Tab memory tab = nativeTab();
            tab.sender = address(receiver);
            openTab(tab);
            refund(tab);
            assertEq(wrapped.balanceOf(address(receiver)), FUNDS * 1 ether);
            assertHolds(0, 0);
        }
    }

    function test_native_revertsWhenNotEvenTheWrappedAssetArrives() external {
        receiver.set(HostileReceiver.Mode.Reverts);
        IEscrowRouter.Tab memory tab = opened(nativeTab());
        vm.mockCall(address(wrapped), abi.encodeCall(wrapped.transfer, (address(receiver), tab.amount)), abi.encode(false));
        uint64 notAfter = uint64(block.timestamp);
        bytes memory signature = attest(tab, address(receiver), notAfter);
        vm.prank(executor);
        vm.expectRevert(abi.encodeWithSelector(IEscrowRouter.TransferFailed.selector, abi.encode(false)));
        router.claim(tab, address(receiver), notAfter, signature);
        assertStatus(tab, IEscrowRouter.Status.Open);
        assertHolds(0, tab.amount);
    }

    /// @dev Whoever submits a claim or a refund picks its gas, and must not thereby pick the fallback for the recipient.
    function test_native_revertsWhenGasIsTooLowForTheRecipient() external {
        IEscrowRouter.Tab memory tab = nativeTab();
        fund(address(receiver));
        tab.sender = address(receiver);
        openTab(tab);
        vm.warp(tab.deadline);
        vm.expectRevert(IBotRouter.InsufficientGas.selector);
        router.refund{gas: 220_000}(tab);
        assertStatus(tab, IEscrowRouter.Status.Open);
        router.refund{gas: 330_000}(tab);
        assertEq(address(receiver).balance, 5 ether);
    }

    function testFuzz_native_gasNeverDecidesHowItIsPaid(uint256 gas_) external {
        IEscrowRouter.Tab memory tab = nativeTab();
        fund(address(receiver));
        tab.sender = address(receiver);
        openTab(tab);
        vm.warp(tab.deadline);
        gas_ = bound(gas_, 60_000, 400_000);
        try router.refund{gas: gas_}(tab) {
            assertEq(address(receiver).balance, 5 ether, "wrapped");
        } catch {
            assertStatus(tab, IEscrowRouter.Status.Open);
        }
    }

    function test_native_reentryFindsTheTabClosed() external {
        CallsBack wallet = new CallsBack();
        fund(address(wallet));
        openTab(nativeTab());
        // Refunded, it asks for another refund.
        IEscrowRouter.Tab memory tab = nativeTab();
        tab.sender = address(wallet);
        openTab(tab);
        wallet.set(address(router), abi.encodeCall(router.refund, (tab)));
        refund(tab);
        assertEq(wallet.answer(), keccak256(notOpen(tab, IEscrowRouter.Status.Refunded)));
        assertEq(address(wallet).balance, 5 ether);
        // Paid a claim, it submits the claim again: in the worst case it is an executor itself.
        tab = nativeTab();
        tab.sender = address(wallet);
        openTab(tab);
        vm.prank(owner);
        router.addExecutor(address(wallet));
        vm.warp(block.timestamp + 24 hours);
        uint64 notAfter = uint64(block.timestamp);
        bytes memory signature = attest(tab, address(wallet), notAfter);
        wallet.set(address(router), abi.encodeCall(router.claim, (tab, address(wallet), notAfter, signature)));
        vm.prank(executor);
        router.claim(tab, address(wallet), notAfter, signature);
        assertEq(wallet.answer(), keccak256(notOpen(tab, IEscrowRouter.Status.Claimed)));
        assertEq(address(wallet).balance, 10 ether, "paid once");
        assertHolds(0, 5 ether);
    }

    /// @dev Value that was forced in may be paid out instead of unwrapping; then as much stays here wrapped, and nobody is short.
    function test_native_forcedValueLeavesEveryTabCovered() external {
        uint256[3] memory forced = [uint256(3 ether), 5 ether, 8 ether];
        for (uint256 i; i < forced.length; ++i) {
            uint256 before = vm.snapshotState();
            IEscrowRouter.Tab[2] memory tabs = [opened(nativeTab()), opened(nativeTab())];
            vm.deal(address(router), forced[i]);
            claim(tabs[0], recipient);
            assertEq(recipient.balance, 5 ether);
            assertGe(wrapped.balanceOf(address(router)), router.openTotal(address(wrapped)));
            receiver.set(HostileReceiver.Mode.Reverts);
            claim(tabs[1], address(receiver));
            assertEq(wrapped.balanceOf(address(receiver)), 5 ether);
            assertEq(wrapped.balanceOf(address(router)) + address(router).balance, forced[i], "nobody's");
            vm.revertToState(before);
        }
    }

    function test_native_donatedTokensChangeNothing() external {
        IEscrowRouter.Tab memory tab = opened(nativeTab());
        vm.startPrank(sender);
        wrapped.transfer(address(router), 7 ether);
        usdc.transfer(address(router), 7 * USD);
        vm.stopPrank();
        claim(tab, recipient);
        assertEq(recipient.balance, 5 ether);
        assertEq(wrapped.balanceOf(address(router)), 7 ether);
        assertEq(router.openTotal(address(wrapped)), 0);
    }

    function test_receive_revertsWhenNotFromTheWrappedAsset() external {
        vm.deal(sender, 1 ether);
        vm.prank(sender);
        (bool ok, bytes memory reason) = address(router).call{value: 1}("");
        assertFalse(ok);
        assertEq(reason, abi.encodePacked(IEscrowRouter.UnsupportedToken.selector));
    }

    function _hostileModes() private pure returns (HostileReceiver.Mode[3] memory) {
        return [HostileReceiver.Mode.Reverts, HostileReceiver.Mode.EatsGas, HostileReceiver.Mode.ReturnsMuch];
    }
}

/// @dev Where the native asset is an ERC-20 itself, as on Celo: nothing is wrapped, and the router's value is its tabs.
contract NativeTokenTest is EscrowRouterTest {
    HostileReceiver private receiver;

    function setUp() public override {
        super.setUp();
        receiver = new HostileReceiver();
        wrapped = WrappedNative(payable(address(new DualNative())));
        router = deployRouter();
        vm.deal(sender, 1000 ether);
        vm.startPrank(sender);
        wrapped.approve(address(router), type(uint256).max);
        usdc.approve(address(router), type(uint256).max);
        vm.stopPrank();
    }

    function test_nativeToken_isLockedClaimedAndRefunded() external {
        IEscrowRouter.Tab[2] memory tabs = [opened(nativeTab()), opened(nativeTab())];
        openTab(newTab());
        assertEq(address(router).balance, 10 ether);
        assertEq(sender.balance, 990 ether);
        claim(tabs[0], recipient);
        assertEq(recipient.balance, 5 ether);
        refund(tabs[1]);
        assertEq(sender.balance, 995 ether);
        assertEq(address(router).balance, 0);
        assertEq(router.openTotal(address(usdc)), 5 * USD);
    }

    function test_nativeToken_arrivesAsATokenWhereTheReceiverRefuses() external {
        receiver.set(HostileReceiver.Mode.Reverts);
        IEscrowRouter.Tab memory tab = opened(nativeTab());
        openTab(nativeTab());
        claim(tab, address(receiver));
        assertEq(address(receiver).balance, 5 ether);
        assertEq(address(router).balance, 5 ether);
    }

    function test_nativeToken_openForCountsWhatCameIn() external {
        openTab(nativeTab());
        IEscrowRouter.Tab memory tab = nativeTab();
        vm.prank(botRouter);
        vm.expectRevert(IEscrowRouter.NotFunded.selector);
        router.openFor(sender, address(wrapped), HANDLE, tab.amount, tab.deadline, tab.senderNonce);
        vm.prank(sender);
        wrapped.transfer(address(router), tab.amount);
        openFor(tab);
        assertEq(router.openTotal(address(wrapped)), address(router).balance);
    }

    function test_nativeToken_reentryFindsTheTabClosed() external {
        CallsBack wallet = new CallsBack();
        IEscrowRouter.Tab memory tab = opened(nativeTab());
        openTab(nativeTab());
        wallet.set(address(router), abi.encodeCall(router.refund, (tab)));
        claim(tab, address(wallet));
        assertEq(wallet.answer(), keccak256(notOpen(tab, IEscrowRouter.Status.Claimed)));
        assertEq(address(router).balance, 5 ether);
    }

    function test_nativeToken_forcedValueIsNobodys() external {
        IEscrowRouter.Tab memory tab = opened(nativeTab());
        vm.deal(address(router), 8 ether);
        claim(tab, recipient);
        assertEq(recipient.balance, 5 ether);
        assertEq(address(router).balance, 3 ether);
    }
}
