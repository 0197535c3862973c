// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IExecutors} from "./IExecutors.sol";
import {IPermits} from "./IPermits.sol";
import {IRoles} from "./IRoles.sol";
import {ITreasury} from "./ITreasury.sol";

/// @title Subscriptions: a fixed amount, at most once per elapsed period
/// @notice The terms of a plan never change. A charge is due at fixed times: after each one the next is the first multiple of the
/// period, counted from the start, that lies after now, so a missed period is never charged twice; and at least half a period
/// lies between two charges. Anyone may charge. The subscriber gives `amount`; the creator gets it less the fee of
/// `feeBasisPoints`, which goes to the treasury.
///
/// EIP-712 domain: name "Ampersat Subscription Router", version "1", chainId, verifyingContract. Types:
/// `Subscribe(bytes32 planKey,address subscriber,uint256 amount,uint32 period,uint256 nonce,uint256 deadline)`
/// `SetSubscription(bytes32 planKey,address subscriber,uint8 state,uint256 nonce,uint256 deadline)`, state 2 (cancelled), signed by
/// the subscriber or the creator
/// `SetPlan(bytes32 planKey,uint8 state,uint256 nonce,uint256 deadline)`, state 1 (active) or 2 (inactive), signed by the creator
/// Nonces are sequential per signer. Signatures are tried as ECDSA first, then by ERC-1271.
interface ISubscriptionRouter is IRoles, IExecutors, ITreasury, IPermits {
    /// @dev The values are part of the interface: 0 unknown, 1 active, 2 inactive.
    enum PlanState {
        Unknown,
        Active,
        Inactive
    }

    /// @dev The values are part of the interface: 0 none, 1 active, 2 cancelled, 3 halted. A subscription that stayed unpaid for three
    /// periods reads as halted.
    enum SubscriptionState {
        None,
        Active,
        Cancelled,
        Halted
    }

    /// @param period Seconds, 1 hour to 366 days.
    struct Plan {
        address creator;
        address token;
        uint256 amount;
        uint32 period;
        PlanState state;
    }

    /// @param startedAt Unix second of the first charge.
    /// @param lastChargedAt Unix second of the latest charge.
    /// @param nextChargeAt Unix second from which the next charge is due.
    /// @param chargesPaid Charges so far, the first one included.
    /// @param viaPermit2 Draws go through Permit2's allowance and not the token's.
    struct Subscription {
        SubscriptionState state;
        uint64 startedAt;
        uint64 lastChargedAt;
        uint64 nextChargeAt;
        uint32 chargesPaid;
        bool viaPermit2;
    }

    struct Charge {
        bytes32 planKey;
        address subscriber;
    }

    event PlanCreated(
        bytes32 indexed planKey, address indexed creator, bytes32 indexed planIdHash, address token, uint256 amount, uint32 period
    );
    event PlanStateSet(bytes32 indexed planKey, PlanState state);
    event Subscribed(bytes32 indexed planKey, address indexed subscriber, uint64 nextChargeAt);
    event Charged(
        bytes32 indexed planKey,
        address indexed subscriber,
        address indexed creator,
        uint256 amount,
        uint256 fee,
        uint64 nextChargeAt
    );
    event ChargeFailed(bytes32 indexed planKey, address indexed subscriber, bytes reason);
    event SubscriptionCancelled(bytes32 indexed planKey, address indexed subscriber, address indexed by);
    event SubscriptionHalted(bytes32 indexed planKey, address indexed subscriber, address indexed by);

    error PlanExists(bytes32 planKey);
    error UnknownPlan(bytes32 planKey);
    error PlanInactive(bytes32 planKey);
    error NotCreator();
    error NotSubscriberOrCreator();
    error UnsupportedToken();
    error ZeroAmount();
    error InvalidPeriod();
    /// @notice The plan's amount or period is not the one that the subscriber expects.
    error TermsMismatch();
    error AlreadySubscribed();
    error NotActive(SubscriptionState state);
    /// @notice The next charge is due at `nextChargeAt`.
    error TooSoon(uint64 nextChargeAt);
    error InvalidState();
    error Expired();
    error InvalidSignature();
    error InvalidNonce(uint256 expected);
    error InsufficientGas();
    error TransferFailed(bytes reason);

    // ----------------------------------------------------------------------------------------------------------------------- plans

    /// @notice Creates an active plan of the caller. Not while paused.
    /// @param planIdHash keccak256 of the plan's UTF-8 identifier.
    /// @return planKey keccak256(abi.encode(chainid, router, creator, planIdHash, token, amount, period)).
    function createPlan(bytes32 planIdHash, address token, uint256 amount, uint32 period) external returns (bytes32 planKey);

    /// @notice No charge of the plan succeeds from now on. Creator; never paused.
    function deactivatePlan(bytes32 planKey) external;
    /// @notice Creator.
    function reactivatePlan(bytes32 planKey) external;
    /// @notice Either of the two on the creator's signature `SetPlan`.
    function setPlanBySig(bytes32 planKey, PlanState state, uint256 nonce, uint256 deadline, bytes calldata signature) external;

    // --------------------------------------------------------------------------------------------------------- subscribe: not paused

    /// @notice Subscribes the caller and charges the first period from its allowance. After cancel, halt or lapse it starts anew,
    /// half a period after the last charge at the earliest.
    /// @param expectedAmount The plan's amount as the subscriber knows it.
    /// @param expectedPeriod The plan's period as the subscriber knows it.
    function subscribe(bytes32 planKey, uint256 expectedAmount, uint32 expectedPeriod) external;

    /// @notice The same after trying an EIP-2612 permit of the caller.
    function subscribeWithPermit(bytes32 planKey, uint256 expectedAmount, uint32 expectedPeriod, Permit calldata permit) external;

    /// @notice The same by Permit2's allowance, now and at every charge.
    function subscribeWithPermit2(
        bytes32 planKey,
        uint256 expectedAmount,
        uint32 expectedPeriod,
        Permit2Allowance calldata permit
    ) external;

    /// @notice Subscribes `subscriber` on its signature `Subscribe`, after trying its permit when `permit.deadline` is not zero.
    function subscribeBySig(
        bytes32 planKey,
        address subscriber,
        uint256 expectedAmount,
        uint32 expectedPeriod,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature,
        Permit calldata permit
    ) external;

    // ---------------------------------------------------------------------------------------------------------------------- charges

    /// @notice Charges one elapsed period. Anyone; not while paused.
    function charge(bytes32 planKey, address subscriber) external;

    /// @notice Charges each in a frame of its own; a failing one is undone alone and reported by `ChargeFailed`.
    /// @return charged How many succeeded.
    function chargeBatch(Charge[] calldata charges) external returns (uint256 charged);

    // ----------------------------------------------------------------------------------------------------------- ending: never paused

    /// @notice Ends a subscription. Its subscriber or the plan's creator.
    function cancel(bytes32 planKey, address subscriber) external;
    /// @notice The same on the signature `SetSubscription` of `signer`, who is the subscriber or the creator.
    function cancelBySig(
        bytes32 planKey,
        address subscriber,
        address signer,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external;
    /// @notice Halts a subscription until its subscriber subscribes again. Executor.
    function halt(bytes32 planKey, address subscriber) external;

    // ----------------------------------------------------------------------------------------------------------------------- views

    function planKeyOf(address creator, bytes32 planIdHash, address token, uint256 amount, uint32 period)
        external
        view
        returns (bytes32);
    function planOf(bytes32 planKey) external view returns (Plan memory);
    function subscriptionOf(bytes32 planKey, address subscriber) external view returns (Subscription memory);
    /// @notice Whether `charge` would find a due, active subscription of an active plan (balance and allowance aside).
    function isDue(bytes32 planKey, address subscriber) external view returns (bool);
    function nonces(address signer) external view returns (uint256);
    function feeBasisPoints() external view returns (uint256);
    function usdc() external view returns (address);
    function permit2() external view returns (address);
    function DOMAIN_SEPARATOR() external view returns (bytes32);
}
