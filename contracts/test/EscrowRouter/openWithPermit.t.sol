// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EscrowRouterTest} from "../setup/EscrowRouterTest.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";
import {IGaslessToken} from "../../src/interfaces/IGaslessToken.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

/// @dev Where the allowance comes from does not matter, and the permit may fail: the allowance decides.
abstract contract OpenWithPermitTest is EscrowRouterTest {
    function test_openWithPermit_goesOnWithTheAllowanceWhenThePermitIsWorthNothing() external {
        IEscrowRouter.Tab memory tab = newTab();
        IPermits.Permit memory nothing;
        expectOpened(tab);
        assertEq(_open(tab, nothing), idOf(tab));
        assertHolds(tab.amount, 0);
    }

    function test_openWithPermit_takesTheWrappedAssetFromItsAllowance() external {
        IEscrowRouter.Tab memory tab = nativeTab();
        IPermits.Permit memory nothing;
        _open(tab, nothing);
        assertHolds(0, tab.amount);
    }

    function test_openWithPermit_revertsWhenTokenIsUnknown() external {
        IEscrowRouter.Tab memory tab = newTab();
        tab.token = other;
        // Nothing is called that the caller chose.
        vm.expectCall(other, "", 0);
        IPermits.Permit memory nothing;
        _expectRevert(tab, nothing, abi.encodePacked(IEscrowRouter.UnsupportedToken.selector));
    }

    function test_openWithPermit_revertsWhenPaused() external {
        vm.prank(guardian);
        router.pause();
        IPermits.Permit memory nothing;
        _expectRevert(newTab(), nothing, abi.encodePacked(IRoles.Paused.selector));
    }

    function _open(IEscrowRouter.Tab memory tab, IPermits.Permit memory permit) internal returns (bytes32) {
        vm.prank(tab.sender);
        return router.openWithPermit(tab.token, tab.handleKey, tab.amount, tab.deadline, tab.senderNonce, tab.revocable, permit);
    }

    function _expectRevert(IEscrowRouter.Tab memory tab, IPermits.Permit memory permit, bytes memory reason) internal {
        vm.prank(tab.sender);
        vm.expectRevert(reason);
        router.openWithPermit(tab.token, tab.handleKey, tab.amount, tab.deadline, tab.senderNonce, tab.revocable, permit);
        assertStatus(tab, IEscrowRouter.Status.Unknown);
    }
}

contract OpenWithPermitOnUsdcTest is OpenWithPermitTest {
    function test_openWithPermit_needsNoApproval() external {
        _noAllowance();
        IEscrowRouter.Tab memory tab = newTab();
        expectOpened(tab);
        _open(tab, _permit("USD Coin", address(router), tab.amount));
        assertHolds(tab.amount, 0);
        assertEq(usdc.allowance(sender, address(router)), 0);
    }

    function test_openWithPermit_goesOnWhenSomebodyUsedThePermitFirst() external {
        _noAllowance();
        IEscrowRouter.Tab memory tab = newTab();
        IPermits.Permit memory permit = _permit("USD Coin", address(router), tab.amount);
        vm.prank(other);
        IGaslessToken(address(usdc)).permit(sender, address(router), permit.value, permit.deadline, permit.v, permit.r, permit.s);
        _open(tab, permit);
        assertHolds(tab.amount, 0);
    }

    function test_openWithPermit_revertsWhenAnythingElseWasSigned() external {
        _noAllowance();
        IEscrowRouter.Tab memory tab = newTab();
        bytes memory reason = transferFailed("ERC20: transfer amount exceeds allowance");
        _expectRevert(tab, _permit("USDC", address(router), tab.amount), reason);
        _expectRevert(tab, _permit("USD Coin", other, tab.amount), reason);
        _expectRevert(tab, _permit("USD Coin", address(router), tab.amount - 1), reason);
        IPermits.Permit memory permit = _permit("USD Coin", address(router), tab.amount);
        permit.value += 1;
        _expectRevert(tab, permit, reason);
        permit.value -= 1;
        permit.deadline += 1;
        _expectRevert(tab, permit, reason);
        permit.deadline -= 1;
        vm.warp(permit.deadline + 1);
        _expectRevert(tab, permit, reason);
    }

    function test_openWithPermit_opensOnlyTheCallersOwn() external {
        _noAllowance();
        IEscrowRouter.Tab memory tab = newTab();
        IPermits.Permit memory permit = _permit("USD Coin", address(router), tab.amount);
        tab.sender = other;
        _expectRevert(tab, permit, transferFailed("ERC20: transfer amount exceeds allowance"));
        assertEq(usdc.balanceOf(sender), FUNDS * USD);
    }

    /// @dev EIP-7702: Circle's token asks the code of a delegated account, which knows no ERC-1271. An approval still counts.
    function test_openWithPermit_ofADelegatedAccountNeedsAnApproval() external {
        _noAllowance();
        vm.etch(sender, abi.encodePacked(hex"ef0100", address(usdc)));
        IEscrowRouter.Tab memory tab = newTab();
        IPermits.Permit memory permit = _permit("USD Coin", address(router), tab.amount);
        _expectRevert(tab, permit, transferFailed("ERC20: transfer amount exceeds allowance"));
        vm.prank(sender);
        usdc.approve(address(router), tab.amount);
        _open(tab, permit);
        assertHolds(tab.amount, 0);
    }

    function _noAllowance() private {
        vm.prank(sender);
        usdc.approve(address(router), 0);
    }

    function _permit(string memory name, address spender, uint256 value) private view returns (IPermits.Permit memory permit) {
        bytes32 typeHash = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        permit.value = value;
        permit.deadline = START + 1 hours;
        bytes memory signature =
            signInUsdc(senderKey, name, keccak256(abi.encode(typeHash, sender, spender, value, uint256(0), permit.deadline)));
        (permit.r, permit.s) = abi.decode(signature, (bytes32, bytes32));
        permit.v = uint8(signature[64]);
    }
}

contract OpenWithPermitOnToken18Test is OpenWithPermitTest {
    constructor() {
        onToken18 = true;
    }
}
