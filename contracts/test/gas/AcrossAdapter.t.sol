// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {AcrossAdapterTest} from "../setup/AcrossAdapterTest.sol";
import {GasTest} from "../setup/GasTest.sol";
import {RouterTest} from "../setup/RouterTest.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";

contract AcrossAdapterGasTest is AcrossAdapterTest, GasTest {
    function setUp() public override(AcrossAdapterTest, RouterTest) {
        AcrossAdapterTest.setUp();
    }

    function test_gas() external {
        usdc.mint(treasury, USD);

        // A first tip of the day, so that what is measured is the usual one; it leaves some in the pool.
        send(crossTip());

        IBotRouter.CrossChainTip memory t = crossTip();
        t.route = "";
        vm.prank(executor);
        router.tipCrossChain(t);
        record("tip_cross_chain", 1);

        t = crossTip();
        t.route = "";
        usdc.mint(address(adapter), t.amount);
        vm.prank(address(router));
        adapter.bridge(orderOf(t));
        record("bridge", 1);

        save("across");
    }
}
