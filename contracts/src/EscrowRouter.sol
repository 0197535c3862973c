// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {Authority} from "./Authority.sol";
import {Executors} from "./Executors.sol";
import {Permits} from "./Permits.sol";
import {Roles} from "./Roles.sol";
import {Signed} from "./Signed.sol";
import {Slots} from "./Slots.sol";
import {Tokens} from "./Tokens.sol";
import {IEscrowRouter} from "./interfaces/IEscrowRouter.sol";
import {IRoles} from "./interfaces/IRoles.sol";

/// @title OpenTab: funds locked for a handle
/// @notice See IEscrowRouter for what each operation promises.
/// @dev A tab is one word: 0 unknown, 2 claimed, 3 refunded (as in Status); an open one has the second of its opening in the lower
/// 40 bits and 216 bits of the hash of its terms above them. All state is written before any call that hands money out.
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
    uint256 private constant TAB_SIZE = 7 * 32;

    /// @dev A sum of open tabs has 120 bits, more than a token of 18 decimals has ever issued.
    uint256 private constant MOST_TOTAL = type(uint120).max;
    uint256 private constant NATIVE_SHIFT = 120;
    uint256 private constant PAUSED = 1 << 240;

    address public immutable botRouter;
    address public immutable usdc;
    address public immutable wrappedNative;
    address public immutable permit2;

    /// @dev What an opening has to know and to write: the sums of the open tabs in USDC and in the wrapped asset, the pause flag.
    uint256 private _totals;
    mapping(bytes32 tabId => Slots.Word) private _tabs;

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
        _shiftOf(token);
        Permits.tryPermit(token, msg.sender, permit);
        return _openFromAllowance(Tab(msg.sender, token, handleKey, amount, deadline, senderNonce, revocable));
    }

    /// @inheritdoc IEscrowRouter
    function openWithPermit2(Tab memory tab, Permit2 calldata permit) external returns (bytes32 tabId) {
        uint256 total;
        (tabId, total) = _record(tab);
        Permits.takeWithWitness(permit2, tab.token, tab.sender, tab.amount, _hashOf(tab), WITNESS_TYPE, permit);
        _requireFunded(tab.token, total);
    }

    /// @inheritdoc IEscrowRouter
    function openWithAuthorization(Tab memory tab, Authorization calldata authorization) external returns (bytes32 tabId) {
        // A wrapped asset may answer any call with success, as WETH9 does: the tab would be paid from what lies here unclaimed.
        if (tab.token != usdc) revert UnsupportedToken();
        uint256 total;
        (tabId, total) = _record(tab);
        Permits.authorize(usdc, tab.sender, tab.amount, _hashOf(tab), authorization);
        _requireFunded(usdc, total);
    }

    /// @inheritdoc IEscrowRouter
    function openFor(address sender, address token, bytes32 handleKey, uint128 amount, uint64 deadline, uint256 senderNonce)
        external
        returns (bytes32 tabId)
    {
        if (msg.sender != botRouter) revert NotBotRouter();
        uint256 total;
        (tabId, total) = _record(Tab(sender, token, handleKey, amount, deadline, senderNonce, true));
        _requireFunded(token, total);
    }

    function _openFromAllowance(Tab memory tab) private returns (bytes32 tabId) {
        uint256 total;
        (tabId, total) = _record(tab);
        Tokens.pull(tab.token, tab.sender, address(this), tab.amount);
        _requireFunded(tab.token, total);
    }

    /// @return tabId The id, which was free.
    /// @return total Of the open tabs in its token, this one included.
    function _record(Tab memory tab) private returns (bytes32 tabId, uint256 total) {
        uint256 totals = _totals;
        if (totals & PAUSED != 0) revert Paused();
        if (tab.amount == 0) revert ZeroAmount();
        if (tab.deadline < block.timestamp + LEAST_TIME || tab.deadline > block.timestamp + MOST_TIME) revert InvalidDeadline();
        tabId = tabIdOf(tab.sender, tab.senderNonce);
        Slots.Word storage word = _tabs[tabId];
        if (word.value != 0) revert TabExists(tabId);
        word.value = _commitmentOf(tab) | block.timestamp & OPENED_AT_MASK;
        uint256 shift = _shiftOf(tab.token);
        total = (totals >> shift & MOST_TOTAL) + tab.amount;
        // No token has what does not fit.
        if (total > MOST_TOTAL) revert NotFunded();
        _totals = totals + (uint256(tab.amount) << shift);
        emit TabOpened(tabId, tab.sender, tab.handleKey, tab.token, tab.amount, tab.deadline, tab.senderNonce, tab.revocable);
    }

    /// @dev Whoever gave less than the tab says would be paid from the tabs of others.
    function _requireFunded(address token, uint256 total) private view {
        if (IERC20(token).balanceOf(address(this)) < total) revert NotFunded();
    }

    // ---------------------------------------------------------------------------------------------------------------- claim, refund

    /// @inheritdoc IEscrowRouter
    function claim(Tab memory tab, address recipient, uint64 notAfter, bytes calldata authoritySignature) external {
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
    function refund(Tab memory tab) external {
        (bytes32 tabId, uint256 openedAt) = _requireOpen(tab);
        _requireRefundable(tab, openedAt, msg.sender == tab.sender);
        _refund(tab, tabId);
    }

    /// @inheritdoc IEscrowRouter
    function refundBySig(Tab memory tab, uint256 deadline, bytes calldata signature) external {
        if (block.timestamp > deadline) revert Expired();
        (bytes32 tabId, uint256 openedAt) = _requireOpen(tab);
        _requireRefundable(tab, openedAt, true);
        _requireSignature(tab.sender, keccak256(abi.encode(REFUND_TYPEHASH, tabId, deadline)), signature);
        _refund(tab, tabId);
    }

    function _refund(Tab memory tab, bytes32 tabId) private {
        emit TabRefunded(tabId, tab.sender, tab.token, tab.amount);
        _close(tab, tabId, Status.Refunded, tab.sender);
    }

    /// @param bySender Whether the sender wants it; what others want counts from the deadline on.
    function _requireRefundable(Tab memory tab, uint256 openedAt, bool bySender) private view {
        if (block.timestamp >= tab.deadline) return;
        if (!bySender || !(tab.revocable || _underAnotherAuthority(openedAt))) revert NotRefundable();
    }

    /// @dev Leaves the tombstone and pays the whole tab to `to`.
    function _close(Tab memory tab, bytes32 tabId, Status status, address to) private {
        _tabs[tabId].value = uint256(status);
        _totals -= uint256(tab.amount) << _shiftOf(tab.token);
        if (tab.token == usdc) Tokens.push(usdc, to, tab.amount);
        else Tokens.pushNative(wrappedNative, to, tab.amount);
    }

    /// @dev Reverts unless an open tab has exactly these terms.
    function _requireOpen(Tab memory tab) private view returns (bytes32 tabId, uint256 openedAt) {
        tabId = tabIdOf(tab.sender, tab.senderNonce);
        uint256 word = _tabs[tabId].value;
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
        return _statusOf(_tabs[tabId].value);
    }

    /// @inheritdoc IEscrowRouter
    function openTotal(address token) external view returns (uint256) {
        return token == usdc || token == wrappedNative ? _totals >> _shiftOf(token) & MOST_TOTAL : 0;
    }

    /// @inheritdoc IRoles
    function paused() public view override(IRoles, Roles) returns (bool) {
        return _totals & PAUSED != 0;
    }

    /// @inheritdoc IEscrowRouter
    function DOMAIN_SEPARATOR() public view override(IEscrowRouter, Signed) returns (bytes32) {
        return super.DOMAIN_SEPARATOR();
    }

    function _setPaused(bool paused_) internal override {
        _totals = paused_ ? _totals | PAUSED : _totals & ~PAUSED;
    }

    /// @dev Where a token's sum stands; no other token is taken.
    function _shiftOf(address token) private view returns (uint256) {
        if (token == usdc) return 0;
        if (token == wrappedNative) return NATIVE_SHIFT;
        revert UnsupportedToken();
    }

    function _statusOf(uint256 word) private pure returns (Status) {
        if (word == 0) return Status.Unknown;
        return word > uint256(type(Status).max) ? Status.Open : Status(word);
    }

    /// @dev EIP-712 struct hash of `Tab`; as a struct of static fields it is encoded field by field.
    function _hashOf(Tab memory tab) private pure returns (bytes32) {
        return keccak256(abi.encode(TAB_TYPEHASH, tab));
    }

    /// @dev In memory a struct of static fields stands as `abi.encode` would write it.
    function _commitmentOf(Tab memory tab) private pure returns (uint256 commitment) {
        assembly ("memory-safe") {
            commitment := keccak256(tab, TAB_SIZE)
        }
        return commitment & ~OPENED_AT_MASK;
    }
}
