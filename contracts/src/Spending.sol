// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IBotRouter} from "./interfaces/IBotRouter.sol";

/// @title A sender's limits for one token, and what it spent in the last 24 hours, in one storage slot
/// @dev Time is cut into slices of 6 hours; a record keeps the sums of the current slice and of the four before it. The five slices
/// begin at least 24 hours before now: if n is the current slice, slice n - 4 began at start(n) - 24 h <= now - 24 h.
///
/// Claim: no closed window of 24 hours sums up to more than `perDay`. Proof: let t be the time of the last draw in the window
/// [a, a + 24 h]. Every draw in it happened in [t - 24 h, t], since a >= t - 24 h, so at t each stood in one of the five slices, and
/// with at least its size (sizes are only ever rounded up). `charge` let the draw at t through because these slices and the draw
/// itself did not exceed `perDay`; so neither does the window. Nothing older than 30 hours is counted.
///
/// All quantities are counts of a unit of 10^scale of the token's smallest units, 28 bits each. The scale is the least for which
/// `perDay` fits, so it is kept to more than seven digits; limits are rounded down to the unit and draws up.
///
/// Layout from the lowest bit: five slices of 28 bits, newest first | 20 bits: number of the newest slice | 4 bits: scale | 1 bit:
/// paused | 28 bits each: perTip, perDay, maxFee.
library Spending {
    uint256 private constant SLICE_SECONDS = 6 hours;
    uint256 private constant SLICES = 5;
    uint256 private constant BITS = 28;
    uint256 private constant COUNT_MASK = 0xfffffff;
    uint256 private constant SLICES_MASK = (1 << 140) - 1;
    /// @dev Highest count of a limit. It leaves room for rounding five slices up, so that their sum stays below COUNT_MASK.
    uint256 private constant COUNT_MAX = (1 << 28) - 16;

    uint256 private constant NEWEST_AT = 140;
    uint256 private constant NEWEST_MASK = (1 << 20) - 1;
    uint256 private constant SCALE_AT = 160;
    uint256 private constant SCALE_MASK = 0xf;
    uint256 private constant PAUSED_BIT = 0x100000000000000000000000000000000000000000;
    uint256 private constant PER_TIP_AT = 165;
    uint256 private constant PER_DAY_AT = 193;
    uint256 private constant MAX_FEE_AT = 221;

    /// @dev Takes `amount + fee` out of a record, or reverts with the limit that forbids it.
    function charge(uint256 record, uint256 amount, uint256 fee) internal view returns (uint256) {
        (uint256 slices, uint256 newest) = _slicesNow(record);
        uint256 count;
        uint256 feeCount;
        bool refused;
        // No sum here reaches 2^130 (amounts have 128 bits, counts 28), and 10^n is never zero. One jump serves the five checks.
        assembly ("memory-safe") {
            // Division rounded up.
            let unit := exp(10, and(shr(SCALE_AT, record), SCALE_MASK))
            let up := add(fee, sub(unit, 1))
            feeCount := div(up, unit)
            count := div(add(amount, up), unit)
            refused := or(
                or(and(record, PAUSED_BIT), gt(feeCount, shr(MAX_FEE_AT, record))),
                or(
                    gt(count, and(shr(PER_TIP_AT, record), COUNT_MASK)),
                    // It also proves that the newest slice does not overflow: perDay has 28 bits.
                    gt(add(mod(slices, COUNT_MASK), count), and(shr(PER_DAY_AT, record), COUNT_MASK))
                )
            )
        }
        if (refused) _refuse(record, count, feeCount);
        unchecked {
            return (record >> SCALE_AT << SCALE_AT) | (newest << NEWEST_AT) | (slices + count);
        }
    }

    /// @dev Reverts with the reason why a draw was refused.
    function _refuse(uint256 record, uint256 count, uint256 feeCount) private pure {
        if (isPaused(record)) revert IBotRouter.SenderPaused();
        if (count > (record >> PER_TIP_AT) & COUNT_MASK) revert IBotRouter.LimitPerTip();
        if (feeCount > record >> MAX_FEE_AT) revert IBotRouter.LimitFee();
        revert IBotRouter.LimitPerDay();
    }

    /// @dev The record with other limits, none above `perDay`, which is at most 2^28 - 16 units of 10^maxScale. What was spent
    /// stays counted: the scale does not shrink while anything is, and when it grows the slices are rounded up.
    function withLimits(uint256 record, uint256 perTip, uint256 perDay, uint256 maxFee, uint256 maxScale)
        internal
        view
        returns (uint256)
    {
        (uint256 slices, uint256 newest) = _slicesNow(record);
        uint256 oldScale = (record >> SCALE_AT) & SCALE_MASK;
        uint256 scale = slices == 0 ? 0 : oldScale;
        while (scale < maxScale && perDay / 10 ** scale > COUNT_MAX) ++scale;
        if (slices != 0) slices = _rescale(slices, 10 ** (scale - oldScale));
        uint256 unit = 10 ** scale;
        uint256 most = _min(perDay / unit, COUNT_MAX);
        return slices | (newest << NEWEST_AT) | (scale << SCALE_AT) | (record & PAUSED_BIT)
            | (_min(perTip / unit, most) << PER_TIP_AT) | (most << PER_DAY_AT) | (_min(maxFee / unit, most) << MAX_FEE_AT);
    }

    function withPaused(uint256 record, bool paused) internal pure returns (uint256) {
        return paused ? record | PAUSED_BIT : record & ~PAUSED_BIT;
    }

    function isPaused(uint256 record) internal pure returns (bool) {
        return record & PAUSED_BIT != 0;
    }

    function limits(uint256 record) internal pure returns (uint128 perTip, uint128 perDay, uint128 maxFee) {
        uint256 unit = 10 ** ((record >> SCALE_AT) & SCALE_MASK);
        perTip = uint128(((record >> PER_TIP_AT) & COUNT_MASK) * unit);
        perDay = uint128(((record >> PER_DAY_AT) & COUNT_MASK) * unit);
        maxFee = uint128((record >> MAX_FEE_AT) * unit);
    }

    /// @dev What counts against `perDay` now.
    function spent(uint256 record) internal view returns (uint128) {
        (uint256 slices,) = _slicesNow(record);
        return uint128(_sum(slices) * 10 ** ((record >> SCALE_AT) & SCALE_MASK));
    }

    /// @dev The slices as they stand now: one place further for each slice begun since, and out after the fifth.
    function _slicesNow(uint256 record) private view returns (uint256 slices, uint256 newest) {
        // Blocks never go back in time, and the product is far below 2^256.
        unchecked {
            newest = block.timestamp / SLICE_SECONDS;
            slices = (record << ((newest - ((record >> NEWEST_AT) & NEWEST_MASK)) * BITS)) & SLICES_MASK;
        }
    }

    /// @dev The sum of the digits in base 2^28, as the remainder modulo 2^28 - 1, which it stays below (see COUNT_MAX).
    function _sum(uint256 slices) private pure returns (uint256 sum) {
        assembly ("memory-safe") {
            sum := mod(slices, 0xfffffff)
        }
    }

    function _rescale(uint256 slices, uint256 by) private pure returns (uint256 rescaled) {
        for (uint256 i; i < SLICES; ++i) {
            rescaled |= (((slices >> (i * BITS)) & COUNT_MASK) + by - 1) / by << (i * BITS);
        }
    }

    function _min(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }
}
