// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {AcrossAdapterTest} from "../setup/AcrossAdapterTest.sol";
import {AcrossHandler} from "../setup/AcrossHandler.sol";

abstract contract InvariantsTest is AcrossAdapterTest {
    uint256 private constant FUNDS = 1e6;
    AcrossHandler internal handler;

    function setUp() public virtual override {
        super.setUp();
        handler = new AcrossHandler(
            router, adapter, pool, usdc, wrapped, executor, poolOwner, USD, [DESTINATION, SOLANA, block.chainid]
        );
        for (uint256 i; i < handler.SENDERS(); ++i) {
            address account = handler.senders(i);
            fund(account);
            endow(account, FUNDS - 1000);
        }
        address stranger = handler.stranger();
        endow(stranger, FUNDS);
        vm.startPrank(stranger);
        usdc.approve(address(pool), type(uint256).max);
        wrapped.approve(address(pool), type(uint256).max);
        vm.stopPrank();
        targetContract(address(handler));
    }

    function invariant_theAdapterKeepsOnlyWhatCameByAccident() external view {
        assertEq(usdc.balanceOf(address(adapter)), handler.donated(address(usdc)));
        assertEq(wrapped.balanceOf(address(adapter)), handler.donated(address(wrapped)));
        assertEq(address(adapter).balance, 0);
        assertRouterEmpty();
    }

    function invariant_thePoolMayDrawNothing() external view {
        assertEq(usdc.allowance(address(adapter), address(pool)), 0);
        assertEq(wrapped.allowance(address(adapter), address(pool)), 0);
    }

    function invariant_thePoolHoldsTheSumOfItsDeposits() external view {
        assertEq(usdc.balanceOf(address(pool)), handler.inPool(address(usdc)));
        assertEq(wrapped.balanceOf(address(pool)), handler.inPool(address(wrapped)));
    }

    function invariant_aSettledKeyHasOneDeposit() external view {
        for (uint256 i; i < handler.KEYS(); ++i) {
            bytes32 key = handler.keyAt(i);
            assertEq(handler.settledCount(key), router.processed(key) ? 1 : 0);
            uint256 deposits = handler.depositCount(key);
            assertEq(deposits, handler.crossCount(key));
            assertLe(deposits, handler.settledCount(key));
        }
    }

    function invariant_aDepositIsWhatTheTipSays() external view {
        assertFalse(handler.depositedOtherThanTold());
        assertFalse(handler.depositedWithoutATip());
    }

    function invariant_onlyTheRouterBridges() external view {
        assertFalse(handler.bridgedByAnother());
    }

    function invariant_whatIsRefusedLeavesItsKeyUnused() external view {
        assertFalse(handler.settledWhatIsRefused());
        assertFalse(handler.failedTipUsedItsKey());
    }

    /// @dev A sender's money is in deposits, fees and tips, and nowhere else; what nobody delivered is the sender's again.
    function invariant_everyUnitIsAccountedFor() external view {
        address[2] memory tokens = [address(usdc), address(wrapped)];
        for (uint256 i; i < 2; ++i) {
            address what = tokens[i];
            for (uint256 j; j < handler.SENDERS(); ++j) {
                address account = handler.senders(j);
                uint256 out = handler.deposited(what, account) + handler.paidFees(what, account) + handler.tipped(what, account);
                uint256 start = FUNDS * (i == 0 ? USD : 1 ether);
                assertEq(balanceOf(what, account), start - out + handler.refunded(what, account));
            }
            assertEq(balanceOf(what, treasury), handler.fees(what));
        }
        assertEq(usdc.balanceOf(handler.recipient()), handler.received(address(usdc)));
        assertEq(handler.recipient().balance, handler.received(address(wrapped)));
    }

    function endow(address account, uint256 whole) private {
        usdc.mint(account, whole * USD);
        vm.deal(account, whole * 1 ether);
        vm.prank(account);
        wrapped.deposit{value: whole * 1 ether}();
    }
}

contract InvariantsOnUsdcTest is InvariantsTest {}

contract InvariantsOnToken18Test is InvariantsTest {
    constructor() {
        onToken18 = true;
    }
}
