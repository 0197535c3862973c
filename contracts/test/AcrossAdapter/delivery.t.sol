// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Across, ISpokePool} from "../setup/Across.sol";
import {AcrossAdapterTest} from "../setup/AcrossAdapterTest.sol";
import {IUsdc, Usdc} from "../setup/Usdc.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";

/// @dev What becomes of a deposit that nobody fills.
abstract contract RefundTest is AcrossAdapterTest {
    function test_refund_goesToTheSender() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        uint256 before = balanceOf(sender);
        Across.Deposit memory deposit = send(t);
        vm.warp(deposit.fillDeadline + 1);
        Across.refund(pool, deposit, poolOwner, 0);
        assertEq(balanceOf(sender), before - t.fee);
        assertEq(balanceOf(address(pool)), 0);
        assertEq(balanceOf(treasury), t.fee);
        assertAdapterEmpty();
        assertRouterEmpty();
    }

    /// @dev What came back is no second chance for the same tip.
    function test_refund_leavesTheKeyUsed() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        t.validUntil = uint64(block.timestamp + 1 days);
        Across.Deposit memory deposit = send(t);
        vm.warp(deposit.fillDeadline + 1);
        Across.refund(pool, deposit, poolOwner, 0);
        expectCrossRevert(t, abi.encodeWithSelector(IBotRouter.AlreadyProcessed.selector, t.messageKey));
    }

    function test_refund_leavesTheDepositsOfOthers() external {
        fund(other);
        IBotRouter.CrossChainTip memory t = crossTip();
        Across.Deposit memory deposit = send(t);
        t = crossTip();
        t.sender = other;
        send(t);
        vm.warp(deposit.fillDeadline + 1);
        Across.refund(pool, deposit, poolOwner, 0);
        assertEq(balanceOf(address(pool)), t.amount);
        assertAdapterEmpty();
    }
}

contract RefundOnUsdcTest is RefundTest {
    /// @dev A sender whom Circle refuses meanwhile has a claim in the pool, which is nobody else's.
    function test_refund_waitsForASenderWhomUsdcRefuses() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        Across.Deposit memory deposit = send(t);
        vm.warp(deposit.fillDeadline + 1);
        usdc.blacklist(sender);
        Across.refund(pool, deposit, poolOwner, 0);
        assertEq(pool.getRelayerRefund(token, sender), t.amount);
        vm.prank(other);
        vm.expectRevert(ISpokePool.NoRelayerRefundToClaim.selector);
        pool.claimRelayerRefund(Across.word(token), Across.word(other));
        vm.prank(sender);
        pool.claimRelayerRefund(Across.word(token), Across.word(other));
        assertEq(balanceOf(other), t.amount);
        assertAdapterEmpty();
    }
}

contract RefundOnToken18Test is RefundTest {
    constructor() {
        onToken18 = true;
    }
}

contract RefundOnWrappedTest is RefundTest {
    constructor() {
        onWrapped = true;
    }
}

/// @dev What a relayer does with a deposit, on a pool that stands for the destination's.
contract FillTest is AcrossAdapterTest {
    address private relayer = makeAddr("relayer");
    uint256 private origin;
    IUsdc private outputUsdc;
    ISpokePool private destination;

    function setUp() public override {
        outputUsdc = Usdc.deploy();
        outputToken = address(outputUsdc);
        super.setUp();
        origin = block.chainid;
        destination = Across.deploy(address(wrapped), poolOwner);
        outputUsdc.mint(relayer, 100 * USD);
        vm.prank(relayer);
        outputUsdc.approve(address(destination), type(uint256).max);
    }

    function test_fill_paysTheRecipientTheLeastOutputOnce() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        ISpokePool.RelayData memory relay = Across.relayOf(send(t), origin);
        vm.chainId(DESTINATION);
        fill(relay);
        assertEq(outputUsdc.balanceOf(recipient), t.minOutput);
        assertEq(outputUsdc.balanceOf(relayer), 100 * USD - t.minOutput);
        vm.expectRevert(ISpokePool.RelayFilled.selector);
        fill(relay);
    }

    /// @dev Any relayer may: nobody has it for itself.
    function test_fill_isOpenToEverybodyUntilTheDeadline() external {
        ISpokePool.RelayData memory relay = Across.relayOf(send(crossTip()), origin);
        vm.chainId(DESTINATION);
        vm.warp(relay.fillDeadline + 1);
        vm.expectRevert(ISpokePool.ExpiredFillDeadline.selector);
        fill(relay);
        vm.warp(relay.fillDeadline);
        fill(relay);
        assertEq(outputUsdc.balanceOf(recipient), relay.outputAmount);
    }

    /// @dev Across lets the depositor sign another recipient or a lower output for what is on its way: here the sender of the tip, and
    /// neither executor, owner nor the adapter, which has no signature at all.
    function test_fill_isChangedByNobodyButTheSender() external {
        IBotRouter.CrossChainTip memory t = crossTip();
        ISpokePool.RelayData memory relay = Across.relayOf(send(t), origin);
        vm.chainId(DESTINATION);
        bytes32 digest = updateDigest(relay.depositId, 1, Across.word(other));
        string[4] memory names = ["executor", "owner", "authority", "pool owner"];
        for (uint256 i; i < names.length; ++i) {
            (, uint256 key) = makeAddrAndKey(names[i]);
            bytes memory forged = signDigest(key, digest);
            vm.expectRevert(ISpokePool.InvalidDepositorSignature.selector);
            fillUpdated(relay, forged);
        }
        fillUpdated(relay, signDigest(senderKey, digest));
        assertEq(outputUsdc.balanceOf(other), 1);
        vm.expectRevert(ISpokePool.RelayFilled.selector);
        fill(relay);
    }

    function fill(ISpokePool.RelayData memory relay) private {
        vm.prank(relayer);
        destination.fillRelay(relay, origin, Across.word(relayer));
    }

    /// @dev To `other`, with the least output there is.
    function fillUpdated(ISpokePool.RelayData memory relay, bytes memory signature) private {
        vm.prank(relayer);
        destination.fillRelayWithUpdatedDeposit(relay, origin, Across.word(relayer), 1, Across.word(other), "", signature);
    }

    function updateDigest(uint256 depositId, uint256 output, bytes32 to) private view returns (bytes32) {
        bytes32 typeHash = keccak256(
            "UpdateDepositDetails(uint256 depositId,uint256 originChainId,uint256 updatedOutputAmount,bytes32 updatedRecipient,bytes updatedMessage)"
        );
        bytes32 domainType = keccak256("EIP712Domain(string name,string version,uint256 chainId)");
        bytes32 domain = keccak256(abi.encode(domainType, keccak256("ACROSS-V2"), keccak256("1.0.0"), origin));
        bytes32 structHash = keccak256(abi.encode(typeHash, depositId, origin, output, to, keccak256("")));
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }
}
