// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EscrowRouterTest} from "../setup/EscrowRouterTest.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

abstract contract OpenTest is EscrowRouterTest {
    function test_open_locksTheSendersFunds() external {
        IEscrowRouter.Tab memory tab = newTab();
        assertStatus(tab, IEscrowRouter.Status.Unknown);
        expectOpened(tab);
        assertEq(openTab(tab), idOf(tab));
        assertStatus(tab, IEscrowRouter.Status.Open);
        assertEq(usdc.balanceOf(sender), FUNDS * USD - tab.amount);
        assertHolds(tab.amount, 0);
    }

    function test_open_locksTheWrappedAsset() external {
        IEscrowRouter.Tab memory tab = nativeTab();
        tab.revocable = false;
        expectOpened(tab);
        openTab(tab);
        assertEq(wrapped.balanceOf(sender), FUNDS * 1 ether - tab.amount);
        assertHolds(0, tab.amount);
    }

    function test_open_addsUp() external {
        openTab(newTab());
        openTab(newTab());
        openTab(nativeTab());
        assertHolds(10 * USD, 5 ether);
        assertEq(router.openTotal(other), 0);
    }

    function test_open_derivesTheIdFromSenderAndNonce() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        assertEq(router.tabIdOf(sender, tab.senderNonce), idOf(tab));
        fund(other);
        tab.sender = other;
        openTab(tab);
        assertHolds(2 * tab.amount, 0);
    }

    function test_open_revertsWhenTheIdIsOpen() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        expectOpenRevert(tab, exists(tab));
        // Whatever else the terms say, and in the other token too.
        tab.handleKey = keccak256("bob");
        tab.amount += 1;
        expectOpenRevert(tab, exists(tab));
        tab.token = address(wrapped);
        expectOpenRevert(tab, exists(tab));
    }

    function test_open_revertsForEverWhenTheIdWasClosed() external {
        IEscrowRouter.Tab memory claimed = opened(newTab());
        IEscrowRouter.Tab memory refunded = opened(newTab());
        claim(claimed, recipient);
        refund(refunded);
        for (uint256 i; i < 2; ++i) {
            expectOpenRevert(claimed, exists(claimed));
            expectOpenRevert(refunded, exists(refunded));
            vm.prank(sender);
            usdc.transfer(address(router), claimed.amount);
            vm.prank(botRouter);
            vm.expectRevert(exists(claimed));
            router.openFor(sender, address(usdc), HANDLE, claimed.amount, claimed.deadline, claimed.senderNonce);
            skip(40 * 365 days);
            claimed.deadline = refunded.deadline = uint64(block.timestamp + 7 days);
        }
        assertStatus(claimed, IEscrowRouter.Status.Claimed);
        assertStatus(refunded, IEscrowRouter.Status.Refunded);
    }

    function test_open_revertsWhenAmountIsZero() external {
        IEscrowRouter.Tab memory tab = newTab();
        tab.amount = 0;
        expectOpenRevert(tab, IEscrowRouter.ZeroAmount.selector);
    }

    function test_open_revertsWhenTokenIsUnknown() external {
        IEscrowRouter.Tab memory tab = newTab();
        tab.token = other;
        expectOpenRevert(tab, IEscrowRouter.UnsupportedToken.selector);
        tab.token = address(0);
        expectOpenRevert(tab, IEscrowRouter.UnsupportedToken.selector);
    }

    function test_open_takesDeadlinesFromAnHourToNinetyDays() external {
        IEscrowRouter.Tab memory tab = newTab();
        tab.deadline = uint64(block.timestamp + 1 hours - 1);
        expectOpenRevert(tab, IEscrowRouter.InvalidDeadline.selector);
        tab.deadline += 1;
        openTab(tab);
        tab = newTab();
        tab.deadline = uint64(block.timestamp + 90 days + 1);
        expectOpenRevert(tab, IEscrowRouter.InvalidDeadline.selector);
        tab.deadline -= 1;
        openTab(tab);
    }

    function testFuzz_open_takesNoOtherDeadlines(uint64 deadline) external {
        IEscrowRouter.Tab memory tab = newTab();
        tab.deadline = deadline;
        if (deadline >= block.timestamp + 1 hours && deadline <= block.timestamp + 90 days) openTab(tab);
        else expectOpenRevert(tab, IEscrowRouter.InvalidDeadline.selector);
    }

    function test_open_revertsWhenPaused() external {
        vm.prank(guardian);
        router.pause();
        IEscrowRouter.Tab memory tab = newTab();
        expectOpenRevert(tab, IRoles.Paused.selector);
        vm.prank(owner);
        router.unpause();
        openTab(tab);
    }

    function test_open_isNotStoppedByAPauseOfClaims() external {
        vm.prank(guardian);
        router.pauseClaims(72 hours);
        openTab(newTab());
    }

    function test_open_keepsTheTotalsWhenItIsPaused() external {
        openTab(newTab());
        openTab(nativeTab());
        vm.prank(guardian);
        router.pause();
        assertHolds(5 * USD, 5 ether);
        vm.prank(owner);
        router.unpause();
        assertHolds(5 * USD, 5 ether);
    }

    /// @dev A sum takes 120 bits, which no token fills; in each of the two it neither wraps nor touches what stands beside it.
    function test_open_revertsWhenTheSumWouldNotFit() external {
        usdc.mint(sender, 1 << 122);
        vm.deal(sender, 1 << 122);
        vm.prank(sender);
        wrapped.deposit{value: 1 << 122}();
        address[2] memory tokens = [address(usdc), address(wrapped)];
        for (uint256 i; i < 2; ++i) {
            IEscrowRouter.Tab memory tab = newTab();
            tab.token = tokens[i];
            tab.amount = 1 << 120;
            expectOpenRevert(tab, IEscrowRouter.NotFunded.selector);
            tab.amount = type(uint128).max;
            expectOpenRevert(tab, IEscrowRouter.NotFunded.selector);
            tab.amount = (1 << 120) - 1;
            openTab(tab);
            IEscrowRouter.Tab memory one = newTab();
            one.token = tokens[i];
            one.amount = 1;
            expectOpenRevert(one, IEscrowRouter.NotFunded.selector);
        }
        assertHolds((1 << 120) - 1, (1 << 120) - 1);
        assertFalse(router.paused());
    }

    function testFuzz_open_movesExactlyTheAmount(uint128 inUsdc, uint128 inNative) external {
        IEscrowRouter.Tab memory tab = newTab();
        tab.amount = inUsdc = uint128(bound(inUsdc, 1, FUNDS * USD));
        openTab(tab);
        tab = nativeTab();
        tab.amount = inNative = uint128(bound(inNative, 1, FUNDS * 1 ether));
        openTab(tab);
        assertEq(usdc.balanceOf(sender), FUNDS * USD - inUsdc);
        assertEq(wrapped.balanceOf(sender), FUNDS * 1 ether - inNative);
        assertHolds(inUsdc, inNative);
    }
}

contract OpenOnUsdcTest is OpenTest {
    function test_open_revertsWhenTheBalanceOrAllowanceIsTooLow() external {
        IEscrowRouter.Tab memory tab = newTab();
        tab.amount = uint128(FUNDS * USD + 1);
        expectOpenRevert(tab, transferFailed("ERC20: transfer amount exceeds balance"));
        tab = newTab();
        vm.prank(sender);
        usdc.approve(address(router), tab.amount - 1);
        expectOpenRevert(tab, transferFailed("ERC20: transfer amount exceeds allowance"));
        vm.prank(sender);
        usdc.approve(address(router), tab.amount);
        openTab(tab);
    }

    function test_open_revertsWhenSenderOrRouterIsBlacklisted() external {
        address[2] memory accounts = [sender, address(router)];
        for (uint256 i; i < 2; ++i) {
            uint256 before = vm.snapshotState();
            usdc.blacklist(accounts[i]);
            expectOpenRevert(newTab(), transferFailed("Blacklistable: account is blacklisted"));
            vm.revertToState(before);
        }
    }

    function test_open_revertsWhenTheTokenIsPaused() external {
        usdc.pause();
        expectOpenRevert(newTab(), transferFailed("Pausable: paused"));
    }

    function test_domainSeparator_followsTheChain() external {
        bytes32 domain =
            keccak256(abi.encode(USDC_DOMAIN_TYPEHASH, keccak256(bytes(NAME)), keccak256("1"), block.chainid, address(router)));
        assertEq(router.DOMAIN_SEPARATOR(), domain);
        vm.chainId(block.chainid + 1);
        assertTrue(router.DOMAIN_SEPARATOR() != domain);
    }
}

contract OpenOnToken18Test is OpenTest {
    constructor() {
        onToken18 = true;
    }
}
