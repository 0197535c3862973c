// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PaymentHandler} from "../setup/PaymentHandler.sol";
import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";

abstract contract InvariantsTest is PaymentRouterTest {
    PaymentHandler internal handler;

    function setUp() public virtual override {
        super.setUp();
        handler = new PaymentHandler(router, usdc, USD, onBusiness);
        for (uint256 i; i < 4; ++i) {
            address account = i < 2 ? handler.payers(i) : handler.payees(i - 2);
            usdc.mint(account, 1e6 * USD);
            vm.deal(account, 1e6 ether);
        }
        handler.fund();
        targetContract(address(handler));
    }

    function invariant_aKeySettlesAtMostOnce() external view {
        for (uint256 i; i < handler.TERMS(); ++i) {
            bytes32 key = handler.keys(i);
            assertEq(handler.settledCount(key), router.settled(key) ? 1 : 0);
        }
    }

    function invariant_otherTermsCreditNothing() external view {
        assertFalse(handler.otherTermsUsedTheKey());
    }

    function invariant_nothingSettlesWhilePausedOrLate() external view {
        assertFalse(handler.settledWhilePausedOrLate());
    }

    function invariant_nobodyPaysWithoutItsWord() external view {
        assertFalse(handler.drawnWithoutAWord());
    }

    function invariant_onlyThePayeeMovesDepositsAndRefunds() external view {
        assertFalse(handler.movedByAnother());
    }

    function invariant_aCoveringDepositOnlySettles() external view {
        assertFalse(handler.coveredWasMoved());
        assertFalse(handler.sweepStoppedShort());
    }

    function invariant_refundsAndDepositsAreNeverPaused() external view {
        assertFalse(handler.exitWasPaused());
    }

    function invariant_refundsNeverExceedTheAmount() external view {
        for (uint256 i; i < handler.TERMS(); ++i) {
            bytes32 key = handler.keys(i);
            uint256 refunded = router.refunded(key);
            assertEq(refunded, handler.refunds(key));
            assertLe(refunded, router.settled(key) ? handler.termsAt(i).amount : 0);
        }
    }

    function invariant_theRouterHoldsNothing() external view {
        assertRouterEmpty();
    }

    /// @dev Payers, payees, treasuries, customers and deposit addresses have to the unit what the operations promised them.
    function invariant_everyUnitIsAccountedFor() external view {
        for (uint256 i; i < handler.accountCount(); ++i) {
            address account = handler.accounts(i);
            assertEq(usdc.balanceOf(account), handler.due(address(usdc), account), "USDC");
            assertEq(account.balance, handler.due(address(0), account), "native");
        }
    }
}

contract InvariantsOnUsdcTest is InvariantsTest {}

contract InvariantsOnToken18Test is InvariantsTest {
    constructor() {
        onToken18 = true;
    }
}
