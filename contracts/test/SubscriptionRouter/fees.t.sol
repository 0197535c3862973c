// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {HostileToken} from "../setup/Hostile.sol";
import {IUsdc} from "../setup/Usdc.sol";
import {SubscriptionRouterTest} from "../setup/SubscriptionRouterTest.sol";

/// @dev Fees on a token that bounds no amount, so that every number counts.
contract FeesTest is SubscriptionRouterTest {
    uint256 private _names;

    function deployUsdc() internal override returns (IUsdc) {
        return IUsdc(address(new HostileToken()));
    }

    function testFuzz_fee_isExactlyHalfUp(uint256 amount_, uint256 basisPoints) external {
        _check(bound(amount_, 1, type(uint256).max), bound(basisPoints, 0, 9999));
    }

    function testFuzz_fee_isExactlyHalfUpForSmallAmounts(uint256 amount_, uint256 basisPoints) external {
        _check(bound(amount_, 1, 30_000), bound(basisPoints, 0, 9999));
    }

    function test_fee_atItsEdges() external {
        assertEq(_check(49, 100), 0);
        assertEq(_check(50, 100), 1);
        assertEq(_check(149, 100), 1);
        assertEq(_check(150, 100), 2);
        assertEq(_check(1, 9999), 1, "all of it");
        assertEq(_check(1, 5000), 1);
        assertEq(_check(1, 4999), 0);
        assertEq(_check(1_000_000, 0), 0);
        _check(type(uint256).max, 9999);
        _check(type(uint56).max, 100);
        _check(uint256(type(uint56).max) + 1, 100);
    }

    /// @dev Subscribes and charges once on a new plan; the fee of both is the exact quotient, rounded half up.
    function _check(uint256 amount_, uint256 basisPoints) private returns (uint256 fee_) {
        fee_ = Math.mulDiv(amount_, basisPoints, 10_000);
        if (mulmod(amount_, basisPoints, 10_000) >= 5000) ++fee_;
        // Nobody holds anything yet.
        (creator, treasury) = (makeAddr(_name("creator")), makeAddr(_name("treasury")));
        address account = makeAddr(_name("payer"));
        router = deployRouter(address(usdc), basisPoints);
        bytes32 key = newPlan(amount_, 1 days);
        assertEq(router.planOf(key).amount, amount_);
        vm.prank(account);
        usdc.approve(address(router), type(uint256).max);
        usdc.mint(account, amount_);
        vm.prank(account);
        router.subscribe(key, amount_, 1 days);
        _assertPaid(account, amount_ - fee_, fee_);
        // What two of the largest would add up to is no balance any more.
        if (amount_ > type(uint256).max / 2) return fee_;
        usdc.mint(account, amount_);
        vm.prank(account);
        usdc.approve(address(router), amount_);
        vm.warp(block.timestamp + 1 days);
        router.charge(key, account);
        _assertPaid(account, 2 * (amount_ - fee_), 2 * fee_);
    }

    function _assertPaid(address account, uint256 toCreator, uint256 toTreasury) private view {
        assertEq(usdc.balanceOf(account), 0, "left");
        assertEq(usdc.balanceOf(creator), toCreator, "creator's part");
        assertEq(usdc.balanceOf(treasury), toTreasury, "fee");
    }

    function _name(string memory role) private returns (string memory) {
        return string.concat(role, vm.toString(++_names));
    }
}
