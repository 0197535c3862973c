// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ExecutorsSuite} from "../setup/ExecutorsSuite.sol";
import {RolesSuite} from "../setup/RolesSuite.sol";
import {RouterTest} from "../setup/RouterTest.sol";
import {SubscriptionRouterTest} from "../setup/SubscriptionRouterTest.sol";
import {TreasurySuite} from "../setup/TreasurySuite.sol";
import {SubscriptionRouter} from "../../src/SubscriptionRouter.sol";
import {IExecutors} from "../../src/interfaces/IExecutors.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";
import {ISubscriptionRouter} from "../../src/interfaces/ISubscriptionRouter.sol";

contract RolesTest is SubscriptionRouterTest, RolesSuite, ExecutorsSuite, TreasurySuite {
    function setUp() public override(SubscriptionRouterTest, RouterTest) {
        SubscriptionRouterTest.setUp();
    }

    function test_constructor_setsEverything() external view {
        assertEq(router.owner(), owner);
        assertEq(router.guardian(), guardian);
        assertEq(router.treasury(), treasury);
        assertEq(router.executors(), executorList());
        assertEq(router.usdc(), address(usdc));
        assertEq(router.permit2(), PERMIT2);
        assertEq(router.feeBasisPoints(), BASIS_POINTS);
        assertFalse(router.paused());
    }

    function test_constructor_revertsWhenRolesAreNotDistinct() external {
        address[] memory none = new address[](0);
        address[] memory twice = new address[](2);
        (twice[0], twice[1]) = (executor, executor);
        _expectRefused(owner, owner, treasury, none, abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, owner));
        _expectRefused(owner, guardian, guardian, none, abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, guardian));
        _expectRefused(owner, guardian, owner, none, abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, owner));
        _expectRefused(
            owner, guardian, executor, executorList(), abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, executor)
        );
        _expectRefused(owner, guardian, treasury, twice, abi.encodeWithSelector(IExecutors.AlreadyExecutor.selector, executor));
        _expectRefused(address(0), guardian, treasury, none, abi.encodePacked(IRoles.ZeroAddress.selector));
        _expectRefused(owner, address(0), treasury, none, abi.encodePacked(IRoles.ZeroAddress.selector));
        _expectRefused(owner, guardian, address(0), none, abi.encodePacked(IRoles.ZeroAddress.selector));
    }

    function test_constructor_revertsWhenTokenPermit2OrFeeIsWrong() external {
        vm.expectRevert(ISubscriptionRouter.UnsupportedToken.selector);
        new SubscriptionRouter(owner, guardian, treasury, executorList(), other, PERMIT2, BASIS_POINTS);
        vm.expectRevert(IRoles.ZeroAddress.selector);
        new SubscriptionRouter(owner, guardian, treasury, executorList(), address(usdc), address(0), BASIS_POINTS);
        vm.expectRevert(SubscriptionRouter.InvalidFee.selector);
        new SubscriptionRouter(owner, guardian, treasury, executorList(), address(usdc), PERMIT2, 10_000);
        assertEq(deployRouter(address(usdc), 9999).feeBasisPoints(), 9999);
    }

    function test_executors_cannotAlsoBeTheTreasury() external {
        vm.startPrank(owner);
        vm.expectRevert(abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, executor));
        router.announceTreasury(executor);
        vm.expectRevert(abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, treasury));
        router.addExecutor(treasury);
        router.announceTreasury(other);
        vm.expectRevert(abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, other));
        router.addExecutor(other);
        vm.stopPrank();
    }

    function test_applyTreasury_sendsFeesToTheNewOne() external {
        join();
        vm.prank(owner);
        router.announceTreasury(other);
        vm.warp(START + PERIOD);
        router.charge(planKey, subscriber);
        assertEq(usdc.balanceOf(other), 0);
        router.applyTreasury();
        vm.warp(START + 2 * PERIOD);
        router.charge(planKey, subscriber);
        assertEq(usdc.balanceOf(treasury), 2 * fee);
        assertEq(usdc.balanceOf(other), fee);
    }

    /// @dev No role can draw on anybody: what the router does with money needs a subscription.
    function test_roles_cannotMoveFunds() external {
        address[5] memory roles = [owner, guardian, treasury, executor, creator];
        for (uint256 i; i < roles.length; ++i) {
            vm.startPrank(roles[i]);
            expectNotActive(ISubscriptionRouter.SubscriptionState.None);
            router.charge(planKey, subscriber);
            vm.stopPrank();
        }
        assertPaid(0);
    }

    function test_domainSeparator_followsTheChain() external {
        bytes32 typeHash = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        for (uint256 i; i < 2; ++i) {
            bytes32 expected =
                keccak256(abi.encode(typeHash, keccak256(bytes(NAME)), keccak256("1"), block.chainid, address(router)));
            assertEq(router.DOMAIN_SEPARATOR(), expected);
            vm.chainId(8453);
        }
    }

    function _expectRefused(
        address owner_,
        address guardian_,
        address treasury_,
        address[] memory executors_,
        bytes memory reason
    ) private {
        vm.expectRevert(reason);
        new SubscriptionRouter(owner_, guardian_, treasury_, executors_, address(usdc), PERMIT2, BASIS_POINTS);
    }
}
