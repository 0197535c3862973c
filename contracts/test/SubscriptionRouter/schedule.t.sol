// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SubscriptionRouterTest} from "../setup/SubscriptionRouterTest.sol";

/// @dev A subscription as one would tell it in words. It knows no next time: it asks of every second anew whether a charge is due.
library Model {
    enum Life {
        None,
        Active,
        Halted,
        Cancelled
    }

    struct State {
        Life life;
        uint256 period;
        uint256 startedAt;
        uint256 lastChargedAt;
        bool planInactive;
        bool paused;
    }

    /// @dev In which period since the start a second lies.
    function periodAt(State memory s, uint256 time) internal pure returns (uint256) {
        return (time - s.startedAt) / s.period;
    }

    /// @dev A later period than that of the last charge, and half a period after it at least.
    function fallsDueBy(State memory s, uint256 time) internal pure returns (bool) {
        return periodAt(s, time) > periodAt(s, s.lastChargedAt) && 2 * (time - s.lastChargedAt) >= s.period;
    }

    /// @dev Due for three whole periods and still not paid.
    function hasLapsedBy(State memory s, uint256 time) internal pure returns (bool) {
        return time >= s.lastChargedAt + 3 * s.period && fallsDueBy(s, time - 3 * s.period);
    }

    function isActiveAt(State memory s, uint256 time) internal pure returns (bool) {
        return s.life == Life.Active && !hasLapsedBy(s, time);
    }

    function canChargeAt(State memory s, uint256 time) internal pure returns (bool) {
        return !s.paused && !s.planInactive && isActiveAt(s, time) && fallsDueBy(s, time);
    }

    function canSubscribeAt(State memory s, uint256 time) internal pure returns (bool) {
        bool free = s.life == Life.None || (!isActiveAt(s, time) && 2 * (time - s.lastChargedAt) >= s.period);
        return free && !s.paused && !s.planInactive;
    }
}

contract ScheduleTest is SubscriptionRouterTest {
    using Model for Model.State;

    uint256 private constant STEPS = 24;

    /// @dev Any sequence of waiting, charging, ending, subscribing again, closing the plan and pausing does what the model says.
    function testFuzz_schedule_isThatOfTheModel(uint256 seed, uint32 period) external {
        Model.State memory model;
        period = uint32(bound(period, 1 hours, 366 days));
        model.period = period;
        planKey = newPlan(amount, period);
        usdc.mint(subscriber, 1e6 * USD);
        uint256 before = usdc.balanceOf(subscriber);
        uint256 charges;
        for (uint256 i; i < STEPS; ++i) {
            uint256 random = uint256(keccak256(abi.encode(seed, i)));
            vm.warp(block.timestamp + _wait(model, random));
            assertEq(router.isDue(planKey, subscriber), model.canChargeAt(block.timestamp), "isDue");
            uint256 action = (random >> 128) % 16;
            if (action < 8) charges += _charge(model) ? 1 : 0;
            else if (action < 12) charges += _subscribe(model) ? 1 : 0;
            else if (action == 12) _cancel(model, random);
            else if (action == 13) _halt(model);
            else if (action == 14) _togglePlan(model);
            else _togglePause(model);
        }
        assertEq(before - usdc.balanceOf(subscriber), charges * amount, "drawn");
    }

    /// @dev The next time is the first second at which the model finds a charge due, and no second before.
    function testFuzz_charge_nextTimeIsTheFirstDueSecond(uint32 period, uint256 late) external {
        period = uint32(bound(period, 1 hours, 366 days));
        planKey = newPlan(amount, period);
        vm.prank(subscriber);
        router.subscribe(planKey, amount, period);
        vm.warp(START + period + bound(late, 0, 3 * uint256(period) - 1));
        router.charge(planKey, subscriber);
        Model.State memory model = Model.State(Model.Life.Active, period, START, block.timestamp, false, false);
        uint256 next = subscription().nextChargeAt;
        assertTrue(model.fallsDueBy(next));
        assertFalse(model.fallsDueBy(next - 1));
        assertTrue(model.hasLapsedBy(next + 3 * uint256(period)));
        assertFalse(model.hasLapsedBy(next + 3 * uint256(period) - 1));
        uint256 multiple = START + ((block.timestamp - START) / period + 1) * period;
        if (next != multiple) assertEq(next, block.timestamp + (uint256(period) + 1) / 2);
        assertGe(next, multiple);
    }

    /// @dev However late and however often somebody charges, the number of charges never exceeds that of the periods begun.
    function testFuzz_charge_atMostOncePerElapsedPeriod(uint256 seed) external {
        join();
        uint256 last = START;
        uint256 charges = 1;
        for (uint256 i; i < 16; ++i) {
            vm.warp(block.timestamp + uint256(keccak256(abi.encode(seed, i))) % (2 * uint256(PERIOD)));
            try router.charge(planKey, subscriber) {
                assertGe(2 * (block.timestamp - last), PERIOD, "less than half a period after the last one");
                assertGt((block.timestamp - START) / PERIOD, (last - START) / PERIOD, "twice in a period");
                last = block.timestamp;
                ++charges;
            } catch {}
            assertLe(charges, 1 + (block.timestamp - START) / PERIOD);
        }
        assertPaid(charges);
    }

    /// @dev Often a moment at which something changes, or the second beside it.
    function _wait(Model.State memory model, uint256 random) private view returns (uint256) {
        uint256 period = model.period;
        uint256 kind = random % 8;
        if (kind == 0) return 0;
        if (kind < 4) return (random >> 8) % (2 * period);
        if (kind == 4) return 3 * period + (random >> 8) % period;
        uint256 next = subscription().nextChargeAt + [0, period / 2, 3 * period][kind - 5];
        uint256 target = next + (random >> 8) % 3;
        return target > block.timestamp + 1 ? target - 1 - block.timestamp : 1;
    }

    function _charge(Model.State memory model) private returns (bool expected) {
        expected = model.canChargeAt(block.timestamp);
        assertEq(_succeeds(relayer, abi.encodeCall(router.charge, (planKey, subscriber))), expected, "charge");
        if (expected) model.lastChargedAt = block.timestamp;
    }

    function _subscribe(Model.State memory model) private returns (bool expected) {
        expected = model.canSubscribeAt(block.timestamp);
        bytes memory data = abi.encodeCall(router.subscribe, (planKey, amount, uint32(model.period)));
        assertEq(_succeeds(subscriber, data), expected, "subscribe");
        if (!expected) return false;
        model.life = Model.Life.Active;
        (model.startedAt, model.lastChargedAt) = (block.timestamp, block.timestamp);
    }

    function _cancel(Model.State memory model, uint256 random) private {
        // What was cancelled cannot be cancelled again; what was halted or lapsed can.
        bool expected = model.life == Model.Life.Active || model.life == Model.Life.Halted;
        address by = (random >> 200) % 2 == 0 ? subscriber : creator;
        assertEq(_succeeds(by, abi.encodeCall(router.cancel, (planKey, subscriber))), expected, "cancel");
        if (expected) model.life = Model.Life.Cancelled;
    }

    function _halt(Model.State memory model) private {
        bool expected = model.isActiveAt(block.timestamp);
        assertEq(_succeeds(executor, abi.encodeCall(router.halt, (planKey, subscriber))), expected, "halt");
        if (expected) model.life = Model.Life.Halted;
    }

    function _togglePlan(Model.State memory model) private {
        bytes memory data = model.planInactive
            ? abi.encodeCall(router.reactivatePlan, (planKey))
            : abi.encodeCall(router.deactivatePlan, (planKey));
        bool expected = !model.planInactive || !model.paused;
        assertEq(_succeeds(creator, data), expected, "plan");
        if (expected) model.planInactive = !model.planInactive;
    }

    function _togglePause(Model.State memory model) private {
        vm.prank(owner);
        model.paused ? router.unpause() : router.pause();
        model.paused = !model.paused;
    }

    function _succeeds(address caller, bytes memory data) private returns (bool ok) {
        vm.prank(caller);
        (ok,) = address(router).call(data);
    }
}
