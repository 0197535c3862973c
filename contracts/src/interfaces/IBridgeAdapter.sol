// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The one way out of a chain that a bot router knows
/// @notice The router holds the adapter's address for ever. An adapter hands what it received to a bridge and may not be able
/// to change the recipient, the destination chain or the least output.
interface IBridgeAdapter {
    /// @param messageKey The tip's key; unique, so it may serve as the bridge's own deduplication key.
    /// @param sender Who paid; where a failed transfer returns to.
    /// @param token The token that the router has moved to the adapter, in the same transaction and before this call.
    /// @param amount How much of it, in smallest units of this chain.
    /// @param destinationChain Number of the destination (EIP-155 id; for other families the number in the chain registry).
    /// @param recipient Recipient on the destination: 32 bytes, or an EVM address in the low 20 bytes.
    /// @param minOutput Least amount that must arrive, in smallest units of the destination's token.
    /// @param validUntil Unix second after which nothing may be delivered and the sender is refunded.
    /// @param route Hint of the bridge's own (a quote, say). It cannot loosen the fields above.
    struct Order {
        bytes32 messageKey;
        address sender;
        address token;
        uint128 amount;
        uint256 destinationChain;
        bytes32 recipient;
        uint128 minOutput;
        uint64 validUntil;
        bytes route;
    }

    error NotRouter();
    error UnsupportedDestination(uint256 destinationChain);

    /// @notice Starts the transfer of `order.amount`, which the router has already moved here. Bot router only; reverts when the
    /// bridge cannot take it, so that the tip is undone as a whole.
    /// @return transferId The bridge's identifier of the transfer.
    function bridge(Order calldata order) external returns (bytes32 transferId);

    /// @notice The only caller of `bridge`.
    function router() external view returns (address);
}
