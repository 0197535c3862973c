// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {InvariantsTest} from "../PaymentRouter/invariants.t.sol";

/// @dev The payment router's invariants, and the fee.
contract BusinessInvariantsOnUsdcTest is InvariantsTest {
    constructor() {
        onBusiness = true;
    }

    function invariant_theFeeIsExactlyOnePercentHalfUp() external view {
        assertEq(handler.feesTaken(), handler.hundredths());
    }
}
