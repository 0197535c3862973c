// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EscrowRouterTest} from "../setup/EscrowRouterTest.sol";
import {HostileToken} from "../setup/Hostile.sol";
import {IUsdc} from "../setup/Usdc.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";

/// @dev Misbehaves when it is sent, too, and can call back before it moves anything.
contract HostileVaultToken is HostileToken {
    Mode private _sending;
    address private _target;
    bytes[] private _calls;
    bytes[] public answers;

    function setSending(Mode sending) external {
        _sending = sending;
    }

    /// @dev In the next transfer.
    function callBack(address target, bytes calldata data) external {
        _target = target;
        _calls.push(data);
    }

    function answerCount() external view returns (uint256) {
        return answers.length;
    }

    function transfer(address to, uint256 amount) external {
        if (_sending == Mode.Silent) assembly { revert(0, 0) }
        if (_sending == Mode.LongReason) assembly { revert(0x80, 5000) }
        if (_sending == Mode.EatsGas) while (true) {}
        if (_sending == Mode.FalseReturn) _answer(0, 32);
        if (_sending == Mode.OtherReturn) _answer(2, 32);
        if (_sending == Mode.ShortReturn) _answer(1 << 255, 1);
        bytes[] memory calls = _calls;
        delete _calls;
        for (uint256 i; i < calls.length; ++i) {
            (bool ok, bytes memory data) = _target.call(calls[i]);
            answers.push(ok ? bytes("it went through") : data);
        }
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += _sending == Mode.TakesFee ? amount - amount / 100 : amount;
        if (_sending == Mode.NoReturn) assembly { return(0, 0) }
        _answer(1, 32);
    }

    function _answer(uint256 word, uint256 size) private pure {
        assembly {
            mstore(0, word)
            return(0, size)
        }
    }
}

contract HostileTokenTest is EscrowRouterTest {
    HostileVaultToken private token;

    function deployUsdc() internal override returns (IUsdc) {
        token = new HostileVaultToken();
        return IUsdc(address(token));
    }

    function test_hostileToken_withoutAnAnswerIsTaken() external {
        token.set(HostileToken.Mode.NoReturn);
        token.setSending(HostileToken.Mode.NoReturn);
        claim(opened(newTab()), recipient);
        refund(opened(newTab()));
        assertEq(usdc.balanceOf(recipient), 5 * USD);
        assertHolds(0, 0);
    }

    function test_hostileToken_thatRefusesOpensNothing() external {
        bytes[5] memory reasons = [abi.encode(0), abi.encode(2), abi.encodePacked(bytes1(0x80)), bytes(""), new bytes(512)];
        HostileToken.Mode[5] memory modes = _refusals();
        for (uint256 i; i < modes.length; ++i) {
            token.set(modes[i]);
            expectOpenRevert(newTab(), _failed(reasons[i]));
        }
        assertHolds(0, 0);
    }

    function test_hostileToken_thatRefusesLeavesTheTabOpen() external {
        bytes[5] memory reasons = [abi.encode(0), abi.encode(2), abi.encodePacked(bytes1(0x80)), bytes(""), new bytes(512)];
        HostileToken.Mode[5] memory modes = _refusals();
        IEscrowRouter.Tab memory tab = opened(newTab());
        for (uint256 i; i < modes.length; ++i) {
            token.setSending(modes[i]);
            expectClaimRevert(tab, _failed(reasons[i]));
            expectRefundRevert(tab, sender, _failed(reasons[i]));
            assertStatus(tab, IEscrowRouter.Status.Open);
            assertHolds(tab.amount, 0);
        }
        token.setSending(HostileToken.Mode.None);
        claim(tab, recipient);
        assertHolds(0, 0);
    }

    function test_hostileToken_thatEatsGasChangesNothing() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        token.setSending(HostileToken.Mode.EatsGas);
        vm.prank(sender);
        vm.expectRevert();
        router.refund{gas: 500_000}(tab);
        token.set(HostileToken.Mode.EatsGas);
        IEscrowRouter.Tab memory next = newTab();
        vm.prank(sender);
        vm.expectRevert();
        router.open{gas: 500_000}(next.token, HANDLE, next.amount, next.deadline, next.senderNonce, true);
        assertStatus(tab, IEscrowRouter.Status.Open);
        assertStatus(next, IEscrowRouter.Status.Unknown);
        assertHolds(tab.amount, 0);
    }

    /// @dev A tab that says more than came in would be paid from the tabs of others.
    function test_hostileToken_thatTakesAFeeOpensNothing() external {
        openTab(newTab());
        token.set(HostileToken.Mode.TakesFee);
        expectOpenRevert(newTab(), IEscrowRouter.NotFunded.selector);
        IEscrowRouter.Tab memory tab = newTab();
        vm.prank(sender);
        token.transferFrom(sender, address(router), 0);
        vm.prank(botRouter);
        vm.expectRevert(IEscrowRouter.NotFunded.selector);
        router.openFor(sender, tab.token, HANDLE, tab.amount, tab.deadline, tab.senderNonce);
        assertHolds(5 * USD, 0);
    }

    /// @dev What lies here unclaimed may make up for it; the open tabs stay covered.
    function test_hostileToken_thatTakesAFeeNeverUncoversATab() external {
        openTab(newTab());
        token.mint(address(router), USD / 10);
        token.set(HostileToken.Mode.TakesFee);
        openTab(newTab());
        openTab(newTab());
        assertHolds(15 * USD, 0);
        expectOpenRevert(newTab(), IEscrowRouter.NotFunded.selector);
    }

    /// @dev A fee on the way out is the recipient's loss and nobody else's.
    function test_hostileToken_thatTakesAFeeOnTheWayOut() external {
        openTab(newTab());
        IEscrowRouter.Tab memory tab = opened(newTab());
        token.setSending(HostileToken.Mode.TakesFee);
        claim(tab, recipient);
        assertEq(usdc.balanceOf(recipient), 5 * USD - 5 * USD / 100);
        assertHolds(5 * USD, 0);
    }

    function test_hostileToken_reentryFindsTheTabClosed() external {
        IEscrowRouter.Tab memory tab = opened(newTab());
        openTab(newTab());
        vm.prank(owner);
        router.addExecutor(address(token));
        vm.warp(block.timestamp + 24 hours);
        uint64 notAfter = uint64(block.timestamp);
        bytes memory attestation = attest(tab, recipient, notAfter);
        bytes memory refunding = sign(senderKey, refundHash(idOf(tab), notAfter));
        token.callBack(address(router), abi.encodeCall(router.claim, (tab, recipient, notAfter, attestation)));
        token.callBack(address(router), abi.encodeCall(router.refundBySig, (tab, notAfter, refunding)));
        token.callBack(address(router), abi.encodeCall(router.refund, (tab)));
        claim(tab, recipient);
        assertEq(token.answerCount(), 3);
        for (uint256 i; i < 3; ++i) {
            assertEq(token.answers(i), notOpen(tab, IEscrowRouter.Status.Claimed));
        }
        assertEq(usdc.balanceOf(recipient), 5 * USD);
        assertHolds(5 * USD, 0);
    }

    /// @dev A tab that is refunded while it is being opened would be paid from the tabs of others: nothing happens at all.
    function test_hostileToken_reentryWhileOpeningTakesNothingFromOthers() external {
        openTab(newTab());
        IEscrowRouter.Tab memory tab = newTab();
        bytes memory refunding = sign(senderKey, refundHash(idOf(tab), START));
        token.setReentry(address(router), abi.encodeCall(router.refundBySig, (tab, START, refunding)));
        expectOpenRevert(tab, IEscrowRouter.NotFunded.selector);
        assertEq(usdc.balanceOf(sender), (FUNDS - 5) * USD);
        assertHolds(5 * USD, 0);
    }

    function test_hostileToken_reentryWhileOpeningFindsTheIdTaken() external {
        openTab(newTab());
        IEscrowRouter.Tab memory tab = newTab();
        // In the worst case the token is the bot router itself.
        botRouter = address(token);
        router = deployRouter();
        vm.prank(sender);
        token.approve(address(router), type(uint256).max);
        token.setReentry(
            address(router),
            abi.encodeCall(router.openFor, (sender, tab.token, HANDLE, tab.amount, tab.deadline, tab.senderNonce))
        );
        openTab(tab);
        assertTrue(token.reentryFailed());
        assertHolds(tab.amount, 0);
        // Another id needs funds of its own, and those of the outer tab have not come in yet.
        tab = newTab();
        token.setReentry(
            address(router),
            abi.encodeCall(router.openFor, (sender, tab.token, HANDLE, tab.amount, tab.deadline, tab.senderNonce + 1))
        );
        openTab(tab);
        assertTrue(token.reentryFailed());
        assertHolds(2 * tab.amount, 0);
    }

    function _refusals() private pure returns (HostileToken.Mode[5] memory) {
        return [
            HostileToken.Mode.FalseReturn,
            HostileToken.Mode.OtherReturn,
            HostileToken.Mode.ShortReturn,
            HostileToken.Mode.Silent,
            HostileToken.Mode.LongReason
        ];
    }

    function _failed(bytes memory reason) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IEscrowRouter.TransferFailed.selector, reason);
    }
}
