// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EscrowRouterTest} from "../setup/EscrowRouterTest.sol";
import {ContractWallet} from "../setup/Hostile.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

/// @dev On Permit2's own bytecode.
abstract contract OpenWithPermit2Test is EscrowRouterTest {
    error InvalidSigner();
    error InvalidNonce();
    error InvalidContractSignature();
    error SignatureExpired(uint256 deadline);

    function setUp() public override {
        super.setUp();
        _approve(sender);
    }

    function test_openWithPermit2_isOpenedByAnyone() external {
        IEscrowRouter.Tab memory tab = newTab();
        IPermits.Permit2 memory permit = permit2For(tab, 1);
        expectOpened(tab);
        vm.prank(other);
        assertEq(router.openWithPermit2(tab, permit), idOf(tab));
        assertEq(usdc.balanceOf(sender), FUNDS * USD - tab.amount);
        assertHolds(tab.amount, 0);
    }

    function test_openWithPermit2_takesTheWrappedAsset() external {
        IEscrowRouter.Tab memory tab = nativeTab();
        tab.revocable = false;
        router.openWithPermit2(tab, permit2For(tab, 1));
        assertHolds(0, tab.amount);
    }

    function test_openWithPermit2_revertsWhenReplayed() external {
        IEscrowRouter.Tab memory tab = newTab();
        IPermits.Permit2 memory permit = permit2For(tab, 1);
        router.openWithPermit2(tab, permit);
        _expectRevert(tab, permit, exists(tab));
        refund(tab);
        _expectRevert(tab, permit, exists(tab));
        IEscrowRouter.Tab memory next = newTab();
        _expectRevert(next, permit2For(next, 1), abi.encodePacked(InvalidNonce.selector));
    }

    function test_openWithPermit2_revertsWhenAnyFieldOfTheTabIsAnother() external {
        IEscrowRouter.Tab memory tab = newTab();
        IPermits.Permit2 memory permit = permit2For(tab, 1);
        fund(other);
        _approve(other);
        IEscrowRouter.Tab[7] memory changed;
        for (uint256 i; i < 7; ++i) {
            changed[i] = abi.decode(abi.encode(tab), (IEscrowRouter.Tab));
        }
        changed[0].sender = other;
        changed[1].token = address(wrapped);
        changed[2].handleKey = keccak256("mallory");
        changed[3].amount += 1;
        changed[4].deadline += 1;
        changed[5].senderNonce += 100;
        changed[6].revocable = false;
        for (uint256 i; i < 7; ++i) {
            _expectRevert(changed[i], permit, abi.encodePacked(InvalidSigner.selector));
        }
        router.openWithPermit2(tab, permit);
    }

    function test_openWithPermit2_revertsWhenThePermitIsAnother() external {
        IEscrowRouter.Tab memory tab = newTab();
        bytes memory invalid = abi.encodePacked(InvalidSigner.selector);
        IPermits.Permit2 memory permit = permit2For(tab, 1);
        permit.nonce = 2;
        _expectRevert(tab, permit, invalid);
        permit = permit2For(tab, 1);
        permit.deadline += 1;
        _expectRevert(tab, permit, invalid);
        (, uint256 otherKey) = makeAddrAndKey("other");
        _expectRevert(tab, permit2As(otherKey, address(router), block.chainid, tab, 1), invalid);
        _expectRevert(tab, permit2As(senderKey, other, block.chainid, tab, 1), invalid);
        _expectRevert(tab, permit2As(senderKey, address(router), block.chainid + 1, tab, 1), invalid);
    }

    function test_openWithPermit2_revertsWhenExpired() external {
        IEscrowRouter.Tab memory tab = newTab();
        IPermits.Permit2 memory permit = permit2For(tab, 1);
        vm.warp(permit.deadline + 1);
        _expectRevert(tab, permit, abi.encodeWithSelector(SignatureExpired.selector, permit.deadline));
    }

    function test_openWithPermit2_revertsWhenThereAreNoFunds() external {
        IEscrowRouter.Tab memory tab = newTab();
        tab.amount = uint128(FUNDS * USD + 1);
        _expectRevert(tab, permit2For(tab, 1), abi.encodeWithSignature("Error(string)", "TRANSFER_FROM_FAILED"));
    }

    function test_openWithPermit2_revertsOnTermsThatOpenRefuses() external {
        IEscrowRouter.Tab memory tab = newTab();
        tab.token = other;
        _expectRevert(tab, permit2For(tab, 1), abi.encodePacked(IEscrowRouter.UnsupportedToken.selector));
        tab = newTab();
        tab.deadline = uint64(block.timestamp + 1 hours - 1);
        _expectRevert(tab, permit2For(tab, 1), abi.encodePacked(IEscrowRouter.InvalidDeadline.selector));
        vm.prank(guardian);
        router.pause();
        tab = newTab();
        _expectRevert(tab, permit2For(tab, 1), abi.encodePacked(IRoles.Paused.selector));
    }

    function test_openWithPermit2_takesTheSignatureOfAContractWallet() external {
        (address signer, uint256 key) = makeAddrAndKey("wallet owner");
        address wallet = address(new ContractWallet(signer));
        fund(wallet);
        _approve(wallet);
        IEscrowRouter.Tab memory tab = newTab();
        tab.sender = wallet;
        _expectRevert(tab, permit2For(tab, 1), abi.encodePacked(InvalidContractSignature.selector));
        router.openWithPermit2(tab, permit2As(key, address(router), block.chainid, tab, 1));
        assertHolds(tab.amount, 0);
    }

    /// @dev EIP-7702: Permit2 asks the code of a delegated account, which knows no ERC-1271. The account can still open itself.
    function test_openWithPermit2_ofADelegatedAccountIsRefusedByPermit2() external {
        vm.etch(sender, abi.encodePacked(hex"ef0100", address(usdc)));
        IEscrowRouter.Tab memory tab = newTab();
        IPermits.Permit2 memory permit = permit2For(tab, 1);
        vm.expectRevert();
        router.openWithPermit2(tab, permit);
        openTab(tab);
        assertHolds(tab.amount, 0);
    }

    function test_openWithPermit2_revertsWhereThereIsNoPermit2() external {
        vm.etch(PERMIT2, "");
        IEscrowRouter.Tab memory tab = newTab();
        _expectRevert(tab, permit2For(tab, 1), "");
    }

    function _approve(address account) private {
        vm.startPrank(account);
        usdc.approve(PERMIT2, type(uint256).max);
        wrapped.approve(PERMIT2, type(uint256).max);
        vm.stopPrank();
    }

    function _expectRevert(IEscrowRouter.Tab memory tab, IPermits.Permit2 memory permit, bytes memory reason) private {
        uint256 total = router.openTotal(tab.token);
        vm.expectRevert(reason);
        router.openWithPermit2(tab, permit);
        assertEq(router.openTotal(tab.token), total);
    }
}

contract OpenWithPermit2OnUsdcTest is OpenWithPermit2Test {}

contract OpenWithPermit2OnToken18Test is OpenWithPermit2Test {
    constructor() {
        onToken18 = true;
    }
}
