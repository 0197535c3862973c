// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {DualNative} from "../setup/Hostile.sol";
import {EscrowHandler} from "../setup/EscrowHandler.sol";
import {EscrowRouterTest} from "../setup/EscrowRouterTest.sol";
import {EscrowRouter} from "../../src/EscrowRouter.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";
import {WrappedNative} from "../../src/local/WrappedNative.sol";

/// @dev Where the money is.
abstract contract FundsInvariantsTest is EscrowRouterTest {
    EscrowHandler internal handler;
    /// @dev Where the native asset is an ERC-20 itself.
    bool internal onDual;

    function setUp() public virtual override {
        super.setUp();
        handler = new EscrowHandler(router, USD, authorityKey, onDual);
        for (uint256 i; i < 3; ++i) {
            (address account,) = handler.senders(i);
            fund(account);
        }
        targetContract(address(handler));
    }

    function invariant_theOpenTabsNeverExceedTheBalance() external view {
        address[2] memory tokens = [address(usdc), address(wrapped)];
        for (uint256 i; i < 2; ++i) {
            assertEq(router.openTotal(tokens[i]), handler.openSum(tokens[i]));
            // Native value does not count, except where it is the token.
            assertLe(router.openTotal(tokens[i]), IERC20(tokens[i]).balanceOf(address(router)));
        }
    }

    function invariant_aTabPaysOutOnceInFullToOneParty() external view {
        for (uint256 i; i < handler.tabCount(); ++i) {
            (IEscrowRouter.Tab memory tab,, IEscrowRouter.Status status, uint256 payouts) = handler.tabAt(i);
            assertEq(payouts, status == IEscrowRouter.Status.Open ? 0 : 1);
            assertEq(uint8(router.statusOf(idOf(tab))), uint8(status));
        }
        assertFalse(handler.paidAnotherAmount());
    }

    function invariant_aRefundGoesToTheSender() external view {
        assertFalse(handler.refundWentElsewhere());
    }

    function invariant_theTreasuryIsNeverTouched() external view {
        assertEq(usdc.balanceOf(treasury), 0);
        assertEq(wrapped.balanceOf(treasury), 0);
        assertEq(treasury.balance, 0);
    }

    /// @dev Nothing is lost, made or taken beyond what was opened and paid out.
    function invariant_everyUnitIsAccountedFor() external view {
        uint256[2] memory inTabs = [handler.openSum(address(usdc)), handler.openSum(address(wrapped))];
        assertEq(usdc.balanceOf(address(router)), inTabs[0] + handler.donated(address(usdc)));
        assertEq(nativeOf(address(router)), inTabs[1] + handler.donated(address(wrapped)));
        for (uint256 i; i < 3; ++i) {
            (address account,) = handler.senders(i);
            assertEq(
                usdc.balanceOf(account) + handler.paidIn(account, address(usdc)),
                FUNDS * USD + handler.paidOut(account, address(usdc))
            );
            assertEq(
                nativeOf(account) + handler.paidIn(account, address(wrapped)),
                FUNDS * 1 ether + handler.paidOut(account, address(wrapped))
            );
        }
        for (uint256 i; i < 2; ++i) {
            address account = handler.recipients(i);
            assertEq(usdc.balanceOf(account), handler.paidOut(account, address(usdc)));
            assertEq(nativeOf(account), handler.paidOut(account, address(wrapped)));
        }
    }

    function deployRouter() internal override returns (EscrowRouter) {
        if (onDual) wrapped = WrappedNative(payable(address(new DualNative())));
        return super.deployRouter();
    }

    function fund(address account) internal override {
        if (!onDual) return super.fund(account);
        usdc.mint(account, FUNDS * USD);
        vm.deal(account, FUNDS * 1 ether);
        vm.startPrank(account);
        usdc.approve(address(router), type(uint256).max);
        wrapped.approve(address(router), type(uint256).max);
        vm.stopPrank();
    }

    /// @dev Of the native asset, wrapped or not.
    function nativeOf(address account) private view returns (uint256) {
        return onDual ? account.balance : account.balance + wrapped.balanceOf(account);
    }
}

/// @dev And who may move it.
abstract contract InvariantsTest is FundsInvariantsTest {
    function invariant_aClosedIdStaysATombstone() external view {
        assertFalse(handler.openedTwice());
    }

    function invariant_aClaimTakesExecutorAndAuthority() external view {
        assertFalse(handler.claimedWithoutTwoKeys());
    }

    function invariant_anAttestationIsGoodForTenMinutesAtMost() external view {
        assertFalse(handler.claimedOutOfTime());
    }

    function invariant_noClaimDuringAPauseOfClaims() external view {
        assertFalse(handler.claimedWhilePaused());
    }

    function invariant_aTabCanBeClaimedUntilItIsRefunded() external view {
        assertFalse(handler.claimRefused());
    }

    function invariant_aRefundIsForTheSenderOrForTheDeadline() external view {
        assertFalse(handler.refundedTooEarly());
    }

    /// @dev Whatever is paused. That covers the sender of a tab that is open while another authority is announced, or was before.
    function invariant_aRefundThatIsDueIsNeverRefused() external view {
        assertFalse(handler.refundRefused());
    }

    function invariant_claimsRunAsLongAsTheyWerePaused() external view {
        assertFalse(handler.pausedTooLong());
        assertEq(router.claimsPausedUntil(), handler.claimsPausedUntil());
    }

    function invariant_anotherAuthorityTakesSevenDays() external view {
        assertFalse(handler.authorityChangedTooEarly());
        assertEq(router.authority(), handler.authority());
    }

    function invariant_onlyTheBotRouterOpensForOthersAndOnlyWhatIsPaidIn() external view {
        assertFalse(handler.openedForAnother());
        assertFalse(handler.openedUnpaid());
    }

    function invariant_noTabIsOpenedWhilePausedOrForAnotherTime() external view {
        assertFalse(handler.openedWhilePaused());
        for (uint256 i; i < handler.tabCount(); ++i) {
            (IEscrowRouter.Tab memory tab, uint256 openedAt,,) = handler.tabAt(i);
            assertGe(tab.deadline, openedAt + 1 hours);
            assertLe(tab.deadline, openedAt + 90 days);
        }
    }

    function invariant_everyLaneKnowsTheAuthorityAndThePause() external view {
        address[] memory all = router.executors();
        for (uint256 i; i < all.length; ++i) {
            uint256 lane = uint256(laneOf(all[i]));
            assertEq(address(uint160(lane)), router.authority());
            assertEq(uint64(lane >> 160), router.executorActiveFrom(all[i]));
            assertEq(lane >> 224, router.claimsPausedUntil());
        }
    }
}

contract InvariantsOnUsdcTest is InvariantsTest {}

contract InvariantsOnToken18Test is InvariantsTest {
    constructor() {
        onToken18 = true;
    }
}

contract FundsInvariantsOnDualNativeTest is FundsInvariantsTest {
    constructor() {
        onDual = true;
    }
}
