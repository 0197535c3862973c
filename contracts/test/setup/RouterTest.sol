// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {IUsdc, Usdc} from "./Usdc.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";
import {WrappedNative} from "../../src/local/WrappedNative.sol";

/// @dev What the tests of every router start from: Circle's USDC, the wrapped native asset, Permit2, and one holder a role. A
/// suite whose constructor sets `onToken18` has the plain token with 18 decimals instead.
abstract contract RouterTest is Test {
    /// @dev One dollar in the smallest units of the token that stands for USDC.
    uint128 internal USD = 1e6;
    bool internal onToken18;
    uint256 internal constant START = 1_800_000_000;
    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    address internal owner = makeAddr("owner");
    address internal guardian = makeAddr("guardian");
    address internal treasury = makeAddr("treasury");
    address internal executor = makeAddr("executor");
    address internal authority;
    uint256 internal authorityKey;
    address internal other = makeAddr("other");

    /// @dev The router that the suites about roles are run on.
    address internal subject;
    IUsdc internal usdc;
    WrappedNative internal wrapped;

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    function setUp() public virtual {
        vm.warp(START);
        // The Permit2 fixture remembers a domain for forge's own chain id and another address; elsewhere it computes its own.
        vm.chainId(8453);
        (authority, authorityKey) = makeAddrAndKey("authority");
        usdc = deployUsdc();
        wrapped = WrappedNative(deployShipped("WrappedNative", ""));
        vm.etch(PERMIT2, vm.parseJsonBytes(vm.readFile("../local/chains/deploy/fixtures/permit2.json"), ".runtimeBytecode"));
    }

    function deployUsdc() internal virtual returns (IUsdc) {
        if (!onToken18) return Usdc.deploy();
        USD = 1e18;
        return IUsdc(deployShipped("Token18", abi.encode(address(this))));
    }

    /// @dev Deploys a contract of ours as it is shipped: the tests themselves are compiled without the optimizer, which would take
    /// minutes, so that their own `new` would give other bytecode.
    function deployShipped(string memory name, bytes memory arguments) internal returns (address payable) {
        return payable(deployCode(_built(name), arguments));
    }

    /// @dev The creation code of a contract of ours as it is shipped.
    function shippedCode(string memory name) internal view returns (bytes memory) {
        return vm.getCode(_built(name));
    }

    /// @dev Coverage is measured on what its own build made.
    function _built(string memory name) private view returns (string memory) {
        if (vm.envOr("COVERAGE", false)) return string.concat(name, ".sol:", name);
        return string.concat("out/", name, ".sol/", name, ".json");
    }

    function executorList() internal view returns (address[] memory list) {
        list = new address[](1);
        list[0] = executor;
    }

    function transferFailed(string memory reason) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IBotRouter.TransferFailed.selector, abi.encodeWithSignature("Error(string)", reason));
    }

    function signIn(uint256 key, string memory name, uint256 chainId, address verifier, bytes32 structHash)
        internal
        pure
        returns (bytes memory)
    {
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256(bytes(name)), keccak256("1"), chainId, verifier));
        return signDigest(key, keccak256(abi.encodePacked(hex"1901", domain, structHash)));
    }

    function signDigest(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }
}
