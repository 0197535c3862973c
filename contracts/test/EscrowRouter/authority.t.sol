// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EscrowRouterTest} from "../setup/EscrowRouterTest.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";
import {IExecutors} from "../../src/interfaces/IExecutors.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

contract AuthorityTest is EscrowRouterTest {
    address private heir;
    uint256 private heirKey;

    function setUp() public override {
        super.setUp();
        (heir, heirKey) = makeAddrAndKey("heir");
    }

    function test_announceAuthority_isInForceAfter7Days() external {
        vm.expectRevert(IEscrowRouter.NothingAnnounced.selector);
        router.applyAuthority();
        vm.expectEmit(address(router));
        emit IEscrowRouter.AuthorityAnnounced(heir, uint64(START + 7 days));
        _announce(heir);
        _assertPending(heir, START + 7 days);
        vm.warp(START + 7 days - 1);
        vm.expectRevert(abi.encodeWithSelector(IEscrowRouter.TooEarly.selector, START + 7 days));
        router.applyAuthority();
        assertEq(router.authority(), authority);
        vm.warp(START + 7 days);
        vm.expectEmit(address(router));
        emit IEscrowRouter.AuthorityChanged(authority, heir);
        vm.prank(other);
        router.applyAuthority();
        assertEq(router.authority(), heir);
        _assertPending(address(0), 0);
        vm.expectRevert(IEscrowRouter.NothingAnnounced.selector);
        router.applyAuthority();
    }

    function test_announceAuthority_canBeReplacedAndWithdrawn() external {
        _announce(heir);
        vm.warp(START + 6 days);
        _announce(makeAddr("another"));
        vm.warp(START + 7 days);
        vm.expectRevert(abi.encodeWithSelector(IEscrowRouter.TooEarly.selector, START + 13 days));
        router.applyAuthority();
        vm.expectEmit(address(router));
        emit IEscrowRouter.AuthorityAnnounced(address(0), 0);
        _announce(address(0));
        _assertPending(address(0), 0);
        vm.warp(START + 30 days);
        vm.expectRevert(IEscrowRouter.NothingAnnounced.selector);
        router.applyAuthority();
        assertEq(router.authority(), authority);
    }

    function test_announceAuthority_revertsWhenCallerIsNotOwner() external {
        address[4] memory callers = [guardian, authority, executor, other];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(IRoles.NotOwner.selector);
            router.announceAuthority(heir);
        }
    }

    function test_authority_staysDistinctFromOtherRoles() external {
        address candidate = makeAddr("candidate");
        vm.startPrank(owner);
        router.transferOwnership(candidate);
        router.announceAuthority(heir);
        address[6] memory taken = [owner, guardian, candidate, executor, authority, heir];
        for (uint256 i; i < taken.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, taken[i]));
            router.announceAuthority(taken[i]);
        }
        for (uint256 i = 4; i < taken.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, taken[i]));
            router.addExecutor(taken[i]);
            vm.expectRevert(abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, taken[i]));
            router.setGuardian(taken[i]);
            vm.expectRevert(abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, taken[i]));
            router.transferOwnership(taken[i]);
        }
        vm.stopPrank();
        vm.warp(START + 7 days);
        router.applyAuthority();
        // Who was the authority holds no role any more.
        vm.prank(owner);
        router.addExecutor(authority);
    }

    // ------------------------------------------------------------------------------------------------------------------ attestations

    function test_applyAuthority_endsTheOldAttestations() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        _announce(heir);
        vm.warp(START + 7 days);
        uint64 notAfter = uint64(block.timestamp + 10 minutes);
        bytes memory old = attest(tab, recipient, notAfter);
        bytes memory current = attestWith(heirKey, tab, recipient, notAfter);
        // Until the change is applied the old one signs, and the new one does not.
        _expectInvalid(tab, notAfter, current);
        router.applyAuthority();
        _expectInvalid(tab, notAfter, old);
        vm.prank(executor);
        router.claim(tab, recipient, notAfter, current);
        assertEq(usdc.balanceOf(recipient), tab.amount);
    }

    function test_announceAuthority_letsTheOldOneAttestMeanwhile() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        _announce(heir);
        claim(tab, recipient);
        assertEq(usdc.balanceOf(recipient), tab.amount);
    }

    // ----------------------------------------------------------------------------------------------------------------------- refunds

    function test_announceAuthority_makesEveryOpenTabRefundableByItsSender() external {
        IEscrowRouter.Tab memory tab = opened(firmTab());
        IEscrowRouter.Tab memory bySignature = opened(firmTab());
        _expectRefused(tab);
        _announce(heir);
        expectRefundRevert(tab, other, abi.encodePacked(IEscrowRouter.NotRefundable.selector));
        expectRefundRevert(tab, executor, abi.encodePacked(IEscrowRouter.NotRefundable.selector));
        expectRefunded(tab);
        refund(tab);
        router.refundBySig(bySignature, START, sign(senderKey, refundHash(idOf(bySignature), START)));
        // And a tab that is opened meanwhile.
        refund(opened(firmTab()));
        assertEq(usdc.balanceOf(sender), FUNDS * USD);
    }

    function test_announceAuthority_withdrawnEndsIt() external {
        IEscrowRouter.Tab memory before = opened(firmTab());
        _announce(heir);
        IEscrowRouter.Tab memory meanwhile = opened(firmTab());
        _announce(address(0));
        _expectRefused(before);
        _expectRefused(meanwhile);
    }

    function test_applyAuthority_leavesOlderTabsRefundableByTheirSenders() external {
        IEscrowRouter.Tab[5] memory tabs;
        tabs[0] = _longTab();
        _announce(heir);
        tabs[1] = _longTab();
        vm.warp(START + 8 days);
        // Of the second of the change itself, as the order within it is not known.
        tabs[2] = _longTab();
        router.applyAuthority();
        tabs[3] = _longTab();
        vm.warp(START + 8 days + 1);
        tabs[4] = _longTab();
        for (uint256 i; i < 4; ++i) {
            expectRefundRevert(tabs[i], other, abi.encodePacked(IEscrowRouter.NotRefundable.selector));
            refund(tabs[i]);
        }
        _expectRefused(tabs[4]);
        assertHolds(5 * USD, 0);
    }

    function test_applyAuthority_twiceLeavesAllOlderTabsRefundable() external {
        IEscrowRouter.Tab memory first = _longTab();
        _announce(heir);
        vm.warp(START + 7 days);
        router.applyAuthority();
        vm.warp(START + 8 days);
        IEscrowRouter.Tab memory second = _longTab();
        _expectRefused(second);
        // Back to the authority under which the first was opened.
        _announce(authority);
        vm.warp(START + 15 days);
        router.applyAuthority();
        refund(first);
        refund(second);
        assertHolds(0, 0);
    }

    function _longTab() private returns (IEscrowRouter.Tab memory tab) {
        tab = firmTab();
        tab.deadline = uint64(block.timestamp + 80 days);
        openTab(tab);
    }

    function _announce(address next) private {
        vm.prank(owner);
        router.announceAuthority(next);
    }

    function _assertPending(address expected, uint256 expectedAt) private view {
        (address next, uint64 effectiveAt) = router.pendingAuthority();
        assertEq(next, expected);
        assertEq(effectiveAt, expectedAt);
    }

    function _expectInvalid(IEscrowRouter.Tab memory tab, uint64 notAfter, bytes memory signature) private {
        vm.prank(executor);
        vm.expectRevert(IEscrowRouter.InvalidSignature.selector);
        router.claim(tab, recipient, notAfter, signature);
    }

    function _expectRefused(IEscrowRouter.Tab memory tab) private {
        expectRefundRevert(tab, sender, abi.encodePacked(IEscrowRouter.NotRefundable.selector));
        bytes memory signature = sign(senderKey, refundHash(idOf(tab), block.timestamp));
        vm.expectRevert(IEscrowRouter.NotRefundable.selector);
        router.refundBySig(tab, block.timestamp, signature);
    }
}
