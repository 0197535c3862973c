// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {BotRouterTest} from "../setup/BotRouterTest.sol";
import {IUsdc} from "../setup/Usdc.sol";
import {BotRouter} from "../../src/BotRouter.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";
import {WrappedNative} from "../../src/local/WrappedNative.sol";

/// @dev Plays senders, executor, guardian and strangers at random and writes down what it saw settle.
contract Handler is Test {
    struct Draw {
        uint256 at;
        uint256 total;
    }

    uint256 private constant SENDERS = 3;
    BotRouter private router;
    IUsdc private usdc;
    WrappedNative private wrapped;
    address private executor;
    uint128 private unit;
    address[SENDERS] public senders;
    address public recipient = makeAddr("handler recipient");
    bytes32[2] public campaigns;

    mapping(bytes32 key => uint256) public settledCount;
    bytes32[] public keys;
    mapping(bytes32 grantId => uint256) public grantCount;
    bytes32[] public grantIds;
    mapping(address sender => mapping(address token => Draw[])) private _draws;
    mapping(address sender => mapping(address token => uint256)) public drawn;
    mapping(address token => uint256) public paidOut;
    mapping(address token => uint256) public fees;
    mapping(bytes32 campaignId => uint256) public campaignDrawn;

    bool public windowExceeded;
    bool public limitRaisedByAnother;
    bool public feeAboveCap;
    bool public pausedSenderDrawn;
    bool public failedItemUsedItsKey;
    bool public settledWhilePaused;

    constructor(BotRouter router_, IUsdc usdc_, WrappedNative wrapped_, address executor_, uint128 unit_) {
        (router, usdc, wrapped, executor, unit) = (router_, usdc_, wrapped_, executor_, unit_);
        for (uint256 i; i < SENDERS; ++i) {
            senders[i] = makeAddr(string.concat("handler sender", vm.toString(i)));
        }
    }

    function openCampaigns() external {
        if (campaigns[0] != 0) return;
        for (uint256 i; i < 2; ++i) {
            vm.prank(senders[i]);
            campaigns[i] =
                router.openCampaign("c", address(usdc), 200 * unit, 20 * unit, unit, uint64(block.timestamp + 365 days));
        }
    }

    function tip(uint256 seed) external {
        IBotRouter.Tip memory t = _tip(seed);
        bool paused = router.paused();
        vm.prank(executor);
        try router.tip(t) {
            _settled(t);
            if (paused) settledWhilePaused = true;
        } catch {}
    }

    function tipBatch(uint256 seed) external {
        IBotRouter.Tip[] memory tips = new IBotRouter.Tip[](4);
        bool[4] memory before;
        for (uint256 i; i < 4; ++i) {
            tips[i] = _tip(uint256(keccak256(abi.encode(seed, i))));
            tips[i].messageKey = keccak256(abi.encode("batch", seed, i));
            before[i] = router.processed(tips[i].messageKey);
        }
        uint256[2] memory fees0 = _treasury();
        vm.prank(executor);
        try router.tipBatch(tips) {
            uint256[2] memory expected = fees0;
            for (uint256 i; i < 4; ++i) {
                if (before[i] || !router.processed(tips[i].messageKey)) continue;
                _settled(tips[i]);
                expected[tips[i].token == address(usdc) ? 0 : 1] += tips[i].fee;
            }
            uint256[2] memory actual = _treasury();
            // A failed item that had used its key would be counted here, and its fee would be missing.
            if (expected[0] != actual[0] || expected[1] != actual[1]) failedItemUsedItsKey = true;
        } catch {}
    }

    function tipToTab(uint256 seed) external {
        IBotRouter.Tip memory t = _tip(seed);
        t.fee = 0;
        IBotRouter.TabTip memory tab = IBotRouter.TabTip({
            messageKey: t.messageKey,
            sender: t.sender,
            handleKey: "handle",
            token: t.token,
            amount: t.amount,
            deadline: uint64(block.timestamp + 7 days),
            validUntil: t.validUntil
        });
        vm.prank(executor);
        try router.tipToTab(tab) {
            _settled(t);
        } catch {}
    }

    function setLimits(uint256 seed, uint128 perDay) external {
        address token = _token(seed >> 8);
        perDay = uint128(bound(perDay, 0, 400 * _unitOf(token)));
        vm.prank(senders[seed % SENDERS]);
        router.setLimits(token, perDay / 2, perDay, perDay / 50);
    }

    function lowerLimits(uint256 seed, uint128 perTip, uint128 perDay, uint128 maxFee) external {
        address sender = senders[seed % SENDERS];
        address token = _token(seed >> 8);
        uint256 before = _limitsHash(sender, token, 0, 0, 0);
        (uint128 a, uint128 b, uint128 c,,) = router.limitsOf(sender, token);
        vm.prank(executor);
        try router.lowerLimits(sender, token, perTip, perDay, maxFee) {
            (uint128 a2, uint128 b2, uint128 c2,,) = router.limitsOf(sender, token);
            if (a2 > a || b2 > b || c2 > c) limitRaisedByAnother = true;
        } catch {
            if (before != _limitsHash(sender, token, 0, 0, 0)) limitRaisedByAnother = true;
        }
    }

    function lowerLimitsALittle(uint256 seed) external {
        address sender = senders[seed % SENDERS];
        address token = _token(seed >> 8);
        (uint128 a, uint128 b, uint128 c,,) = router.limitsOf(sender, token);
        vm.prank(executor);
        router.lowerLimits(sender, token, a - a / 10, b - b / 10, c);
        (uint128 a2, uint128 b2, uint128 c2,,) = router.limitsOf(sender, token);
        if (a2 > a || b2 > b || c2 > c) limitRaisedByAnother = true;
    }

    /// @dev Everybody but the sender tries to raise.
    function raiseForAnother(uint256 seed) external {
        address sender = senders[seed % SENDERS];
        address token = _token(seed >> 8);
        uint256 before = _limitsHash(sender, token, 0, 0, 0);
        address caller = [executor, router.owner(), router.guardian(), recipient][(seed >> 16) % 4];
        vm.startPrank(caller);
        router.setLimits(token, 1000 * unit, 1000 * unit, 1000 * unit);
        try router.setLimitsBySig(sender, token, 1, 1, 1, router.nonces(sender), block.timestamp, new bytes(65)) {
            limitRaisedByAnother = true;
        } catch {}
        vm.stopPrank();
        if (before != _limitsHash(sender, token, 0, 0, 0)) limitRaisedByAnother = true;
    }

    function pauseSender(uint256 seed) external {
        address sender = senders[seed % SENDERS];
        vm.prank(seed & 256 == 0 ? sender : executor);
        router.pauseSender(sender);
    }

    function unpauseSender(uint256 seed) external {
        vm.prank(senders[seed % SENDERS]);
        router.unpauseSender();
    }

    function pauseRouter(uint256 seed) external {
        bool pause = seed % 4 == 0;
        vm.startPrank(router.owner());
        pause ? router.pause() : router.unpause();
        vm.stopPrank();
    }

    function grant(uint256 seed) external {
        bytes32 id = campaigns[seed % 2];
        IBotRouter.Grant memory g = IBotRouter.Grant({
            recipientKey: (seed >> 8) % 12,
            recipient: recipient,
            amount: uint128(bound(seed >> 16, 1, 25 * unit)),
            fee: uint128(bound(seed >> 64, 0, unit)),
            validUntil: uint64(block.timestamp)
        });
        (,,,, bool paused) = router.limitsOf(senders[seed % 2], address(usdc));
        bytes32 grantId = router.grantIdOf(id, g.recipientKey);
        bool before = router.granted(id, g.recipientKey);
        vm.prank(executor);
        if (seed & (1 << 200) == 0) {
            bool paid;
            try router.grant(id, g) {
                paid = true;
            } catch {}
            if (!paid) return;
            _granted(id, grantId, g);
        } else {
            IBotRouter.Grant[] memory grants = new IBotRouter.Grant[](2);
            (grants[0], grants[1]) = (g, g);
            try router.grantBatch(id, grants) {} catch {}
            if (before || !router.granted(id, g.recipientKey)) return;
            _granted(id, grantId, g);
        }
        if (paused) pausedSenderDrawn = true;
    }

    function closeCampaign(uint256 seed) external {
        if (seed % 16 != 0) return;
        vm.prank(senders[0]);
        try router.closeCampaign(campaigns[0]) {} catch {}
    }

    function wait(uint256 seconds_) external {
        vm.warp(block.timestamp + bound(seconds_, 0, 9 hours));
    }

    function keyCount() external view returns (uint256) {
        return keys.length;
    }

    function grantIdCount() external view returns (uint256) {
        return grantIds.length;
    }

    function _tip(uint256 seed) private view returns (IBotRouter.Tip memory) {
        address token = _token(seed >> 8);
        uint128 one = _unitOf(token);
        return IBotRouter.Tip({
            // Few keys, so that repeats are common.
            messageKey: keccak256(abi.encode("key", (seed >> 16) % 64)),
            sender: senders[seed % SENDERS],
            recipient: recipient,
            token: token,
            amount: uint128(bound(seed >> 32, 1, 120 * one)),
            fee: uint128(bound(seed >> 128, 0, 2 * one)),
            validUntil: uint64(block.timestamp)
        });
    }

    function _settled(IBotRouter.Tip memory t) private {
        if (settledCount[t.messageKey]++ == 0) keys.push(t.messageKey);
        (, uint128 perDay, uint128 maxFee,, bool paused) = router.limitsOf(t.sender, t.token);
        if (t.fee > maxFee) feeAboveCap = true;
        if (paused) pausedSenderDrawn = true;
        _draws[t.sender][t.token].push(Draw(block.timestamp, t.amount + t.fee));
        drawn[t.sender][t.token] += t.amount + t.fee;
        paidOut[t.token] += t.amount;
        fees[t.token] += t.fee;
        // Any window is fullest where a draw ends it, so it is enough to look back from here.
        uint256 sum;
        Draw[] storage draws = _draws[t.sender][t.token];
        for (uint256 i = draws.length; i > 0 && draws[i - 1].at + 24 hours >= block.timestamp; --i) {
            sum += draws[i - 1].total;
        }
        if (sum > perDay) windowExceeded = true;
    }

    function _granted(bytes32 id, bytes32 grantId, IBotRouter.Grant memory g) private {
        if (grantCount[grantId]++ == 0) grantIds.push(grantId);
        campaignDrawn[id] += g.amount + g.fee;
        address sponsor = router.campaignOf(id).sponsor;
        drawn[sponsor][address(usdc)] += g.amount + g.fee;
        paidOut[address(usdc)] += g.amount;
        fees[address(usdc)] += g.fee;
    }

    function _token(uint256 seed) private view returns (address) {
        return seed & 1 == 0 ? address(usdc) : address(wrapped);
    }

    function _unitOf(address token) private view returns (uint128) {
        return token == address(usdc) ? unit : 1 ether;
    }

    function _treasury() private view returns (uint256[2] memory) {
        return [usdc.balanceOf(router.treasury()), wrapped.balanceOf(router.treasury())];
    }

    function _limitsHash(address sender, address token, uint128 a, uint128 b, uint128 c) private view returns (uint256) {
        (a, b, c,,) = router.limitsOf(sender, token);
        return uint256(keccak256(abi.encode(a, b, c)));
    }
}

abstract contract InvariantsTest is BotRouterTest {
    uint256 private constant FUNDS = 1e6;
    Handler internal handler;

    function setUp() public virtual override {
        super.setUp();
        handler = new Handler(router, usdc, wrapped, executor, USD);
        for (uint256 i; i < 3; ++i) {
            address account = handler.senders(i);
            fund(account);
            usdc.mint(account, FUNDS * USD - 1000 * USD);
            vm.deal(account, FUNDS * 1 ether - 1000 ether);
            vm.prank(account);
            wrapped.deposit{value: FUNDS * 1 ether - 1000 ether}();
        }
        handler.openCampaigns();
        targetContract(address(handler));
    }

    function invariant_aMessageKeySettlesAtMostOnce() external view {
        for (uint256 i; i < handler.keyCount(); ++i) {
            bytes32 key = handler.keys(i);
            assertEq(handler.settledCount(key), 1);
            assertTrue(router.processed(key));
        }
    }

    function invariant_noWindowOf24HoursExceedsTheLimit() external view {
        assertFalse(handler.windowExceeded());
    }

    function invariant_theRouterHoldsNothing() external view {
        assertRouterEmpty();
    }

    function invariant_onlyTheSenderRaisesALimit() external view {
        assertFalse(handler.limitRaisedByAnother());
    }

    function invariant_noFeeAboveTheSendersCap() external view {
        assertFalse(handler.feeAboveCap());
    }

    function invariant_aPausedSenderIsNotDrawnOn() external view {
        assertFalse(handler.pausedSenderDrawn());
        assertFalse(handler.settledWhilePaused());
    }

    function invariant_aFailedItemLeavesItsKeyUnused() external view {
        assertFalse(handler.failedItemUsedItsKey());
    }

    function invariant_aCampaignDrawsAtMostItsTotal() external view {
        for (uint256 i; i < 2; ++i) {
            bytes32 id = handler.campaigns(i);
            assertEq(router.campaignOf(id).spent, handler.campaignDrawn(id));
            assertLe(handler.campaignDrawn(id), 200 * USD);
        }
    }

    function invariant_aRecipientKeyIsGrantedAtMostOnce() external view {
        for (uint256 i; i < handler.grantIdCount(); ++i) {
            assertEq(handler.grantCount(handler.grantIds(i)), 1);
        }
    }

    /// @dev Nothing is lost, made or taken beyond what settled.
    function invariant_everyUnitIsAccountedFor() external view {
        for (uint256 i; i < 3; ++i) {
            address account = handler.senders(i);
            assertEq(usdc.balanceOf(account), FUNDS * USD - handler.drawn(account, address(usdc)));
            assertEq(wrapped.balanceOf(account), FUNDS * 1 ether - handler.drawn(account, address(wrapped)));
        }
        address to = handler.recipient();
        assertEq(usdc.balanceOf(to) + usdc.balanceOf(address(escrow)), handler.paidOut(address(usdc)));
        assertEq(to.balance + wrapped.balanceOf(address(escrow)), handler.paidOut(address(wrapped)));
        assertEq(usdc.balanceOf(treasury), handler.fees(address(usdc)));
        assertEq(wrapped.balanceOf(treasury), handler.fees(address(wrapped)));
    }
}

contract InvariantsOnUsdcTest is InvariantsTest {}

contract InvariantsOnToken18Test is InvariantsTest {
    constructor() {
        onToken18 = true;
    }
}
