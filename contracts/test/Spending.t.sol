// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {Spending} from "../src/Spending.sol";
import {IBotRouter} from "../src/interfaces/IBotRouter.sol";

/// @dev The packed record against a plain list of everything that was drawn.
contract SpendingTest is Test {
    using Spending for uint256;

    struct Draw {
        uint256 at;
        uint256 total;
    }

    uint256 private constant MAX_SCALE = 15;
    uint256 private record;
    Draw[] private draws;

    function setUp() external {
        vm.warp(1_800_000_000);
    }

    /// @dev Random draws at random times: none makes a window of 24 hours exceed the limit, and none is refused that would fit beside
    /// everything of the last 30 hours, rounding aside.
    function testFuzz_charge_noWindowExceedsTheLimit(uint256 seed, uint128 perDay) external {
        perDay = uint128(bound(perDay, 1000, 200_000 ether));
        record = record.withLimits(perDay, perDay, perDay, MAX_SCALE);
        (, uint128 kept,) = record.limits();
        for (uint256 i; i < 40; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            vm.warp(vm.getBlockTimestamp() + (seed & 0xff) % 5 * 1 hours + (seed >> 8 & 0xffff) % 2 hours);
            uint256 amount = bound(seed >> 64, 1, kept / 2);
            uint256 fee = bound(seed >> 32 & 0xffffffff, 0, kept / 10);
            uint256 unit = _unit(kept);
            try this.charge(record, amount, fee) returns (uint256 charged) {
                record = charged;
                draws.push(Draw(vm.getBlockTimestamp(), amount + fee));
                assertLe(_drawnSince(vm.getBlockTimestamp() - 24 hours), kept, "a window exceeds the limit");
            } catch (bytes memory reason) {
                assertEq(bytes4(reason), IBotRouter.LimitPerDay.selector);
                uint256 roundings = (draws.length + 1) * unit;
                assertGt(_drawnSince(vm.getBlockTimestamp() - 30 hours) + amount + fee + roundings, kept, "refused for nothing");
            }
            assertGe(this.spent(record), _drawnSince(vm.getBlockTimestamp() - 24 hours));
        }
    }

    function testFuzz_withLimits_roundsDownAndKeepsSevenDigits(uint128 perTip, uint128 perDay, uint128 maxFee) external view {
        (uint128 a, uint128 b, uint128 c) = uint256(0).withLimits(perTip, perDay, maxFee, MAX_SCALE).limits();
        uint128 most = ((1 << 28) - 16) * uint128(10 ** MAX_SCALE);
        assertLe(a, perTip);
        assertLe(b, perDay);
        assertLe(c, maxFee);
        assertLe(b, most);
        assertLe(a, b);
        assertLe(c, b);
        uint128 bounded = perDay < most ? perDay : most;
        assertLe(bounded - b, bounded / 1e7, "seven digits");
    }

    /// @dev What was spent is never forgotten when limits change, in whatever order.
    function testFuzz_withLimits_neverForgetsWhatWasSpent(uint128[6] calldata limits, uint256 amount) external {
        uint256 r = uint256(0).withLimits(limits[0], limits[0], limits[0], MAX_SCALE);
        (, uint128 kept,) = r.limits();
        vm.assume(kept > 0);
        amount = bound(amount, 1, kept);
        r = r.charge(amount, 0);
        for (uint256 i = 1; i < limits.length; ++i) {
            r = r.withLimits(limits[i], limits[i], limits[i], MAX_SCALE);
            assertGe(this.spent(r), amount);
            (, uint128 now_,) = r.limits();
            if (now_ < amount) {
                vm.expectRevert();
                this.charge(r, 1, 0);
            }
        }
        vm.warp(vm.getBlockTimestamp() + 30 hours);
        assertEq(this.spent(r), 0);
    }

    function test_charge_edgesOfTheWindowAreIncluded() external {
        vm.warp(83_334 * 6 hours);
        record = record.withLimits(100, 100, 100, MAX_SCALE).charge(100, 0);
        vm.warp(vm.getBlockTimestamp() + 24 hours);
        vm.expectRevert(IBotRouter.LimitPerDay.selector);
        this.charge(record, 1, 0);
        vm.warp(vm.getBlockTimestamp() + 6 hours);
        this.charge(record, 100, 0);
    }

    function test_charge_aLateDrawLeavesAfter24Hours() external {
        vm.warp(83_334 * 6 hours + 6 hours - 1);
        record = record.withLimits(100, 100, 100, MAX_SCALE).charge(100, 0);
        vm.warp(vm.getBlockTimestamp() + 24 hours);
        assertEq(this.spent(record), 100, "exactly 24 hours later it still counts");
        vm.warp(vm.getBlockTimestamp() + 1);
        assertEq(this.spent(record), 0, "a second later it does not");
    }

    function testFuzz_withPaused_changesNothingElse(uint256 r) external pure {
        r &= type(uint256).max >> 7;
        uint256 paused = r.withPaused(true);
        assertTrue(paused.isPaused());
        assertFalse(paused.withPaused(false).isPaused());
        assertEq(paused.withPaused(r.isPaused()), r);
    }

    // Through calls of their own: within one frame the compiler may keep an earlier time.
    function spent(uint256 r) external view returns (uint128) {
        return r.spent();
    }

    function charge(uint256 r, uint256 amount, uint256 fee) external view returns (uint256) {
        return r.charge(amount, fee);
    }

    function _unit(uint256 kept) private pure returns (uint256 unit) {
        unit = 1;
        while (kept / unit > (1 << 28) - 16) unit *= 10;
    }

    function _drawnSince(uint256 since) private view returns (uint256 sum) {
        for (uint256 i; i < draws.length; ++i) {
            if (draws[i].at >= since) sum += draws[i].total;
        }
    }
}
