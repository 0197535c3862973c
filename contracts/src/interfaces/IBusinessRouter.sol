// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPaymentRouter} from "./IPaymentRouter.sol";

/// @title Single payments to business workspaces: 1 % from the payout
/// @notice As the payment router, with one rule more: `fee` must be `amount * 100 / 10,000`, rounded half up; anything else
/// reverts with InvalidFee. EIP-712 domain name: "Ampersat Business Router".
interface IBusinessRouter is IPaymentRouter {
    /// @return 100, of 10,000.
    function FEE_BASIS_POINTS() external view returns (uint256);
    /// @return The fee of `amount`, in the same smallest units.
    function feeOf(uint256 amount) external view returns (uint256);
}
