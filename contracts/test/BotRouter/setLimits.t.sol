// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BotRouterTest} from "../setup/BotRouterTest.sol";
import {ContractWallet} from "../setup/Hostile.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";
import {IExecutors} from "../../src/interfaces/IExecutors.sol";

abstract contract SetLimitsTest is BotRouterTest {
    function test_setLimits_setsTheCallersOwn() external {
        vm.expectEmit(address(router));
        emit IBotRouter.LimitsSet(sender, address(usdc), 50 * USD, 200 * USD, USD / 2);
        vm.prank(sender);
        router.setLimits(address(usdc), 50 * USD, 200 * USD, USD / 2);
        assertLimits(sender, address(usdc), 50 * USD, 200 * USD, USD / 2);
        assertLimits(sender, address(wrapped), 100 ether, 500 ether, 1 ether);
    }

    function test_setLimits_startAtZero() external {
        assertLimits(makeAddr("nobody"), address(usdc), 0, 0, 0);
    }

    function test_setLimits_keepsNoLimitAboveTheDays() external {
        vm.prank(sender);
        router.setLimits(address(usdc), 300 * USD, 200 * USD, 300 * USD);
        assertLimits(sender, address(usdc), 200 * USD, 200 * USD, 200 * USD);
    }

    function test_setLimits_boundsWhatIsUnlimited() external {
        vm.prank(sender);
        router.setLimits(address(usdc), type(uint128).max, type(uint128).max, type(uint128).max);
        uint128 most = ((1 << 28) - 16) * (USD / 1000);
        assertLimits(sender, address(usdc), most, most, most);
        settle(usdcTip());
    }

    function test_setLimits_voidsOlderSignatures() external {
        bytes memory signature = _signed(senderKey, 0, START + 1);
        vm.prank(sender);
        router.setLimits(address(usdc), 1, 1, 0);
        vm.expectRevert(abi.encodeWithSelector(IBotRouter.InvalidNonce.selector, router.nonces(sender)));
        router.setLimitsBySig(sender, address(usdc), 90 * USD, 400 * USD, USD, 0, START + 1, signature);
    }

    function test_setLimits_revertsWhenTokenIsUnknown() external {
        vm.prank(sender);
        vm.expectRevert(IBotRouter.UnsupportedToken.selector);
        router.setLimits(makeAddr("token"), 1, 1, 1);
    }

    function test_setLimitsBySig_setsTheSigners() external {
        uint256 nonce = router.nonces(sender);
        bytes memory signature = _signed(senderKey, nonce, START);
        vm.expectEmit(address(router));
        emit IBotRouter.NonceUsed(sender, nonce);
        router.setLimitsBySig(sender, address(usdc), 90 * USD, 400 * USD, USD, nonce, START, signature);
        assertLimits(sender, address(usdc), 90 * USD, 400 * USD, USD);
        assertEq(router.nonces(sender), nonce + 1);
    }

    function test_setLimitsBySig_revertsWhenReplayed() external {
        uint256 nonce = router.nonces(sender);
        bytes memory signature = _signed(senderKey, nonce, START);
        router.setLimitsBySig(sender, address(usdc), 90 * USD, 400 * USD, USD, nonce, START, signature);
        vm.expectRevert(abi.encodeWithSelector(IBotRouter.InvalidNonce.selector, nonce + 1));
        router.setLimitsBySig(sender, address(usdc), 90 * USD, 400 * USD, USD, nonce, START, signature);
    }

    function test_setLimitsBySig_revertsWhenExpired() external {
        uint256 nonce = router.nonces(sender);
        bytes memory signature = _signed(senderKey, nonce, START);
        vm.warp(START + 1);
        vm.expectRevert(IBotRouter.Expired.selector);
        router.setLimitsBySig(sender, address(usdc), 90 * USD, 400 * USD, USD, nonce, START, signature);
    }

    function test_setLimitsBySig_revertsWhenAnythingElseWasSigned() external {
        uint256 nonce = router.nonces(sender);
        bytes32 hash = limitsHash(sender, address(usdc), 90 * USD, 400 * USD, USD, nonce, START);
        (, uint256 otherKey) = makeAddrAndKey("other");
        bytes[6] memory signatures = [
            sign(otherKey, hash),
            signIn(senderKey, "Ampersat Escrow Router", block.chainid, address(router), hash),
            signIn(senderKey, "Ampersat Bot Router", block.chainid + 1, address(router), hash),
            signIn(senderKey, "Ampersat Bot Router", block.chainid, address(escrow), hash),
            sign(senderKey, limitsHash(sender, address(wrapped), 90 * USD, 400 * USD, USD, nonce, START)),
            bytes("")
        ];
        for (uint256 i; i < signatures.length; ++i) {
            vm.expectRevert(IBotRouter.InvalidSignature.selector);
            router.setLimitsBySig(sender, address(usdc), 90 * USD, 400 * USD, USD, nonce, START, signatures[i]);
        }
        bytes memory signature = sign(senderKey, hash);
        vm.expectRevert(IBotRouter.InvalidSignature.selector);
        router.setLimitsBySig(sender, address(usdc), 91 * USD, 400 * USD, USD, nonce, START, signature);
        vm.expectRevert(IBotRouter.InvalidSignature.selector);
        router.setLimitsBySig(recipient, address(usdc), 90 * USD, 400 * USD, USD, 0, START, signature);
    }

    function test_setLimitsBySig_takesTheSignatureOfAContractWallet() external {
        (address signer, uint256 key) = makeAddrAndKey("wallet owner");
        address wallet = address(new ContractWallet(signer));
        bytes32 hash = limitsHash(wallet, address(usdc), 90 * USD, 400 * USD, USD, 0, START);
        bytes memory wrong = sign(senderKey, hash);
        vm.expectRevert(IBotRouter.InvalidSignature.selector);
        router.setLimitsBySig(wallet, address(usdc), 90 * USD, 400 * USD, USD, 0, START, wrong);
        router.setLimitsBySig(wallet, address(usdc), 90 * USD, 400 * USD, USD, 0, START, sign(key, hash));
        assertLimits(wallet, address(usdc), 90 * USD, 400 * USD, USD);
    }

    /// @dev EIP-7702: the account has code now, which knows no ERC-1271, and its own key still counts.
    function test_setLimitsBySig_takesTheKeyOfADelegatedAccount() external {
        vm.etch(sender, abi.encodePacked(hex"ef0100", address(usdc)));
        uint256 nonce = router.nonces(sender);
        router.setLimitsBySig(sender, address(usdc), 90 * USD, 400 * USD, USD, nonce, START, _signed(senderKey, nonce, START));
        assertLimits(sender, address(usdc), 90 * USD, 400 * USD, USD);
    }

    function test_lowerLimits_lowersOrKeeps() external {
        uint256 nonce = router.nonces(sender);
        vm.prank(executor);
        router.lowerLimits(sender, address(usdc), 100 * USD, 200 * USD, 0);
        assertLimits(sender, address(usdc), 100 * USD, 200 * USD, 0);
        assertEq(router.nonces(sender), nonce, "the sender's signatures stay good");
    }

    function test_lowerLimits_worksWhilePaused() external {
        vm.prank(guardian);
        router.pause();
        vm.prank(executor);
        router.lowerLimits(sender, address(usdc), 0, 0, 0);
        assertLimits(sender, address(usdc), 0, 0, 0);
    }

    function test_lowerLimits_revertsWhenOneIsRaised() external {
        vm.startPrank(executor);
        vm.expectRevert(IBotRouter.LimitRaised.selector);
        router.lowerLimits(sender, address(usdc), 100 * USD + 1, 500 * USD, USD);
        vm.expectRevert(IBotRouter.LimitRaised.selector);
        router.lowerLimits(sender, address(usdc), 100 * USD, 500 * USD + 1, USD);
        vm.expectRevert(IBotRouter.LimitRaised.selector);
        router.lowerLimits(sender, address(usdc), 100 * USD, 500 * USD, USD + 1);
        vm.stopPrank();
    }

    function test_lowerLimits_revertsWhenCallerIsNoExecutor() external {
        vm.prank(owner);
        vm.expectRevert(IExecutors.NotExecutor.selector);
        router.lowerLimits(sender, address(usdc), 0, 0, 0);
    }

    function test_limit_neverExceededInAny24Hours() external {
        for (uint256 i; i < 5; ++i) {
            IBotRouter.Tip memory t = usdcTip();
            t.amount = 100 * USD;
            t.fee = 0;
            settle(t);
        }
        assertEq(spentOf(sender, address(usdc)), 500 * USD);
        vm.warp(START + 24 hours);
        expectTipRevert(usdcTip(), IBotRouter.LimitPerDay.selector);
        vm.warp(START + 30 hours);
        settle(usdcTip());
        assertEq(spentOf(sender, address(usdc)), 5 * USD + USD / 10);
    }

    function test_limit_countsWhatWasSpentBeforeItChanged() external {
        IBotRouter.Tip memory t = usdcTip();
        t.amount = 100 * USD;
        t.fee = 0;
        settle(t);
        vm.startPrank(sender);
        router.setLimits(address(usdc), 100 * USD, 104 * USD, USD);
        vm.stopPrank();
        expectTipRevert(usdcTip(), IBotRouter.LimitPerDay.selector);
        vm.prank(sender);
        router.setLimits(address(usdc), type(uint128).max, type(uint128).max, USD);
        assertGe(spentOf(sender, address(usdc)), 100 * USD, "kept when the units grow");
        vm.prank(sender);
        router.setLimits(address(usdc), 100 * USD, 104 * USD, USD);
        assertGe(spentOf(sender, address(usdc)), 100 * USD, "kept when the limit falls again");
        expectTipRevert(usdcTip(), IBotRouter.LimitPerDay.selector);
    }

    function test_limit_isOnePerToken() external {
        IBotRouter.Tip memory t = usdcTip();
        t.amount = 100 * USD;
        t.fee = 0;
        settle(t);
        assertEq(spentOf(sender, address(wrapped)), 0);
    }

    function _signed(uint256 key, uint256 nonce, uint256 deadline) internal view returns (bytes memory) {
        return sign(key, limitsHash(sender, address(usdc), 90 * USD, 400 * USD, USD, nonce, deadline));
    }
}

contract SetLimitsOnUsdcTest is SetLimitsTest {
    function test_domainSeparator_followsTheChain() external {
        bytes32 before = router.DOMAIN_SEPARATOR();
        vm.chainId(block.chainid + 1);
        assertTrue(router.DOMAIN_SEPARATOR() != before);
    }
}

contract SetLimitsOnToken18Test is SetLimitsTest {
    constructor() {
        onToken18 = true;
    }
}

contract PauseSenderTest is BotRouterTest {
    function test_pauseSender_byTheSenderStopsBothTokens() external {
        vm.expectEmit(address(router));
        emit IBotRouter.SenderPausedSet(sender, sender, true);
        vm.prank(sender);
        router.pauseSender(sender);
        expectTipRevert(usdcTip(), IBotRouter.SenderPaused.selector);
        expectTipRevert(nativeTip(), IBotRouter.SenderPaused.selector);
        (,,,, bool isPaused) = router.limitsOf(sender, address(usdc));
        assertTrue(isPaused);
        assertLimits(sender, address(usdc), 100 * USD, 500 * USD, USD);
    }

    function test_pauseSender_byAnExecutorWhilePaused() external {
        vm.prank(guardian);
        router.pause();
        vm.prank(executor);
        router.pauseSender(sender);
        (,,,, bool isPaused) = router.limitsOf(sender, address(wrapped));
        assertTrue(isPaused);
    }

    function test_pauseSender_stopsASenderWithoutLimits() external {
        address account = makeAddr("later");
        vm.prank(executor);
        router.pauseSender(account);
        fund(account);
        IBotRouter.Tip memory t = usdcTip();
        t.sender = account;
        expectTipRevert(t, IBotRouter.SenderPaused.selector);
    }

    function test_pauseSender_revertsWhenCallerIsSomebodyElse() external {
        vm.prank(owner);
        vm.expectRevert(IExecutors.NotExecutor.selector);
        router.pauseSender(sender);
    }

    function test_unpauseSender_byTheSenderAlone() external {
        vm.prank(executor);
        router.pauseSender(sender);
        vm.prank(executor);
        router.unpauseSender();
        expectTipRevert(usdcTip(), IBotRouter.SenderPaused.selector);
        vm.prank(sender);
        router.unpauseSender();
        settle(usdcTip());
    }

    function test_unpauseSenderBySig_onTheSendersSignature() external {
        vm.prank(executor);
        router.pauseSender(sender);
        uint256 nonce = router.nonces(sender);
        bytes memory signature = sign(senderKey, unpauseHash(sender, nonce, START));
        vm.expectEmit(address(router));
        emit IBotRouter.SenderPausedSet(sender, address(this), false);
        router.unpauseSenderBySig(sender, nonce, START, signature);
        settle(usdcTip());
        vm.expectRevert(abi.encodeWithSelector(IBotRouter.InvalidNonce.selector, nonce + 1));
        router.unpauseSenderBySig(sender, nonce, START, signature);
    }

    function test_unpauseSenderBySig_revertsWhenTheSenderPausedSince() external {
        uint256 nonce = router.nonces(sender);
        bytes memory signature = sign(senderKey, unpauseHash(sender, nonce, START));
        vm.prank(sender);
        router.pauseSender(sender);
        vm.expectRevert(abi.encodeWithSelector(IBotRouter.InvalidNonce.selector, nonce + 1));
        router.unpauseSenderBySig(sender, nonce, START, signature);
    }

    function test_unpauseSenderBySig_revertsWhenExpiredOrForged() external {
        vm.prank(executor);
        router.pauseSender(sender);
        uint256 nonce = router.nonces(sender);
        bytes memory signature = sign(senderKey, unpauseHash(sender, nonce, START - 1));
        vm.expectRevert(IBotRouter.Expired.selector);
        router.unpauseSenderBySig(sender, nonce, START - 1, signature);
        vm.expectRevert(IBotRouter.InvalidSignature.selector);
        router.unpauseSenderBySig(sender, nonce, START, signature);
    }
}
