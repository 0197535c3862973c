// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";

import {BotRouterTest} from "../setup/BotRouterTest.sol";
import {IUsdc} from "../setup/Usdc.sol";
import {HostileToken} from "../setup/Hostile.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";
import {IExecutors} from "../../src/interfaces/IExecutors.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

abstract contract TipBatchTest is BotRouterTest {
    function test_tipBatch_paysEach() external {
        IBotRouter.Tip[] memory tips = _tips(5);
        vm.prank(executor);
        router.tipBatch(tips);
        assertEq(usdc.balanceOf(recipient), 25 * USD);
        assertEq(usdc.balanceOf(treasury), 5 * (USD / 10));
        for (uint256 i; i < tips.length; ++i) {
            assertTrue(router.processed(tips[i].messageKey));
        }
        assertRouterEmpty();
    }

    function test_tipBatch_undoesAFailingItemAlone() external {
        IBotRouter.Tip[] memory tips = _tips(4);
        tips[1].sender = makeAddr("without limits");
        tips[2].messageKey = tips[0].messageKey;
        bytes memory used = abi.encodeWithSelector(IBotRouter.AlreadyProcessed.selector, tips[0].messageKey);
        vm.expectEmit(address(router));
        emit IBotRouter.TipFailed(tips[1].messageKey, tips[1].sender, abi.encodePacked(IBotRouter.LimitPerTip.selector));
        vm.expectEmit(address(router));
        emit IBotRouter.TipFailed(tips[2].messageKey, sender, used);
        vm.prank(executor);
        router.tipBatch(tips);
        assertEq(usdc.balanceOf(recipient), 10 * USD);
        assertFalse(router.processed(tips[1].messageKey));
        assertTrue(router.processed(tips[3].messageKey));
    }

    function test_tipBatch_keepsTheKeyOfAFailedItemFree() external {
        IBotRouter.Tip[] memory tips = _tips(1);
        vm.prank(sender);
        usdc.approve(address(router), 5 * USD);
        vm.prank(executor);
        router.tipBatch(tips);
        assertFalse(router.processed(tips[0].messageKey));
        assertEq(usdc.balanceOf(recipient), 0, "the recipient's part is undone with the fee's");
        assertEq(spentOf(sender, address(usdc)), 0);
        vm.prank(sender);
        usdc.approve(address(router), type(uint256).max);
        vm.prank(executor);
        router.tipBatch(tips);
        assertEq(usdc.balanceOf(recipient), 5 * USD);
    }

    function test_tipBatch_mixesTokens() external {
        IBotRouter.Tip[] memory tips = _tips(2);
        tips[1] = nativeTip();
        vm.prank(executor);
        router.tipBatch(tips);
        assertEq(usdc.balanceOf(recipient), 5 * USD);
        assertEq(recipient.balance, 5 ether);
        assertRouterEmpty();
    }

    function test_tipBatch_ofNone() external {
        vm.prank(executor);
        router.tipBatch(new IBotRouter.Tip[](0));
    }

    function test_tipBatch_revertsWhenCallerIsNoExecutor() external {
        vm.expectRevert(IExecutors.NotExecutor.selector);
        router.tipBatch(_tips(1));
    }

    function test_tipBatch_revertsWhenPaused() external {
        vm.prank(guardian);
        router.pause();
        vm.prank(executor);
        vm.expectRevert(IRoles.Paused.selector);
        router.tipBatch(_tips(1));
    }

    function test_tipBatch_revertsWhenAnItemCouldRunOutOfGas() external {
        IBotRouter.Tip[] memory tips = _tips(2);
        vm.prank(executor);
        vm.expectRevert(IBotRouter.InsufficientGas.selector);
        router.tipBatch{gas: 480_000}(tips);
        assertEq(usdc.balanceOf(recipient), 0, "the first item is undone too");
        vm.prank(executor);
        router.tipBatch{gas: 620_000}(tips);
        assertEq(usdc.balanceOf(recipient), 10 * USD);
    }

    function test_tipFrame_revertsWhenCalledFromOutside() external {
        vm.prank(executor);
        vm.expectRevert(IBotRouter.NotSelf.selector);
        router.tipFrame(usdcTip(), treasury);
    }

    function testFuzz_tipBatch_settlesExactlyTheGoodOnes(uint256 good) external {
        IBotRouter.Tip[] memory tips = _tips(8);
        uint256 count;
        for (uint256 i; i < 8; ++i) {
            if (good >> i & 1 == 1) ++count;
            else tips[i].fee = USD + 1;
        }
        vm.recordLogs();
        vm.prank(executor);
        router.tipBatch(tips);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 failed;
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics[0] == IBotRouter.TipFailed.selector) ++failed;
        }
        assertEq(failed, 8 - count);
        assertEq(usdc.balanceOf(recipient), count * 5 * USD);
        for (uint256 i; i < 8; ++i) {
            assertEq(router.processed(tips[i].messageKey), good >> i & 1 == 1);
        }
    }

    function _tips(uint256 count) internal returns (IBotRouter.Tip[] memory tips) {
        tips = new IBotRouter.Tip[](count);
        for (uint256 i; i < count; ++i) {
            tips[i] = usdcTip();
        }
    }
}

contract TipBatchOnUsdcTest is TipBatchTest {
    function test_tipBatch_oneBlacklistedSenderStopsNobodyElse() external {
        IBotRouter.Tip[] memory tips = _tips(20);
        tips[7].sender = makeAddr("blacklisted");
        fund(tips[7].sender);
        usdc.blacklist(tips[7].sender);
        vm.expectEmit(address(router));
        emit IBotRouter.TipFailed(tips[7].messageKey, tips[7].sender, transferFailed("Blacklistable: account is blacklisted"));
        vm.prank(executor);
        router.tipBatch(tips);
        assertEq(usdc.balanceOf(recipient), 19 * 5 * USD);
    }
}

contract TipBatchOnToken18Test is TipBatchTest {
    constructor() {
        onToken18 = true;
    }
}

/// @dev What a token could do to a router, though the two tokens of a router are chosen once and for all.
contract HostileTokenTest is BotRouterTest {
    HostileToken private token;

    function deployUsdc() internal override returns (IUsdc) {
        token = new HostileToken();
        return IUsdc(address(token));
    }

    function test_tip_acceptsATokenThatReturnsNothing() external {
        token.set(HostileToken.Mode.NoReturn);
        settle(usdcTip());
        assertEq(token.balanceOf(recipient), 5 * USD);
        assertEq(token.balanceOf(treasury), USD / 10);
    }

    function test_tip_revertsWhenTheTokenDoesNotReturnTrue() external {
        HostileToken.Mode[3] memory modes =
            [HostileToken.Mode.FalseReturn, HostileToken.Mode.OtherReturn, HostileToken.Mode.ShortReturn];
        for (uint256 i; i < modes.length; ++i) {
            token.set(modes[i]);
            vm.prank(executor);
            vm.expectPartialRevert(IBotRouter.TransferFailed.selector);
            router.tip(usdcTip());
        }
    }

    function test_tip_revertsWhenTheTokenRevertsSilently() external {
        token.set(HostileToken.Mode.Silent);
        expectTipRevert(usdcTip(), abi.encodeWithSelector(IBotRouter.TransferFailed.selector, ""));
    }

    function test_tip_cutsALongReason() external {
        token.set(HostileToken.Mode.LongReason);
        expectTipRevert(usdcTip(), abi.encodeWithSelector(IBotRouter.TransferFailed.selector, new bytes(512)));
    }

    function test_tip_takesNoMoreFromTheSenderWhenTheTokenTakesAFee() external {
        token.set(HostileToken.Mode.TakesFee);
        settle(usdcTip());
        assertEq(token.balanceOf(sender), 1000 * USD - 5 * USD - USD / 10);
        assertEq(token.balanceOf(address(router)), 0);
    }

    function test_tip_aReentrantTokenFindsTheKeyUsed() external {
        IBotRouter.Tip memory t = usdcTip();
        vm.prank(owner);
        router.addExecutor(address(token));
        vm.warp(block.timestamp + 24 hours);
        t.validUntil = uint64(block.timestamp);
        token.setReentry(address(router), abi.encodeCall(router.tip, (t)));
        settle(t);
        assertTrue(token.reentryFailed());
        assertEq(token.balanceOf(recipient), t.amount);
    }

    function test_tipBatch_aTokenThatEatsAllGasStopsTheBatchWhole() external {
        token.set(HostileToken.Mode.EatsGas);
        IBotRouter.Tip[] memory tips = new IBotRouter.Tip[](2);
        tips[0] = usdcTip();
        tips[1] = usdcTip();
        vm.prank(executor);
        vm.expectRevert(IBotRouter.InsufficientGas.selector);
        router.tipBatch{gas: 5_000_000}(tips);
    }
}
