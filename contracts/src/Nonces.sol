// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Signed} from "./Signed.sol";
import {IBotRouter} from "./interfaces/IBotRouter.sol";

/// @title Signatures that are used one after the other
/// @dev What an account does itself uses a number up as well, so that it voids what it signed before.
abstract contract Nonces is Signed {
    mapping(address signer => uint256) internal _nonces;

    function _useNonce(address signer) internal virtual {
        _nonces[signer]++;
    }

    function _useSignature(address signer, uint256 nonce, uint256 deadline, bytes32 structHash, bytes calldata signature)
        internal
    {
        if (block.timestamp > deadline) revert IBotRouter.Expired();
        if (nonce != _nonces[signer]) revert IBotRouter.InvalidNonce(_nonces[signer]);
        _requireSignature(signer, structHash, signature);
        _useNonce(signer);
    }
}
