// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {RouterTest} from "./RouterTest.sol";
import {BotRouter} from "../../src/BotRouter.sol";
import {EscrowRouter} from "../../src/EscrowRouter.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";

/// @dev A bot router on Circle's USDC, with a sender who has allowance, limits and balance in both tokens.
abstract contract BotRouterTest is RouterTest {
    address internal sender;
    uint256 internal senderKey;
    address internal recipient = makeAddr("recipient");

    EscrowRouter internal escrow;
    BotRouter internal router;

    uint256 private _keys;

    function setUp() public virtual override {
        super.setUp();
        (sender, senderKey) = makeAddrAndKey("sender");
        // Each of the two knows the other's address from its first moment.
        address next = vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 1);
        escrow = EscrowRouter(
            deployShipped(
                "EscrowRouter",
                abi.encode(owner, guardian, authority, executorList(), address(usdc), address(wrapped), next, PERMIT2)
            )
        );
        router = deployRouter(address(0));
        assertEq(address(router), next);
        subject = next;
        fund(sender);
    }

    function deployRouter(address bridgeAdapter) internal returns (BotRouter) {
        return BotRouter(
            deployShipped(
                "BotRouter",
                abi.encode(
                    owner, guardian, treasury, executorList(), address(usdc), address(wrapped), address(escrow), bridgeAdapter
                )
            )
        );
    }

    /// @dev 1,000 of each token, full allowance, limits of 100 a tip, 500 a day, 1 of fee.
    function fund(address account) internal {
        usdc.mint(account, 1000 * USD);
        vm.deal(account, 1000 ether);
        vm.startPrank(account);
        wrapped.deposit{value: 1000 ether}();
        usdc.approve(address(router), type(uint256).max);
        wrapped.approve(address(router), type(uint256).max);
        router.setLimits(address(usdc), 100 * USD, 500 * USD, USD);
        router.setLimits(address(wrapped), 100 ether, 500 ether, 1 ether);
        vm.stopPrank();
    }

    function newKey() internal returns (bytes32) {
        return keccak256(abi.encode("message", ++_keys));
    }

    /// @dev 5 USDC and a fee of 0.10 from `sender` to `recipient`, with a new message key.
    function usdcTip() internal returns (IBotRouter.Tip memory) {
        return IBotRouter.Tip({
            messageKey: newKey(),
            sender: sender,
            recipient: recipient,
            token: address(usdc),
            amount: 5 * USD,
            fee: USD / 10,
            validUntil: uint64(block.timestamp + 15 minutes)
        });
    }

    /// @dev 5 of the native asset and a fee of 0.1.
    function nativeTip() internal returns (IBotRouter.Tip memory t) {
        t = usdcTip();
        t.token = address(wrapped);
        t.amount = 5 ether;
        t.fee = 0.1 ether;
    }

    /// @dev A signature of `key` over a struct hash in this router's domain.
    function sign(uint256 key, bytes32 structHash) internal view returns (bytes memory) {
        return signIn(key, "Ampersat Bot Router", block.chainid, address(router), structHash);
    }

    function limitsHash(
        address account,
        address token,
        uint128 perTip,
        uint128 perDay,
        uint128 maxFee,
        uint256 nonce,
        uint256 deadline
    ) internal pure returns (bytes32) {
        bytes32 typeHash = keccak256(
            "SetLimits(address sender,address token,uint128 perTip,uint128 perDay,uint128 maxFee,uint256 nonce,uint256 deadline)"
        );
        return keccak256(abi.encode(typeHash, account, token, perTip, perDay, maxFee, nonce, deadline));
    }

    function unpauseHash(address account, uint256 nonce, uint256 deadline) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(keccak256("UnpauseSender(address sender,uint256 nonce,uint256 deadline)"), account, nonce, deadline)
        );
    }

    function assertLimits(address account, address token, uint128 perTip, uint128 perDay, uint128 maxFee) internal view {
        (uint128 perTipNow, uint128 perDayNow, uint128 maxFeeNow,,) = router.limitsOf(account, token);
        assertEq(perTipNow, perTip, "perTip");
        assertEq(perDayNow, perDay, "perDay");
        assertEq(maxFeeNow, maxFee, "maxFee");
    }

    function expectTipRevert(IBotRouter.Tip memory t, bytes memory reason) internal {
        vm.prank(executor);
        vm.expectRevert(reason);
        router.tip(t);
        assertFalse(router.processed(t.messageKey), "a failed tip used its key");
    }

    function expectTipRevert(IBotRouter.Tip memory t, bytes4 reason) internal {
        expectTipRevert(t, abi.encodePacked(reason));
    }

    function settle(IBotRouter.Tip memory t) internal {
        vm.prank(executor);
        router.tip(t);
    }

    function spentOf(address account, address token) internal view returns (uint128 spent) {
        (,,, spent,) = router.limitsOf(account, token);
    }

    function assertRouterEmpty() internal view {
        assertEq(usdc.balanceOf(address(router)), 0, "router holds USDC");
        assertEq(wrapped.balanceOf(address(router)), 0, "router holds wrapped");
        assertEq(address(router).balance, 0, "router holds native");
    }
}
