// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {IAcrossAdapter} from "./interfaces/IAcrossAdapter.sol";
import {IAcrossPool} from "./interfaces/IAcrossPool.sol";
import {IBridgeAdapter} from "./interfaces/IBridgeAdapter.sol";

/// @title The way out of a chain for a bot router: Across
/// @notice Router, pool and routes are fixed when it is deployed; there is no owner, and nothing stays here between two calls. The depositor is
/// the sender of the tip, so that what nobody delivers returns to the sender and never here.
contract AcrossAdapter is IAcrossAdapter {
    using SafeERC20 for IERC20;

    /// @inheritdoc IBridgeAdapter
    address public immutable router;
    /// @inheritdoc IAcrossAdapter
    address public immutable pool;

    mapping(uint256 destinationChain => mapping(address token => bytes32 outputToken)) private _outputTokens;

    /// @param router_ The bot router. It may be deployed later: its address is known before.
    constructor(address router_, address pool_, Route[] memory routes) {
        if (router_ == address(0)) revert ZeroAddress();
        if (pool_.code.length == 0) revert NoCode(pool_);
        router = router_;
        pool = pool_;
        for (uint256 i; i < routes.length; ++i) {
            Route memory route = routes[i];
            if (route.token.code.length == 0) revert NoCode(route.token);
            mapping(address => bytes32) storage ofChain = _outputTokens[route.destinationChain];
            if (route.outputToken == 0 || route.destinationChain == block.chainid || ofChain[route.token] != 0) {
                revert InvalidRoute(route.destinationChain, route.token);
            }
            ofChain[route.token] = route.outputToken;
        }
    }

    /// @inheritdoc IBridgeAdapter
    /// @dev Across takes 32 bits of time, and no deadline further ahead than its buffer. The router refuses what is no longer valid.
    function bridge(Order calldata order) external returns (bytes32 transferId) {
        if (msg.sender != router) revert NotRouter();
        bytes32 outputToken = _outputTokens[order.destinationChain][order.token];
        if (outputToken == 0) revert UnsupportedDestination(order.destinationChain);
        uint256 latest = block.timestamp + IAcrossPool(pool).fillDeadlineBuffer();
        uint256 deadline = order.validUntil < latest ? order.validUntil : latest;
        IERC20(order.token).forceApprove(pool, order.amount);
        IAcrossPool(pool)
            .unsafeDeposit(
                _word(order.sender),
                order.recipient,
                _word(order.token),
                outputToken,
                order.amount,
                order.minOutput,
                order.destinationChain,
                0,
                uint256(order.messageKey),
                uint32(block.timestamp),
                uint32(deadline),
                0,
                ""
            );
        return transferIdOf(order.sender, order.messageKey);
    }

    /// @inheritdoc IAcrossAdapter
    function outputTokenOf(uint256 destinationChain, address token) external view returns (bytes32) {
        return _outputTokens[destinationChain][token];
    }

    /// @inheritdoc IAcrossAdapter
    function transferIdOf(address sender, bytes32 messageKey) public view returns (bytes32) {
        return keccak256(abi.encodePacked(address(this), _word(sender), uint256(messageKey)));
    }

    function _word(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }
}
