// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

import {IBotRouter} from "./interfaces/IBotRouter.sol";

/// @title EIP-712 signatures in a router's own domain
/// @dev Its errors are those that every router's interface declares alike.
abstract contract Signed {
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant VERSION_HASH = keccak256("1");

    bytes32 private immutable _nameHash;
    uint256 private immutable _chainId;
    bytes32 private immutable _separator;

    constructor(string memory name) {
        _nameHash = keccak256(bytes(name));
        _chainId = block.chainid;
        _separator = _computeSeparator();
    }

    /// @notice The EIP-712 domain separator, of the chain as it is now.
    function DOMAIN_SEPARATOR() public view virtual returns (bytes32) {
        return block.chainid == _chainId ? _separator : _computeSeparator();
    }

    /// @dev Reverts unless `signer` signed the struct hash. ECDSA is tried first: an account that EIP-7702 delegated to code without
    /// ERC-1271 still has its own key.
    function _requireSignature(address signer, bytes32 structHash, bytes calldata signature) internal view {
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), structHash));
        (address recovered, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(digest, signature);
        if (failure == ECDSA.RecoverError.NoError && recovered == signer) return;
        if (!SignatureChecker.isValidERC1271SignatureNowCalldata(signer, digest, signature)) {
            revert IBotRouter.InvalidSignature();
        }
    }

    function _computeSeparator() private view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPEHASH, _nameHash, VERSION_HASH, block.chainid, address(this)));
    }
}
