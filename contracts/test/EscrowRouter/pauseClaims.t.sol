// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EscrowRouterTest} from "../setup/EscrowRouterTest.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

contract PauseClaimsTest is EscrowRouterTest {
    function test_pauseClaims_stopsClaimsUntilItIsOver() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        vm.expectEmit(address(router));
        emit IEscrowRouter.ClaimsPaused(guardian, uint64(START + 72 hours));
        _pause(72 hours);
        assertEq(router.claimsPausedUntil(), START + 72 hours);
        expectClaimRevert(tab, _paused(START + 72 hours));
        vm.warp(START + 72 hours - 1);
        expectClaimRevert(tab, _paused(START + 72 hours));
        vm.warp(START + 72 hours);
        claim(tab, recipient);
        assertFalse(router.paused(), "new work was not paused");
    }

    function test_pauseClaims_revertsWhenItIsNoneOrTooLong() external {
        uint64[3] memory durations = [uint64(0), uint64(72 hours + 1), type(uint64).max];
        for (uint256 i; i < durations.length; ++i) {
            vm.prank(guardian);
            vm.expectRevert(IEscrowRouter.InvalidDeadline.selector);
            router.pauseClaims(durations[i]);
        }
        _pause(1);
    }

    function test_pauseClaims_byTheGuardianOnly() external {
        address[4] memory callers = [owner, authority, executor, other];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(IRoles.NotGuardian.selector);
            router.pauseClaims(1 hours);
        }
    }

    function test_pauseClaims_againAfterClaimsRanAsLong() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        _pause(10 hours);
        _expectTooSoon(START + 20 hours);
        vm.warp(START + 20 hours - 1);
        _expectTooSoon(START + 20 hours);
        claim(tab, recipient);
        vm.warp(START + 20 hours);
        _pause(1 hours);
        // What counts is the last one.
        vm.warp(START + 22 hours);
        _pause(72 hours);
    }

    function test_pauseClaims_isNotProlongedByAnotherGuardian() external {
        _pause(72 hours);
        vm.prank(owner);
        router.setGuardian(other);
        vm.prank(other);
        vm.expectRevert(abi.encodeWithSelector(IEscrowRouter.PauseTooSoon.selector, START + 144 hours));
        router.pauseClaims(72 hours);
    }

    /// @dev In any stretch claims are paused for half of it and 72 hours at most.
    function testFuzz_pauseClaims_leavesClaimsHalfOfTheTime(uint256 seed) external {
        uint256 pausedFor;
        uint256 until;
        for (uint256 i; i < 24; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint64 duration = uint64(bound(seed >> 128, 1, 72 hours));
            vm.prank(guardian);
            try router.pauseClaims(duration) {
                assertGe(block.timestamp, until, "within a pause");
                pausedFor += duration;
                until = block.timestamp + duration;
            } catch {}
            assertEq(router.claimsPausedUntil(), until);
            vm.warp(block.timestamp + bound(uint128(seed), 0, 100 hours));
        }
        uint256 end = block.timestamp < until ? until : block.timestamp;
        assertLe(pausedFor, (end - START) / 2 + 72 hours);
    }

    function test_unpauseClaims_endsItAtOnce() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        _pause(72 hours);
        vm.warp(START + 2 hours);
        vm.expectEmit(address(router));
        emit IEscrowRouter.ClaimsPaused(owner, uint64(START + 2 hours));
        _unpause();
        assertEq(router.claimsPausedUntil(), START + 2 hours);
        claim(tab, recipient);
        // It lasted two hours.
        _expectTooSoon(START + 4 hours);
        vm.warp(START + 4 hours);
        _pause(72 hours);
    }

    function test_unpauseClaims_byTheOwnerOnly() external {
        _pause(72 hours);
        address[4] memory callers = [guardian, authority, executor, other];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(IRoles.NotOwner.selector);
            router.unpauseClaims();
        }
    }

    /// @dev A pause that is over keeps its length, so that unpausing it afterwards does not make the next one wait longer.
    function test_unpauseClaims_changesNothingWhenItIsOver() external {
        _unpause();
        assertEq(router.claimsPausedUntil(), 0);
        _pause(10 hours);
        vm.warp(START + 10 hours);
        _unpause();
        vm.warp(START + 15 hours);
        _unpause();
        assertEq(router.claimsPausedUntil(), START + 10 hours);
        _expectTooSoon(START + 20 hours);
        vm.warp(START + 20 hours);
        _pause(1 hours);
    }

    function test_unpauseClaims_inTheSecondOfThePause() external {
        _pause(72 hours);
        _unpause();
        claim(opened(newTab()), recipient);
        _pause(72 hours);
    }

    function test_pauseClaims_andThePauseOfNewWorkAreApart() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        vm.prank(guardian);
        router.pause();
        _pause(1 hours);
        vm.prank(owner);
        router.unpause();
        expectClaimRevert(tab, _paused(START + 1 hours));
        openTab(newTab());
        _unpause();
        vm.prank(guardian);
        router.pause();
        claim(tab, recipient);
    }

    function _pause(uint64 duration) private {
        vm.prank(guardian);
        router.pauseClaims(duration);
    }

    function _unpause() private {
        vm.prank(owner);
        router.unpauseClaims();
    }

    function _paused(uint256 until) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IEscrowRouter.ClaimsArePaused.selector, until);
    }

    function _expectTooSoon(uint256 from) private {
        vm.prank(guardian);
        vm.expectRevert(abi.encodeWithSelector(IEscrowRouter.PauseTooSoon.selector, from));
        router.pauseClaims(1);
    }
}
