// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EscrowRouterTest} from "../setup/EscrowRouterTest.sol";
import {GasTest} from "../setup/GasTest.sol";
import {RouterTest} from "../setup/RouterTest.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";

contract EscrowRouterGasTest is EscrowRouterTest, GasTest {
    function setUp() public override(EscrowRouterTest, RouterTest) {
        EscrowRouterTest.setUp();
    }

    /// @dev Other tabs are open all the while, so that no balance and no sum starts or ends at zero.
    function test_gas() external {
        usdc.mint(recipient, USD);
        recordTransferFrom(sender, recipient);
        openTab(newTab());

        IEscrowRouter.Tab memory tab = opened(newTab());
        record("open", 1);
        claim(tab, recipient);
        record("claim", 1);

        refund(opened(newTab()));
        record("refund_sender", 1);

        tab = newTab();
        IPermits.Authorization memory authorization = authorize(tab);
        vm.prank(executor);
        router.openWithAuthorization(tab, authorization);
        record("open_authorization", 1);

        vm.prank(sender);
        usdc.approve(PERMIT2, type(uint256).max);
        tab = newTab();
        // Not the first nonce of its word in Permit2's bitmap.
        router.openWithPermit2(tab, permit2For(tab, 0));
        tab = newTab();
        IPermits.Permit2 memory permit = permit2For(tab, 1);
        vm.prank(executor);
        router.openWithPermit2(tab, permit);
        record("open_permit2", 1);

        vm.warp(tab.deadline);
        vm.prank(executor);
        router.refund(tab);
        record("refund_anyone", 1);

        save("escrow");
    }
}
