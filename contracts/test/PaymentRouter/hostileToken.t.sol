// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HostileToken} from "../setup/Hostile.sol";
import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";
import {IUsdc} from "../setup/Usdc.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";

/// @dev The hostile token with what the payment routers call besides: `transfer`, which misbehaves alike, and EIP-3009 that asks
/// for no signature and behaves.
contract HostileDollar is HostileToken {
    function transfer(address to, uint256 amount) external {
        allowance[msg.sender][address(this)] = amount;
        (bool ok, bytes memory result) = address(this).call(abi.encodeCall(this.transferFrom, (msg.sender, to, amount)));
        allowance[msg.sender][address(this)] = 0;
        assembly {
            if iszero(ok) { revert(add(result, 32), mload(result)) }
            return(add(result, 32), mload(result))
        }
    }

    function receiveWithAuthorization(address from, address to, uint256 amount, uint256, uint256, bytes32, bytes calldata)
        external
    {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

contract HostileTokenTest is PaymentRouterTest {
    HostileDollar private token;

    function deployUsdc() internal override returns (IUsdc) {
        token = new HostileDollar();
        return IUsdc(address(token));
    }

    /// @dev The three ways in which money moves: pulled from the payer, pushed by the router, pushed by a deposit.
    function settle(IPaymentRouter.Terms memory terms, uint256 way) private {
        if (way == 0) {
            vm.prank(payer);
            router.pay{gas: 1_000_000}(terms);
        } else if (way == 1) {
            IPermits.Authorization memory none;
            router.payWithAuthorization{gas: 1_000_000}(terms, payer, none);
        } else {
            router.sweep{gas: 1_000_000}(terms);
        }
    }

    function prepared(uint256 way) private returns (IPaymentRouter.Terms memory terms) {
        terms = usdcTerms();
        if (way == 2) token.mint(router.depositAddress(terms), terms.amount);
    }

    function test_token_withoutAReturnValueIsTaken() external {
        for (uint256 way; way < 3; ++way) {
            IPaymentRouter.Terms memory terms = prepared(way);
            token.set(HostileToken.Mode.NoReturn);
            settle(terms, way);
            token.set(HostileToken.Mode.None);
            assertEq(token.balanceOf(payee), (way + 1) * 99 * USD);
            assertEq(token.balanceOf(treasury), (way + 1) * USD);
            assertRouterEmpty();
        }
    }

    function test_token_thatDoesNotAnswerTrueIsRefused() external {
        HostileToken.Mode[6] memory modes = [
            HostileToken.Mode.FalseReturn,
            HostileToken.Mode.OtherReturn,
            HostileToken.Mode.ShortReturn,
            HostileToken.Mode.LongReason,
            HostileToken.Mode.EatsGas,
            HostileToken.Mode.Silent
        ];
        for (uint256 i; i < modes.length; ++i) {
            for (uint256 way; way < 3; ++way) {
                IPaymentRouter.Terms memory terms = prepared(way);
                token.set(modes[i]);
                uint256 before = token.balanceOf(payer);
                vm.expectPartialRevert(IPaymentRouter.TransferFailed.selector);
                this.settleFromOutside(terms, way);
                assertFalse(router.settled(router.keyOf(terms)));
                assertEq(token.balanceOf(payer), before);
                assertEq(token.balanceOf(treasury), 0);
            }
        }
    }

    function settleFromOutside(IPaymentRouter.Terms memory terms, uint256 way) external {
        settle(terms, way);
    }

    /// @dev A token that takes a part of each transfer pays less, and nothing of the router's or of another's.
    function test_token_thatTakesAFeeCostsThePayee() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        token.set(HostileToken.Mode.TakesFee);
        settle(terms, 0);
        assertEq(token.balanceOf(payee), 99 * USD - 99 * USD / 100);
        assertRouterEmpty();
    }

    /// @dev A token that calls back finds the key settled, and the refund written.
    function test_token_thatReentersFindsTheKeyUsed() external {
        for (uint256 way; way < 3; ++way) {
            IPaymentRouter.Terms memory terms = prepared(way);
            token.setReentry(address(router), abi.encodeCall(router.sweep, (terms)));
            settle(terms, way);
            assertTrue(token.reentryFailed());
            token.set(HostileToken.Mode.None);
            assertTrue(router.settled(router.keyOf(terms)));
            assertEq(token.balanceOf(payee), (way + 1) * 99 * USD);
        }
        IPaymentRouter.Terms memory paid = usdcTerms();
        settle(paid, 0);
        fund(payee);
        bytes32 key = router.keyOf(paid);
        bytes memory signature = sign(payeeKey, refundHash(key, other, 60 * USD, 0, START));
        token.setReentry(address(router), abi.encodeCall(router.refundBySig, (paid, other, 60 * USD, 0, START, signature)));
        router.refundBySig(paid, other, 60 * USD, 0, START, signature);
        assertTrue(token.reentryFailed());
        assertEq(router.refunded(key), 60 * USD);
        assertEq(token.balanceOf(other), 60 * USD);
    }
}
