// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {CREATE3} from "solady/utils/CREATE3.sol";

/// @title Gives the routers the same addresses on every chain
/// @notice An address depends on this factory and a salt alone, not on what is deployed there. Only the owner may use a salt, so
/// nobody else can occupy a router's address on a chain where it is not deployed yet. The factory itself is deployed by
/// CREATE2 with the owner in its init code: another owner has another factory.
contract Create3Factory {
    address public immutable owner;

    event Deployed(bytes32 indexed salt, address indexed deployed);

    error NotOwner();

    constructor(address owner_) {
        owner = owner_;
    }

    /// @notice Deploys `initCode` at `addressOf(salt)`. Reverts when something is there already. Owner only.
    function deploy(bytes32 salt, bytes calldata initCode) external returns (address deployed) {
        if (msg.sender != owner) revert NotOwner();
        deployed = CREATE3.deployDeterministic(initCode, salt);
        emit Deployed(salt, deployed);
    }

    function addressOf(bytes32 salt) external view returns (address) {
        return CREATE3.predictDeterministicAddress(salt);
    }
}
