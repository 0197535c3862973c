// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BotRouterTest} from "../setup/BotRouterTest.sol";
import {HostileReceiver} from "../setup/Hostile.sol";
import {BotRouter} from "../../src/BotRouter.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";
import {IExecutors} from "../../src/interfaces/IExecutors.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";
import {WrappedNative} from "../../src/local/WrappedNative.sol";

/// @dev Opens a campaign in the native asset and closes it as soon as it is paid from it.
contract ClosingSponsor {
    BotRouter private _router;
    bytes32 private _id;

    function open(BotRouter router, uint64 expiry) external returns (bytes32) {
        WrappedNative wrapped = WrappedNative(payable(router.wrappedNative()));
        wrapped.deposit{value: 10 ether}();
        wrapped.approve(address(router), 10 ether);
        _router = router;
        _id = router.openCampaign("closing", address(wrapped), 10 ether, 1 ether, 0, expiry);
        return _id;
    }

    receive() external payable {
        _router.closeCampaign(_id);
    }
}

abstract contract GrantTest is BotRouterTest {
    bytes32 internal campaignId;

    function setUp() public virtual override {
        super.setUp();
        campaignId = _open("campaign", address(usdc));
    }

    function test_openCampaign_recordsItsTerms() external {
        bytes32 id = router.campaignIdOf(sender, "other");
        assertEq(id, keccak256(abi.encode(block.chainid, address(router), sender, bytes32("other"))));
        uint64 expiry = uint64(block.timestamp + 1 days);
        vm.expectEmit(address(router));
        emit IBotRouter.CampaignOpened(id, sender, address(wrapped), 100, 10, 1, expiry);
        vm.prank(sender);
        assertEq(router.openCampaign("other", address(wrapped), 100, 10, 1, expiry), id);
        IBotRouter.Campaign memory c = router.campaignOf(id);
        assertEq(abi.encode(c), abi.encode(IBotRouter.Campaign(sender, address(wrapped), 100, 0, 10, 1, expiry, false)));
    }

    function test_openCampaign_revertsWhenItExists() external {
        vm.prank(executor);
        router.closeCampaign(campaignId);
        vm.prank(sender);
        vm.expectRevert(abi.encodeWithSelector(IBotRouter.CampaignExists.selector, campaignId));
        router.openCampaign("campaign", address(usdc), 1, 1, 1, uint64(block.timestamp + 1));
    }

    function test_openCampaign_revertsWhenItsTermsAreEmpty() external {
        uint64 expiry = uint64(block.timestamp + 1 days);
        vm.startPrank(sender);
        vm.expectRevert(IBotRouter.UnsupportedToken.selector);
        router.openCampaign("x", recipient, 100, 10, 1, expiry);
        vm.expectRevert(IBotRouter.ZeroAmount.selector);
        router.openCampaign("x", address(usdc), 0, 10, 1, expiry);
        vm.expectRevert(IBotRouter.ZeroAmount.selector);
        router.openCampaign("x", address(usdc), 100, 0, 1, expiry);
        vm.expectRevert(IBotRouter.Expired.selector);
        router.openCampaign("x", address(usdc), 100, 10, 1, uint64(block.timestamp));
        vm.stopPrank();
    }

    function test_openCampaign_revertsWhenPaused() external {
        vm.prank(guardian);
        router.pause();
        vm.prank(sender);
        vm.expectRevert(IRoles.Paused.selector);
        router.openCampaign("x", address(usdc), 100, 10, 1, uint64(block.timestamp + 1));
    }

    function test_closeCampaign_bySponsorOrExecutorWhilePaused() external {
        bytes32 other = _open("other", address(usdc));
        vm.prank(guardian);
        router.pause();
        vm.expectEmit(address(router));
        emit IBotRouter.CampaignClosed(campaignId, sender);
        vm.prank(sender);
        router.closeCampaign(campaignId);
        vm.prank(executor);
        router.closeCampaign(other);
        assertTrue(router.campaignOf(campaignId).closed && router.campaignOf(other).closed);
    }

    function test_closeCampaign_revertsWhenNotAllowed() external {
        vm.expectRevert(IBotRouter.NotSponsorNorExecutor.selector);
        router.closeCampaign(campaignId);
        vm.expectRevert(abi.encodeWithSelector(IBotRouter.UnknownCampaign.selector, bytes32("none")));
        router.closeCampaign("none");
        vm.startPrank(sender);
        router.closeCampaign(campaignId);
        vm.expectRevert(IBotRouter.CampaignIsClosed.selector);
        router.closeCampaign(campaignId);
        vm.stopPrank();
    }

    function test_grant_paysRecipientAndTreasury() external {
        IBotRouter.Grant memory g = newGrant(7);
        bytes32 id = keccak256(abi.encode(campaignId, uint256(7)));
        assertEq(router.grantIdOf(campaignId, 7), id);
        vm.expectEmit(address(router));
        emit IBotRouter.GrantPaid(id, campaignId, recipient, 7, g.amount, g.fee);
        vm.prank(executor);
        router.grant(campaignId, g);
        assertEq(usdc.balanceOf(recipient), g.amount);
        assertEq(usdc.balanceOf(treasury), g.fee);
        assertEq(router.campaignOf(campaignId).spent, g.amount + g.fee);
        assertTrue(router.granted(campaignId, 7));
        assertFalse(router.granted(campaignId, 8));
        assertEq(spentOf(sender, address(usdc)), 0, "not a matter of the tip limits");
        assertRouterEmpty();
    }

    function test_grant_deliversTheNativeAsset() external {
        bytes32 id = _open("native", address(wrapped));
        IBotRouter.Grant memory g = newGrant(1);
        g.fee = 0;
        vm.prank(executor);
        router.grant(id, g);
        assertEq(recipient.balance, g.amount);
        HostileReceiver receiver = new HostileReceiver();
        receiver.set(HostileReceiver.Mode.Reverts);
        g.recipientKey = 2;
        g.recipient = address(receiver);
        vm.expectEmit(address(router));
        emit IBotRouter.DeliveredWrapped(router.grantIdOf(id, 2), address(receiver), g.amount);
        vm.prank(executor);
        router.grant(id, g);
        assertRouterEmpty();
    }

    function test_grant_revertsWhenTheRecipientHadOne() external {
        IBotRouter.Grant memory g = newGrant(7);
        vm.prank(executor);
        router.grant(campaignId, g);
        g.recipient = makeAddr("somebody else");
        _expectRevert(g, abi.encodeWithSelector(IBotRouter.AlreadyGranted.selector, router.grantIdOf(campaignId, 7)));
    }

    function test_grant_takesAHashAsTheRecipientKey() external {
        uint256 key = uint256(keccak256("telegram:id:123"));
        vm.prank(executor);
        router.grant(campaignId, newGrant(key));
        _expectRevert(
            newGrant(key), abi.encodeWithSelector(IBotRouter.AlreadyGranted.selector, router.grantIdOf(campaignId, key))
        );
    }

    function test_grant_revertsWhenOutsideTheCampaignsTerms() external {
        IBotRouter.Grant memory g = newGrant(1);
        g.amount = 10 * USD + 1;
        _expectRevert(g, abi.encodePacked(IBotRouter.GrantTooLarge.selector));
        g = newGrant(1);
        g.amount = 0;
        _expectRevert(g, abi.encodePacked(IBotRouter.ZeroAmount.selector));
        g = newGrant(1);
        g.fee = USD + 1;
        _expectRevert(g, abi.encodePacked(IBotRouter.LimitFee.selector));
        g = newGrant(1);
        g.recipient = address(router);
        _expectRevert(g, abi.encodePacked(IBotRouter.InvalidRecipient.selector));
        vm.prank(executor);
        vm.expectRevert(abi.encodeWithSelector(IBotRouter.UnknownCampaign.selector, bytes32("none")));
        router.grant("none", g);
    }

    function test_grant_revertsWhenTheTotalIsSpent() external {
        for (uint256 i; i < 10; ++i) {
            IBotRouter.Grant memory full = newGrant(i);
            full.amount = 9 * USD;
            full.fee = USD;
            vm.prank(executor);
            router.grant(campaignId, full);
        }
        IBotRouter.Grant memory g = newGrant(11);
        g.amount = 1;
        g.fee = 0;
        _expectRevert(g, abi.encodePacked(IBotRouter.CampaignExhausted.selector));
    }

    function test_grant_revertsWhenTheCampaignIsOver() external {
        IBotRouter.Grant memory g = newGrant(1);
        g.validUntil = uint64(START + 2 days);
        vm.warp(START + 1 days + 1);
        _expectRevert(g, abi.encodePacked(IBotRouter.Expired.selector));
        vm.warp(START + 1 days);
        g.validUntil = uint64(START);
        _expectRevert(g, abi.encodePacked(IBotRouter.Expired.selector));
        vm.prank(sender);
        router.closeCampaign(campaignId);
        _expectRevert(g, abi.encodePacked(IBotRouter.CampaignIsClosed.selector));
    }

    function test_grant_revertsWhenTheSponsorIsPaused() external {
        vm.prank(executor);
        router.pauseSender(sender);
        _expectRevert(newGrant(1), abi.encodePacked(IBotRouter.SenderPaused.selector));
    }

    function test_grant_revertsWhenCallerIsNoExecutorOrPaused() external {
        vm.expectRevert(IExecutors.NotExecutor.selector);
        router.grant(campaignId, newGrant(1));
        vm.prank(guardian);
        router.pause();
        _expectRevert(newGrant(1), abi.encodePacked(IRoles.Paused.selector));
        vm.prank(executor);
        vm.expectRevert(IRoles.Paused.selector);
        router.grantBatch(campaignId, new IBotRouter.Grant[](0));
    }

    function test_grantBatch_takesTheFeesOfThePaidOnesOnce() external {
        IBotRouter.Grant[] memory grants = new IBotRouter.Grant[](3);
        grants[0] = newGrant(1);
        grants[1] = newGrant(1);
        grants[2] = newGrant(2);
        bytes32 id = router.grantIdOf(campaignId, 1);
        vm.expectEmit(address(router));
        emit IBotRouter.GrantFailed(id, campaignId, 1, abi.encodeWithSelector(IBotRouter.AlreadyGranted.selector, id));
        vm.prank(executor);
        router.grantBatch(campaignId, grants);
        assertEq(usdc.balanceOf(recipient), 10 * USD);
        assertEq(usdc.balanceOf(treasury), 2 * (USD / 10));
        assertEq(router.campaignOf(campaignId).spent, 10 * USD + 2 * (USD / 10));
        assertRouterEmpty();
    }

    function test_grantBatch_takesWrappedFeesOfNativeGrants() external {
        bytes32 id = _open("native", address(wrapped));
        IBotRouter.Grant[] memory grants = new IBotRouter.Grant[](1);
        grants[0] = newGrant(1);
        vm.prank(executor);
        router.grantBatch(id, grants);
        assertEq(wrapped.balanceOf(treasury), grants[0].fee);
    }

    function test_grantBatch_withoutFees() external {
        IBotRouter.Grant[] memory grants = new IBotRouter.Grant[](1);
        grants[0] = newGrant(1);
        grants[0].fee = 0;
        vm.prank(executor);
        router.grantBatch(campaignId, grants);
        assertEq(usdc.balanceOf(treasury), 0);
    }

    function test_grantBatch_isUndoneWhenItsFeesCannotBeTaken() external {
        vm.prank(sender);
        usdc.approve(address(router), 5 * USD);
        IBotRouter.Grant[] memory grants = new IBotRouter.Grant[](1);
        grants[0] = newGrant(1);
        vm.prank(executor);
        vm.expectPartialRevert(IBotRouter.TransferFailed.selector);
        router.grantBatch(campaignId, grants);
        assertFalse(router.granted(campaignId, 1));
        assertEq(usdc.balanceOf(recipient), 0);
    }

    function test_grantBatch_revertsWhenAnItemCouldRunOutOfGas() external {
        IBotRouter.Grant[] memory grants = new IBotRouter.Grant[](1);
        grants[0] = newGrant(1);
        vm.prank(executor);
        vm.expectRevert(IBotRouter.InsufficientGas.selector);
        router.grantBatch{gas: 300_000}(campaignId, grants);
    }

    /// @dev Keys of several words, neighbours and a hash among them; no two have the same place in their words.
    function test_grantBatch_marksEveryKey() external {
        uint256[6] memory recipientKeys = [uint256(0), 255, 263, 510, 1, uint256(keccak256("telegram:id:123"))];
        IBotRouter.Grant[] memory grants = new IBotRouter.Grant[](6);
        for (uint256 i; i < 6; ++i) {
            grants[i] = newGrant(recipientKeys[i]);
        }
        // All at once: no grant needs a frame of its own.
        vm.expectCall(address(router), abi.encodeWithSelector(router.grantFrame.selector), 0);
        vm.prank(executor);
        router.grantBatch(campaignId, grants);
        for (uint256 i; i < 6; ++i) {
            assertTrue(router.granted(campaignId, recipientKeys[i]));
        }
        assertFalse(router.granted(campaignId, 2));
        assertFalse(router.granted(campaignId, 257));
        assertEq(usdc.balanceOf(recipient), 30 * USD);
    }

    /// @dev Whatever fails, and wherever it stands, exactly the good ones are paid, in their order.
    function testFuzz_grantBatch_paysExactlyTheGoodOnes(uint256 seed) external {
        IBotRouter.Grant[] memory grants = new IBotRouter.Grant[](16);
        uint256 amounts;
        uint256 fees;
        uint256 used;
        for (uint256 i; i < grants.length; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            IBotRouter.Grant memory g = newGrant(seed % 24);
            g.amount = uint128((seed >> 8) % (11 * USD));
            g.fee = uint128((seed >> 80) % (USD + USD / 20));
            if ((seed >> 200) % 8 == 0) g.validUntil = uint64(block.timestamp - 1);
            grants[i] = g;
            bool fits = amounts + fees + g.amount + g.fee <= 100 * USD;
            bool good = g.amount != 0 && g.amount <= 10 * USD && g.fee <= USD && g.validUntil >= block.timestamp;
            if (!fits || !good || used & (1 << g.recipientKey) != 0) continue;
            used |= 1 << g.recipientKey;
            amounts += g.amount;
            fees += g.fee;
        }
        vm.prank(executor);
        router.grantBatch(campaignId, grants);
        assertEq(usdc.balanceOf(recipient), amounts);
        assertEq(usdc.balanceOf(treasury), fees);
        assertEq(router.campaignOf(campaignId).spent, amounts + fees);
        for (uint256 i; i < 24; ++i) {
            assertEq(router.granted(campaignId, i), used & (1 << i) != 0);
        }
    }

    function test_grantBatch_ofNone() external {
        vm.prank(executor);
        router.grantBatch(campaignId, new IBotRouter.Grant[](0));
        assertEq(router.campaignOf(campaignId).spent, 0);
    }

    /// @dev A recipient that is called may change what the next grant depends on.
    function test_grantBatch_stopsWhenARecipientClosesTheCampaign() external {
        ClosingSponsor sponsor = new ClosingSponsor();
        vm.deal(address(sponsor), 100 ether);
        bytes32 id = sponsor.open(router, uint64(START + 1 days));
        IBotRouter.Grant[] memory grants = new IBotRouter.Grant[](2);
        grants[0] = newGrant(1);
        (grants[0].amount, grants[0].fee, grants[0].recipient) = (1 ether, 0, address(sponsor));
        grants[1] = newGrant(2);
        (grants[1].amount, grants[1].fee) = (1 ether, 0);
        vm.expectEmit(address(router));
        emit IBotRouter.GrantFailed(router.grantIdOf(id, 2), id, 2, abi.encodePacked(IBotRouter.CampaignIsClosed.selector));
        vm.prank(executor);
        router.grantBatch(id, grants);
        assertEq(recipient.balance, 0);
        assertEq(router.campaignOf(id).spent, 1 ether);
        assertRouterEmpty();
    }

    function test_grantFrame_revertsWhenCalledFromOutside() external {
        vm.prank(executor);
        vm.expectRevert(IBotRouter.NotSelf.selector);
        router.grantBatchFrame(campaignId, treasury, new IBotRouter.Grant[](0));
        vm.prank(executor);
        vm.expectRevert(IBotRouter.NotSelf.selector);
        router.grantFrame(newGrant(1), campaignId);
    }

    function testFuzz_grant_neverExceedsTheTotal(uint128[20] calldata amounts) external {
        uint256 paid;
        for (uint256 i; i < amounts.length; ++i) {
            IBotRouter.Grant memory g = newGrant(i);
            g.amount = uint128(bound(amounts[i], 1, 12 * USD));
            vm.prank(executor);
            try router.grant(campaignId, g) {
                paid += g.amount + g.fee;
            } catch {}
        }
        assertLe(paid, 100 * USD);
        assertEq(router.campaignOf(campaignId).spent, paid);
        assertEq(usdc.balanceOf(sender), 1000 * USD - paid);
    }

    function newGrant(uint256 recipientKey) internal view returns (IBotRouter.Grant memory) {
        return IBotRouter.Grant({
            recipientKey: recipientKey,
            recipient: recipient,
            amount: 5 * USD,
            fee: USD / 10,
            validUntil: uint64(block.timestamp + 15 minutes)
        });
    }

    /// @dev 100 in all, at most 10 a grant, 1 of fee, for a day.
    function _open(bytes32 salt, address token) internal returns (bytes32) {
        vm.prank(sender);
        return router.openCampaign(salt, token, 100 * USD, 10 * USD, USD, uint64(START + 1 days));
    }

    function _expectRevert(IBotRouter.Grant memory g, bytes memory reason) private {
        vm.prank(executor);
        vm.expectRevert(reason);
        router.grant(campaignId, g);
    }
}

contract GrantOnUsdcTest is GrantTest {}

contract GrantOnToken18Test is GrantTest {
    constructor() {
        onToken18 = true;
    }
}
