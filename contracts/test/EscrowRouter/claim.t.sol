// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EscrowRouterTest} from "../setup/EscrowRouterTest.sol";
import {ContractWallet} from "../setup/Hostile.sol";
import {EscrowRouter} from "../../src/EscrowRouter.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";
import {IExecutors} from "../../src/interfaces/IExecutors.sol";

abstract contract ClaimTest is EscrowRouterTest {
    function test_claim_paysTheWholeTabToTheRecipient() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        openTab(newTab());
        expectClaimed(tab, recipient);
        claim(tab, recipient);
        assertEq(usdc.balanceOf(recipient), tab.amount);
        assertStatus(tab, IEscrowRouter.Status.Claimed);
        assertHolds(5 * USD, 0);
    }

    function test_claim_paysTheNativeAsset() external {
        IEscrowRouter.Tab memory tab = opened(nativeTab());
        openTab(nativeTab());
        expectClaimed(tab, recipient);
        claim(tab, recipient);
        assertEq(recipient.balance, tab.amount);
        assertStatus(tab, IEscrowRouter.Status.Claimed);
        assertHolds(0, 5 ether);
    }

    function test_claim_worksAfterTheDeadlineUntilTheRefund() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        IEscrowRouter.Tab memory late = opened(newTab());
        vm.warp(tab.deadline + 1000 days);
        claim(tab, recipient);
        refund(late);
        expectClaimRevert(late, notOpen(late, IEscrowRouter.Status.Refunded));
        assertEq(usdc.balanceOf(recipient), tab.amount);
    }

    function test_claim_canBeTheSendersOwn() external {
        IEscrowRouter.Tab memory tab = opened(firmTab());
        claim(tab, sender);
        assertEq(usdc.balanceOf(sender), FUNDS * USD);
    }

    // ---------------------------------------------------------------------------------------------------------------- the two keys

    function test_claim_takesTheExecutorAndTheAuthority() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        uint64 notAfter = uint64(block.timestamp + 5 minutes);
        // The authority alone, and everybody else who holds its attestation.
        bytes memory attestation = attest(tab, recipient, notAfter);
        address[7] memory callers = [authority, owner, guardian, sender, recipient, botRouter, other];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(IExecutors.NotExecutor.selector);
            router.claim(tab, recipient, notAfter, attestation);
        }
        // The executor alone: with its own signature, with none, and with those of others.
        (, uint256 executorKey) = makeAddrAndKey("executor");
        (, uint256 ownerKey) = makeAddrAndKey("owner");
        bytes[4] memory signatures = [
            attestWith(executorKey, tab, recipient, notAfter),
            attestWith(ownerKey, tab, recipient, notAfter),
            attestWith(senderKey, tab, recipient, notAfter),
            bytes("")
        ];
        for (uint256 i; i < signatures.length; ++i) {
            _expectRevert(tab, notAfter, signatures[i], IEscrowRouter.InvalidSignature.selector);
        }
        assertStatus(tab, IEscrowRouter.Status.Open);
        vm.prank(executor);
        router.claim(tab, recipient, notAfter, attestation);
    }

    function test_claim_revertsWhenTheExecutorIsNotYetOrNoLongerInForce() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        vm.prank(owner);
        router.addExecutor(other);
        vm.warp(START + 24 hours - 1);
        uint64 notAfter = uint64(START + 24 hours);
        bytes memory attestation = attest(tab, recipient, notAfter);
        vm.prank(other);
        vm.expectRevert(IExecutors.NotExecutor.selector);
        router.claim(tab, recipient, notAfter, attestation);
        vm.prank(owner);
        router.removeExecutor(executor);
        _expectRevert(tab, notAfter, attestation, IExecutors.NotExecutor.selector);
        vm.warp(START + 24 hours);
        vm.prank(other);
        router.claim(tab, recipient, notAfter, attestation);
        assertEq(usdc.balanceOf(recipient), tab.amount);
    }

    function test_claim_takesTheAttestationOfAContractWallet() external {
        (address signer, uint256 key) = makeAddrAndKey("wallet owner");
        authority = address(new ContractWallet(signer));
        router = deployRouter();
        fund(sender);
        IEscrowRouter.Tab memory tab = opened(newTab());
        uint64 notAfter = uint64(block.timestamp);
        _expectRevert(tab, notAfter, attest(tab, recipient, notAfter), IEscrowRouter.InvalidSignature.selector);
        bytes memory attestation = attestWith(key, tab, recipient, notAfter);
        vm.prank(executor);
        router.claim(tab, recipient, notAfter, attestation);
        assertEq(usdc.balanceOf(recipient), tab.amount);
    }

    /// @dev EIP-7702: the authority has code now, which knows no ERC-1271, and its own key still counts.
    function test_claim_takesTheKeyOfADelegatedAuthority() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        vm.etch(authority, abi.encodePacked(hex"ef0100", address(usdc)));
        claim(tab, recipient);
        assertEq(usdc.balanceOf(recipient), tab.amount);
    }

    // -------------------------------------------------------------------------------------------------------------- the attestation

    function test_claim_takesAttestationsOfTenMinutesAtMost() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        uint64 notAfter = uint64(block.timestamp + 10 minutes);
        bytes memory tooLong = attest(tab, recipient, notAfter + 1);
        _expectRevert(tab, notAfter + 1, tooLong, IEscrowRouter.AttestationTooLong.selector);
        _expectRevert(tab, type(uint64).max, attest(tab, recipient, type(uint64).max), IEscrowRouter.AttestationTooLong.selector);
        bytes memory longest = attest(tab, recipient, notAfter);
        vm.warp(notAfter + 1);
        _expectRevert(tab, notAfter, longest, IEscrowRouter.Expired.selector);
        vm.warp(notAfter);
        vm.prank(executor);
        router.claim(tab, recipient, notAfter, longest);
    }

    function testFuzz_claim_takesNoOtherTimes(uint64 notAfter) external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        if (notAfter > type(uint32).max) notAfter = uint64(block.timestamp) - 60 + notAfter % 720;
        bytes memory attestation = attest(tab, recipient, notAfter);
        if (notAfter < block.timestamp) {
            _expectRevert(tab, notAfter, attestation, IEscrowRouter.Expired.selector);
        } else if (notAfter > block.timestamp + 10 minutes) {
            _expectRevert(tab, notAfter, attestation, IEscrowRouter.AttestationTooLong.selector);
        } else {
            vm.prank(executor);
            router.claim(tab, recipient, notAfter, attestation);
        }
    }

    function test_claim_revertsWhenAnythingElseWasAttested() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        IEscrowRouter.Tab memory another = opened(newTab());
        EscrowRouter second = deployRouter();
        uint64 notAfter = uint64(block.timestamp + 5 minutes);
        bytes32 right = claimHash(idOf(tab), HANDLE, recipient, notAfter);
        bytes32 refunding = refundHash(idOf(tab), notAfter);
        bytes[9] memory signatures = [
            sign(authorityKey, claimHash(idOf(another), HANDLE, recipient, notAfter)),
            sign(authorityKey, claimHash(idOf(tab), keccak256("bob"), recipient, notAfter)),
            sign(authorityKey, claimHash(idOf(tab), HANDLE, other, notAfter)),
            sign(authorityKey, claimHash(idOf(tab), HANDLE, recipient, notAfter + 1)),
            signIn(authorityKey, NAME, block.chainid + 1, address(router), right),
            signIn(authorityKey, NAME, block.chainid, address(second), right),
            signIn(authorityKey, "Ampersat Bot Router", block.chainid, address(router), right),
            sign(authorityKey, refunding),
            abi.encodePacked(sign(authorityKey, right), uint8(0))
        ];
        for (uint256 i; i < signatures.length; ++i) {
            _expectRevert(tab, notAfter, signatures[i], IEscrowRouter.InvalidSignature.selector);
        }
        // And what is right is right for this recipient and this second alone.
        bytes memory attestation = sign(authorityKey, right);
        vm.startPrank(executor);
        vm.expectRevert(IEscrowRouter.InvalidSignature.selector);
        router.claim(tab, other, notAfter, attestation);
        vm.expectRevert(IEscrowRouter.InvalidSignature.selector);
        router.claim(tab, recipient, notAfter - 1, attestation);
        vm.expectRevert(IEscrowRouter.InvalidSignature.selector);
        router.claim(another, recipient, notAfter, attestation);
        router.claim(tab, recipient, notAfter, attestation);
        vm.stopPrank();
    }

    /// @dev A signature has one form: its mirror image with the high `s` and its short form are refused.
    function test_claim_revertsOnOtherFormsOfTheSignature() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        uint64 notAfter = uint64(block.timestamp + 5 minutes);
        bytes memory attestation = attest(tab, recipient, notAfter);
        (bytes32 r, bytes32 s) = abi.decode(attestation, (bytes32, bytes32));
        uint8 v = uint8(attestation[64]);
        uint256 order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
        bytes memory mirrored = abi.encodePacked(r, order - uint256(s), v == 27 ? uint8(28) : uint8(27));
        _expectRevert(tab, notAfter, mirrored, IEscrowRouter.InvalidSignature.selector);
        bytes memory short = abi.encodePacked(r, uint256(s) | uint256(v - 27) << 255);
        _expectRevert(tab, notAfter, short, IEscrowRouter.InvalidSignature.selector);
    }

    /// @dev An attestation of before a fork of the chain is worth nothing after it.
    function test_claim_revertsOnAnotherChain() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        uint64 notAfter = uint64(block.timestamp + 5 minutes);
        bytes memory attestation = attest(tab, recipient, notAfter);
        vm.chainId(block.chainid + 1);
        vm.prank(executor);
        vm.expectRevert(notOpen(tab, IEscrowRouter.Status.Unknown));
        router.claim(tab, recipient, notAfter, attestation);
    }

    // ---------------------------------------------------------------------------------------------------------------------- the tab

    function test_claim_revertsWhenAnyFieldOfTheTabIsAnother() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        openTab(nativeTab());
        IEscrowRouter.Tab[7] memory changed;
        for (uint256 i; i < 7; ++i) {
            changed[i] = abi.decode(abi.encode(tab), (IEscrowRouter.Tab));
        }
        changed[0].sender = other;
        changed[1].senderNonce += 100;
        changed[2].token = address(wrapped);
        changed[3].handleKey = keccak256("mallory");
        changed[4].amount += 1;
        changed[5].deadline += 1;
        changed[6].revocable = false;
        for (uint256 i; i < 7; ++i) {
            // Though the authority attests these very terms.
            bool known = i > 1;
            expectClaimRevert(changed[i], notOpen(changed[i], known ? IEscrowRouter.Status.Open : IEscrowRouter.Status.Unknown));
        }
        claim(tab, recipient);
    }

    function test_claim_paysOnce() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        openTab(newTab());
        claim(tab, recipient);
        expectClaimRevert(tab, notOpen(tab, IEscrowRouter.Status.Claimed));
        expectRefundRevert(tab, sender, notOpen(tab, IEscrowRouter.Status.Claimed));
        vm.warp(tab.deadline);
        expectRefundRevert(tab, other, notOpen(tab, IEscrowRouter.Status.Claimed));
        assertHolds(5 * USD, 0);
    }

    function test_claim_revertsWhenNothingWasOpened() external {
        IEscrowRouter.Tab memory tab = newTab();
        expectClaimRevert(tab, notOpen(tab, IEscrowRouter.Status.Unknown));
    }

    function test_claim_revertsWhenTheRecipientCouldNeverSpend() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        uint64 notAfter = uint64(block.timestamp + 5 minutes);
        address[4] memory recipients = [address(0), address(router), address(usdc), address(wrapped)];
        for (uint256 i; i < recipients.length; ++i) {
            bytes memory attestation = attest(tab, recipients[i], notAfter);
            vm.prank(executor);
            vm.expectRevert(IEscrowRouter.InvalidRecipient.selector);
            router.claim(tab, recipients[i], notAfter, attestation);
        }
        assertStatus(tab, IEscrowRouter.Status.Open);
    }

    function test_claim_isNotStoppedByThePauseOfNewWork() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        vm.prank(guardian);
        router.pause();
        claim(tab, recipient);
        assertEq(usdc.balanceOf(recipient), tab.amount);
    }

    function testFuzz_claim_paysExactlyTheAmount(uint128 amount, bool native, address to) external {
        vm.assume(to.code.length == 0 && uint160(to) > 0xffff && to != address(router) && to != sender && to != other);
        IEscrowRouter.Tab memory tab = native ? nativeTab() : newTab();
        tab.amount = uint128(bound(amount, 1, native ? FUNDS * 1 ether : FUNDS * USD));
        tab.handleKey = keccak256(abi.encode(to, amount));
        openTab(tab);
        uint256 before = native ? to.balance : usdc.balanceOf(to);
        claim(tab, to);
        assertEq((native ? to.balance : usdc.balanceOf(to)) - before, tab.amount);
        assertHolds(0, 0);
    }

    function _expectRevert(IEscrowRouter.Tab memory tab, uint64 notAfter, bytes memory signature, bytes4 reason) internal {
        vm.prank(executor);
        vm.expectRevert(reason);
        router.claim(tab, recipient, notAfter, signature);
    }
}

contract ClaimOnUsdcTest is ClaimTest {
    function test_claim_waitsForARecipientWhomTheTokenRefuses() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        usdc.blacklist(recipient);
        expectClaimRevert(tab, transferFailed("Blacklistable: account is blacklisted"));
        assertStatus(tab, IEscrowRouter.Status.Open);
        // Another wallet of the claimant, or the sender, may still have it.
        claim(tab, other);
        assertEq(usdc.balanceOf(other), tab.amount);
    }

    function test_claim_waitsForATokenThatIsPaused() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        usdc.pause();
        expectClaimRevert(tab, transferFailed("Pausable: paused"));
        assertStatus(tab, IEscrowRouter.Status.Open);
        assertHolds(tab.amount, 0);
    }
}

contract ClaimOnToken18Test is ClaimTest {
    constructor() {
        onToken18 = true;
    }
}
