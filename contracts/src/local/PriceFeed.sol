// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A price feed with the surface of Chainlink's AggregatorV3, whose answer its owner sets; for local chains and tests
contract PriceFeed {
    uint8 public constant decimals = 8;
    uint256 public constant version = 1;
    address public immutable owner;

    string public description;
    uint80 private _roundId;
    int256 private _answer;
    uint256 private _updatedAt;

    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    error NotOwner();

    constructor(address owner_, string memory description_) {
        owner = owner_;
        description = description_;
    }

    /// @param answer Price with 8 decimals.
    function setAnswer(int256 answer) external {
        setAnswerAt(answer, block.timestamp);
    }

    /// @notice The same with a time of the owner's choice, to show a stale price.
    function setAnswerAt(int256 answer, uint256 updatedAt) public {
        if (msg.sender != owner) revert NotOwner();
        _roundId += 1;
        _answer = answer;
        _updatedAt = updatedAt;
        emit AnswerUpdated(answer, _roundId, updatedAt);
    }

    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        return (_roundId, _answer, _updatedAt, _updatedAt, _roundId);
    }
}
