// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {Escrow} from "./Escrow.sol";
import {IUsdc, Usdc} from "./Usdc.sol";
import {BotRouter} from "../../src/BotRouter.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";
import {WrappedNative} from "../../src/local/WrappedNative.sol";

/// @dev A bot router on Circle's USDC, with a sender who has allowance, limits and balance in both tokens.
abstract contract BotRouterTest is Test {
    uint128 internal constant USD = 1e6;
    uint256 internal constant START = 1_800_000_000;

    address internal owner = makeAddr("owner");
    address internal guardian = makeAddr("guardian");
    address internal treasury = makeAddr("treasury");
    address internal executor = makeAddr("executor");
    address internal sender;
    uint256 internal senderKey;
    address internal recipient = makeAddr("recipient");

    IUsdc internal usdc;
    WrappedNative internal wrapped;
    Escrow internal escrow;
    BotRouter internal router;

    uint256 private _keys;

    function setUp() public virtual {
        vm.warp(START);
        (sender, senderKey) = makeAddrAndKey("sender");
        usdc = deployUsdc();
        wrapped = new WrappedNative();
        escrow = new Escrow();
        router = deployRouter(address(0));
        escrow.wire(address(router), address(usdc), address(wrapped));
        fund(sender);
    }

    function deployUsdc() internal virtual returns (IUsdc) {
        return Usdc.deploy();
    }

    function deployRouter(address bridgeAdapter) internal returns (BotRouter) {
        address[] memory executors = new address[](1);
        executors[0] = executor;
        return new BotRouter(
            owner, guardian, treasury, executors, address(usdc), address(wrapped), address(escrow), bridgeAdapter
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

    function transferFailed(string memory reason) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(
            IBotRouter.TransferFailed.selector, abi.encodeWithSignature("Error(string)", reason)
        );
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
