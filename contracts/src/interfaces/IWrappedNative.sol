// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The part of a wrapped native asset (WETH9 and its like) that routers use beside ERC-20
interface IWrappedNative {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}
