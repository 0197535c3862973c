// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Payments} from "./Payments.sol";
import {IBusinessRouter} from "./interfaces/IBusinessRouter.sol";
import {IPaymentRouter} from "./interfaces/IPaymentRouter.sol";

/// @title Single payments to business workspaces: 1 % from the payout
contract BusinessRouter is IBusinessRouter, Payments {
    /// @inheritdoc IBusinessRouter
    uint256 public constant FEE_BASIS_POINTS = 100;

    constructor(address owner_, address guardian_, address treasury_, address usdc_, address permit2_)
        Payments("Ampersat Business Router", owner_, guardian_, treasury_, usdc_, permit2_)
    {}

    /// @inheritdoc IBusinessRouter
    function feeOf(uint256 amount) public pure returns (uint256) {
        // A hundredth, and one more when the remainder is half of a unit or above: no product overflows.
        return amount / 100 + amount % 100 / 50;
    }

    /// @inheritdoc IPaymentRouter
    function DOMAIN_SEPARATOR() public view override(IPaymentRouter, Payments) returns (bytes32) {
        return super.DOMAIN_SEPARATOR();
    }

    function _isFee(uint256 amount, uint256 fee) internal pure override returns (bool) {
        return fee == feeOf(amount);
    }
}
