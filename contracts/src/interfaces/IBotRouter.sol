// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IExecutors} from "./IExecutors.sol";
import {IRoles} from "./IRoles.sol";
import {ITreasury} from "./ITreasury.sol";

/// @title Tips, tabs opened by tips, and campaign grants
/// @notice An allow-listed executor moves tokens from a sender who has given this router an ERC-20 allowance AND set limits.
/// - A message key is processed at most once, ever, over all kinds of tips; a failed item leaves its key unused.
/// - Per (sender, token) there are three limits: per tip, per any 24 hours, and the highest fee. They start at 0, which refuses
///   everything. Amount plus fee counts against `perTip` and `perDay`. No window of 24 hours, edges included, sums up to
///   more than `perDay`. Only the sender raises a limit; an executor may lower it or pause the sender.
/// - Tokens: USDC and the chain's wrapped native asset. A tip or grant of the latter is delivered as the native asset, with
///   bounded gas; a recipient that cannot take it gets the wrapped token.
/// - The router holds no balance between transactions, and calls nothing that a caller chooses, except that a native
///   delivery sends value, without data, to its recipient, and that a signer with code is asked (ERC-1271, read-only).
/// - Where the native asset is itself an ERC-20 (Celo), that token stands for the wrapped one and nothing is unwrapped.
///
/// EIP-712 domain: name "Ampersat Bot Router", version "1", chainId, verifyingContract. Types:
/// `SetLimits(address sender,address token,uint128 perTip,uint128 perDay,uint128 maxFee,uint256 nonce,uint256 deadline)`
/// `UnpauseSender(address sender,uint256 nonce,uint256 deadline)`
/// A signature is tried as ECDSA of `sender` first, then, when `sender` has code, by ERC-1271: an account that EIP-7702 has
/// delegated keeps its own key.
interface IBotRouter is IRoles, IExecutors, ITreasury {
    /// @param messageKey keccak256 of the platform message's identity and leg.
    /// @param recipient Gets exactly `amount`. Not zero, this router, nor one of the tokens.
    /// @param amount In the token's smallest units; not zero.
    /// @param fee On top of `amount`, to the treasury, in the same token (as wrapped token for a native tip).
    /// @param validUntil Last Unix second at which the tip may settle.
    struct Tip {
        bytes32 messageKey;
        address sender;
        address recipient;
        address token;
        uint128 amount;
        uint128 fee;
        uint64 validUntil;
    }

    /// @notice A tip to somebody who has no wallet yet: a revocable tab in the escrow router, without fee.
    /// @param handleKey keccak256 of the UTF-8 slug, such as `telegram:id:123`.
    /// @param deadline Unix second from which anyone may refund the tab (1 hour to 90 days ahead).
    struct TabTip {
        bytes32 messageKey;
        address sender;
        bytes32 handleKey;
        address token;
        uint128 amount;
        uint64 deadline;
        uint64 validUntil;
    }

    /// @notice A tip that arrives on another chain through the bridge adapter.
    /// @param recipient 32 bytes of the destination's address; an EVM address stands in the low 20 bytes.
    /// @param minOutput Least amount to arrive, in the destination token's smallest units; not zero.
    /// @param route Opaque hint for the adapter.
    struct CrossChainTip {
        bytes32 messageKey;
        address sender;
        bytes32 recipient;
        uint256 destinationChain;
        address token;
        uint128 amount;
        uint128 minOutput;
        uint128 fee;
        uint64 validUntil;
        bytes route;
    }

    /// @notice One payment of a campaign.
    /// @param recipientKey Identifies the recipient within the campaign; at most one grant per key, ever. Keys that share their
    /// upper 248 bits share a storage word, so small consecutive numbers are cheap; a hash works as well.
    struct Grant {
        uint256 recipientKey;
        address recipient;
        uint128 amount;
        uint128 fee;
        uint64 validUntil;
    }

    /// @param total The most that all grants, fees included, may draw from the sponsor.
    /// @param spent Drawn so far, fees included.
    /// @param mostPerGrant Highest amount of one grant, without its fee.
    /// @param maxFee Highest fee of one grant.
    /// @param expiry Last Unix second at which a grant may be paid.
    struct Campaign {
        address sponsor;
        address token;
        uint128 total;
        uint128 spent;
        uint128 mostPerGrant;
        uint128 maxFee;
        uint64 expiry;
        bool closed;
    }

    event TipSettled(
        bytes32 indexed messageKey, address indexed sender, address indexed recipient, address token, uint256 amount, uint256 fee
    );
    /// @param reason Revert data of the item's own frame (an error of this interface), cut after 1,024 bytes.
    event TipFailed(bytes32 indexed messageKey, address indexed sender, bytes reason);
    event TabTipSettled(
        bytes32 indexed messageKey,
        address indexed sender,
        bytes32 indexed handleKey,
        bytes32 tabId,
        address token,
        uint256 amount,
        uint64 deadline
    );
    event CrossChainTipSettled(
        bytes32 indexed messageKey,
        address indexed sender,
        bytes32 indexed recipient,
        uint256 destinationChain,
        address token,
        uint256 amount,
        uint256 minOutput,
        uint256 fee,
        bytes32 transferId
    );
    /// @notice Emitted beside the settlement event when a native delivery was refused and the wrapped token was sent instead.
    /// @param id Message key or grant id.
    event DeliveredWrapped(bytes32 indexed id, address indexed recipient, uint256 amount);
    event LimitsSet(address indexed sender, address indexed token, uint128 perTip, uint128 perDay, uint128 maxFee);
    event SenderPausedSet(address indexed sender, address indexed by, bool paused);
    /// @notice The sender's nonce was used, by a signature or by a call of the sender; older signatures are void.
    event NonceUsed(address indexed sender, uint256 nonce);
    event CampaignOpened(
        bytes32 indexed campaignId,
        address indexed sponsor,
        address indexed token,
        uint128 total,
        uint128 mostPerGrant,
        uint128 maxFee,
        uint64 expiry
    );
    event CampaignClosed(bytes32 indexed campaignId, address indexed by);
    event GrantPaid(
        bytes32 indexed grantId,
        bytes32 indexed campaignId,
        address indexed recipient,
        uint256 recipientKey,
        uint256 amount,
        uint256 fee
    );
    /// @param reason As in `TipFailed`.
    event GrantFailed(bytes32 indexed grantId, bytes32 indexed campaignId, uint256 recipientKey, bytes reason);

    /// @notice `validUntil`, a signature's `deadline` or a campaign's `expiry` has passed.
    error Expired();
    error AlreadyProcessed(bytes32 messageKey);
    error LimitPerTip();
    error LimitPerDay();
    error LimitFee();
    /// @notice An executor may not raise a limit.
    error LimitRaised();
    error SenderPaused();
    error UnsupportedToken();
    error ZeroAmount();
    error InvalidRecipient();
    /// @notice The token refused; `reason` is its own revert data (empty when it returned false), cut after 512 bytes.
    error TransferFailed(bytes reason);
    /// @notice The transaction carries too little gas to give the item its full chance.
    error InsufficientGas();
    /// @notice This chain has no bridge adapter.
    error BridgeUnavailable();
    /// @notice This chain has no escrow router yet.
    error EscrowUnavailable();
    error InvalidSignature();
    /// @notice The nonce must be `nonces(sender)`.
    error InvalidNonce(uint256 expected);
    /// @notice Only a frame of this router itself may call.
    error NotSelf();
    /// @notice Value arrives only from the wrapped native asset.
    error UnexpectedValue();
    error CampaignExists(bytes32 campaignId);
    error UnknownCampaign(bytes32 campaignId);
    error CampaignIsClosed();
    error CampaignExhausted();
    error GrantTooLarge();
    error AlreadyGranted(bytes32 grantId);
    error NotSponsorNorExecutor();

    // ------------------------------------------------------------------------------------------------ tips: executor, not paused

    /// @notice Pays one tip: `amount` to the recipient and `fee` to the treasury, both from the sender. All or nothing.
    function tip(Tip calldata t) external;

    /// @notice Pays each tip in a frame of its own; a failing one is undone alone and reported by `TipFailed`.
    /// @dev Reverts with InsufficientGas, as a whole, when an item could not be given its full gas.
    function tipBatch(Tip[] calldata tips) external;

    /// @notice Takes `amount` from the sender and opens a revocable tab for it in the escrow router, with the message key as the
    /// sender's nonce: tab id = keccak256(abi.encode(chainid, escrow router, sender, uint256(messageKey))).
    function tipToTab(TabTip calldata t) external returns (bytes32 tabId);

    /// @notice Hands `amount` to the bridge adapter, bound to recipient, destination and least output; `fee` to the treasury.
    function tipCrossChain(CrossChainTip calldata t) external returns (bytes32 transferId);

    /// @notice Whether the message key has been used by a settled tip of any kind.
    function processed(bytes32 messageKey) external view returns (bool);

    // ---------------------------------------------------------------------------------------------------------- limits and pause

    /// @notice Sets the caller's own limits and uses up the caller's nonce, so that no older signature raises them again.
    /// @dev A limit is kept to six significant decimal digits, rounded down; `limitsOf` tells what is in force.
    function setLimits(address token, uint128 perTip, uint128 perDay, uint128 maxFee) external;

    /// @notice The same on the sender's EIP-712 signature `SetLimits`, submitted by anyone.
    function setLimitsBySig(
        address sender,
        address token,
        uint128 perTip,
        uint128 perDay,
        uint128 maxFee,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external;

    /// @notice Lowers, or keeps, each of a sender's limits. Executor.
    function lowerLimits(address sender, address token, uint128 perTip, uint128 perDay, uint128 maxFee) external;

    /// @notice Stops every draw on `sender`: tips, tab tips, cross-chain tips and grants. The sender or an executor.
    function pauseSender(address sender) external;

    /// @notice Lets draws on the caller in again.
    function unpauseSender() external;

    /// @notice The same on the sender's EIP-712 signature `UnpauseSender`, submitted by anyone.
    function unpauseSenderBySig(address sender, uint256 nonce, uint256 deadline, bytes calldata signature) external;

    /// @return perTip Highest amount plus fee of one tip.
    /// @return perDay Highest sum of amounts plus fees in any 24 hours.
    /// @return maxFee Highest fee of one tip.
    /// @return spent24h What counts against `perDay` now: at least what the last 24 hours took, and nothing older than 30 hours.
    /// @return isPaused Whether the sender is paused (for all tokens).
    function limitsOf(address sender, address token)
        external
        view
        returns (uint128 perTip, uint128 perDay, uint128 maxFee, uint128 spent24h, bool isPaused);

    /// @notice The nonce that the sender's next signature must carry.
    function nonces(address sender) external view returns (uint256);

    // ------------------------------------------------------------------------------------------------------- campaigns and grants

    /// @notice Opens a campaign of the caller. Its grants draw on the caller's allowance to this router, not on its limits.
    /// @return campaignId keccak256(abi.encode(chainid, router, sponsor, salt)); once used, never free again.
    function openCampaign(bytes32 salt, address token, uint128 total, uint128 mostPerGrant, uint128 maxFee, uint64 expiry)
        external
        returns (bytes32 campaignId);

    /// @notice Ends a campaign for good. Its sponsor, or an executor; never paused.
    function closeCampaign(bytes32 campaignId) external;

    /// @notice Pays one grant. Executor, not paused.
    function grant(bytes32 campaignId, Grant calldata g) external;

    /// @notice Pays each grant in a frame of its own; a failing one is undone alone and reported by `GrantFailed`. The fees of
    /// those paid are taken in one transfer at the end; when that fails the whole batch is undone.
    function grantBatch(bytes32 campaignId, Grant[] calldata grants) external;

    function campaignOf(bytes32 campaignId) external view returns (Campaign memory);
    function campaignIdOf(address sponsor, bytes32 salt) external view returns (bytes32);
    /// @return keccak256(abi.encode(campaignId, recipientKey)).
    function grantIdOf(bytes32 campaignId, uint256 recipientKey) external pure returns (bytes32);
    function granted(bytes32 campaignId, uint256 recipientKey) external view returns (bool);

    // ------------------------------------------------------------------------------------------------------------------ immutables

    function usdc() external view returns (address);
    function wrappedNative() external view returns (address);
    function escrowRouter() external view returns (address);
    /// @notice The only way to other chains; the zero address when there is none.
    function bridgeAdapter() external view returns (address);
    /// @notice EIP-712 domain separator of this router on this chain.
    function DOMAIN_SEPARATOR() external view returns (bytes32);
}
