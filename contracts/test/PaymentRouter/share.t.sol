// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";

/// @dev Half up for numbers of any size, against exact arithmetic in 512 bits.
contract ShareTest is PaymentRouterTest {
    function testFuzz_share_isExact(uint256 amount, uint256 fee, uint256 part) external {
        IPaymentRouter.Terms memory terms = nativeTerms();
        terms.amount = bound(amount, 1, type(uint256).max);
        terms.fee = bound(fee, 0, terms.amount - 1);
        terms.deadline = uint64(START - 1);
        part = bound(part, 1, type(uint256).max - 1);
        vm.deal(router.depositAddress(terms), part);
        vm.prank(payee);
        router.acceptDeposit(terms, address(0));
        uint256 share = treasury.balance;
        assertEq(payee.balance, part - share);
        // What part * fee and share * amount differ by, as 512-bit numbers.
        (uint256 high, uint256 low) = product(part, terms.fee);
        (uint256 sharedHigh, uint256 sharedLow) = product(share, terms.amount);
        if (high > sharedHigh || (high == sharedHigh && low >= sharedLow)) {
            // Rounded down: less than a half was left.
            (uint256 restHigh, uint256 rest) = difference(high, low, sharedHigh, sharedLow);
            assertEq(restHigh, 0);
            assertLt(rest, terms.amount - rest, "rounded down a half or more");
        } else {
            // Rounded up: at most a half was missing.
            (uint256 missingHigh, uint256 missing) = difference(sharedHigh, sharedLow, high, low);
            assertEq(missingHigh, 0);
            assertLe(missing, terms.amount - missing, "rounded up less than a half");
        }
    }

    /// @dev The 512-bit product by schoolbook limbs of 128 bits.
    function product(uint256 a, uint256 b) private pure returns (uint256 high, uint256 low) {
        (uint256 a1, uint256 a0, uint256 b1, uint256 b0) = (a >> 128, uint128(a), b >> 128, uint128(b));
        uint256 middle = (a0 * b0 >> 128) + uint128(a1 * b0) + uint128(a0 * b1);
        low = (middle << 128) | uint128(a0 * b0);
        high = a1 * b1 + (a1 * b0 >> 128) + (a0 * b1 >> 128) + (middle >> 128);
    }

    function difference(uint256 ah, uint256 al, uint256 bh, uint256 bl) private pure returns (uint256 high, uint256 low) {
        unchecked {
            low = al - bl;
            high = ah - bh - (al < bl ? 1 : 0);
        }
    }
}
