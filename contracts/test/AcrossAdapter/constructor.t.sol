// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Across} from "../setup/Across.sol";
import {AcrossAdapterTest} from "../setup/AcrossAdapterTest.sol";
import {AcrossAdapter} from "../../src/AcrossAdapter.sol";
import {IAcrossAdapter} from "../../src/interfaces/IAcrossAdapter.sol";

contract ConstructorTest is AcrossAdapterTest {
    function test_constructor_setsEverything() external view {
        assertEq(adapter.router(), address(router));
        assertEq(adapter.pool(), address(pool));
        assertEq(router.bridgeAdapter(), address(adapter));
        assertEq(adapter.outputTokenOf(DESTINATION, address(usdc)), Across.word(outputToken));
        assertEq(adapter.outputTokenOf(DESTINATION, address(wrapped)), outputOf(address(wrapped)));
        assertEq(adapter.outputTokenOf(SOLANA, address(usdc)), ON_SOLANA);
        assertAdapterEmpty();
    }

    function test_outputTokenOf_isZeroWithoutARoute() external view {
        assertEq(adapter.outputTokenOf(SOLANA, address(wrapped)), 0);
        assertEq(adapter.outputTokenOf(DESTINATION, other), 0);
        assertEq(adapter.outputTokenOf(block.chainid, address(usdc)), 0);
    }

    function test_constructor_takesNoRoutes() external {
        AcrossAdapter bare = new AcrossAdapter(address(router), address(pool), new IAcrossAdapter.Route[](0));
        assertEq(bare.outputTokenOf(DESTINATION, address(usdc)), 0);
    }

    function test_constructor_takesARouterWithoutCode() external {
        assertEq(new AcrossAdapter(other, address(pool), routes()).router(), other);
    }

    function test_constructor_revertsWithoutARouter() external {
        vm.expectRevert(IAcrossAdapter.ZeroAddress.selector);
        new AcrossAdapter(address(0), address(pool), routes());
    }

    function test_constructor_revertsWithoutAPool() external {
        address[2] memory none = [address(0), other];
        for (uint256 i; i < 2; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IAcrossAdapter.NoCode.selector, none[i]));
            new AcrossAdapter(address(router), none[i], routes());
        }
    }

    function test_constructor_revertsWhenATokenHasNoCode() external {
        address[2] memory none = [address(0), other];
        for (uint256 i; i < 2; ++i) {
            IAcrossAdapter.Route[] memory list = routes();
            list[2].token = none[i];
            vm.expectRevert(abi.encodeWithSelector(IAcrossAdapter.NoCode.selector, none[i]));
            new AcrossAdapter(address(router), address(pool), list);
        }
    }

    function test_constructor_revertsWithoutAnOutputToken() external {
        IAcrossAdapter.Route[] memory list = routes();
        list[1].outputToken = 0;
        expectInvalidRoute(list, DESTINATION, address(wrapped));
    }

    function test_constructor_revertsWhenARouteLeadsHere() external {
        IAcrossAdapter.Route[] memory list = routes();
        list[2].destinationChain = block.chainid;
        expectInvalidRoute(list, block.chainid, address(usdc));
        // Elsewhere it is a route.
        vm.chainId(1);
        new AcrossAdapter(address(router), address(pool), list);
    }

    /// @dev Neither a repeated route nor a second answer for one pair.
    function test_constructor_revertsWhenAPairStandsTwice() external {
        IAcrossAdapter.Route[] memory list = routes();
        list[2].destinationChain = DESTINATION;
        expectInvalidRoute(list, DESTINATION, address(usdc));
        list[2].outputToken = list[0].outputToken;
        expectInvalidRoute(list, DESTINATION, address(usdc));
    }

    function test_transferIdOf_isThePoolsId() external view {
        bytes32 key = keccak256("key");
        bytes32 expected = keccak256(abi.encodePacked(address(adapter), bytes32(uint256(uint160(sender))), uint256(key)));
        assertEq(adapter.transferIdOf(sender, key), expected);
    }

    /// @dev A message key of another sender, or behind another adapter, is another transfer.
    function testFuzz_transferIdOf_isApartForEachSenderKeyAndAdapter(address account, bytes32 key, uint256 more) external {
        bytes32 id = adapter.transferIdOf(account, key);
        assertEq(uint256(id), pool.getUnsafeDepositId(address(adapter), Across.word(account), uint256(key)));
        bytes32 otherKey = bytes32(uint256(key) ^ bound(more, 1, type(uint256).max));
        address otherAccount = address(uint160(account) ^ uint160(bound(more, 1, type(uint160).max)));
        assertTrue(adapter.transferIdOf(account, otherKey) != id);
        assertTrue(adapter.transferIdOf(otherAccount, key) != id);
        assertTrue(deployAdapter(address(router)).transferIdOf(account, key) != id);
    }

    function expectInvalidRoute(IAcrossAdapter.Route[] memory list, uint256 chain, address token_) private {
        vm.expectRevert(abi.encodeWithSelector(IAcrossAdapter.InvalidRoute.selector, chain, token_));
        new AcrossAdapter(address(router), address(pool), list);
    }
}
