// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Storage by address, without a hash
/// @dev A slot is a tag of 96 bits and an address of 160. Two of them are never the same; slots that the compiler numbers are below
/// 2^64; and one that it derives by keccak256 carries a tag by chance once in 2^96, with an address that belongs to nobody.
library Slots {
    /// @dev A slot of its own, read and written through one pointer.
    struct Word {
        uint256 value;
    }

    uint256 internal constant LANE = uint256(bytes32("lane........"));
    uint256 internal constant USDC = uint256(bytes32("spent.usdc.."));
    uint256 internal constant NATIVE = uint256(bytes32("spent.native"));

    /// @param account Without anything above its 160 bits, as the compiler's decoder and `shr(96, shl(96, x))` leave it.
    function at(uint256 tag, address account) internal pure returns (Word storage word) {
        assembly ("memory-safe") {
            word.slot := or(tag, account)
        }
    }
}
