// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {Deposit} from "./Deposit.sol";
import {Nonces} from "./Nonces.sol";
import {Permits} from "./Permits.sol";
import {Roles} from "./Roles.sol";
import {Signed} from "./Signed.sol";
import {Tokens} from "./Tokens.sol";
import {Treasury} from "./Treasury.sol";
import {IPaymentRouter} from "./interfaces/IPaymentRouter.sol";

/// @title Single payments, whatever fee is prescribed
/// @notice See IPaymentRouter for what each operation promises.
/// @dev All state is written before any call leaves the router, so re-entry finds the key settled. Between transactions the router
/// holds nothing.
abstract contract Payments is IPaymentRouter, Treasury, Nonces {
    bytes32 private constant ORDER_TYPEHASH =
        keccak256("Order(bytes32 orderId,address payer,address payee,address token,uint256 amount,uint256 fee,uint64 deadline)");
    bytes32 private constant REFUND_TYPEHASH =
        keccak256("RefundTo(bytes32 key,address to,uint256 amount,uint256 nonce,uint256 deadline)");
    string private constant WITNESS_TYPE =
        "Order witness)Order(bytes32 orderId,address payer,address payee,address token,uint256 amount,uint256 fee,uint64 deadline)TokenPermissions(address token,uint256 amount)";
    bytes32 private constant DEPOSIT_CODE_HASH = keccak256(type(Deposit).creationCode);

    address public immutable usdc;
    address public immutable permit2;

    mapping(bytes32 key => bool) public settled;
    mapping(bytes32 key => uint256) public refunded;

    /// @param name Of the EIP-712 domain.
    constructor(string memory name, address owner_, address guardian_, address treasury_, address usdc_, address permit2_)
        Roles(owner_, guardian_)
        Treasury(treasury_)
        Signed(name)
    {
        if (usdc_.code.length == 0) revert UnsupportedToken();
        if (permit2_ == address(0)) revert ZeroAddress();
        usdc = usdc_;
        permit2 = permit2_;
    }

    // ------------------------------------------------------------------------------------------------------------------------ pay

    /// @inheritdoc IPaymentRouter
    function pay(Terms calldata terms) external returns (bytes32 key) {
        address feeTo;
        (key, feeTo) = _begin(terms, usdc, msg.sender);
        _pull(terms, msg.sender, feeTo);
    }

    /// @inheritdoc IPaymentRouter
    function payNative(Terms calldata terms) external payable returns (bytes32 key) {
        if (msg.value != terms.amount) revert InvalidValue();
        address feeTo;
        (key, feeTo) = _begin(terms, address(0), msg.sender);
        Tokens.send(terms.payee, terms.amount - terms.fee);
        if (terms.fee != 0) Tokens.send(feeTo, terms.fee);
    }

    /// @inheritdoc IPaymentRouter
    function payWithAllowance(Terms calldata terms, address payer, bytes calldata orderSignature) external returns (bytes32 key) {
        return _payWithAllowance(terms, payer, orderSignature);
    }

    /// @inheritdoc IPaymentRouter
    function payWithPermit(Terms calldata terms, address payer, Permit calldata permit, bytes calldata orderSignature)
        external
        returns (bytes32 key)
    {
        Permits.tryPermit(usdc, payer, permit);
        return _payWithAllowance(terms, payer, orderSignature);
    }

    /// @inheritdoc IPaymentRouter
    function payWithAuthorization(Terms calldata terms, address payer, Authorization calldata authorization)
        external
        returns (bytes32 key)
    {
        address feeTo;
        (key, feeTo) = _begin(terms, usdc, payer);
        Permits.authorize(usdc, payer, terms.amount, orderHash(terms, payer), authorization);
        _push(terms, feeTo);
    }

    /// @inheritdoc IPaymentRouter
    function payWithPermit2(Terms calldata terms, address payer, Permit2 calldata permit) external returns (bytes32 key) {
        address feeTo;
        (key, feeTo) = _begin(terms, usdc, payer);
        Permits.takeWithWitness(permit2, usdc, payer, terms.amount, orderHash(terms, payer), WITNESS_TYPE, permit);
        _push(terms, feeTo);
    }

    function _payWithAllowance(Terms calldata terms, address payer, bytes calldata orderSignature) private returns (bytes32 key) {
        if (msg.sender != payer) _requireSignature(payer, orderHash(terms, payer), orderSignature);
        address feeTo;
        (key, feeTo) = _begin(terms, usdc, payer);
        _pull(terms, payer, feeTo);
    }

    /// @dev Checks the terms and uses their key up; a revert later in the transaction frees it again.
    /// @return key The once-only key.
    /// @return feeTo The treasury of the day.
    function _begin(Terms calldata terms, address token, address payer) private returns (bytes32 key, address feeTo) {
        if (paused()) revert Paused();
        feeTo = treasury;
        if (block.timestamp > terms.deadline) revert Expired();
        if (terms.token != token) revert UnsupportedToken();
        _checkTerms(terms);
        key = keyOf(terms);
        if (settled[key]) revert AlreadySettled(key);
        settled[key] = true;
        emit PaymentSettled(key, terms.orderId, payer, terms.payee, token, terms.amount, terms.fee);
    }

    function _pull(Terms calldata terms, address payer, address feeTo) private {
        Tokens.pull(usdc, payer, terms.payee, terms.amount - terms.fee, feeTo, terms.fee);
    }

    /// @dev Hands on what has just come in.
    function _push(Terms calldata terms, address feeTo) private {
        Tokens.push(usdc, terms.payee, terms.amount - terms.fee);
        if (terms.fee != 0) Tokens.push(usdc, feeTo, terms.fee);
    }

    // ------------------------------------------------------------------------------------------------------------ deposit addresses

    /// @inheritdoc IPaymentRouter
    function depositAddress(Terms calldata terms) external view returns (address) {
        _checkTerms(terms);
        _requireToken(terms.token);
        return _depositAt(keyOf(terms));
    }

    /// @inheritdoc IPaymentRouter
    function sweep(Terms calldata terms) external returns (bytes32 key) {
        _requireToken(terms.token);
        address at = _depositAt(keyOf(terms));
        address feeTo;
        (key, feeTo) = _begin(terms, terms.token, at);
        uint256 balance = _balanceOf(terms.token, at);
        if (balance < terms.amount) revert DepositIncomplete(balance);
        Deposit deposit = _depositOf(key);
        deposit.move(terms.token, terms.payee, terms.amount - terms.fee);
        if (terms.fee != 0) deposit.move(terms.token, feeTo, terms.fee);
    }

    /// @inheritdoc IPaymentRouter
    function acceptDeposit(Terms calldata terms, address token) external returns (uint256 amount) {
        if (msg.sender != terms.payee) revert NotPayee();
        _requireToken(token);
        _checkTerms(terms);
        bytes32 key = keyOf(terms);
        amount = _balanceOf(token, _depositAt(key));
        if (amount == 0) revert ZeroAmount();
        _requireNotCovered(terms, key, token, amount);
        uint256 fee = _shareOf(amount, terms.fee, terms.amount);
        emit DepositMoved(key, terms.orderId, terms.payee, token, amount, fee, true);
        Deposit deposit = _depositOf(key);
        if (amount != fee) deposit.move(token, terms.payee, amount - fee);
        if (fee != 0) deposit.move(token, treasury, fee);
    }

    /// @inheritdoc IPaymentRouter
    function refundDeposit(Terms calldata terms, address token, address to, uint256 amount) external {
        if (msg.sender != terms.payee) revert NotPayee();
        if (amount == 0) revert ZeroAmount();
        _requireToken(token);
        _requireReceiver(to);
        bytes32 key = keyOf(terms);
        address at = _depositAt(key);
        // What goes to where it lies already has not gone back.
        if (to == at) revert InvalidPayee();
        uint256 balance = _balanceOf(token, at);
        if (balance < amount) revert DepositIncomplete(balance);
        _requireNotCovered(terms, key, token, balance);
        emit DepositMoved(key, terms.orderId, to, token, amount, 0, false);
        _depositOf(key).move(token, to, amount);
    }

    /// @dev A payer who sent the whole amount in time has paid: while `sweep` would settle, the payee moves nothing in another way.
    function _requireNotCovered(Terms calldata terms, bytes32 key, address token, uint256 balance) private view {
        bool inTime = !settled[key] && block.timestamp <= terms.deadline && !paused();
        bool covers = token == terms.token && balance >= terms.amount;
        if (inTime && covers && _isFeeRight(terms)) revert DepositCovered();
    }

    function _depositAt(bytes32 key) private view returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", address(this), key, DEPOSIT_CODE_HASH)))));
    }

    /// @dev What stands at the deposit address, put there if need be.
    function _depositOf(bytes32 key) private returns (Deposit) {
        address at = _depositAt(key);
        return at.code.length == 0 ? new Deposit{salt: key}() : Deposit(payable(at));
    }

    function _balanceOf(address token, address account) private view returns (uint256) {
        return token == address(0) ? account.balance : IERC20(token).balanceOf(account);
    }

    /// @dev `part / whole` of `amount`, rounded half up; `part` is below `whole`, so nothing overflows.
    function _shareOf(uint256 amount, uint256 part, uint256 whole) private pure returns (uint256 share) {
        share = Math.mulDiv(amount, part, whole);
        uint256 rest = mulmod(amount, part, whole);
        if (rest >= whole - rest) ++share;
    }

    // --------------------------------------------------------------------------------------------------------------------- refunds

    /// @inheritdoc IPaymentRouter
    function refund(Terms calldata terms, address to, uint256 amount) external payable {
        if (msg.sender != terms.payee) revert NotPayee();
        if (msg.value != (terms.token == address(0) ? amount : 0)) revert InvalidValue();
        // A refund signed before and not yet mined would be a second one.
        _useNonce(msg.sender);
        _recordRefund(terms, to, amount);
        if (terms.token == address(0)) Tokens.send(to, amount);
        else Tokens.pull(usdc, terms.payee, to, amount);
    }

    /// @inheritdoc IPaymentRouter
    function refundBySig(
        Terms calldata terms,
        address to,
        uint256 amount,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external {
        if (terms.token != usdc) revert UnsupportedToken();
        bytes32 structHash = keccak256(abi.encode(REFUND_TYPEHASH, keyOf(terms), to, amount, nonce, deadline));
        _useSignature(terms.payee, nonce, deadline, structHash, signature);
        _recordRefund(terms, to, amount);
        Tokens.pull(usdc, terms.payee, to, amount);
    }

    function _recordRefund(Terms calldata terms, address to, uint256 amount) private {
        if (amount == 0) revert ZeroAmount();
        _requireReceiver(to);
        bytes32 key = keyOf(terms);
        if (!settled[key]) revert NotSettled(key);
        uint256 total = refunded[key];
        if (amount > terms.amount - total) revert RefundTooLarge(terms.amount - total);
        total += amount;
        refunded[key] = total;
        emit PaymentRefunded(key, terms.orderId, to, terms.token, amount, total);
    }

    // ----------------------------------------------------------------------------------------------------------------------- views

    /// @inheritdoc IPaymentRouter
    function keyOf(Terms calldata terms) public view returns (bytes32) {
        // A struct of static fields is encoded as its fields are.
        return keccak256(abi.encode(block.chainid, address(this), terms));
    }

    /// @inheritdoc IPaymentRouter
    function orderHash(Terms calldata terms, address payer) public pure returns (bytes32) {
        return keccak256(
            abi.encode(ORDER_TYPEHASH, terms.orderId, payer, terms.payee, terms.token, terms.amount, terms.fee, terms.deadline)
        );
    }

    /// @inheritdoc IPaymentRouter
    function nonces(address payee) external view returns (uint256) {
        return _nonces[payee];
    }

    /// @inheritdoc IPaymentRouter
    function DOMAIN_SEPARATOR() public view virtual override(IPaymentRouter, Signed) returns (bytes32) {
        return super.DOMAIN_SEPARATOR();
    }

    // ---------------------------------------------------------------------------------------------------------------------- checks

    /// @dev Whether `fee`, which is below `amount`, is what this router prescribes.
    function _isFee(uint256 amount, uint256 fee) internal pure virtual returns (bool);

    function _isFeeRight(Terms calldata terms) private pure returns (bool) {
        return terms.fee < terms.amount && _isFee(terms.amount, terms.fee);
    }

    /// @dev What holds of terms at any time.
    function _checkTerms(Terms calldata terms) private view {
        if (terms.amount == 0) revert ZeroAmount();
        if (!_isFeeRight(terms)) revert InvalidFee();
        _requireReceiver(terms.payee);
    }

    function _requireToken(address token) private view {
        if (token != usdc && token != address(0)) revert UnsupportedToken();
    }

    /// @dev What these are sent could never leave them again.
    function _requireReceiver(address account) private view {
        if (account == address(0) || account == address(this) || account == usdc) revert InvalidPayee();
    }
}
