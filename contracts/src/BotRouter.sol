// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

import {Executors} from "./Executors.sol";
import {Lanes} from "./Lanes.sol";
import {Nonces} from "./Nonces.sol";
import {Roles} from "./Roles.sol";
import {Signed} from "./Signed.sol";
import {Slots} from "./Slots.sol";
import {Spending} from "./Spending.sol";
import {Tokens} from "./Tokens.sol";
import {Treasury} from "./Treasury.sol";
import {IBotRouter} from "./interfaces/IBotRouter.sol";
import {IBridgeAdapter} from "./interfaces/IBridgeAdapter.sol";
import {IEscrowRouter} from "./interfaces/IEscrowRouter.sol";

/// @title Tips, tabs opened by tips, and campaign grants
/// @notice See IBotRouter for what each operation promises.
/// @dev All state is written before any call leaves the router, so re-entry finds every key used and every limit charged.
contract BotRouter is IBotRouter, Lanes, Nonces {
    using Spending for uint256;

    /// @dev A campaign as it is kept: two tokens exist, so one bit names the token.
    struct Account {
        address sponsor;
        uint64 expiry;
        bool native;
        bool closed;
        uint128 total;
        uint128 spent;
        uint128 mostPerGrant;
        uint128 maxFee;
    }

    bytes32 private constant SET_LIMITS_TYPEHASH = keccak256(
        "SetLimits(address sender,address token,uint128 perTip,uint128 perDay,uint128 maxFee,uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant UNPAUSE_TYPEHASH = keccak256("UnpauseSender(address sender,uint256 nonce,uint256 deadline)");

    /// @dev What must be left before an item of a batch: 400,000 for the item (a first tip in the native asset to a recipient that uses
    /// all it is given) and the 64th part that a call does not pass on.
    uint256 private constant ITEM_GAS = 406_350;
    uint256 private constant REASON_MAX = 1024;
    /// @dev Bytes of calldata of one item.
    uint256 private constant TIP_SIZE = 7 * 32;
    uint256 private constant GRANT_SIZE = 0xa0;

    /// @dev A limit is never kept in units coarser than a thousandth of the token (see Spending).
    uint256 private constant NATIVE_MAX_SCALE = 15;
    uint256 private immutable _usdcMaxScale;

    address public immutable usdc;
    address public immutable wrappedNative;
    address public immutable escrowRouter;
    address public immutable bridgeAdapter;

    mapping(bytes32 messageKey => Slots.Word) private _processed;
    mapping(bytes32 campaignId => Account) private _campaigns;
    mapping(bytes32 campaignId => mapping(uint256 index => Slots.Word)) private _granted;

    modifier onlySelf() {
        if (msg.sender != address(this)) revert NotSelf();
        _;
    }

    /// @param bridgeAdapter_ May be the zero address: then this chain has no way out.
    constructor(
        address owner_,
        address guardian_,
        address treasury_,
        address[] memory executors_,
        address usdc_,
        address wrappedNative_,
        address escrowRouter_,
        address bridgeAdapter_
    ) Roles(owner_, guardian_) Executors(executors_) Treasury(treasury_) Signed("Ampersat Bot Router") {
        if (usdc_ == wrappedNative_ || usdc_.code.length == 0 || wrappedNative_.code.length == 0) {
            revert UnsupportedToken();
        }
        if (escrowRouter_ == address(0)) revert ZeroAddress();
        usdc = usdc_;
        _usdcMaxScale = IERC20Metadata(usdc_).decimals() - 3;
        wrappedNative = wrappedNative_;
        escrowRouter = escrowRouter_;
        bridgeAdapter = bridgeAdapter_;
    }

    /// @dev Value arrives when the wrapped asset is unwrapped, within a delivery.
    receive() external payable {
        if (msg.sender != wrappedNative) revert UnexpectedValue();
    }

    // ------------------------------------------------------------------------------------------------------------------------ tips

    /// @inheritdoc IBotRouter
    function tip(Tip calldata t) external {
        _tip(t, _enter());
    }

    /// @inheritdoc IBotRouter
    function tipBatch(Tip[] calldata tips) external {
        address feeTo = _enter();
        for (uint256 i; i < tips.length; ++i) {
            Tip calldata t = tips[i];
            uint256 item;
            assembly {
                item := t
            }
            if (!_frame(this.tipFrame.selector, item, TIP_SIZE, bytes32(uint256(uint160(feeTo))))) {
                emit TipFailed(t.messageKey, t.sender, Tokens.answer(REASON_MAX));
            }
        }
    }

    /// @dev One item of a batch, in a frame of its own.
    function tipFrame(Tip calldata t, address feeTo) external onlySelf {
        _tip(t, feeTo);
    }

    /// @inheritdoc IBotRouter
    function tipToTab(TabTip calldata t) external returns (bytes32 tabId) {
        _enter();
        _begin(t.messageKey, t.validUntil);
        _charge(t.sender, t.token, t.amount, 0);
        if (escrowRouter.code.length == 0) revert EscrowUnavailable();
        Tokens.pull(t.token, t.sender, escrowRouter, t.amount);
        tabId = IEscrowRouter(escrowRouter).openFor(t.sender, t.token, t.handleKey, t.amount, t.deadline, uint256(t.messageKey));
        emit TabTipSettled(t.messageKey, t.sender, t.handleKey, tabId, t.token, t.amount, t.deadline);
    }

    /// @inheritdoc IBotRouter
    function tipCrossChain(CrossChainTip calldata t) external returns (bytes32 transferId) {
        address feeTo = _enter();
        if (bridgeAdapter == address(0)) revert BridgeUnavailable();
        if (t.recipient == 0) revert InvalidRecipient();
        if (t.minOutput == 0) revert ZeroAmount();
        _begin(t.messageKey, t.validUntil);
        _charge(t.sender, t.token, t.amount, t.fee);
        Tokens.pull(t.token, t.sender, bridgeAdapter, t.amount);
        _payFee(t.token, t.sender, feeTo, t.fee);
        transferId = IBridgeAdapter(bridgeAdapter)
            .bridge(
                IBridgeAdapter.Order({
                messageKey: t.messageKey,
                sender: t.sender,
                token: t.token,
                amount: t.amount,
                destinationChain: t.destinationChain,
                recipient: t.recipient,
                minOutput: t.minOutput,
                validUntil: t.validUntil,
                route: t.route
            })
            );
        emit CrossChainTipSettled(
            t.messageKey, t.sender, t.recipient, t.destinationChain, t.token, t.amount, t.minOutput, t.fee, transferId
        );
    }

    function _tip(Tip calldata t, address feeTo) private {
        bytes32 key;
        address sender;
        address recipient;
        address token;
        uint256 amount;
        uint256 fee;
        uint256 validUntil;
        assembly ("memory-safe") {
            // Field by field the compiler's own reading costs five times as much. What lies beyond a field's width is dropped.
            key := calldataload(t)
            sender := shr(96, shl(96, calldataload(add(t, 0x20))))
            recipient := shr(96, shl(96, calldataload(add(t, 0x40))))
            token := shr(96, shl(96, calldataload(add(t, 0x60))))
            amount := shr(128, shl(128, calldataload(add(t, 0x80))))
            fee := shr(128, shl(128, calldataload(add(t, 0xa0))))
            validUntil := shr(192, shl(192, calldataload(add(t, 0xc0))))
        }
        _begin(key, validUntil);
        _charge(sender, token, amount, fee);
        _deliver(key, token, sender, recipient, amount, feeTo, fee);
        bytes32 topic = TipSettled.selector;
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, token)
            mstore(add(free, 0x20), amount)
            mstore(add(free, 0x40), fee)
            log4(free, 0x60, topic, key, sender, recipient)
        }
    }

    /// @inheritdoc IBotRouter
    function processed(bytes32 messageKey) external view returns (bool) {
        return _processed[messageKey].value != 0;
    }

    /// @dev Uses the message key up; a revert later in the frame frees it again.
    function _begin(bytes32 messageKey, uint256 validUntil) private {
        if (block.timestamp > validUntil) revert Expired();
        Slots.Word storage word = _processed[messageKey];
        if (word.value != 0) revert AlreadyProcessed(messageKey);
        word.value = 1;
    }

    /// @dev Counts a draw against the sender's limits.
    function _charge(address sender, address token, uint256 amount, uint256 fee) private {
        if (amount == 0) revert ZeroAmount();
        Slots.Word storage word = _record(sender, token);
        word.value = word.value.charge(amount, fee);
    }

    /// @dev Where the limits and the spending of a sender stand.
    function _record(address sender, address token) private view returns (Slots.Word storage) {
        if (token == usdc) return Slots.at(Slots.USDC, sender);
        if (token == wrappedNative) return Slots.at(Slots.NATIVE, sender);
        revert UnsupportedToken();
    }

    // ---------------------------------------------------------------------------------------------------------- limits and pause

    /// @inheritdoc IBotRouter
    function setLimits(address token, uint128 perTip, uint128 perDay, uint128 maxFee) external {
        _useNonce(msg.sender);
        _setLimits(msg.sender, token, perTip, perDay, maxFee);
    }

    /// @inheritdoc IBotRouter
    function setLimitsBySig(
        address sender,
        address token,
        uint128 perTip,
        uint128 perDay,
        uint128 maxFee,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external {
        bytes32 structHash = keccak256(abi.encode(SET_LIMITS_TYPEHASH, sender, token, perTip, perDay, maxFee, nonce, deadline));
        _useSignature(sender, nonce, deadline, structHash, signature);
        _setLimits(sender, token, perTip, perDay, maxFee);
    }

    /// @inheritdoc IBotRouter
    function lowerLimits(address sender, address token, uint128 perTip, uint128 perDay, uint128 maxFee) external {
        if (!isExecutor(msg.sender)) revert NotExecutor();
        (uint128 perTipNow, uint128 perDayNow, uint128 maxFeeNow) = _record(sender, token).value.limits();
        if (perTip > perTipNow || perDay > perDayNow || maxFee > maxFeeNow) revert LimitRaised();
        _setLimits(sender, token, perTip, perDay, maxFee);
    }

    /// @inheritdoc IBotRouter
    function pauseSender(address sender) external {
        if (msg.sender == sender) _useNonce(sender);
        else if (!isExecutor(msg.sender)) revert NotExecutor();
        _setSenderPaused(sender, true);
    }

    /// @inheritdoc IBotRouter
    function unpauseSender() external {
        _useNonce(msg.sender);
        _setSenderPaused(msg.sender, false);
    }

    /// @inheritdoc IBotRouter
    function unpauseSenderBySig(address sender, uint256 nonce, uint256 deadline, bytes calldata signature) external {
        _useSignature(sender, nonce, deadline, keccak256(abi.encode(UNPAUSE_TYPEHASH, sender, nonce, deadline)), signature);
        _setSenderPaused(sender, false);
    }

    /// @inheritdoc IBotRouter
    function limitsOf(address sender, address token)
        external
        view
        returns (uint128 perTip, uint128 perDay, uint128 maxFee, uint128 spent24h, bool isPaused)
    {
        uint256 record = token == usdc || token == wrappedNative ? _record(sender, token).value : 0;
        (perTip, perDay, maxFee) = record.limits();
        spent24h = record.spent();
        isPaused = record.isPaused();
    }

    function _setLimits(address sender, address token, uint128 perTip, uint128 perDay, uint128 maxFee) private {
        Slots.Word storage word = _record(sender, token);
        uint256 record = word.value.withLimits(perTip, perDay, maxFee, token == usdc ? _usdcMaxScale : NATIVE_MAX_SCALE);
        word.value = record;
        (perTip, perDay, maxFee) = record.limits();
        emit LimitsSet(sender, token, perTip, perDay, maxFee);
    }

    /// @dev The flag stands in the record of each token, where a draw reads it without a slot of its own.
    function _setSenderPaused(address sender, bool isPaused) private {
        Slots.Word storage word = _record(sender, usdc);
        word.value = word.value.withPaused(isPaused);
        word = _record(sender, wrappedNative);
        word.value = word.value.withPaused(isPaused);
        emit SenderPausedSet(sender, msg.sender, isPaused);
    }

    // ------------------------------------------------------------------------------------------------------- campaigns and grants

    /// @inheritdoc IBotRouter
    function openCampaign(bytes32 salt, address token, uint128 total, uint128 mostPerGrant, uint128 maxFee, uint64 expiry)
        external
        returns (bytes32 campaignId)
    {
        if (paused()) revert Paused();
        _requireToken(token);
        if (total == 0 || mostPerGrant == 0) revert ZeroAmount();
        if (expiry <= block.timestamp) revert Expired();
        campaignId = campaignIdOf(msg.sender, salt);
        if (_campaigns[campaignId].sponsor != address(0)) revert CampaignExists(campaignId);
        _campaigns[campaignId] = Account({
            sponsor: msg.sender,
            expiry: expiry,
            native: token == wrappedNative,
            closed: false,
            total: total,
            spent: 0,
            mostPerGrant: mostPerGrant,
            maxFee: maxFee
        });
        emit CampaignOpened(campaignId, msg.sender, token, total, mostPerGrant, maxFee, expiry);
    }

    /// @inheritdoc IBotRouter
    function closeCampaign(bytes32 campaignId) external {
        Account storage account = _account(campaignId);
        if (msg.sender != account.sponsor && !isExecutor(msg.sender)) revert NotSponsorNorExecutor();
        if (account.closed) revert CampaignIsClosed();
        account.closed = true;
        emit CampaignClosed(campaignId, msg.sender);
    }

    /// @inheritdoc IBotRouter
    function grant(bytes32 campaignId, Grant calldata g) external {
        address feeTo = _enter();
        uint256 item = _offset(g);
        (address token, address sponsor, uint256 fee) = _settleGrants(campaignId, item, item + GRANT_SIZE);
        _payFee(token, sponsor, feeTo, fee);
    }

    /// @inheritdoc IBotRouter
    function grantBatch(bytes32 campaignId, Grant[] calldata grants) external {
        address feeTo = _enter();
        Account storage account = _campaigns[campaignId];
        // USDC calls nobody back, so its grants share one frame; when one fails, all of it is undone and each gets its own. A
        // native delivery calls its recipient, and the next grant must see what that did.
        if (!account.native && _wholeFrame(campaignId, feeTo, grants)) return;
        uint256 fees;
        for (uint256 i; i < grants.length; ++i) {
            Grant calldata g = grants[i];
            if (_frame(this.grantFrame.selector, _offset(g), GRANT_SIZE, campaignId)) {
                fees += g.fee;
            } else {
                bytes memory reason = Tokens.answer(REASON_MAX);
                emit GrantFailed(grantIdOf(campaignId, g.recipientKey), campaignId, g.recipientKey, reason);
            }
        }
        _payFee(account.native ? wrappedNative : usdc, account.sponsor, feeTo, fees);
    }

    /// @dev A whole batch, in a frame of its own.
    function grantBatchFrame(bytes32 campaignId, address feeTo, Grant[] calldata grants) external onlySelf {
        uint256 item;
        assembly ("memory-safe") {
            item := grants.offset
        }
        (address token, address sponsor, uint256 fees) = _settleGrants(campaignId, item, item + grants.length * GRANT_SIZE);
        _payFee(token, sponsor, feeTo, fees);
    }

    /// @dev One item of a batch, in a frame of its own; the fee is taken by the batch.
    function grantFrame(Grant calldata g, bytes32 campaignId) external onlySelf {
        uint256 item = _offset(g);
        _settleGrants(campaignId, item, item + GRANT_SIZE);
    }

    /// @inheritdoc IBotRouter
    function campaignOf(bytes32 campaignId) external view returns (Campaign memory) {
        Account storage account = _account(campaignId);
        return Campaign({
            sponsor: account.sponsor,
            token: account.native ? wrappedNative : usdc,
            total: account.total,
            spent: account.spent,
            mostPerGrant: account.mostPerGrant,
            maxFee: account.maxFee,
            expiry: account.expiry,
            closed: account.closed
        });
    }

    /// @inheritdoc IBotRouter
    function campaignIdOf(address sponsor, bytes32 salt) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), sponsor, salt));
    }

    /// @inheritdoc IBotRouter
    function grantIdOf(bytes32 campaignId, uint256 recipientKey) public pure returns (bytes32) {
        return keccak256(abi.encode(campaignId, recipientKey));
    }

    /// @inheritdoc IBotRouter
    function granted(bytes32 campaignId, uint256 recipientKey) external view returns (bool) {
        return _granted[campaignId][recipientKey >> 8].value & (1 << (recipientKey & 0xff)) != 0;
    }

    /// @dev Everything of these grants but the transfer of their fees. All is written before the first delivery.
    /// @param item Where the first one stands in calldata, each in `GRANT_SIZE` bytes.
    /// @param end Where the last one ends.
    function _settleGrants(bytes32 campaignId, uint256 item, uint256 end)
        private
        returns (address token, address sponsor, uint256 fees)
    {
        (token, sponsor, fees) = _bookGrants(campaignId, item, end);
        _markGranted(campaignId, item, end);
        if (_record(sponsor, token).value.isPaused()) revert SenderPaused();
        // Calldata is far shorter than 2^256 bytes, here and in the loops below.
        for (; item < end; item = _next(item)) {
            uint256 recipientKey;
            address recipient;
            uint256 amount;
            assembly ("memory-safe") {
                recipientKey := calldataload(item)
                recipient := shr(96, shl(96, calldataload(add(item, 0x20))))
                amount := shr(128, shl(128, calldataload(add(item, 0x40))))
            }
            bytes32 grantId = _grantId(campaignId, recipientKey);
            _deliver(grantId, token, sponsor, recipient, amount, address(0), 0);
            bytes32 topic = GrantPaid.selector;
            assembly ("memory-safe") {
                let free := mload(0x40)
                mstore(free, recipientKey)
                mstore(add(free, 0x20), amount)
                mstore(add(free, 0x40), shr(128, shl(128, calldataload(add(item, 0x60)))))
                log4(free, 0x60, topic, grantId, campaignId, recipient)
            }
        }
    }

    /// @dev Holds grants against the terms of their campaign and counts them against its total.
    function _bookGrants(bytes32 campaignId, uint256 item, uint256 end)
        private
        returns (address token, address sponsor, uint256 fees)
    {
        Account storage account = _account(campaignId);
        (sponsor, token) = (account.sponsor, account.native ? wrappedNative : usdc);
        if (account.closed) revert CampaignIsClosed();
        if (block.timestamp > account.expiry) revert Expired();
        (uint256 mostPerGrant, uint256 maxFee) = (account.mostPerGrant, account.maxFee);
        uint256 spent = account.spent;
        for (; item < end; item = _next(item)) {
            uint256 amount;
            uint256 fee;
            uint256 validUntil;
            assembly ("memory-safe") {
                amount := shr(128, shl(128, calldataload(add(item, 0x40))))
                fee := shr(128, shl(128, calldataload(add(item, 0x60))))
                validUntil := shr(192, shl(192, calldataload(add(item, 0x80))))
            }
            if (block.timestamp > validUntil) revert Expired();
            if (amount == 0) revert ZeroAmount();
            if (amount > mostPerGrant) revert GrantTooLarge();
            if (fee > maxFee) revert LimitFee();
            // Of 128 bits each: no calldata is long enough for these sums to wrap.
            unchecked {
                fees += fee;
                spent += amount + fee;
            }
        }
        if (spent > account.total) revert CampaignExhausted();
        account.spent = uint128(spent);
    }

    /// @dev Uses the recipients' keys up. Neighbours that share a word cost one read and one write.
    function _markGranted(bytes32 campaignId, uint256 item, uint256 end) private {
        while (item < end) {
            uint256 recipientKey = _word(item);
            uint256 index = recipientKey >> 8;
            Slots.Word storage word = _granted[campaignId][index];
            uint256 bits = word.value;
            do {
                uint256 bit = 1 << (recipientKey & 0xff);
                if (bits & bit != 0) revert AlreadyGranted(_grantId(campaignId, recipientKey));
                bits |= bit;
                item = _next(item);
                recipientKey = _word(item);
            } while (item < end && recipientKey >> 8 == index);
            word.value = bits;
        }
    }

    function _next(uint256 item) private pure returns (uint256) {
        unchecked {
            return item + GRANT_SIZE;
        }
    }

    function _word(uint256 offset) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := calldataload(offset)
        }
    }

    function _grantId(bytes32 campaignId, uint256 recipientKey) private pure returns (bytes32 grantId) {
        assembly ("memory-safe") {
            mstore(0, campaignId)
            mstore(0x20, recipientKey)
            grantId := keccak256(0, 0x40)
        }
    }

    function _account(bytes32 campaignId) private view returns (Account storage account) {
        account = _campaigns[campaignId];
        if (account.sponsor == address(0)) revert UnknownCampaign(campaignId);
    }

    // --------------------------------------------------------------------------------------------------------------------- payment

    /// @dev Moves `amount` from `from` to `to`: USDC as it is, the wrapped native asset as the native one.
    function _deliver(bytes32 id, address token, address from, address to, uint256 amount, address feeTo, uint256 fee) private {
        // What these three were sent could never leave them again.
        address first = usdc;
        address second = wrappedNative;
        bool refused;
        bool plain;
        assembly ("memory-safe") {
            refused := or(or(iszero(to), eq(to, address())), or(eq(to, first), eq(to, second)))
            plain := eq(token, first)
        }
        if (refused) revert InvalidRecipient();
        if (plain) {
            Tokens.pull(token, from, to, amount, feeTo, fee);
            return;
        }
        if (!Tokens.pullNative(token, from, to, amount)) emit DeliveredWrapped(id, to, amount);
        _payFee(token, from, feeTo, fee);
    }

    function _payFee(address token, address from, address feeTo, uint256 fee) private {
        if (fee != 0) Tokens.pull(token, from, feeTo, fee);
    }

    function _requireToken(address token) private view {
        address first = usdc;
        address second = wrappedNative;
        bool known;
        assembly ("memory-safe") {
            known := or(eq(token, first), eq(token, second))
        }
        if (!known) revert UnsupportedToken();
    }

    /// @dev Calls this router itself with `selector`, the `size` bytes of calldata at `item`, and one word more. After
    /// the check no item can fail for want of gas by the choice of the transaction's sender.
    function _frame(bytes4 selector, uint256 item, uint256 size, bytes32 word) private returns (bool ok) {
        if (gasleft() < ITEM_GAS) revert InsufficientGas();
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, selector)
            calldatacopy(add(free, 0x04), item, size)
            mstore(add(add(free, 0x04), size), word)
            ok := call(gas(), address(), 0, free, add(size, 0x24), 0, 0)
        }
    }

    /// @dev Calls this router itself with all of a batch, as `_frame` does with one item.
    function _wholeFrame(bytes32 campaignId, address feeTo, Grant[] calldata grants) private returns (bool ok) {
        if (gasleft() < ITEM_GAS) revert InsufficientGas();
        bytes4 selector = this.grantBatchFrame.selector;
        assembly ("memory-safe") {
            let free := mload(0x40)
            let size := mul(grants.length, GRANT_SIZE)
            mstore(free, selector)
            mstore(add(free, 0x04), campaignId)
            mstore(add(free, 0x24), feeTo)
            mstore(add(free, 0x44), 0x60)
            mstore(add(free, 0x64), grants.length)
            calldatacopy(add(free, 0x84), grants.offset, size)
            ok := call(gas(), address(), 0, free, add(size, 0x84), 0, 0)
        }
    }

    function _offset(Grant calldata g) private pure returns (uint256 offset) {
        assembly ("memory-safe") {
            offset := g
        }
    }

    // ------------------------------------------------------------------------------------------------------------------ signatures

    /// @inheritdoc IBotRouter
    function nonces(address sender) external view returns (uint256) {
        return _nonces[sender];
    }

    /// @inheritdoc IBotRouter
    function DOMAIN_SEPARATOR() public view override(IBotRouter, Signed) returns (bytes32) {
        return super.DOMAIN_SEPARATOR();
    }

    /// @dev Every change by the sender itself voids the signatures that it gave before.
    function _useNonce(address sender) internal override {
        emit NonceUsed(sender, _nonces[sender]++);
    }
}
