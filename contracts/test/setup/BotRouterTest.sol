// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {Escrow} from "./Escrow.sol";
import {IUsdc, Usdc} from "./Usdc.sol";
import {BotRouter} from "../../src/BotRouter.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";
import {Token18} from "../../src/local/Token18.sol";
import {WrappedNative} from "../../src/local/WrappedNative.sol";

/// @dev A bot router on Circle's USDC, with a sender who has allowance, limits and balance in both tokens. `OnToken18` puts a suite
/// on the plain token with 18 decimals instead.
abstract contract BotRouterTest is Test {
    /// @dev One dollar in the smallest units of the token that stands for USDC.
    uint128 internal USD = 1e6;
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

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

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
        return
            new BotRouter(owner, guardian, treasury, executors, address(usdc), address(wrapped), address(escrow), bridgeAdapter);
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
        return abi.encodeWithSelector(IBotRouter.TransferFailed.selector, abi.encodeWithSignature("Error(string)", reason));
    }

    /// @dev A signature of `key` over a struct hash in this router's domain.
    function sign(uint256 key, bytes32 structHash) internal view returns (bytes memory) {
        return signIn(key, "Ampersat Bot Router", block.chainid, address(router), structHash);
    }

    function signIn(uint256 key, string memory name, uint256 chainId, address verifier, bytes32 structHash)
        internal
        pure
        returns (bytes memory)
    {
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256(bytes(name)), keccak256("1"), chainId, verifier));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked(hex"1901", domain, structHash)));
        return abi.encodePacked(r, s, v);
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

/// @dev Mix-in: the plain token with 18 decimals stands for USDC.
abstract contract OnToken18 is BotRouterTest {
    function deployUsdc() internal virtual override returns (IUsdc) {
        USD = 1e18;
        return IUsdc(address(new Token18(address(this))));
    }
}
