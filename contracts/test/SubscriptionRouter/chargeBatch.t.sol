// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPermit2Allowances, SubscriptionRouterTest} from "../setup/SubscriptionRouterTest.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";
import {ISubscriptionRouter} from "../../src/interfaces/ISubscriptionRouter.sol";

abstract contract ChargeBatchTest is SubscriptionRouterTest {
    function test_chargeBatch_chargesEach() external {
        bytes32 second = newPlan(2 * amount, 7 days);
        fund(other);
        join();
        vm.prank(other);
        router.subscribe(second, 2 * amount, 7 days);
        ISubscriptionRouter.Charge[] memory charges = new ISubscriptionRouter.Charge[](2);
        charges[0] = ISubscriptionRouter.Charge(second, other);
        charges[1] = ISubscriptionRouter.Charge(planKey, subscriber);
        vm.warp(START + 15 days);
        _expectSecond(second, START + 21 days);
        _expectFailed(1, abi.encodeWithSelector(ISubscriptionRouter.TooSoon.selector, START + PERIOD), charges);
        vm.prank(relayer);
        assertEq(router.chargeBatch(charges), 1);
        vm.warp(START + PERIOD);
        _expectSecond(second, START + 35 days);
        expectCharged(START + 2 * PERIOD);
        assertEq(router.chargeBatch(charges), 2);
        assertEq(usdc.balanceOf(other), 1000 * USD - 6 * amount);
        assertEq(usdc.balanceOf(subscriber), 1000 * USD - 2 * amount);
    }

    function test_chargeBatch_chargesTheSameOnce() external {
        join();
        vm.warp(START + PERIOD);
        ISubscriptionRouter.Charge[] memory charges = new ISubscriptionRouter.Charge[](3);
        for (uint256 i; i < 3; ++i) {
            charges[i] = ISubscriptionRouter.Charge(planKey, subscriber);
        }
        vm.recordLogs();
        assertEq(router.chargeBatch(charges), 1);
        assertEq(countLogs(), 3);
        assertPaid(2);
    }

    function test_chargeBatch_reportsEachFailureAndGoesOn() external {
        address[4] memory accounts = [other, makeAddr("cancelled"), makeAddr("halted"), makeAddr("broke")];
        for (uint256 i; i < 4; ++i) {
            fund(accounts[i]);
            if (i == 0) continue;
            vm.prank(accounts[i]);
            router.subscribe(planKey, amount, PERIOD);
        }
        join();
        vm.prank(accounts[1]);
        router.cancel(planKey, accounts[1]);
        vm.prank(executor);
        router.halt(planKey, accounts[2]);
        vm.prank(accounts[3]);
        usdc.approve(address(router), 0);
        vm.warp(START + PERIOD);
        ISubscriptionRouter.Charge[] memory charges = new ISubscriptionRouter.Charge[](6);
        for (uint256 i; i < 4; ++i) {
            charges[i] = ISubscriptionRouter.Charge(planKey, accounts[i]);
        }
        charges[4] = ISubscriptionRouter.Charge("unknown", subscriber);
        charges[5] = ISubscriptionRouter.Charge(planKey, subscriber);
        bytes4 notActive = ISubscriptionRouter.NotActive.selector;
        _expectFailed(0, abi.encodeWithSelector(notActive, 0), charges);
        _expectFailed(1, abi.encodeWithSelector(notActive, 2), charges);
        _expectFailed(2, abi.encodeWithSelector(notActive, 3), charges);
        vm.expectEmit(true, true, true, false, address(router));
        emit ISubscriptionRouter.ChargeFailed(planKey, accounts[3], "");
        _expectFailed(4, abi.encodeWithSelector(ISubscriptionRouter.UnknownPlan.selector, bytes32("unknown")), charges);
        expectCharged(START + 2 * PERIOD);
        assertEq(router.chargeBatch(charges), 1);
        assertEq(usdc.balanceOf(accounts[3]), 1000 * USD - amount, "undone as a whole");
    }

    function test_chargeBatch_reportsWhatPermit2Says() external {
        joinByPermit2();
        vm.prank(subscriber);
        IPermit2Allowances(PERMIT2).approve(address(usdc), address(router), 1, uint48(START + 365 days));
        vm.warp(START + PERIOD);
        ISubscriptionRouter.Charge[] memory charges = _one();
        _expectFailed(0, abi.encodeWithSelector(IPermit2Allowances.InsufficientAllowance.selector, 1), charges);
        assertEq(router.chargeBatch(charges), 0);
    }

    function test_chargeBatch_reportsThePauseAndThePlansState() external {
        join();
        vm.warp(START + PERIOD);
        ISubscriptionRouter.Charge[] memory charges = _one();
        vm.prank(creator);
        router.deactivatePlan(planKey);
        _expectFailed(0, abi.encodeWithSelector(ISubscriptionRouter.PlanInactive.selector, planKey), charges);
        assertEq(router.chargeBatch(charges), 0);
        pauseRouter();
        _expectFailed(0, abi.encodePacked(IRoles.Paused.selector), charges);
        assertEq(router.chargeBatch(charges), 0);
    }

    function test_chargeBatch_ofNone() external {
        assertEq(router.chargeBatch(new ISubscriptionRouter.Charge[](0)), 0);
    }

    /// @dev Whatever gas the sender of a batch picks, it is undone as a whole or every charge that can succeed does. Creator and
    /// treasury hold nothing yet, and draws go by Permit2: no charge costs more.
    function testFuzz_chargeBatch_isNotStarvedBySender(uint256 gasLimit) external {
        ISubscriptionRouter.Charge[] memory charges = _worst();
        gasLimit = bound(gasLimit, 50_000, 900_000);
        (bool ok, bytes memory answer) = address(router).call{gas: gasLimit}(abi.encodeCall(router.chargeBatch, (charges)));
        if (ok) assertEq(abi.decode(answer, (uint256)), charges.length, "a charge failed for want of gas");
        assertEq(usdc.balanceOf(creator), ok ? 3 * (amount - fee) : 0);
        assertEq(usdc.balanceOf(treasury), ok ? 3 * fee : 0);
    }

    function test_chargeBatch_demandsGasBeforeEachCharge() external {
        ISubscriptionRouter.Charge[] memory charges = _worst();
        // Enough for the first, and too little before the first or the last.
        for (uint256 gasLimit = 100_000; gasLimit < 460_000; gasLimit += 40_000) {
            (bool ok, bytes memory answer) = address(router).call{gas: gasLimit}(abi.encodeCall(router.chargeBatch, (charges)));
            assertFalse(ok);
            assertEq(answer, abi.encodePacked(ISubscriptionRouter.InsufficientGas.selector));
        }
        assertEq(router.chargeBatch{gas: 1_000_000}(charges), 3);
    }

    /// @dev What a batch demands before each charge is at least twice what the dearest charge takes.
    function test_chargeBatch_demandsTwiceWhatTheWorstChargeTakes() external {
        ISubscriptionRouter.Charge[] memory charges = _worst();
        router.charge(charges[0].planKey, charges[0].subscriber);
        assertLt(vm.lastCallGas().gasTotalUsed, 150_000);
    }

    /// @dev Three subscribers by Permit2 of a creator who holds nothing yet, as does the treasury. All is due.
    function _worst() private returns (ISubscriptionRouter.Charge[] memory charges) {
        charges = new ISubscriptionRouter.Charge[](3);
        for (uint256 i; i < 3; ++i) {
            address account = makeAddr(string.concat("subscriber", vm.toString(i)));
            // More than Permit2's allowance, which is then written anew each time.
            fundPermit2(account, uint160(3 * amount), START + 365 days);
            vm.prank(account);
            router.subscribeWithPermit2(planKey, amount, PERIOD, noPermit2());
            charges[i] = ISubscriptionRouter.Charge(planKey, account);
        }
        _empty(creator);
        _empty(treasury);
        vm.warp(START + PERIOD);
    }

    function _empty(address account) private {
        uint256 balance = usdc.balanceOf(account);
        vm.prank(account);
        usdc.transfer(owner, balance);
    }

    function _one() private view returns (ISubscriptionRouter.Charge[] memory charges) {
        charges = new ISubscriptionRouter.Charge[](1);
        charges[0] = ISubscriptionRouter.Charge(planKey, subscriber);
    }

    function _expectSecond(bytes32 second, uint256 nextChargeAt) private {
        vm.expectEmit(address(router));
        emit ISubscriptionRouter.Charged(second, other, creator, 2 * amount, 2 * fee, uint64(nextChargeAt));
    }

    function _expectFailed(uint256 i, bytes memory reason, ISubscriptionRouter.Charge[] memory charges) private {
        vm.expectEmit(address(router));
        emit ISubscriptionRouter.ChargeFailed(charges[i].planKey, charges[i].subscriber, reason);
    }
}

contract ChargeBatchOnUsdcTest is ChargeBatchTest {
    function test_chargeBatch_goesOnWhenOneIsBlacklisted() external {
        fund(other);
        join();
        vm.prank(other);
        router.subscribe(planKey, amount, PERIOD);
        usdc.blacklist(other);
        vm.warp(START + PERIOD);
        ISubscriptionRouter.Charge[] memory charges = new ISubscriptionRouter.Charge[](2);
        charges[0] = ISubscriptionRouter.Charge(planKey, other);
        charges[1] = ISubscriptionRouter.Charge(planKey, subscriber);
        vm.expectEmit(address(router));
        emit ISubscriptionRouter.ChargeFailed(planKey, other, transferFailed("Blacklistable: account is blacklisted"));
        expectCharged(START + 2 * PERIOD);
        assertEq(router.chargeBatch(charges), 1);
    }
}

contract ChargeBatchOnToken18Test is ChargeBatchTest {
    constructor() {
        onToken18 = true;
    }
}
