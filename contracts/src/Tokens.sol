// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IBotRouter} from "./interfaces/IBotRouter.sol";
import {IWrappedNative} from "./interfaces/IWrappedNative.sol";

/// @title How a router moves tokens, and delivers the native asset for the wrapped one
/// @dev The tokens are immutables of the routers, checked to have code, so that an answer without data counts as success.
library Tokens {
    /// @dev What a recipient of the native asset may use.
    uint256 private constant NATIVE_GAS = 50_000;
    /// @dev What must be left before a native delivery: the recipient's gas, the call's own price and the way back to the wrapped
    /// token. Without it, whoever picks the gas limit could choose the fallback for the recipient.
    uint256 private constant NATIVE_RESERVE = 200_000;
    uint256 private constant REASON_MAX = 512;

    /// @dev `transferFrom(from, to, amount)`; the token's own reason is kept when it refuses.
    function pull(address token, address from, address to, uint256 amount) internal {
        pull(token, from, to, amount, address(0), 0);
    }

    /// @dev The same, and another `fee` from `from` to `feeTo` unless it is zero: both calls are made from one buffer.
    function pull(address token, address from, address to, uint256 amount, address feeTo, uint256 fee) internal {
        bool ok;
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, 0x23b872dd00000000000000000000000000000000000000000000000000000000)
            mstore(add(free, 0x04), from)
            mstore(add(free, 0x24), to)
            mstore(add(free, 0x44), amount)
            ok := call(gas(), token, 0, free, 0x64, 0, 0x20)
            // True, or no answer at all.
            ok := and(ok, or(and(eq(mload(0), 1), gt(returndatasize(), 0x1f)), iszero(returndatasize())))
            if and(ok, gt(fee, 0)) {
                mstore(add(free, 0x24), feeTo)
                mstore(add(free, 0x44), fee)
                ok := call(gas(), token, 0, free, 0x64, 0, 0x20)
                ok := and(ok, or(and(eq(mload(0), 1), gt(returndatasize(), 0x1f)), iszero(returndatasize())))
            }
        }
        if (!ok) _revertTransfer();
    }

    /// @dev `transfer(to, amount)` of what the router itself holds.
    function push(address token, address to, uint256 amount) internal {
        bool ok;
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, shl(224, 0xa9059cbb))
            mstore(add(free, 0x04), to)
            mstore(add(free, 0x24), amount)
            ok := call(gas(), token, 0, free, 0x44, 0, 0x20)
            // True, or no answer at all.
            ok := and(ok, or(iszero(returndatasize()), and(gt(returndatasize(), 0x1f), eq(mload(0), 1))))
        }
        if (!ok) _revertTransfer();
    }

    /// @dev Takes `amount` of the wrapped asset from `from` and hands `to` the native one; the wrapped one when `to` refuses.
    /// @return delivered Whether `to` got the native asset.
    function pullNative(address wrapped, address from, address to, uint256 amount) internal returns (bool delivered) {
        uint256 before = address(this).balance;
        pull(wrapped, from, address(this), amount);
        // A native asset that is itself an ERC-20 has arrived as value already.
        bool unwrap = address(this).balance == before;
        return _deliverNative(wrapped, to, amount, unwrap);
    }

    /// @dev Hands `to` the native asset for `amount` of the wrapped one that the router holds; the wrapped one when `to` refuses.
    /// @return delivered Whether `to` got the native asset.
    function pushNative(address wrapped, address to, uint256 amount) internal returns (bool delivered) {
        // Where the native asset is an ERC-20 itself, what the router holds of it is value already.
        return _deliverNative(wrapped, to, amount, address(this).balance < amount);
    }

    /// @dev Sends `amount` of the native asset, with all the gas there is, to somebody whom the payer has chosen.
    function send(address to, uint256 amount) internal {
        bool ok;
        assembly ("memory-safe") {
            ok := call(gas(), to, amount, 0, 0, 0, 0)
        }
        if (!ok) _revertTransfer();
    }

    function _deliverNative(address wrapped, address to, uint256 amount, bool unwrap) private returns (bool delivered) {
        if (unwrap) IWrappedNative(wrapped).withdraw(amount);
        if (gasleft() < NATIVE_RESERVE) revert IBotRouter.InsufficientGas();
        assembly ("memory-safe") {
            // No returned data is copied, however much there is.
            delivered := call(NATIVE_GAS, to, amount, 0, 0, 0, 0)
        }
        if (!delivered) {
            if (unwrap) IWrappedNative(wrapped).deposit{value: amount}();
            push(wrapped, to, amount);
        }
    }

    function _revertTransfer() private pure {
        revert IBotRouter.TransferFailed(answer(REASON_MAX));
    }

    /// @dev What the latest call answered, at most `most` bytes of it.
    function answer(uint256 most) internal pure returns (bytes memory data) {
        assembly ("memory-safe") {
            let size := returndatasize()
            if gt(size, most) { size := most }
            data := mload(0x40)
            mstore(data, size)
            returndatacopy(add(data, 0x20), 0, size)
            // Rounded up to whole words, as the encoder expects of memory.
            mstore(0x40, and(add(add(data, size), 0x3f), not(0x1f)))
        }
    }
}
