// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {GasTest} from "../setup/GasTest.sol";
import {RouterTest} from "../setup/RouterTest.sol";
import {SubscriptionRouterTest} from "../setup/SubscriptionRouterTest.sol";
import {ISubscriptionRouter} from "../../src/interfaces/ISubscriptionRouter.sol";

contract SubscriptionRouterGasTest is SubscriptionRouterTest, GasTest {
    function setUp() public override(SubscriptionRouterTest, RouterTest) {
        SubscriptionRouterTest.setUp();
    }

    function test_gas() external {
        usdc.mint(creator, USD);
        usdc.mint(treasury, USD);

        recordTransferFrom(subscriber, creator);

        vm.prank(creator);
        bytes32 daily = router.createPlan("daily", address(usdc), amount, 1 days);
        record("create_plan", 1);

        vm.prank(subscriber);
        router.subscribe(daily, amount, 1 days);
        record("subscribe", 1);

        vm.warp(START + 1 days);
        router.charge(daily, subscriber);
        record("charge", 1);

        vm.prank(subscriber);
        router.cancel(daily, subscriber);
        record("cancel", 1);

        joinByPermit2();
        vm.warp(START + 1 days + PERIOD);
        router.charge(planKey, subscriber);
        record("charge_permit2", 1);

        ISubscriptionRouter.Charge[] memory charges = new ISubscriptionRouter.Charge[](ITEMS);
        for (uint256 i; i < ITEMS; ++i) {
            address account = makeAddr(string.concat("subscriber", vm.toString(i)));
            fund(account);
            vm.prank(account);
            router.subscribe(daily, amount, 1 days);
            charges[i] = ISubscriptionRouter.Charge(daily, account);
        }
        vm.warp(block.timestamp + 1 days);
        assertEq(router.chargeBatch(charges), ITEMS);
        record("charge_batch", ITEMS);

        save("subscription");
    }
}
