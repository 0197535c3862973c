// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {Across, ISpokePool} from "./Across.sol";
import {IUsdc} from "./Usdc.sol";
import {AcrossAdapter} from "../../src/AcrossAdapter.sol";
import {BotRouter} from "../../src/BotRouter.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";
import {IBridgeAdapter} from "../../src/interfaces/IBridgeAdapter.sol";
import {WrappedNative} from "../../src/local/WrappedNative.sol";

/// @dev Plays senders, executor, pool owner and strangers at random, and keeps books of its own about what left by way of the pool.
contract AcrossHandler is Test {
    uint256 public constant SENDERS = 3;
    /// @dev Few, so that repeats are common.
    uint256 public constant KEYS = 24;
    BotRouter private router;
    AcrossAdapter private adapter;
    ISpokePool private pool;
    IUsdc private usdc;
    WrappedNative private wrapped;
    address private executor;
    address private poolOwner;
    uint128 private unit;
    uint256[3] private destinations;

    address[SENDERS] public senders;
    address public recipient = makeAddr("handler recipient");
    address public stranger = makeAddr("handler stranger");

    mapping(bytes32 key => uint256) public settledCount;
    /// @dev Of these, the ones that went to another chain.
    mapping(bytes32 key => uint256) public crossCount;
    /// @dev Of the deposits whose id is that of a sender's key, by the key; those of strangers stand at zero.
    mapping(bytes32 key => uint256) public depositCount;
    mapping(uint256 depositId => bytes32 key) private _keyOf;
    /// @dev What nobody has refunded yet.
    Across.Deposit[] private _open;
    uint32 private _bundles;

    mapping(address token => mapping(address sender => uint256)) public deposited;
    mapping(address token => mapping(address sender => uint256)) public tipped;
    mapping(address token => mapping(address sender => uint256)) public paidFees;
    mapping(address token => mapping(address sender => uint256)) public refunded;
    mapping(address token => uint256) public inPool;
    mapping(address token => uint256) public donated;
    mapping(address token => uint256) public fees;
    mapping(address token => uint256) public received;

    bool public depositedOtherThanTold;
    bool public depositedWithoutATip;
    bool public bridgedByAnother;
    bool public settledWhatIsRefused;
    bool public failedTipUsedItsKey;

    constructor(
        BotRouter router_,
        AcrossAdapter adapter_,
        ISpokePool pool_,
        IUsdc usdc_,
        WrappedNative wrapped_,
        address executor_,
        address poolOwner_,
        uint128 unit_,
        uint256[3] memory destinations_
    ) {
        (router, adapter, pool, usdc, wrapped) = (router_, adapter_, pool_, usdc_, wrapped_);
        (executor, poolOwner, unit, destinations) = (executor_, poolOwner_, unit_, destinations_);
        for (uint256 i; i < SENDERS; ++i) {
            senders[i] = makeAddr(string.concat("handler sender", vm.toString(i)));
            for (uint256 j; j < KEYS; ++j) {
                _keyOf[uint256(adapter.transferIdOf(senders[i], keyAt(j)))] = keyAt(j);
            }
        }
    }

    // ------------------------------------------------------------------------------------------------------------------------ tips

    /// @dev Several, as most of what else happens lets none through.
    function tipAcross(uint256 seed) external {
        for (uint256 i; i < 3; ++i) {
            _tipAcross(_mix(seed ^ i));
        }
    }

    /// @dev On this chain, with the same keys.
    function tip(uint256 seed) external {
        IBotRouter.CrossChainTip memory t = _tip(_mix(seed));
        vm.recordLogs();
        vm.prank(executor);
        try router.tip(IBotRouter.Tip(t.messageKey, t.sender, recipient, t.token, t.amount, t.fee, t.validUntil)) {
            _settled(t);
            tipped[t.token][t.sender] += t.amount;
            received[t.token] += t.amount;
        } catch {}
        if (Across.recorded(pool).length != 0) depositedWithoutATip = true;
    }

    // ------------------------------------------------------------------------------------------------------------------- strangers

    function donate(uint256 seed, uint256 amount) external {
        address token = _token(seed);
        amount = bound(amount, 1, 10 * _unitOf(token));
        vm.prank(stranger);
        IUsdc(token).transfer(address(adapter), amount);
        donated[token] += amount;
    }

    /// @dev Everybody but the router tries to have what the adapter holds.
    function bridge(uint256 seed, address caller) external {
        seed = _mix(seed);
        IBotRouter.CrossChainTip memory t = _tip(seed);
        caller =
            [caller, t.sender, executor, poolOwner, router.owner(), address(pool), address(adapter), stranger][(seed >> 240) % 8];
        if (caller == address(router)) return;
        vm.prank(caller);
        try adapter.bridge(
            IBridgeAdapter.Order(
                t.messageKey, t.sender, t.token, t.amount, t.destinationChain, t.recipient, t.minOutput, t.validUntil, ""
            )
        ) {
            bridgedByAnother = true;
        } catch {}
    }

    /// @dev Somebody deposits in the pool itself, in the name of a sender and with the nonce of a tip.
    function depositAlone(uint256 seed) external {
        IBotRouter.CrossChainTip memory t = _tip(_mix(seed));
        bytes32 token = Across.word(t.token);
        bytes32 depositor = Across.word(t.sender);
        uint256 nonce = uint256(t.messageKey);
        uint32 now_ = uint32(block.timestamp);
        vm.recordLogs();
        vm.prank(stranger);
        try pool.unsafeDeposit(depositor, t.recipient, token, token, t.amount, 1, 1, 0, nonce, now_, now_, 0, "") {
            inPool[t.token] += t.amount;
            ++depositCount[_keyOf[Across.recorded(pool)[0].depositId]];
        } catch {}
    }

    // --------------------------------------------------------------------------------------------------------------- circumstances

    function pausePool(uint256 seed) external {
        vm.prank(poolOwner);
        pool.pauseDeposits(_mix(seed) % 4 == 0);
    }

    function pauseSender(uint256 seed) external {
        seed = _mix(seed);
        vm.startPrank(senders[seed % SENDERS]);
        (seed >> 8) % 3 == 0 ? router.pauseSender(senders[seed % SENDERS]) : router.unpauseSender();
        vm.stopPrank();
    }

    /// @dev A deposit returns once its deadline has passed, to whom the pool knows as its depositor.
    function refund(uint256 seed) external {
        if (_open.length == 0) return;
        uint256 at = seed % _open.length;
        Across.Deposit memory deposit = _open[at];
        if (block.timestamp <= deposit.fillDeadline) return;
        _open[at] = _open[_open.length - 1];
        _open.pop();
        Across.refund(pool, deposit, poolOwner, _bundles++);
        address token = address(uint160(uint256(deposit.inputToken)));
        inPool[token] -= deposit.inputAmount;
        refunded[token][address(uint160(uint256(deposit.depositor)))] += deposit.inputAmount;
    }

    function wait(uint256 seconds_) external {
        vm.warp(block.timestamp + bound(seconds_, 0, 9 hours));
    }

    // ----------------------------------------------------------------------------------------------------------------------- books

    function keyAt(uint256 index) public pure returns (bytes32) {
        return keccak256(abi.encode("key", index));
    }

    /// @dev The fuzzer likes small numbers, whose upper bits would always choose the same.
    function _mix(uint256 seed) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed)));
    }

    function _tip(uint256 seed) private view returns (IBotRouter.CrossChainTip memory t) {
        t.token = _token(seed >> 8);
        uint128 one = _unitOf(t.token);
        t.messageKey = keyAt((seed >> 16) % KEYS);
        t.sender = senders[seed % SENDERS];
        t.recipient = Across.word(recipient);
        uint256 where = (seed >> 24) % 8;
        t.destinationChain = destinations[where < 5 ? 0 : where < 7 ? 1 : 2];
        t.amount = uint128(bound(seed >> 40, 1, (seed >> 28) % 8 == 0 ? 120 * one : 20 * one));
        t.minOutput = uint128(bound(seed >> 104, 1, t.amount));
        t.fee = uint128(bound(seed >> 168, 0, one)) * ((seed >> 31) % 8 == 0 ? 2 : 1);
        // Late by a second now and then.
        t.validUntil = uint64(block.timestamp - 1 + (seed >> 232) % 9 * 1 hours);
    }

    function _tipAcross(uint256 seed) private {
        IBotRouter.CrossChainTip memory t = _tip(seed);
        bool wasProcessed = router.processed(t.messageKey);
        bool isRefused = wasProcessed || pool.pausedDeposits() || block.timestamp > t.validUntil
            || adapter.outputTokenOf(t.destinationChain, t.token) == 0;
        vm.recordLogs();
        vm.prank(executor);
        try router.tipCrossChain(t) {
            if (isRefused) settledWhatIsRefused = true;
            _deposited(t);
            _settled(t);
        } catch {
            if (Across.recorded(pool).length != 0) depositedWithoutATip = true;
            if (router.processed(t.messageKey) != wasProcessed) failedTipUsedItsKey = true;
        }
    }

    /// @dev One deposit, exactly of the tip.
    function _deposited(IBotRouter.CrossChainTip memory t) private {
        Across.Deposit[] memory deposits = Across.recorded(pool);
        if (deposits.length != 1) {
            depositedOtherThanTold = true;
            return;
        }
        Across.Deposit memory d = deposits[0];
        uint256 latest = block.timestamp + Across.BUFFER;
        bool isTold = d.depositor == Across.word(t.sender) && d.recipient == t.recipient && d.inputAmount == t.amount
            && d.inputToken == Across.word(t.token) && d.outputAmount == t.minOutput && d.destinationChainId == t.destinationChain
            && d.outputToken == adapter.outputTokenOf(t.destinationChain, t.token)
            && d.depositId == uint256(adapter.transferIdOf(t.sender, t.messageKey))
            && d.fillDeadline == (t.validUntil < latest ? t.validUntil : latest) && d.exclusivityDeadline == 0;
        if (!isTold) depositedOtherThanTold = true;
        ++depositCount[_keyOf[d.depositId]];
        _open.push(d);
        ++crossCount[t.messageKey];
        deposited[t.token][t.sender] += d.inputAmount;
        inPool[t.token] += d.inputAmount;
    }

    function _settled(IBotRouter.CrossChainTip memory t) private {
        ++settledCount[t.messageKey];
        paidFees[t.token][t.sender] += t.fee;
        fees[t.token] += t.fee;
    }

    function _token(uint256 seed) private view returns (address) {
        return seed & 1 == 0 ? address(usdc) : address(wrapped);
    }

    function _unitOf(address token) private view returns (uint128) {
        return token == address(usdc) ? unit : 1 ether;
    }
}
