// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Test} from "forge-std/Test.sol";

import {HostileReceiver} from "./Hostile.sol";
import {EscrowRouter} from "../../src/EscrowRouter.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";

/// @dev Plays everybody around an escrow router at random, keeps books of its own, and notes where the router departs from them.
contract EscrowHandler is Test {
    struct Party {
        address account;
        uint256 key;
    }

    /// @dev A tab as it was opened, and what became of it.
    struct Known {
        IEscrowRouter.Tab tab;
        uint256 openedAt;
        IEscrowRouter.Status status;
        uint256 payouts;
    }

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant CLAIM_TYPEHASH =
        keccak256("Claim(bytes32 tabId,bytes32 handleKey,address recipient,uint64 notAfter)");
    bytes32 private constant REFUND_TYPEHASH = keccak256("Refund(bytes32 tabId,uint256 deadline)");

    EscrowRouter private router;
    address private usdc;
    address private wrapped;
    uint128 private unit;
    address private botRouter;
    /// @dev Whether the native asset is an ERC-20 itself.
    bool private _dual;

    Party[3] public senders;
    /// @dev The second takes no native value.
    address[2] public recipients;
    address[2] private _executors;
    Party[3] private _authorities;

    Known[] private _tabs;
    mapping(bytes32 tabId => bool) private _used;
    mapping(address token => uint256) public openSum;
    mapping(address token => uint256) public donated;
    mapping(address account => mapping(address token => uint256)) public paidIn;
    mapping(address account => mapping(address token => uint256)) public paidOut;

    address public authority;
    uint256 private _authorityKey;
    Party private _announced;
    uint256 private _announcedAt;
    uint256 private _changedAt;
    uint256 private _pausedFrom;
    uint256 public claimsPausedUntil;
    bool private _paused;

    bool public paidAnotherAmount;
    bool public openedTwice;
    bool public claimedWithoutTwoKeys;
    bool public claimedOutOfTime;
    bool public claimedWhilePaused;
    bool public claimRefused;
    bool public refundedTooEarly;
    bool public refundRefused;
    bool public refundWentElsewhere;
    bool public pausedTooLong;
    bool public authorityChangedTooEarly;
    bool public openedForAnother;
    bool public openedUnpaid;
    bool public openedWhilePaused;

    constructor(EscrowRouter router_, uint128 unit_, uint256 authorityKey_, bool dual) {
        (router, unit, _dual) = (router_, unit_, dual);
        (usdc, wrapped, botRouter) = (router_.usdc(), router_.wrappedNative(), router_.botRouter());
        (authority, _authorityKey) = (router_.authority(), authorityKey_);
        for (uint256 i; i < 3; ++i) {
            senders[i] = _party("handler sender", i);
            _authorities[i] = i == 0 ? Party(authority, authorityKey_) : _party("handler authority", i);
        }
        recipients[0] = makeAddr("handler recipient");
        HostileReceiver refusing = new HostileReceiver();
        refusing.set(HostileReceiver.Mode.Reverts);
        recipients[1] = address(refusing);
        _executors = [router_.executors()[0], makeAddr("handler executor")];
    }

    // ------------------------------------------------------------------------------------------------------------------------ tabs

    function open(uint256 seed) external {
        IEscrowRouter.Tab memory tab = _newTab(seed);
        vm.prank(tab.sender);
        try router.open(tab.token, tab.handleKey, tab.amount, tab.deadline, tab.senderNonce, tab.revocable) {
            _opened(tab);
        } catch {}
    }

    /// @dev By the bot router, paid or not; now and then by somebody else.
    function openFor(uint256 seed) external {
        IEscrowRouter.Tab memory tab = _newTab(seed);
        tab.revocable = true;
        bool paid = (seed >> 200) % 4 != 0;
        address caller = (seed >> 208) % 8 == 0 ? tab.sender : botRouter;
        // Whoever pays nothing asks for more than what lies here unclaimed.
        uint256 unclaimed = IERC20(tab.token).balanceOf(address(router)) - openSum[tab.token];
        if (paid) {
            vm.prank(tab.sender);
            IERC20(tab.token).transfer(address(router), tab.amount);
            paidIn[tab.sender][tab.token] += tab.amount;
            donated[tab.token] += tab.amount;
        } else {
            tab.amount += uint128(unclaimed);
        }
        vm.prank(caller);
        try router.openFor(tab.sender, tab.token, tab.handleKey, tab.amount, tab.deadline, tab.senderNonce) {
            if (caller != botRouter) openedForAnother = true;
            if (!paid) openedUnpaid = true;
            donated[tab.token] -= tab.amount;
            paidIn[tab.sender][tab.token] -= tab.amount;
            _opened(tab);
        } catch {}
    }

    /// @dev First with one thing wrong, then as often as not as it should be.
    function claim(uint256 seed) external {
        if (_tabs.length == 0) return;
        Known storage known = _recent(seed >> 8);
        _claim(known, seed, seed % 4);
        if ((seed >> 4) % 2 == 0) _claim(known, seed, 4);
    }

    function _claim(Known storage known, uint256 seed, uint256 wrong) private {
        address caller = _executors[(seed >> 64) % 4 == 0 ? 1 : 0];
        if (wrong == 0) caller = [authority, known.tab.sender, router.owner(), router.guardian()][(seed >> 72) % 4];
        uint256 key = wrong == 1 ? [_authorities[(seed >> 80) % 3].key, senders[0].key][(seed >> 88) % 2] : _authorityKey;
        address to = (seed >> 96) % 4 == 0 ? known.tab.sender : recipients[(seed >> 104) % 2];
        uint64 notAfter = uint64(block.timestamp + (seed >> 112) % 601);
        if (wrong == 2) notAfter += 601;
        if (wrong == 3) notAfter = uint64(block.timestamp - 1 - (seed >> 112) % 601);
        bytes memory signature =
            _sign(key, keccak256(abi.encode(CLAIM_TYPEHASH, _idOf(known.tab), known.tab.handleKey, to, notAfter)));
        bool twoKeys = router.isExecutor(caller) && key == _authorityKey;
        bool inTime = notAfter >= block.timestamp && notAfter <= block.timestamp + 10 minutes;
        bool pausedNow = block.timestamp < claimsPausedUntil;
        uint256 before = _held(to, known.tab.token);
        vm.prank(caller);
        try router.claim(known.tab, to, notAfter, signature) {
            if (!twoKeys) claimedWithoutTwoKeys = true;
            if (!inTime) claimedOutOfTime = true;
            if (pausedNow) claimedWhilePaused = true;
            _closed(known, IEscrowRouter.Status.Claimed, to, before);
        } catch {
            if (twoKeys && inTime && !pausedNow && known.status == IEscrowRouter.Status.Open) claimRefused = true;
        }
    }

    function refund(uint256 seed) external {
        if (_tabs.length == 0) return;
        Known storage known = _recent(seed >> 8);
        address sender = known.tab.sender;
        address caller = [sender, sender, recipients[0], _executors[0], authority, router.owner()][seed % 6];
        bool due = _due(known, caller == sender);
        uint256 before = _held(sender, known.tab.token);
        vm.prank(caller);
        try router.refund(known.tab) {
            if (!due) refundedTooEarly = true;
            _closed(known, IEscrowRouter.Status.Refunded, sender, before);
        } catch {
            if (due && known.status == IEscrowRouter.Status.Open) refundRefused = true;
        }
    }

    function refundBySig(uint256 seed) external {
        if (_tabs.length == 0) return;
        Known storage known = _recent(seed >> 8);
        Party memory signer = senders[seed % 3];
        uint256 deadline = block.timestamp + (seed >> 72) % 4 - 1;
        bytes memory signature = _sign(signer.key, keccak256(abi.encode(REFUND_TYPEHASH, _idOf(known.tab), deadline)));
        bool due = signer.account == known.tab.sender && deadline >= block.timestamp && _due(known, true);
        uint256 before = _held(known.tab.sender, known.tab.token);
        try router.refundBySig(known.tab, deadline, signature) {
            if (!due) refundedTooEarly = true;
            _closed(known, IEscrowRouter.Status.Refunded, known.tab.sender, before);
        } catch {
            if (due && known.status == IEscrowRouter.Status.Open) refundRefused = true;
        }
    }

    /// @dev Tokens by mistake, or value by force.
    function donate(uint256 seed) external {
        Party memory giver = senders[seed % 3];
        address token = _token(seed >> 8);
        uint256 amount = bound(seed >> 16, 1, 3 * _unitOf(token));
        if ((seed >> 128) % 2 == 0) {
            vm.deal(address(router), address(router).balance + amount);
            donated[wrapped] += amount;
            return;
        }
        vm.prank(giver.account);
        try IERC20(token).transfer(address(router), amount) returns (bool) {
            donated[token] += amount;
            paidIn[giver.account][token] += amount;
        } catch {}
    }

    // ----------------------------------------------------------------------------------------------------------------------- roles

    function rotate(uint256 seed) external {
        if (seed % 4 == 0) _changeExecutor(seed >> 8);
        else if (seed % 4 == 1) _announceAuthority(seed >> 8);
        else _applyAuthority();
    }

    function pauseOrNot(uint256 seed) external {
        if (seed % 4 == 0) _pauseClaims(seed >> 8);
        else if (seed % 4 == 1) _unpauseClaims(seed >> 8);
        else _pause(seed >> 8);
    }

    function _announceAuthority(uint256 seed) private {
        Party memory next = (seed >> 8) % 4 == 0 ? Party(address(0), 0) : _authorities[(seed >> 16) % 3];
        vm.prank(router.owner());
        try router.announceAuthority(next.account) {
            _announced = next;
            _announcedAt = block.timestamp;
        } catch {}
    }

    function _applyAuthority() private {
        try router.applyAuthority() {
            if (_announced.account == address(0) || block.timestamp < _announcedAt + 7 days) authorityChangedTooEarly = true;
            (authority, _authorityKey) = (_announced.account, _announced.key);
            _announced = Party(address(0), 0);
            _changedAt = block.timestamp;
        } catch {}
    }

    function _pauseClaims(uint256 seed) private {
        uint64 duration = uint64(bound(seed, 0, 80 hours));
        vm.prank(router.guardian());
        try router.pauseClaims(duration) {
            bool ran = block.timestamp >= 2 * claimsPausedUntil - _pausedFrom;
            if (!ran || duration == 0 || duration > 72 hours) pausedTooLong = true;
            (_pausedFrom, claimsPausedUntil) = (block.timestamp, block.timestamp + duration);
        } catch {}
    }

    function _unpauseClaims(uint256 seed) private {
        vm.prank(seed % 4 == 0 ? router.guardian() : router.owner());
        try router.unpauseClaims() {
            if (block.timestamp < claimsPausedUntil) claimsPausedUntil = block.timestamp;
        } catch {}
    }

    function _pause(uint256 seed) private {
        _paused = seed % 4 == 0;
        vm.startPrank(router.owner());
        _paused ? router.pause() : router.unpause();
        vm.stopPrank();
    }

    function _changeExecutor(uint256 seed) private {
        vm.startPrank(router.owner());
        if (router.executorActiveFrom(_executors[1]) == 0) router.addExecutor(_executors[1]);
        else if (seed % 3 == 0) router.removeExecutor(_executors[1]);
        vm.stopPrank();
    }

    function wait(uint256 seconds_) external {
        vm.warp(block.timestamp + bound(seconds_, 0, seconds_ % 4 == 0 ? 8 days : 20 hours));
    }

    // ----------------------------------------------------------------------------------------------------------------------- books

    function tabCount() external view returns (uint256) {
        return _tabs.length;
    }

    function tabAt(uint256 index)
        external
        view
        returns (IEscrowRouter.Tab memory tab, uint256 openedAt, IEscrowRouter.Status status, uint256 payouts)
    {
        Known storage known = _tabs[index];
        return (known.tab, known.openedAt, known.status, known.payouts);
    }

    /// @dev One of the last four, which are open as often as not.
    function _recent(uint256 seed) private view returns (Known storage) {
        return _tabs[_tabs.length - 1 - seed % (_tabs.length < 4 ? _tabs.length : 4)];
    }

    function _newTab(uint256 seed) private view returns (IEscrowRouter.Tab memory) {
        address token = _token(seed >> 8);
        return IEscrowRouter.Tab({
            sender: senders[seed % 3].account,
            token: token,
            handleKey: keccak256(abi.encode((seed >> 16) % 5)),
            amount: uint128(bound(uint128(seed >> 24), 1, 20 * _unitOf(token))),
            deadline: uint64(block.timestamp + bound(uint64(seed >> 152), 50 minutes, (seed & 1 << 250 == 0 ? 10 : 91) * 1 days)),
            // Few, so that repeats are common.
            senderNonce: (seed >> 216) % 8,
            revocable: seed & 1 << 251 == 0
        });
    }

    function _opened(IEscrowRouter.Tab memory tab) private {
        bytes32 id = _idOf(tab);
        if (_used[id]) openedTwice = true;
        if (_paused) openedWhilePaused = true;
        _used[id] = true;
        _tabs.push(Known(tab, block.timestamp, IEscrowRouter.Status.Open, 0));
        openSum[tab.token] += tab.amount;
        paidIn[tab.sender][tab.token] += tab.amount;
    }

    function _closed(Known storage known, IEscrowRouter.Status status, address to, uint256 before) private {
        uint256 amount = known.tab.amount;
        known.status = status;
        known.payouts++;
        openSum[known.tab.token] -= amount;
        paidOut[to][known.tab.token] += amount;
        if (_held(to, known.tab.token) != before + amount) {
            paidAnotherAmount = true;
            if (status == IEscrowRouter.Status.Refunded) refundWentElsewhere = true;
        }
    }

    function _due(Known storage known, bool bySender) private view returns (bool) {
        bool another = _announced.account != address(0) || known.openedAt <= _changedAt;
        return block.timestamp >= known.tab.deadline || (bySender && (known.tab.revocable || another));
    }

    /// @dev Of the native asset, wrapped or not; where it is the token itself it is counted once.
    function _held(address account, address token) private view returns (uint256) {
        uint256 balance = IERC20(token).balanceOf(account);
        return token == usdc || _dual ? balance : balance + account.balance;
    }

    function _idOf(IEscrowRouter.Tab memory tab) private view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(router), tab.sender, tab.senderNonce));
    }

    function _sign(uint256 key, bytes32 structHash) private view returns (bytes memory) {
        bytes32 domain = keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256("Ampersat Escrow Router"), keccak256("1"), block.chainid, address(router))
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked(hex"1901", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }

    function _token(uint256 seed) private view returns (address) {
        return seed & 1 == 0 ? usdc : wrapped;
    }

    function _unitOf(address token) private view returns (uint256) {
        return token == usdc ? unit : 1 ether;
    }

    function _party(string memory name, uint256 index) private returns (Party memory) {
        (address account, uint256 key) = makeAddrAndKey(string.concat(name, vm.toString(index)));
        return Party(account, key);
    }
}
