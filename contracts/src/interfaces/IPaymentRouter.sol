// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPermits} from "./IPermits.sol";
import {IRoles} from "./IRoles.sol";
import {ITreasury} from "./ITreasury.sol";

/// @title Single payments: one order, paid once, in any of six ways
/// @notice The payer gives `amount`; the payee gets `amount - fee`, the treasury `fee`. The once-only key is computed here from
/// all terms, so whoever pays other terms burns another key and credits nothing.
///
/// EIP-712 domain: name "Ampersat Payment Router" (business router: "Ampersat Business Router"), version "1", chainId,
/// verifyingContract. Types:
/// `Order(bytes32 orderId,address payer,address payee,address token,uint256 amount,uint256 fee,uint64 deadline)`
/// `RefundTo(bytes32 key,address to,uint256 amount,uint256 nonce,uint256 deadline)`
/// The order hash, which is the EIP-3009 nonce and the Permit2 witness, is the EIP-712 struct hash of `Order`. Permit2 witness
/// type string: `Order witness)Order(bytes32 orderId,address payer,address payee,address token,uint256 amount,uint256
/// fee,uint64 deadline)TokenPermissions(address token,uint256 amount)`, written without a line break.
/// Signatures are tried as ECDSA first, then by ERC-1271.
interface IPaymentRouter is IRoles, ITreasury, IPermits {
    /// @param orderId keccak256 of the order's UTF-8 identifier.
    /// @param token USDC, or the zero address for the native asset.
    /// @param amount What the payer gives, in smallest units; not zero.
    /// @param fee Part of `amount` that goes to the treasury; lower than `amount`.
    /// @param deadline Last Unix second at which the order may be paid.
    struct Terms {
        bytes32 orderId;
        address payee;
        address token;
        uint256 amount;
        uint256 fee;
        uint64 deadline;
    }

    event PaymentSettled(
        bytes32 indexed key,
        bytes32 indexed orderId,
        address indexed payer,
        address payee,
        address token,
        uint256 amount,
        uint256 fee
    );
    /// @notice A late, partial or excess balance of a deposit address went to the payee (accepted) or back (not accepted).
    /// @param fee Part of `amount` that the treasury got; 0 when it went back.
    event DepositMoved(
        bytes32 indexed key,
        bytes32 indexed orderId,
        address indexed to,
        address token,
        uint256 amount,
        uint256 fee,
        bool accepted
    );
    event PaymentRefunded(
        bytes32 indexed key, bytes32 indexed orderId, address indexed to, address token, uint256 amount, uint256 refundedTotal
    );

    error Expired();
    error AlreadySettled(bytes32 key);
    error NotSettled(bytes32 key);
    error ZeroAmount();
    /// @notice `fee` is not below `amount`, or not what this router prescribes.
    error InvalidFee();
    error InvalidPayee();
    error UnsupportedToken();
    /// @notice `msg.value` differs from the amount, or value came with a token payment.
    error InvalidValue();
    error InvalidSignature();
    error InvalidNonce(uint256 expected);
    error NotPayee();
    /// @notice The refunds of a key would sum up to more than was received.
    error RefundTooLarge(uint256 left);
    /// @notice The deposit address holds less than the amount.
    error DepositIncomplete(uint256 balance);
    /// @notice The deposit covers the amount in time: sweep it.
    error DepositCovered();
    error TransferFailed(bytes reason);

    // ------------------------------------------------------------------------------------------------------------------------ pay

    /// @notice Pays from the caller's allowance.
    function pay(Terms calldata terms) external returns (bytes32 key);

    /// @notice Pays in the native asset; `terms.token` is zero and `msg.value` equals `terms.amount`.
    function payNative(Terms calldata terms) external payable returns (bytes32 key);

    /// @notice Pays from the payer's allowance on the payer's signature `Order`; the signature may be empty when the payer calls.
    function payWithAllowance(Terms calldata terms, address payer, bytes calldata orderSignature) external returns (bytes32 key);

    /// @notice Tries the EIP-2612 permit, then goes on as `payWithAllowance`.
    function payWithPermit(Terms calldata terms, address payer, Permit calldata permit, bytes calldata orderSignature)
        external
        returns (bytes32 key);

    /// @notice Pays by EIP-3009 `receiveWithAuthorization` (from payer, to this router, value = amount, nonce = order hash).
    function payWithAuthorization(Terms calldata terms, address payer, Authorization calldata authorization)
        external
        returns (bytes32 key);

    /// @notice Pays by Permit2 `permitWitnessTransferFrom` with the order hash as the witness.
    function payWithPermit2(Terms calldata terms, address payer, Permit2 calldata permit) external returns (bytes32 key);

    // ------------------------------------------------------------------------------------------------------------ deposit addresses

    /// @notice The address that belongs to these terms: a minimal forwarder at a CREATE2 address with the key as its salt.
    function depositAddress(Terms calldata terms) external view returns (address);

    /// @notice Settles the order from its deposit address once the balance covers the amount, before the deadline. Anyone. The
    /// excess stays for `acceptDeposit` or `refundDeposit`. The event's payer is the deposit address.
    function sweep(Terms calldata terms) external returns (bytes32 key);

    /// @notice Moves what the deposit address holds (after its settlement, when partial, or late) to the payee, less the same
    /// share for the treasury as the terms give it (rounded half up). It settles nothing, and reverts with DepositCovered
    /// while `sweep` would settle. Payee only; never paused.
    /// @param token USDC, or the zero address for the native asset: what was sent may not be what the terms ask for.
    function acceptDeposit(Terms calldata terms, address token) external returns (uint256 amount);

    /// @notice Moves `amount` of what the deposit address holds to `to`, without a fee. Reverts with DepositCovered while
    /// `sweep` would settle. Payee only; never paused.
    function refundDeposit(Terms calldata terms, address token, address to, uint256 amount) external;

    // --------------------------------------------------------------------------------------------------------------------- refunds

    /// @notice Sends `amount` of the payee's own money to `to` and records it; never above what was received (`amount` of the
    /// terms). Native: `msg.value` equals `amount`. Payee only; never paused. It uses up a nonce of the payee, so that a refund
    /// signed before is not made a second time.
    function refund(Terms calldata terms, address to, uint256 amount) external payable;

    /// @notice The same on the payee's signature `RefundTo`, from the payee's allowance.
    function refundBySig(
        Terms calldata terms,
        address to,
        uint256 amount,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external;

    // ----------------------------------------------------------------------------------------------------------------------- views

    /// @return keccak256(abi.encode(chainid, router, orderId, payee, token, amount, fee, deadline)).
    function keyOf(Terms calldata terms) external view returns (bytes32);
    /// @return EIP-712 struct hash of `Order`.
    function orderHash(Terms calldata terms, address payer) external pure returns (bytes32);
    function settled(bytes32 key) external view returns (bool);
    /// @notice Sum of the recorded refunds.
    function refunded(bytes32 key) external view returns (uint256);
    function nonces(address payee) external view returns (uint256);
    function usdc() external view returns (address);
    function permit2() external view returns (address);
    function DOMAIN_SEPARATOR() external view returns (bytes32);
}
