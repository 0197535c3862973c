// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUsdc} from "./Usdc.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";

/// @dev `openFor` of IEscrowRouter as its page describes it: bot router only, one commitment hash a tab, a closed set of tokens, the
/// open tabs never above the balance.
contract Escrow {
    address public botRouter;
    mapping(address token => bool) public supported;
    mapping(bytes32 tabId => bytes32) public commitmentOf;
    mapping(address token => uint256) public openTotal;

    function wire(address botRouter_, address usdc, address wrappedNative) external {
        botRouter = botRouter_;
        supported[usdc] = true;
        supported[wrappedNative] = true;
    }

    function openFor(address sender, address token, bytes32 handleKey, uint128 amount, uint64 deadline, uint256 senderNonce)
        external
        returns (bytes32 tabId)
    {
        if (msg.sender != botRouter) revert IEscrowRouter.NotBotRouter();
        if (!supported[token]) revert IEscrowRouter.UnsupportedToken();
        if (amount == 0) revert IEscrowRouter.ZeroAmount();
        if (deadline < block.timestamp + 1 hours || deadline > block.timestamp + 90 days) {
            revert IEscrowRouter.InvalidDeadline();
        }
        tabId = keccak256(abi.encode(block.chainid, address(this), sender, senderNonce));
        if (commitmentOf[tabId] != 0) revert IEscrowRouter.TabExists(tabId);
        openTotal[token] += amount;
        if (IUsdc(token).balanceOf(address(this)) < openTotal[token]) revert IEscrowRouter.NotFunded();
        commitmentOf[tabId] = keccak256(abi.encode(sender, token, handleKey, amount, deadline, senderNonce, true));
        emit IEscrowRouter.TabOpened(tabId, sender, handleKey, token, amount, deadline, senderNonce, true);
    }
}
