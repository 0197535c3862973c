// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {Executors} from "./Executors.sol";
import {Nonces} from "./Nonces.sol";
import {Permits} from "./Permits.sol";
import {Roles} from "./Roles.sol";
import {Signed} from "./Signed.sol";
import {Tokens} from "./Tokens.sol";
import {Treasury} from "./Treasury.sol";
import {IPermit2} from "./interfaces/IPermit2.sol";
import {IRoles} from "./interfaces/IRoles.sol";
import {ISubscriptionRouter} from "./interfaces/ISubscriptionRouter.sol";

/// @title Subscriptions: a fixed amount, at most once per elapsed period
/// @notice See ISubscriptionRouter for what each operation promises.
/// @dev All state is written before any call leaves the router, which holds nothing.
contract SubscriptionRouter is ISubscriptionRouter, Executors, Treasury, Nonces {
    /// @dev A plan as it is kept; its token is USDC. An amount that fits stands in `amount`, so that a charge reads one slot; a
    /// larger one in `largeAmount`, and then `amount` is zero.
    struct Terms {
        address creator;
        uint32 period;
        PlanState state;
        uint56 amount;
        uint256 largeAmount;
    }

    /// @dev A subscription as it is kept, in one slot. Whether it has lapsed is computed. The state stands last: reading it ends
    /// what the compiler reads of a slot at once.
    struct Record {
        bool viaPermit2;
        uint32 chargesPaid;
        uint40 startedAt;
        uint40 lastChargedAt;
        uint40 nextChargeAt;
        SubscriptionState state;
    }

    bytes32 private constant SUBSCRIBE_TYPEHASH =
        keccak256("Subscribe(bytes32 planKey,address subscriber,uint256 amount,uint32 period,uint256 nonce,uint256 deadline)");
    bytes32 private constant SET_SUBSCRIPTION_TYPEHASH =
        keccak256("SetSubscription(bytes32 planKey,address subscriber,uint8 state,uint256 nonce,uint256 deadline)");
    bytes32 private constant SET_PLAN_TYPEHASH = keccak256("SetPlan(bytes32 planKey,uint8 state,uint256 nonce,uint256 deadline)");

    uint32 private constant LEAST_PERIOD = 1 hours;
    uint32 private constant MOST_PERIOD = 366 days;
    uint256 private constant LAPSES_AFTER_PERIODS = 3;
    uint256 private constant ALL_BASIS_POINTS = 10_000;
    /// @dev What must be left before a charge of a batch: 300,000 for the charge (by way of Permit2, to creator and treasury who hold
    /// nothing yet) and the 64th part that a call does not pass on.
    uint256 private constant CHARGE_GAS = 304_762;
    uint256 private constant REASON_MAX = 1024;

    address public immutable usdc;
    address public immutable permit2;
    uint256 public immutable feeBasisPoints;

    mapping(bytes32 planKey => Terms) private _plans;
    mapping(bytes32 planKey => mapping(address subscriber => Record)) private _subscriptions;

    error InvalidFee();

    /// @param feeBasisPoints_ Of 10,000, from what the creator gets.
    constructor(
        address owner_,
        address guardian_,
        address treasury_,
        address[] memory executors_,
        address usdc_,
        address permit2_,
        uint256 feeBasisPoints_
    ) Roles(owner_, guardian_) Executors(executors_) Treasury(treasury_) Signed("Ampersat Subscription Router") {
        if (usdc_.code.length == 0) revert UnsupportedToken();
        if (permit2_ == address(0)) revert ZeroAddress();
        if (feeBasisPoints_ >= ALL_BASIS_POINTS) revert InvalidFee();
        usdc = usdc_;
        permit2 = permit2_;
        feeBasisPoints = feeBasisPoints_;
    }

    // ----------------------------------------------------------------------------------------------------------------------- plans

    /// @inheritdoc ISubscriptionRouter
    function createPlan(bytes32 planIdHash, address token, uint256 amount, uint32 period)
        external
        whenNotPaused
        returns (bytes32 planKey)
    {
        if (token != usdc) revert UnsupportedToken();
        if (amount == 0) revert ZeroAmount();
        if (period < LEAST_PERIOD || period > MOST_PERIOD) revert InvalidPeriod();
        planKey = planKeyOf(msg.sender, planIdHash, token, amount, period);
        if (_plans[planKey].state != PlanState.Unknown) revert PlanExists(planKey);
        Terms storage plan = _plans[planKey];
        plan.creator = msg.sender;
        plan.period = period;
        plan.state = PlanState.Active;
        if (amount <= type(uint56).max) plan.amount = uint56(amount);
        else plan.largeAmount = amount;
        emit PlanCreated(planKey, msg.sender, planIdHash, token, amount, period);
    }

    /// @inheritdoc ISubscriptionRouter
    function deactivatePlan(bytes32 planKey) external {
        _setOwnPlan(planKey, PlanState.Inactive);
    }

    /// @inheritdoc ISubscriptionRouter
    function reactivatePlan(bytes32 planKey) external {
        _setOwnPlan(planKey, PlanState.Active);
    }

    /// @inheritdoc ISubscriptionRouter
    function setPlanBySig(bytes32 planKey, PlanState state, uint256 nonce, uint256 deadline, bytes calldata signature) external {
        bytes32 structHash = keccak256(abi.encode(SET_PLAN_TYPEHASH, planKey, state, nonce, deadline));
        _useSignature(_plan(planKey).creator, nonce, deadline, structHash, signature);
        _setPlan(planKey, state);
    }

    function _setOwnPlan(bytes32 planKey, PlanState state) private {
        if (msg.sender != _plan(planKey).creator) revert NotCreator();
        _useNonce(msg.sender);
        _setPlan(planKey, state);
    }

    function _setPlan(bytes32 planKey, PlanState state) private {
        Terms storage plan = _plans[planKey];
        if (state == PlanState.Unknown || state == plan.state) revert InvalidState();
        if (state == PlanState.Active && paused()) revert Paused();
        plan.state = state;
        emit PlanStateSet(planKey, state);
    }

    // ------------------------------------------------------------------------------------------------------------------- subscribe

    /// @inheritdoc ISubscriptionRouter
    function subscribe(bytes32 planKey, uint256 expectedAmount, uint32 expectedPeriod) external {
        _useNonce(msg.sender);
        _subscribe(planKey, msg.sender, expectedAmount, expectedPeriod, false);
    }

    /// @inheritdoc ISubscriptionRouter
    function subscribeWithPermit(bytes32 planKey, uint256 expectedAmount, uint32 expectedPeriod, Permit calldata permit)
        external
    {
        _useNonce(msg.sender);
        Permits.tryPermit(usdc, msg.sender, permit);
        _subscribe(planKey, msg.sender, expectedAmount, expectedPeriod, false);
    }

    /// @inheritdoc ISubscriptionRouter
    function subscribeWithPermit2(
        bytes32 planKey,
        uint256 expectedAmount,
        uint32 expectedPeriod,
        Permit2Allowance calldata permit
    ) external {
        _useNonce(msg.sender);
        Permits.tryAllowance(permit2, usdc, msg.sender, permit);
        _subscribe(planKey, msg.sender, expectedAmount, expectedPeriod, true);
    }

    /// @inheritdoc ISubscriptionRouter
    function subscribeBySig(
        bytes32 planKey,
        address subscriber,
        uint256 expectedAmount,
        uint32 expectedPeriod,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature,
        Permit calldata permit
    ) external {
        bytes32 structHash = keccak256(
            abi.encode(SUBSCRIBE_TYPEHASH, planKey, subscriber, expectedAmount, expectedPeriod, nonce, deadline)
        );
        _useSignature(subscriber, nonce, deadline, structHash, signature);
        if (permit.deadline != 0) Permits.tryPermit(usdc, subscriber, permit);
        _subscribe(planKey, subscriber, expectedAmount, expectedPeriod, false);
    }

    function _subscribe(bytes32 planKey, address subscriber, uint256 amount, uint32 period, bool viaPermit2)
        private
        whenNotPaused
    {
        (address creator, uint32 planPeriod, uint256 planAmount) = _activePlan(planKey);
        if (amount != planAmount || period != planPeriod) revert TermsMismatch();
        Record storage record = _subscriptions[planKey][subscriber];
        if (_stateOf(record, period) == SubscriptionState.Active) revert AlreadySubscribed();
        uint256 earliest = record.lastChargedAt + _half(period);
        if (record.lastChargedAt != 0 && block.timestamp < earliest) revert TooSoon(uint64(earliest));
        uint40 nextChargeAt = uint40(block.timestamp) + period;
        _subscriptions[planKey][subscriber] = Record({
            state: SubscriptionState.Active,
            viaPermit2: viaPermit2,
            chargesPaid: 1,
            startedAt: uint40(block.timestamp),
            lastChargedAt: uint40(block.timestamp),
            nextChargeAt: nextChargeAt
        });
        emit Subscribed(planKey, subscriber, nextChargeAt);
        _draw(planKey, subscriber, creator, amount, nextChargeAt, viaPermit2);
    }

    // ---------------------------------------------------------------------------------------------------------------------- charges

    /// @inheritdoc ISubscriptionRouter
    function charge(bytes32 planKey, address subscriber) external whenNotPaused {
        (address creator, uint32 period, uint256 amount) = _activePlan(planKey);
        Record storage stored = _subscriptions[planKey][subscriber];
        Record memory record = stored;
        SubscriptionState state = _stateOf(record, period);
        if (state != SubscriptionState.Active) revert NotActive(state);
        if (block.timestamp < record.nextChargeAt) revert TooSoon(record.nextChargeAt);
        uint40 nextChargeAt = _nextAfterNow(record.startedAt, period);
        stored.chargesPaid = record.chargesPaid + 1;
        stored.lastChargedAt = uint40(block.timestamp);
        stored.nextChargeAt = nextChargeAt;
        _draw(planKey, subscriber, creator, amount, nextChargeAt, record.viaPermit2);
    }

    /// @inheritdoc ISubscriptionRouter
    function chargeBatch(Charge[] calldata charges) external returns (uint256 charged) {
        for (uint256 i; i < charges.length; ++i) {
            Charge calldata c = charges[i];
            // After this no charge can fail for want of gas by the choice of the transaction's sender.
            if (gasleft() < CHARGE_GAS) revert InsufficientGas();
            try this.charge(c.planKey, c.subscriber) {
                ++charged;
            } catch {
                emit ChargeFailed(c.planKey, c.subscriber, Tokens.answer(REASON_MAX));
            }
        }
    }

    /// @dev The first multiple of the period, counted from the start, that lies after now; and half a period from now at least.
    function _nextAfterNow(uint256 startedAt, uint256 period) private view returns (uint40) {
        // The start has passed, and neither sum is later than a period from now.
        unchecked {
            uint256 multiple = startedAt + ((block.timestamp - startedAt) / period + 1) * period;
            uint256 earliest = block.timestamp + _half(period);
            return uint40(multiple > earliest ? multiple : earliest);
        }
    }

    function _draw(bytes32 planKey, address subscriber, address creator, uint256 amount, uint64 nextChargeAt, bool viaPermit2)
        private
    {
        address feeTo = treasury;
        uint256 fee = _feeOf(amount);
        emit Charged(planKey, subscriber, creator, amount, fee, nextChargeAt);
        if (!viaPermit2) {
            Tokens.pull(usdc, subscriber, creator, amount - fee, feeTo, fee);
            return;
        }
        IPermit2(permit2).transferFrom(subscriber, creator, SafeCast.toUint160(amount - fee), usdc);
        if (fee != 0) IPermit2(permit2).transferFrom(subscriber, feeTo, SafeCast.toUint160(fee), usdc);
    }

    /// @dev Rounded half up. Nothing overflows for any amount, and the fee is at most the amount.
    function _feeOf(uint256 amount) private view returns (uint256) {
        unchecked {
            uint256 rest = amount % ALL_BASIS_POINTS * feeBasisPoints;
            return amount / ALL_BASIS_POINTS * feeBasisPoints + (rest + ALL_BASIS_POINTS / 2) / ALL_BASIS_POINTS;
        }
    }

    // ----------------------------------------------------------------------------------------------------------------------- ending

    /// @inheritdoc ISubscriptionRouter
    function cancel(bytes32 planKey, address subscriber) external {
        _requireParty(planKey, subscriber, msg.sender);
        _useNonce(msg.sender);
        _cancel(planKey, subscriber, msg.sender);
    }

    /// @inheritdoc ISubscriptionRouter
    function cancelBySig(
        bytes32 planKey,
        address subscriber,
        address signer,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external {
        _requireParty(planKey, subscriber, signer);
        bytes32 structHash =
            keccak256(abi.encode(SET_SUBSCRIPTION_TYPEHASH, planKey, subscriber, SubscriptionState.Cancelled, nonce, deadline));
        _useSignature(signer, nonce, deadline, structHash, signature);
        _cancel(planKey, subscriber, signer);
    }

    /// @inheritdoc ISubscriptionRouter
    function halt(bytes32 planKey, address subscriber) external {
        if (!isExecutor(msg.sender)) revert NotExecutor();
        Record storage record = _subscriptions[planKey][subscriber];
        SubscriptionState state = _stateOf(record, _plan(planKey).period);
        if (state != SubscriptionState.Active) revert NotActive(state);
        record.state = SubscriptionState.Halted;
        emit SubscriptionHalted(planKey, subscriber, msg.sender);
    }

    function _cancel(bytes32 planKey, address subscriber, address by) private {
        Record storage record = _subscriptions[planKey][subscriber];
        SubscriptionState state = record.state;
        // What was halted can be cancelled too: nobody may bring it back by a signature that was given before.
        if (state != SubscriptionState.Active && state != SubscriptionState.Halted) revert NotActive(state);
        record.state = SubscriptionState.Cancelled;
        emit SubscriptionCancelled(planKey, subscriber, by);
    }

    function _requireParty(bytes32 planKey, address subscriber, address party) private view {
        if (party != subscriber && party != _plan(planKey).creator) revert NotSubscriberOrCreator();
    }

    // ----------------------------------------------------------------------------------------------------------------------- views

    /// @inheritdoc ISubscriptionRouter
    function planKeyOf(address creator, bytes32 planIdHash, address token, uint256 amount, uint32 period)
        public
        view
        returns (bytes32)
    {
        return keccak256(abi.encode(block.chainid, address(this), creator, planIdHash, token, amount, period));
    }

    /// @inheritdoc ISubscriptionRouter
    function planOf(bytes32 planKey) external view returns (Plan memory) {
        Terms storage plan = _plans[planKey];
        address token = plan.state == PlanState.Unknown ? address(0) : usdc;
        return Plan({creator: plan.creator, token: token, amount: _amountOf(plan), period: plan.period, state: plan.state});
    }

    /// @inheritdoc ISubscriptionRouter
    function subscriptionOf(bytes32 planKey, address subscriber) external view returns (Subscription memory) {
        Record memory record = _subscriptions[planKey][subscriber];
        return Subscription({
            state: _stateOf(record, _plans[planKey].period),
            startedAt: record.startedAt,
            lastChargedAt: record.lastChargedAt,
            nextChargeAt: record.nextChargeAt,
            chargesPaid: record.chargesPaid,
            viaPermit2: record.viaPermit2
        });
    }

    /// @inheritdoc ISubscriptionRouter
    function isDue(bytes32 planKey, address subscriber) external view returns (bool) {
        Terms storage plan = _plans[planKey];
        Record memory record = _subscriptions[planKey][subscriber];
        return !paused() && plan.state == PlanState.Active && _stateOf(record, plan.period) == SubscriptionState.Active
            && block.timestamp >= record.nextChargeAt;
    }

    /// @inheritdoc ISubscriptionRouter
    function nonces(address signer) external view returns (uint256) {
        return _nonces[signer];
    }

    /// @inheritdoc ISubscriptionRouter
    function DOMAIN_SEPARATOR() public view override(ISubscriptionRouter, Signed) returns (bytes32) {
        return super.DOMAIN_SEPARATOR();
    }

    /// @inheritdoc Treasury
    function paused() public view override(IRoles, Roles, Treasury) returns (bool) {
        return super.paused();
    }

    function _setPaused(bool paused_) internal override(Roles, Treasury) {
        super._setPaused(paused_);
    }

    function _hasRole(address account) internal view override(Executors, Treasury) returns (bool) {
        return super._hasRole(account);
    }

    function _plan(bytes32 planKey) private view returns (Terms storage plan) {
        plan = _plans[planKey];
        if (plan.state == PlanState.Unknown) revert UnknownPlan(planKey);
    }

    /// @dev The terms of a plan that may be charged. They are read together, in one slot if the amount is none of the large ones.
    function _activePlan(bytes32 planKey) private view returns (address creator, uint32 period, uint256 amount) {
        Terms storage plan = _plans[planKey];
        PlanState state;
        (creator, period, amount, state) = (plan.creator, plan.period, plan.amount, plan.state);
        if (state == PlanState.Unknown) revert UnknownPlan(planKey);
        if (state == PlanState.Inactive) revert PlanInactive(planKey);
        if (amount == 0) amount = plan.largeAmount;
    }

    function _amountOf(Terms storage plan) private view returns (uint256) {
        uint256 amount = plan.amount;
        return amount == 0 ? plan.largeAmount : amount;
    }

    /// @dev A subscription that stayed unpaid for three periods counts as halted.
    function _stateOf(Record memory record, uint32 period) private view returns (SubscriptionState) {
        bool lapsed =
            record.state == SubscriptionState.Active && block.timestamp >= record.nextChargeAt + LAPSES_AFTER_PERIODS * period;
        return lapsed ? SubscriptionState.Halted : record.state;
    }

    /// @dev Rounded up.
    function _half(uint256 period) private pure returns (uint256) {
        return (period + 1) / 2;
    }
}
