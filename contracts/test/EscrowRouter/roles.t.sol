// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EscrowRouterTest} from "../setup/EscrowRouterTest.sol";
import {ExecutorsSuite} from "../setup/ExecutorsSuite.sol";
import {RolesSuite} from "../setup/RolesSuite.sol";
import {RouterTest} from "../setup/RouterTest.sol";
import {EscrowRouter} from "../../src/EscrowRouter.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";
import {IExecutors} from "../../src/interfaces/IExecutors.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

contract RolesTest is EscrowRouterTest, RolesSuite, ExecutorsSuite {
    function setUp() public override(EscrowRouterTest, RouterTest) {
        EscrowRouterTest.setUp();
    }

    function test_constructor_setsEverything() external {
        vm.expectEmit();
        emit IRoles.OwnershipTransferred(address(0), owner);
        vm.expectEmit();
        emit IRoles.GuardianChanged(address(0), guardian);
        vm.expectEmit();
        emit IExecutors.ExecutorAdded(executor, uint64(START));
        vm.expectEmit();
        emit IEscrowRouter.AuthorityChanged(address(0), authority);
        router = deployRouter();
        assertEq(router.owner(), owner);
        assertEq(router.guardian(), guardian);
        assertEq(router.authority(), authority);
        assertEq(router.executors(), executorList());
        assertEq(router.usdc(), address(usdc));
        assertEq(router.wrappedNative(), address(wrapped));
        assertEq(router.botRouter(), botRouter);
        assertEq(router.permit2(), PERMIT2);
        assertEq(router.claimsPausedUntil(), 0);
        assertFalse(router.paused());
        (address next, uint64 effectiveAt) = router.pendingAuthority();
        assertEq(next, address(0));
        assertEq(effectiveAt, 0);
    }

    function test_constructor_revertsWhenRolesAreNotDistinct() external {
        address[4] memory right = [owner, guardian, authority, executor];
        for (uint256 i; i < 4; ++i) {
            for (uint256 j; j < 4; ++j) {
                address[4] memory roles = [right[0], right[1], right[2], right[3]];
                roles[i] = i == j ? address(0) : right[j];
                bytes memory reason = i == j
                    ? abi.encodePacked(IRoles.ZeroAddress.selector)
                    : abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, right[j]);
                _expectConstructor(roles, reason);
            }
        }
    }

    function test_constructor_revertsWhenAnAddressIsMissing() external {
        address[] memory none = new address[](0);
        address[2][3] memory pairs = [[address(usdc), address(usdc)], [other, address(wrapped)], [address(usdc), other]];
        for (uint256 i; i < pairs.length; ++i) {
            vm.expectRevert(IEscrowRouter.UnsupportedToken.selector);
            new EscrowRouter(owner, guardian, authority, none, pairs[i][0], pairs[i][1], botRouter, PERMIT2);
        }
        vm.expectRevert(IRoles.ZeroAddress.selector);
        new EscrowRouter(owner, guardian, authority, none, address(usdc), address(wrapped), address(0), PERMIT2);
        vm.expectRevert(IRoles.ZeroAddress.selector);
        new EscrowRouter(owner, guardian, authority, none, address(usdc), address(wrapped), botRouter, address(0));
    }

    // ------------------------------------------------------------------------------------------------------------------------- lanes

    /// @dev What a claim reads of its executor's lane is refreshed in all of them, whenever it changes.
    function test_lanes_followEveryChange() external {
        address[3] memory all = [executor, makeAddr("second"), makeAddr("third")];
        address heir = makeAddr("heir");
        vm.startPrank(owner);
        router.addExecutor(all[1]);
        router.addExecutor(all[2]);
        router.announceAuthority(heir);
        vm.stopPrank();
        _assertLanes(all, authority, 0);

        vm.prank(guardian);
        router.pauseClaims(72 hours);
        _assertLanes(all, authority, START + 72 hours);

        // One that joins during a pause, and one that goes and comes back.
        vm.startPrank(owner);
        router.removeExecutor(all[1]);
        _assertLane(all[1], 0, address(0), 0);
        vm.warp(START + 1 hours);
        router.addExecutor(all[1]);
        _assertLane(all[1], START + 25 hours, authority, START + 72 hours);
        router.unpauseClaims();
        vm.stopPrank();
        for (uint256 i; i < 3; ++i) {
            _assertLane(all[i], router.executorActiveFrom(all[i]), authority, START + 1 hours);
        }

        vm.warp(START + 7 days);
        vm.prank(guardian);
        router.pauseClaims(3 hours);
        router.applyAuthority();
        for (uint256 i; i < 3; ++i) {
            _assertLane(all[i], router.executorActiveFrom(all[i]), heir, START + 7 days + 3 hours);
        }

        // The other pause is not among it.
        vm.prank(guardian);
        router.pause();
        _assertLane(executor, START, heir, START + 7 days + 3 hours);
    }

    function test_lanes_ofSixteenExecutorsFollow() external {
        vm.startPrank(owner);
        for (uint256 i = 1; i < 16; ++i) {
            router.addExecutor(address(uint160(0x1000 + i)));
        }
        router.announceAuthority(other);
        vm.stopPrank();
        vm.warp(START + 7 days);
        router.applyAuthority();
        vm.prank(guardian);
        router.pauseClaims(1 hours);
        for (uint256 i = 1; i < 16; ++i) {
            _assertLane(address(uint160(0x1000 + i)), START + 24 hours, other, START + 7 days + 1 hours);
        }
        _assertLane(executor, START, other, START + 7 days + 1 hours);
    }

    /// @dev The same, as it shows: every executor claims under the authority of the day, and none during a pause.
    function test_lanes_decideEveryExecutorsClaims() external {
        (address heir, uint256 heirKey) = makeAddrAndKey("heir");
        vm.startPrank(owner);
        router.addExecutor(other);
        router.announceAuthority(heir);
        vm.stopPrank();
        vm.warp(START + 7 days);
        router.applyAuthority();
        vm.prank(guardian);
        router.pauseClaims(1 hours);
        address[2] memory all = [executor, other];
        for (uint256 round; round < 2; ++round) {
            for (uint256 i; i < 2; ++i) {
                IEscrowRouter.Tab memory tab = opened(newTab());
                uint64 notAfter = uint64(block.timestamp);
                bytes memory old = attest(tab, recipient, notAfter);
                bytes memory current = attestWith(heirKey, tab, recipient, notAfter);
                vm.startPrank(all[i]);
                if (round == 0) {
                    vm.expectRevert(abi.encodeWithSelector(IEscrowRouter.ClaimsArePaused.selector, START + 7 days + 1 hours));
                    router.claim(tab, recipient, notAfter, current);
                } else {
                    vm.expectRevert(IEscrowRouter.InvalidSignature.selector);
                    router.claim(tab, recipient, notAfter, old);
                    router.claim(tab, recipient, notAfter, current);
                }
                vm.stopPrank();
            }
            vm.warp(START + 7 days + 1 hours);
        }
    }

    function _assertLanes(address[3] memory all, address authority_, uint256 pausedUntil) private view {
        _assertLane(all[0], START, authority_, pausedUntil);
        _assertLane(all[1], START + 24 hours, authority_, pausedUntil);
        _assertLane(all[2], START + 24 hours, authority_, pausedUntil);
    }

    function _assertLane(address account, uint256 activeFrom, address authority_, uint256 pausedUntil) private view {
        assertEq(uint256(laneOf(account)), uint160(authority_) | activeFrom << 160 | pausedUntil << 224, "lane");
    }

    function _expectConstructor(address[4] memory roles, bytes memory reason) private {
        address[] memory list = new address[](1);
        list[0] = roles[3];
        vm.expectRevert(reason);
        new EscrowRouter(roles[0], roles[1], roles[2], list, address(usdc), address(wrapped), botRouter, PERMIT2);
    }
}
