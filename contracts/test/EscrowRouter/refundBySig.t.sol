// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EscrowRouterTest} from "../setup/EscrowRouterTest.sol";
import {ContractWallet} from "../setup/Hostile.sol";
import {EscrowRouter} from "../../src/EscrowRouter.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";

abstract contract RefundBySigTest is EscrowRouterTest {
    function test_refundBySig_onTheSendersSignature() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        bytes memory signature = _sign(senderKey, tab);
        expectRefunded(tab);
        vm.prank(executor);
        router.refundBySig(tab, START, signature);
        assertEq(usdc.balanceOf(sender), FUNDS * USD);
        assertStatus(tab, IEscrowRouter.Status.Refunded);
        assertHolds(0, 0);
        _expectRevert(tab, START, signature, notOpen(tab, IEscrowRouter.Status.Refunded));
    }

    function test_refundBySig_isNeverPaused() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        vm.startPrank(guardian);
        router.pause();
        router.pauseClaims(72 hours);
        vm.stopPrank();
        router.refundBySig(tab, START, _sign(senderKey, tab));
    }

    function test_refundBySig_revertsWhenExpired() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        bytes memory signature = _sign(senderKey, tab);
        vm.warp(START + 1);
        _expectRevert(tab, START, signature, abi.encodePacked(IEscrowRouter.Expired.selector));
    }

    function test_refundBySig_revertsWhenTheTabIsNotRevocable() external {
        IEscrowRouter.Tab memory tab = opened(firmTab());
        bytes memory notRefundable = abi.encodePacked(IEscrowRouter.NotRefundable.selector);
        _expectRevert(tab, START, _sign(senderKey, tab), notRefundable);
        // From the deadline on it is due to the sender anyway.
        bytes memory signature = sign(senderKey, refundHash(idOf(tab), tab.deadline));
        vm.warp(tab.deadline - 1);
        _expectRevert(tab, tab.deadline, signature, notRefundable);
        vm.warp(tab.deadline);
        router.refundBySig(tab, tab.deadline, signature);
        assertEq(usdc.balanceOf(sender), FUNDS * USD);
    }

    function test_refundBySig_revertsWhenAnythingElseWasSigned() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        IEscrowRouter.Tab memory another = opened(newTab());
        EscrowRouter second = deployRouter();
        bytes32 right = refundHash(idOf(tab), START);
        bytes[8] memory signatures = [
            sign(authorityKey, right),
            sign(senderKey, refundHash(idOf(another), START)),
            sign(senderKey, refundHash(idOf(tab), START + 1)),
            signIn(senderKey, NAME, block.chainid + 1, address(router), right),
            signIn(senderKey, NAME, block.chainid, address(second), right),
            signIn(senderKey, "Ampersat Bot Router", block.chainid, address(router), right),
            sign(senderKey, claimHash(idOf(tab), HANDLE, sender, uint64(START))),
            bytes("")
        ];
        bytes memory invalid = abi.encodePacked(IEscrowRouter.InvalidSignature.selector);
        for (uint256 i; i < signatures.length; ++i) {
            _expectRevert(tab, START, signatures[i], invalid);
        }
        _expectRevert(tab, START + 1, sign(senderKey, right), invalid);
        // After the deadline too: what needs no signature has `refund`.
        vm.warp(tab.deadline);
        _expectRevert(tab, tab.deadline, sign(authorityKey, refundHash(idOf(tab), tab.deadline)), invalid);
    }

    function test_refundBySig_takesTheSignatureOfAContractWallet() external {
        (address signer, uint256 key) = makeAddrAndKey("wallet owner");
        address wallet = address(new ContractWallet(signer));
        fund(wallet);
        IEscrowRouter.Tab memory tab = newTab();
        tab.sender = wallet;
        openTab(tab);
        _expectRevert(tab, START, _sign(senderKey, tab), abi.encodePacked(IEscrowRouter.InvalidSignature.selector));
        router.refundBySig(tab, START, _sign(key, tab));
        assertEq(usdc.balanceOf(wallet), FUNDS * USD);
    }

    /// @dev EIP-7702: the account has code now, which knows no ERC-1271, and its own key still counts.
    function test_refundBySig_takesTheKeyOfADelegatedAccount() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        vm.etch(sender, abi.encodePacked(hex"ef0100", address(usdc)));
        router.refundBySig(tab, START, _sign(senderKey, tab));
        assertEq(usdc.balanceOf(sender), FUNDS * USD);
    }

    /// @dev A signature for a tab that is not open yet is good once it is, and only until it expires.
    function test_refundBySig_revertsWhenNothingWasOpened() external {
        IEscrowRouter.Tab memory tab = newTab();
        bytes memory signature = _sign(senderKey, tab);
        _expectRevert(tab, START, signature, notOpen(tab, IEscrowRouter.Status.Unknown));
        openTab(tab);
        router.refundBySig(tab, START, signature);
    }

    /// @dev For the first second of the test only.
    function _sign(uint256 key, IEscrowRouter.Tab memory tab) private view returns (bytes memory) {
        return sign(key, refundHash(idOf(tab), START));
    }

    function _expectRevert(IEscrowRouter.Tab memory tab, uint256 deadline, bytes memory signature, bytes memory reason) private {
        vm.expectRevert(reason);
        router.refundBySig(tab, deadline, signature);
    }
}

contract RefundBySigOnUsdcTest is RefundBySigTest {}

contract RefundBySigOnToken18Test is RefundBySigTest {
    constructor() {
        onToken18 = true;
    }
}
