// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Across} from "../setup/Across.sol";
import {AcrossAdapterTest} from "../setup/AcrossAdapterTest.sol";
import {HostileToken} from "../setup/Hostile.sol";
import {IUsdc} from "../setup/Usdc.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";

/// @dev USDC can be upgraded, so what stands at its address might misbehave one day.
contract HostileTokenTest is AcrossAdapterTest {
    HostileToken private hostile;
    IBotRouter.CrossChainTip private inner;
    bool private hasReentered;
    bool private wasRefused;

    function deployUsdc() internal override returns (IUsdc) {
        hostile = new HostileToken();
        return IUsdc(address(hostile));
    }

    /// @dev This test may settle tips, as the token calls it back.
    function setUp() public override {
        super.setUp();
        vm.startPrank(owner);
        router.addExecutor(address(this));
        router.addExecutor(address(hostile));
        vm.stopPrank();
        vm.warp(block.timestamp + 1 days);
    }

    /// @dev Less arrives at the adapter than the pool asks it for.
    function test_token_thatTakesAFeeIsRefused() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        hostile.set(HostileToken.Mode.TakesFee);
        expectCrossRevert(t, abi.encodeWithSignature("Panic(uint256)", 0x11));
        assertFalse(router.processed(t.messageKey));
        assertAdapterEmpty();
    }

    function test_token_cannotCallTheAdapter() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        hostile.setReentry(address(adapter), abi.encodeCall(adapter.bridge, (orderOf(crossTip()))));
        assertDeposit(send(t), expectedOf(t));
        assertTrue(hostile.reentryFailed());
        assertAdapterEmpty();
    }

    function test_token_thatReentersFindsTheKeyUsed() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        hostile.setReentry(address(router), abi.encodeCall(router.tipCrossChain, (t)));
        assertDeposit(send(t), expectedOf(t));
        assertTrue(hostile.reentryFailed());
        assertEq(balanceOf(address(pool)), t.amount);
        assertAdapterEmpty();
    }

    /// @dev Another tip within a tip, while its money is pulled: each is a deposit of its own amount.
    function test_token_thatSettlesAnotherTipWithinMixesNothing() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        inner = crossTip();
        inner.amount = 3 * unit;
        hostile.setReentry(address(router), abi.encodeCall(router.tipCrossChain, (inner)));
        vm.recordLogs();
        vm.prank(executor);
        router.tipCrossChain(t);
        Across.Deposit[] memory deposits = Across.recorded(pool);
        assertEq(deposits.length, 2);
        assertDeposit(deposits[0], expectedOf(inner));
        assertDeposit(deposits[1], expectedOf(t));
        assertEq(balanceOf(address(pool)), 8 * unit);
        assertAdapterEmpty();
    }

    /// @dev While the pool pulls there is an allowance, and the pool takes no second deposit then; the same tip settles afterwards.
    function test_token_thatReentersWhileThePoolPullsIsRefused() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        inner = crossTip();
        hostile.setReentry(address(this), abi.encodeCall(this.reenter, ()));
        assertDeposit(send(t), expectedOf(t));
        assertTrue(wasRefused);
        assertFalse(router.processed(inner.messageKey));
        assertEq(balanceOf(address(pool)), t.amount);
        assertAdapterEmpty();
        hostile.set(HostileToken.Mode.None);
        assertDeposit(send(inner), expectedOf(inner));
    }

    /// @dev Called by the token.
    function reenter() external {
        if (hasReentered || hostile.allowance(address(adapter), address(pool)) == 0) return;
        hasReentered = true;
        try router.tipCrossChain(inner) {}
        catch {
            wasRefused = true;
        }
    }
}
