// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SubscriptionHandler} from "../setup/SubscriptionHandler.sol";
import {SubscriptionRouterTest} from "../setup/SubscriptionRouterTest.sol";
import {ISubscriptionRouter} from "../../src/interfaces/ISubscriptionRouter.sol";

abstract contract InvariantsTest is SubscriptionRouterTest {
    uint256 private constant FUNDS = 1e6;
    SubscriptionHandler internal handler;

    function setUp() public virtual override {
        super.setUp();
        handler = new SubscriptionHandler(router, usdc, PERMIT2, executor, USD);
        for (uint256 i; i < handler.SUBSCRIBERS(); ++i) {
            address account = handler.subscribers(i);
            if (i == 2) fundPermit2(account, type(uint160).max, type(uint48).max);
            else fund(account);
            usdc.mint(account, (FUNDS - 1000) * USD);
        }
        handler.subscribeAll();
        targetContract(address(handler));
    }

    function invariant_atMostOneChargePerElapsedPeriod() external view {
        assertFalse(handler.chargedTwiceInAPeriod());
    }

    function invariant_halfAPeriodLiesBetweenTwoCharges() external view {
        assertFalse(handler.chargedWithinHalfAPeriod());
    }

    /// @dev Or, where that is nearer than half a period, half a period after the last charge.
    function invariant_theNextTimeIsTheFirstMultipleAfterTheLastCharge() external view {
        assertTrue(handler.timesAgree());
    }

    function invariant_noChargeAfterCancelHaltOrLapse() external view {
        assertFalse(handler.chargedAfterItsEnd());
    }

    function invariant_unpaidForThreePeriodsItReadsAsHalted() external view {
        assertTrue(handler.statesAgree());
    }

    function invariant_noChargeOnAnInactivePlan() external view {
        assertFalse(handler.chargedOnAnInactivePlan());
    }

    function invariant_noChargeWhilePaused() external view {
        assertFalse(handler.chargedWhilePaused());
    }

    function invariant_everyChargeTakesTheAmountExactly() external view {
        assertFalse(handler.chargedAnotherAmount());
    }

    function invariant_theTermsOfAPlanNeverChange() external view {
        for (uint256 p; p < handler.PLANS(); ++p) {
            ISubscriptionRouter.Plan memory plan = router.planOf(handler.plans(p));
            assertEq(plan.creator, handler.creators(p % 2));
            assertEq(plan.token, address(usdc));
            assertEq(plan.amount, handler.amounts(p));
            assertEq(plan.period, handler.periods(p));
            bytes32 key = router.planKeyOf(plan.creator, bytes32(p), plan.token, plan.amount, plan.period);
            assertEq(key, handler.plans(p));
        }
    }

    function invariant_aDueChargeSucceeds() external view {
        assertFalse(handler.aDueChargeFailed());
    }

    function invariant_endingIsNeverRefused() external view {
        assertFalse(handler.anEndWasRefused());
    }

    function invariant_onlyTheirPartiesActOnPlansAndSubscriptions() external view {
        assertFalse(handler.othersActed());
    }

    function invariant_executorsOnlyHalt() external view {
        assertFalse(handler.executorDidMoreThanHalt());
    }

    function invariant_aUsedUpSignatureDoesNothing() external view {
        assertFalse(handler.anOldSignatureWorked());
    }

    function invariant_aBatchCountsWhatItCharged() external view {
        assertFalse(handler.batchMiscounted());
    }

    function invariant_theRouterHoldsNothing() external view {
        assertRouterEmpty();
    }

    /// @dev Nothing is lost, made or taken beyond what was charged.
    function invariant_everyUnitIsAccountedFor() external view {
        for (uint256 s; s < handler.SUBSCRIBERS(); ++s) {
            address account = handler.subscribers(s);
            assertEq(usdc.balanceOf(account), FUNDS * USD - handler.given(account));
        }
        for (uint256 i; i < 2; ++i) {
            assertEq(usdc.balanceOf(handler.creators(i)), handler.received(handler.creators(i)));
        }
        assertEq(usdc.balanceOf(treasury), handler.fees());
    }
}

contract InvariantsOnUsdcTest is InvariantsTest {}

contract InvariantsOnToken18Test is InvariantsTest {
    constructor() {
        onToken18 = true;
    }
}
