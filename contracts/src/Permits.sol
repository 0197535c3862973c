// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IGaslessToken} from "./interfaces/IGaslessToken.sol";
import {IPermit2} from "./interfaces/IPermit2.sol";
import {IPermits} from "./interfaces/IPermits.sol";

/// @title How a router makes use of what a payer signed for the token or for Permit2
/// @dev The targets are immutables of the routers. What they say when they refuse is passed on as it is.
library Permits {
    /// @dev Tries an EIP-2612 permit for this router. Somebody may have used it first, so the allowance decides and not the answer.
    function tryPermit(address token, address owner, IPermits.Permit calldata permit) internal {
        try IGaslessToken(token).permit(owner, address(this), permit.value, permit.deadline, permit.v, permit.r, permit.s) {}
            catch {}
    }

    /// @dev Takes `amount` from `from` to this router by EIP-3009. Only the receiver may use such an authorization, so nobody takes it
    /// out of the mempool to spend it elsewhere.
    function authorize(address token, address from, uint256 amount, bytes32 nonce, IPermits.Authorization calldata authorization)
        internal
    {
        IGaslessToken(token)
            .receiveWithAuthorization(
                from, address(this), amount, authorization.validAfter, authorization.validBefore, nonce, authorization.signature
            );
    }

    /// @dev Takes exactly `amount` from `from` to this router by a Permit2 signature over the witness.
    function takeWithWitness(
        address permit2,
        address token,
        address from,
        uint256 amount,
        bytes32 witness,
        string memory witnessType,
        IPermits.Permit2 calldata permit
    ) internal {
        IPermit2(permit2)
            .permitWitnessTransferFrom(
                IPermit2.PermitTransferFrom(IPermit2.TokenPermissions(token, amount), permit.nonce, permit.deadline),
                IPermit2.SignatureTransferDetails(address(this), amount),
                from,
                witness,
                witnessType,
                permit.signature
            );
    }

    /// @dev Tries to give this router an allowance of Permit2. As with a permit of the token, the allowance decides.
    function tryAllowance(address permit2, address token, address owner, IPermits.Permit2Allowance calldata permit) internal {
        IPermit2.PermitDetails memory details = IPermit2.PermitDetails(token, permit.amount, permit.expiration, permit.nonce);
        try IPermit2(permit2).permit(owner, IPermit2.PermitSingle(details, address(this), permit.deadline), permit.signature) {}
            catch {}
    }
}
