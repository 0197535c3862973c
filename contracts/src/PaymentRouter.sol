// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Payments} from "./Payments.sol";

/// @title Single payments to personal workspaces: the fee is what the order says
contract PaymentRouter is Payments {
    constructor(address owner_, address guardian_, address treasury_, address usdc_, address permit2_)
        Payments("Ampersat Payment Router", owner_, guardian_, treasury_, usdc_, permit2_)
    {}

    function _isFee(uint256, uint256) internal pure override returns (bool) {
        return true;
    }
}
