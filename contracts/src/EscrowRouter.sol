// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {Authority} from "./Authority.sol";
import {Executors} from "./Executors.sol";
import {Permits} from "./Permits.sol";
import {Roles} from "./Roles.sol";
import {Signed} from "./Signed.sol";
import {Tokens} from "./Tokens.sol";
import {IEscrowRouter} from "./interfaces/IEscrowRouter.sol";
import {IRoles} from "./interfaces/IRoles.sol";

/// @title OpenTab: funds locked for a handle
/// @notice See IEscrowRouter for what each operation promises.
/// @dev A tab is one word: 0 unknown, 2 claimed, 3 refunded (as in Status); an open one has the second of its opening in the lower 40
/// bits and 216 bits of the hash of its terms above them. All state is written before any call that hands money out.
contract EscrowRouter is Authority, Signed {
    bytes32 private constant CLAIM_TYPEHASH =
        keccak256("Claim(bytes32 tabId,bytes32 handleKey,address recipient,uint64 notAfter)");
    bytes32 private constant REFUND_TYPEHASH = keccak256("Refund(bytes32 tabId,uint256 deadline)");
    bytes32 private constant TAB_TYPEHASH = keccak256(
        "Tab(address sender,address token,bytes32 handleKey,uint128 amount,uint64 deadline,uint256 senderNonce,bool revocable)"
    );
    string private constant WITNESS_TYPE =
        "Tab witness)Tab(address sender,address token,bytes32 handleKey,uint128 amount,uint64 deadline,uint256 senderNonce,bool revocable)TokenPermissions(address token,uint256 amount)";

    uint64 private constant LEAST_TIME = 1 hours;
    uint64 private constant MOST_TIME = 90 days;
    uint64 private constant MOST_ATTESTATION = 10 minutes;
    uint256 private constant OPENED_AT_MASK = type(uint40).max;

    /// @dev What an opening has to know and to write, in one slot. 120 bits are more than a token of 18 decimals has ever issued.
    struct Totals {
        uint120 usdc;
        uint120 native;
        bool paused;
    }

    address public immutable botRouter;
    address public immutable usdc;
    address public immutable wrappedNative;
    address public immutable permit2;

    Totals private _totals;
    mapping(bytes32 tabId => uint256) private _tabs;

    constructor(
        address owner_,
        address guardian_,
        address authority_,
        address[] memory executors_,
        address usdc_,
        address wrappedNative_,
        address botRouter_,
        address permit2_
    ) Roles(owner_, guardian_) Executors(executors_) Authority(authority_) Signed("Ampersat Escrow Router") {
        if (usdc_ == wrappedNative_ || usdc_.code.length == 0 || wrappedNative_.code.length == 0) {
            revert UnsupportedToken();
        }
        if (botRouter_ == address(0) || permit2_ == address(0)) revert ZeroAddress();
        usdc = usdc_;
        wrappedNative = wrappedNative_;
        botRouter = botRouter_;
        permit2 = permit2_;
    }

    /// @dev Value arrives when the wrapped asset is unwrapped, within a delivery.
    receive() external payable {
        if (msg.sender != wrappedNative) revert UnsupportedToken();
    }

    // ------------------------------------------------------------------------------------------------------------------------ open

    /// @inheritdoc IEscrowRouter
    function open(address token, bytes32 handleKey, uint128 amount, uint64 deadline, uint256 senderNonce, bool revocable)
        external
        returns (bytes32)
    {
        return _openFromAllowance(Tab(msg.sender, token, handleKey, amount, deadline, senderNonce, revocable));
    }

    /// @inheritdoc IEscrowRouter
    function openWithPermit(
        address token,
        bytes32 handleKey,
        uint128 amount,
        uint64 deadline,
        uint256 senderNonce,
        bool revocable,
        Permit calldata permit
    ) external returns (bytes32) {
        _requireToken(token);
        Permits.tryPermit(token, msg.sender, permit);
        return _openFromAllowance(Tab(msg.sender, token, handleKey, amount, deadline, senderNonce, revocable));
    }

    /// @inheritdoc IEscrowRouter
    function openWithPermit2(Tab calldata tab, Permit2 calldata permit) external returns (bytes32 tabId) {
        tabId = _record(tab);
        Permits.takeWithWitness(permit2, tab.token, tab.sender, tab.amount, _hashOf(tab), WITNESS_TYPE, permit);
        _requireFunded(tab.token);
    }

    /// @inheritdoc IEscrowRouter
    function openWithAuthorization(Tab calldata tab, Authorization calldata authorization) external returns (bytes32 tabId) {
        // A wrapped asset may answer any call with success, as WETH9 does: the tab would be paid from what lies here unclaimed.
        if (tab.token != usdc) revert UnsupportedToken();
        tabId = _record(tab);
        Permits.authorize(usdc, tab.sender, tab.amount, _hashOf(tab), authorization);
        _requireFunded(usdc);
    }

    /// @inheritdoc IEscrowRouter
    function openFor(address sender, address token, bytes32 handleKey, uint128 amount, uint64 deadline, uint256 senderNonce)
        external
        returns (bytes32 tabId)
    {
        if (msg.sender != botRouter) revert NotBotRouter();
        tabId = _record(Tab(sender, token, handleKey, amount, deadline, senderNonce, true));
        _requireFunded(token);
    }

    function _openFromAllowance(Tab memory tab) private returns (bytes32 tabId) {
        tabId = _record(tab);
        Tokens.pull(tab.token, tab.sender, address(this), tab.amount);
        _requireFunded(tab.token);
    }

    function _record(Tab memory tab) private returns (bytes32 tabId) {
        Totals storage totals = _totals;
        if (totals.paused) revert Paused();
        if (tab.amount == 0) revert ZeroAmount();
        if (tab.deadline < block.timestamp + LEAST_TIME || tab.deadline > block.timestamp + MOST_TIME) revert InvalidDeadline();
        tabId = tabIdOf(tab.sender, tab.senderNonce);
        if (_tabs[tabId] != 0) revert TabExists(tabId);
        _tabs[tabId] = _commitmentOf(tab) | block.timestamp & OPENED_AT_MASK;
        if (tab.token == usdc) totals.usdc = _sum(totals.usdc, tab.amount);
        else if (tab.token == wrappedNative) totals.native = _sum(totals.native, tab.amount);
        else revert UnsupportedToken();
        emit TabOpened(tabId, tab.sender, tab.handleKey, tab.token, tab.amount, tab.deadline, tab.senderNonce, tab.revocable);
    }

    /// @dev Whoever gave less than the tab says would be paid from the tabs of others.
    function _requireFunded(address token) private view {
        if (IERC20(token).balanceOf(address(this)) < openTotal(token)) revert NotFunded();
    }

    // ---------------------------------------------------------------------------------------------------------------- claim, refund

    /// @inheritdoc IEscrowRouter
    function claim(Tab calldata tab, address recipient, uint64 notAfter, bytes calldata authoritySignature) external {
        address signer = _enterClaim();
        if (block.timestamp > notAfter) revert Expired();
        if (notAfter > block.timestamp + MOST_ATTESTATION) revert AttestationTooLong();
        // What these are sent could never leave them again.
        if (recipient == address(0) || recipient == address(this) || recipient == usdc || recipient == wrappedNative) {
            revert InvalidRecipient();
        }
        (bytes32 tabId,) = _requireOpen(tab);
        bytes32 structHash = keccak256(abi.encode(CLAIM_TYPEHASH, tabId, tab.handleKey, recipient, notAfter));
        _requireSignature(signer, structHash, authoritySignature);
        emit TabClaimed(tabId, tab.handleKey, recipient, tab.token, tab.amount);
        _close(tab, tabId, Status.Claimed, recipient);
    }

    /// @inheritdoc IEscrowRouter
    function refund(Tab calldata tab) external {
        (bytes32 tabId, uint256 openedAt) = _requireOpen(tab);
        _requireRefundable(tab, openedAt, msg.sender == tab.sender);
        _refund(tab, tabId);
    }

    /// @inheritdoc IEscrowRouter
    function refundBySig(Tab calldata tab, uint256 deadline, bytes calldata signature) external {
        if (block.timestamp > deadline) revert Expired();
        (bytes32 tabId, uint256 openedAt) = _requireOpen(tab);
        _requireRefundable(tab, openedAt, true);
        _requireSignature(tab.sender, keccak256(abi.encode(REFUND_TYPEHASH, tabId, deadline)), signature);
        _refund(tab, tabId);
    }

    function _refund(Tab calldata tab, bytes32 tabId) private {
        emit TabRefunded(tabId, tab.sender, tab.token, tab.amount);
        _close(tab, tabId, Status.Refunded, tab.sender);
    }

    /// @param bySender Whether the sender wants it; what others want counts from the deadline on.
    function _requireRefundable(Tab calldata tab, uint256 openedAt, bool bySender) private view {
        if (block.timestamp >= tab.deadline) return;
        if (!bySender || !(tab.revocable || _underAnotherAuthority(openedAt))) revert NotRefundable();
    }

    /// @dev Leaves the tombstone and pays the whole tab to `to`.
    function _close(Tab calldata tab, bytes32 tabId, Status status, address to) private {
        _tabs[tabId] = uint256(status);
        if (tab.token == usdc) {
            _totals.usdc -= uint120(tab.amount);
            Tokens.push(usdc, to, tab.amount);
        } else {
            _totals.native -= uint120(tab.amount);
            Tokens.pushNative(wrappedNative, to, tab.amount);
        }
    }

    /// @dev Reverts unless an open tab has exactly these terms.
    function _requireOpen(Tab calldata tab) private view returns (bytes32 tabId, uint256 openedAt) {
        tabId = tabIdOf(tab.sender, tab.senderNonce);
        uint256 word = _tabs[tabId];
        openedAt = word & OPENED_AT_MASK;
        if (word != _commitmentOf(tab) | openedAt) revert TabNotOpen(tabId, _statusOf(word));
    }

    // ----------------------------------------------------------------------------------------------------------------------- views

    /// @inheritdoc IEscrowRouter
    function tabIdOf(address sender, uint256 senderNonce) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), sender, senderNonce));
    }

    /// @inheritdoc IEscrowRouter
    function statusOf(bytes32 tabId) external view returns (Status) {
        return _statusOf(_tabs[tabId]);
    }

    /// @inheritdoc IEscrowRouter
    function openTotal(address token) public view returns (uint256) {
        if (token == usdc) return _totals.usdc;
        return token == wrappedNative ? _totals.native : 0;
    }

    /// @inheritdoc IRoles
    function paused() public view override(IRoles, Roles) returns (bool) {
        return _totals.paused;
    }

    /// @inheritdoc IEscrowRouter
    function DOMAIN_SEPARATOR() public view override(IEscrowRouter, Signed) returns (bytes32) {
        return super.DOMAIN_SEPARATOR();
    }

    function _setPaused(bool paused_) internal override {
        _totals.paused = paused_;
    }

    function _requireToken(address token) private view {
        if (token != usdc && token != wrappedNative) revert UnsupportedToken();
    }

    /// @dev Of the open tabs and a new one. No token has what does not fit.
    function _sum(uint256 total, uint256 amount) private pure returns (uint120) {
        total += amount;
        if (total > type(uint120).max) revert NotFunded();
        return uint120(total);
    }

    function _statusOf(uint256 word) private pure returns (Status) {
        if (word == 0) return Status.Unknown;
        return word > uint256(type(Status).max) ? Status.Open : Status(word);
    }

    /// @dev EIP-712 struct hash of `Tab`; as a struct of static fields it is encoded field by field.
    function _hashOf(Tab memory tab) private pure returns (bytes32) {
        return keccak256(abi.encode(TAB_TYPEHASH, tab));
    }

    function _commitmentOf(Tab memory tab) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(tab))) & ~OPENED_AT_MASK;
    }
}
