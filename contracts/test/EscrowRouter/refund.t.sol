// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EscrowRouterTest} from "../setup/EscrowRouterTest.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";

abstract contract RefundTest is EscrowRouterTest {
    function test_refund_ofARevocableTabByItsSenderAtAnyTime() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        openTab(newTab());
        expectRefunded(tab);
        refund(tab);
        assertEq(usdc.balanceOf(sender), FUNDS * USD - 5 * USD);
        assertStatus(tab, IEscrowRouter.Status.Refunded);
        assertHolds(5 * USD, 0);
    }

    function test_refund_paysTheNativeAsset() external {
        IEscrowRouter.Tab memory tab = opened(nativeTab());
        openTab(nativeTab());
        expectRefunded(tab);
        refund(tab);
        assertEq(sender.balance, tab.amount);
        assertHolds(0, 5 ether);
    }

    function test_refund_byAnyoneFromTheDeadlineOn() external {
        IEscrowRouter.Tab[2] memory tabs = [opened(newTab()), opened(firmTab())];
        vm.warp(tabs[0].deadline - 1);
        for (uint256 i; i < 2; ++i) {
            expectRefundRevert(tabs[i], other, abi.encodePacked(IEscrowRouter.NotRefundable.selector));
        }
        vm.warp(tabs[0].deadline);
        for (uint256 i; i < 2; ++i) {
            expectRefunded(tabs[i]);
            vm.prank(other);
            router.refund(tabs[i]);
        }
        assertEq(usdc.balanceOf(sender), FUNDS * USD, "always to the sender");
        assertEq(usdc.balanceOf(other), 0);
    }

    function test_refund_revertsBeforeTheDeadlineWhenCallerIsAnyoneElse() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        address[6] memory callers = [executor, authority, owner, guardian, botRouter, recipient];
        for (uint256 i; i < callers.length; ++i) {
            expectRefundRevert(tab, callers[i], abi.encodePacked(IEscrowRouter.NotRefundable.selector));
        }
    }

    function test_refund_revertsBeforeTheDeadlineWhenTheTabIsNotRevocable() external {
        IEscrowRouter.Tab memory tab = opened(firmTab());
        expectRefundRevert(tab, sender, abi.encodePacked(IEscrowRouter.NotRefundable.selector));
        vm.warp(tab.deadline);
        refund(tab);
        assertHolds(0, 0);
    }

    function test_refund_isNeverPaused() external {
        IEscrowRouter.Tab memory revoked = opened(newTab());
        IEscrowRouter.Tab memory late = opened(nativeTab());
        vm.startPrank(guardian);
        router.pause();
        router.pauseClaims(72 hours);
        vm.stopPrank();
        refund(revoked);
        vm.warp(late.deadline);
        vm.prank(other);
        router.refund(late);
        assertHolds(0, 0);
    }

    function test_refund_paysOnce() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        openTab(newTab());
        refund(tab);
        expectRefundRevert(tab, sender, notOpen(tab, IEscrowRouter.Status.Refunded));
        expectClaimRevert(tab, notOpen(tab, IEscrowRouter.Status.Refunded));
        assertHolds(5 * USD, 0);
    }

    /// @dev The first of the two that is mined wins, and the other says why it lost.
    function test_refund_losesAgainstAClaim() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        claim(tab, recipient);
        expectRefundRevert(tab, sender, notOpen(tab, IEscrowRouter.Status.Claimed));
        assertEq(usdc.balanceOf(recipient), tab.amount);
        assertEq(usdc.balanceOf(sender), FUNDS * USD - tab.amount);
    }

    function test_refund_revertsWhenAnyFieldOfTheTabIsAnother() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        openTab(nativeTab());
        IEscrowRouter.Tab[7] memory changed;
        for (uint256 i; i < 7; ++i) {
            changed[i] = abi.decode(abi.encode(tab), (IEscrowRouter.Tab));
        }
        changed[0].sender = other;
        changed[1].senderNonce += 100;
        changed[2].token = address(wrapped);
        changed[3].handleKey = keccak256("mallory");
        changed[4].amount += 1;
        changed[5].deadline = uint64(block.timestamp);
        changed[6].revocable = false;
        for (uint256 i; i < 7; ++i) {
            IEscrowRouter.Status status = i > 1 ? IEscrowRouter.Status.Open : IEscrowRouter.Status.Unknown;
            expectRefundRevert(changed[i], changed[i].sender, notOpen(changed[i], status));
        }
        refund(tab);
    }

    function testFuzz_refund_givesBackExactlyTheAmount(uint128 amount, bool native) external {
        IEscrowRouter.Tab memory tab = native ? nativeTab() : newTab();
        tab.amount = uint128(bound(amount, 1, native ? FUNDS * 1 ether : FUNDS * USD));
        openTab(tab);
        refund(tab);
        assertEq(usdc.balanceOf(sender), FUNDS * USD);
        assertEq(wrapped.balanceOf(sender) + sender.balance, FUNDS * 1 ether);
        assertEq(sender.balance, native ? tab.amount : 0);
        assertHolds(0, 0);
    }
}

contract RefundOnUsdcTest is RefundTest {
    function test_refund_waitsForASenderWhomTheTokenRefuses() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        usdc.blacklist(sender);
        expectRefundRevert(tab, sender, transferFailed("Blacklistable: account is blacklisted"));
        assertStatus(tab, IEscrowRouter.Status.Open);
        // The claimant is not held up by it.
        claim(tab, recipient);
        assertEq(usdc.balanceOf(recipient), tab.amount);
    }

    function test_refund_waitsForATokenThatIsPaused() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        usdc.pause();
        expectRefundRevert(tab, sender, transferFailed("Pausable: paused"));
        assertStatus(tab, IEscrowRouter.Status.Open);
    }
}

contract RefundOnToken18Test is RefundTest {
    constructor() {
        onToken18 = true;
    }
}
