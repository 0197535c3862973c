// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {IPermit2Allowances, SubscriptionHashes} from "./SubscriptionRouterTest.sol";
import {IUsdc} from "./Usdc.sol";
import {SubscriptionRouter} from "../../src/SubscriptionRouter.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";
import {ISubscriptionRouter} from "../../src/interfaces/ISubscriptionRouter.sol";

/// @dev Plays two creators with three plans, three subscribers (the last one by Permit2), executor, owner and strangers at random,
/// by calls and by signatures, and writes down what it saw. Its own book of a subscription knows only when it began, when it was
/// charged and how it ended.
contract SubscriptionHandler is Test {
    enum Life {
        None,
        Active,
        Halted,
        Cancelled
    }

    struct Book {
        Life life;
        uint256 startedAt;
        uint256 lastChargedAt;
    }

    /// @dev A call that anyone may make with somebody's signature.
    struct Signed {
        bytes data;
        address signer;
        uint256 nonce;
    }

    uint256 private constant NEVER = type(uint256).max;

    uint256 public constant SUBSCRIBERS = 3;
    uint256 public constant PLANS = 3;
    SubscriptionRouter private router;
    IUsdc private usdc;
    address private permit2;
    address private executor;
    address private stranger = makeAddr("handler stranger");
    address[SUBSCRIBERS] public subscribers;
    uint256[SUBSCRIBERS] private _subscriberKeys;
    address[2] public creators;
    uint256[2] private _creatorKeys;
    bytes32[PLANS] public plans;
    uint32[PLANS] public periods = [1 hours, 3 hours + 1, 10 hours];
    uint256[PLANS] public amounts;

    mapping(bytes32 planKey => mapping(address subscriber => Book)) public books;
    mapping(address account => uint256) public given;
    mapping(address account => uint256) public received;
    uint256 public fees;
    Signed[] private _signed;
    uint256 private _randoms;

    bool public chargedTwiceInAPeriod;
    bool public chargedWithinHalfAPeriod;
    bool public chargedAfterItsEnd;
    bool public chargedOnAnInactivePlan;
    bool public chargedWhilePaused;
    bool public chargedAnotherAmount;
    bool public aDueChargeFailed;
    bool public anEndWasRefused;
    bool public othersActed;
    bool public executorDidMoreThanHalt;
    bool public anOldSignatureWorked;
    bool public batchMiscounted;

    /// @dev Before most operations some time passes.
    modifier later() {
        vm.warp(block.timestamp + _random(0) % 100 minutes);
        _;
    }

    constructor(SubscriptionRouter router_, IUsdc usdc_, address permit2_, address executor_, uint256 unit) {
        (router, usdc, permit2, executor) = (router_, usdc_, permit2_, executor_);
        for (uint256 i; i < SUBSCRIBERS; ++i) {
            (subscribers[i], _subscriberKeys[i]) = makeAddrAndKey(string.concat("handler subscriber", vm.toString(i)));
        }
        for (uint256 i; i < 2; ++i) {
            (creators[i], _creatorKeys[i]) = makeAddrAndKey(string.concat("handler creator", vm.toString(i)));
        }
        for (uint256 i; i < PLANS; ++i) {
            // The last amount needs a slot of its own on the token with 18 decimals, and has a fee to round.
            amounts[i] = (i + 1) * unit + 55 * i;
            vm.prank(creators[i % 2]);
            plans[i] = router.createPlan(bytes32(i), address(usdc), amounts[i], periods[i]);
        }
    }

    function subscribe(uint256 seed) external later {
        seed = _random(seed);
        (uint256 p, uint256 s) = _pick(seed);
        _tryToSubscribe(p, s, (seed >> 32) % 2 == 0);
    }

    function subscribeAll() external later {
        for (uint256 j; j < PLANS * SUBSCRIBERS; ++j) {
            _tryToSubscribe(j % PLANS, j / PLANS, false);
        }
    }

    function _tryToSubscribe(uint256 p, uint256 s, bool bySignature) private {
        (bytes32 plan, address subscriber) = (plans[p], subscribers[s]);
        Book memory book = books[plan][subscriber];
        bool free = !_isActive(book, p) && 2 * (block.timestamp - book.lastChargedAt) >= periods[p];
        uint256 before = usdc.balanceOf(subscriber);
        if (!_subscribe(p, s, bySignature)) return;
        if (!free) chargedWithinHalfAPeriod = true;
        books[plan][subscriber] = Book(Life.Active, block.timestamp, block.timestamp);
        _noteDraw(p, subscriber);
        if (before - usdc.balanceOf(subscriber) != amounts[p]) chargedAnotherAmount = true;
    }

    function _subscribe(uint256 p, uint256 s, bool bySignature) private returns (bool) {
        (bytes32 plan, uint256 amount, uint32 period) = (plans[p], amounts[p], periods[p]);
        if (s == 2) {
            IPermits.Permit2Allowance memory none;
            return _call(subscribers[s], abi.encodeCall(router.subscribeWithPermit2, (plan, amount, period, none)));
        }
        if (bySignature) return _submit(_subscribeBySig(p, subscribers[s], _subscriberKeys[s]));
        return _call(subscribers[s], abi.encodeCall(router.subscribe, (plan, amount, period)));
    }

    /// @dev A signature is given away and not used yet; and one of those before is tried again. What was signed for a number that
    /// is used up, by that signature or by the signer's own act, does nothing.
    function signAndReplay(uint256 seed) external {
        seed = _random(seed);
        (uint256 p, uint256 s) = _pick(seed);
        _signed.push(_subscribeBySig(p, subscribers[s], _subscriberKeys[s]));
        Signed memory signed = _signed[(seed >> 32) % _signed.length];
        if (signed.nonce == router.nonces(signed.signer)) return;
        if (_call(stranger, signed.data)) anOldSignatureWorked = true;
    }

    function charge(uint256 seed) external later {
        seed = _random(seed);
        (uint256 p, uint256 s) = _pick(seed);
        _tryToCharge(p, s);
    }

    function chargeAll() external later {
        for (uint256 j; j < PLANS * SUBSCRIBERS; ++j) {
            _tryToCharge(j % PLANS, j / PLANS);
        }
    }

    function _tryToCharge(uint256 p, uint256 s) private {
        address subscriber = subscribers[s];
        bool due = _isDue(p, subscriber) && _canPay(p, subscriber);
        uint256 before = usdc.balanceOf(subscriber);
        if (!_call(stranger, abi.encodeCall(router.charge, (plans[p], subscriber)))) {
            if (due) aDueChargeFailed = true;
            return;
        }
        _noteCharge(p, subscriber);
        if (before - usdc.balanceOf(subscriber) != amounts[p]) chargedAnotherAmount = true;
    }

    /// @dev Half of all there are, from any of them on.
    function chargeBatch(uint256 seed) external later {
        seed = _random(seed);
        uint256 count = PLANS * SUBSCRIBERS;
        ISubscriptionRouter.Charge[] memory charges = new ISubscriptionRouter.Charge[](count / 2);
        uint256[SUBSCRIBERS] memory expected;
        for (uint256 s; s < SUBSCRIBERS; ++s) {
            expected[s] = usdc.balanceOf(subscribers[s]);
        }
        for (uint256 i; i < charges.length; ++i) {
            uint256 j = (seed % count + i) % count;
            charges[i] = ISubscriptionRouter.Charge(plans[j % PLANS], subscribers[j / PLANS]);
        }
        vm.prank(stranger);
        uint256 charged = router.chargeBatch(charges);
        for (uint256 j; j < count; ++j) {
            (uint256 p, uint256 s) = (j % PLANS, j / PLANS);
            uint64 lastCharged = router.subscriptionOf(plans[p], subscribers[s]).lastChargedAt;
            if (lastCharged == books[plans[p]][subscribers[s]].lastChargedAt) continue;
            _noteCharge(p, subscribers[s]);
            expected[s] -= amounts[p];
            if (charged-- == 0) batchMiscounted = true;
        }
        if (charged != 0) batchMiscounted = true;
        for (uint256 s; s < SUBSCRIBERS; ++s) {
            if (usdc.balanceOf(subscribers[s]) != expected[s]) chargedAnotherAmount = true;
        }
    }

    function cancel(uint256 seed) external {
        seed = _random(seed);
        (uint256 p, uint256 s) = _pick(seed);
        address subscriber = subscribers[s];
        Book storage book = books[plans[p]][subscriber];
        bool byCreator = (seed >> 32) % 2 == 0;
        address signer = byCreator ? creators[p % 2] : subscriber;
        uint256 key = byCreator ? _creatorKeys[p % 2] : _subscriberKeys[s];
        bool done = (seed >> 33) % 2 == 0
            ? _submit(_cancelBySig(p, subscriber, signer, key))
            : _call(signer, abi.encodeCall(router.cancel, (plans[p], subscriber)));
        if (done) book.life = Life.Cancelled;
        else if (book.life == Life.Active || book.life == Life.Halted) anEndWasRefused = true;
    }

    function halt(uint256 seed) external {
        seed = _random(seed);
        if ((seed >> 64) % 2 == 0) return;
        (uint256 p, uint256 s) = _pick(seed);
        Book storage book = books[plans[p]][subscribers[s]];
        bool active = _isActive(book, p);
        bool done = _call(executor, abi.encodeCall(router.halt, (plans[p], subscribers[s])));
        if (done != active) anEndWasRefused = true;
        if (done) book.life = Life.Halted;
    }

    function setPlan(uint256 seed) external {
        seed = _random(seed);
        uint256 p = seed % PLANS;
        bool active = router.planOf(plans[p]).state == ISubscriptionRouter.PlanState.Active;
        // Open most of the time.
        if (active && (seed >> 64) % 3 != 0) return;
        bytes memory data =
            active ? abi.encodeCall(router.deactivatePlan, (plans[p])) : abi.encodeCall(router.reactivatePlan, (plans[p]));
        bool done = (seed >> 32) % 2 == 0 ? _submit(_setPlanBySig(p, active ? 2 : 1)) : _call(creators[p % 2], data);
        if (!done && active) anEndWasRefused = true;
    }

    /// @dev Nobody but the parties ends, starts or closes anything; an executor can halt and no more.
    function meddle(uint256 seed) external {
        seed = _random(seed);
        (uint256 p, uint256 s) = _pick(seed);
        address caller = [stranger, executor, router.owner(), router.guardian(), router.treasury()][(seed >> 16) % 5];
        (bytes32 plan, address subscriber) = (plans[p], subscribers[s]);
        bytes[6] memory calls = [
            abi.encodeCall(router.cancel, (plan, subscriber)),
            abi.encodeCall(router.deactivatePlan, (plan)),
            abi.encodeCall(router.reactivatePlan, (plan)),
            abi.encodeCall(router.halt, (plan, subscriber)),
            _subscribeBySig(p, subscriber, _creatorKeys[p % 2]).data,
            _cancelBySig(p, subscriber, subscriber, _creatorKeys[p % 2]).data
        ];
        uint256 i = (seed >> 32) % calls.length;
        if ((i == 3 && caller == executor) || !_call(caller, calls[i])) return;
        othersActed = true;
        if (caller == executor) executorDidMoreThanHalt = true;
    }

    /// @dev A subscriber whose money or allowance is gone for a while.
    function setAllowance(uint256 seed) external {
        seed = _random(seed);
        (, uint256 s) = _pick(seed);
        uint256 allowance = (seed >> 32) % 6 == 0 ? 0 : type(uint256).max;
        vm.startPrank(subscribers[s]);
        usdc.approve(s == 2 ? permit2 : address(router), allowance);
        uint160 most = (seed >> 40) % 6 == 0 ? 0 : type(uint160).max;
        if (s == 2) IPermit2Allowances(permit2).approve(address(usdc), address(router), most, type(uint48).max);
        vm.stopPrank();
    }

    function pauseRouter(uint256 seed) external {
        seed = _random(seed);
        vm.startPrank(router.owner());
        seed % 8 == 0 ? router.pause() : router.unpause();
        vm.stopPrank();
    }

    function wait(uint256 seed) external {
        vm.warp(block.timestamp + _random(seed) % 4 hours);
    }

    // ----------------------------------------------------------------------------------------------------------------------- its book

    function _noteCharge(uint256 p, address subscriber) private {
        Book storage book = books[plans[p]][subscriber];
        uint256 period = periods[p];
        if (!_isActive(book, p)) chargedAfterItsEnd = true;
        if (2 * (block.timestamp - book.lastChargedAt) < period) chargedWithinHalfAPeriod = true;
        uint256 lastPeriod = (book.lastChargedAt - book.startedAt) / period;
        if ((block.timestamp - book.startedAt) / period <= lastPeriod) chargedTwiceInAPeriod = true;
        book.lastChargedAt = block.timestamp;
        _noteDraw(p, subscriber);
    }

    function _noteDraw(uint256 p, address subscriber) private {
        if (router.paused()) chargedWhilePaused = true;
        if (router.planOf(plans[p]).state != ISubscriptionRouter.PlanState.Active) chargedOnAnInactivePlan = true;
        uint256 fee = (amounts[p] * router.feeBasisPoints() + 5000) / 10_000;
        given[subscriber] += amounts[p];
        received[creators[p % 2]] += amounts[p] - fee;
        fees += fee;
    }

    /// @dev Whether the router's times of every subscription are those of the book.
    function timesAgree() external view returns (bool) {
        for (uint256 j; j < PLANS * SUBSCRIBERS; ++j) {
            (uint256 p, address subscriber) = (j % PLANS, subscribers[j / PLANS]);
            Book memory book = books[plans[p]][subscriber];
            if (book.life == Life.None) continue;
            ISubscriptionRouter.Subscription memory kept = router.subscriptionOf(plans[p], subscriber);
            if (kept.startedAt != book.startedAt || kept.lastChargedAt != book.lastChargedAt) return false;
            if (kept.nextChargeAt != _dueAt(book, periods[p])) return false;
        }
        return true;
    }

    /// @dev Whether the router's state of every subscription is that of the book.
    function statesAgree() external view returns (bool) {
        for (uint256 j; j < PLANS * SUBSCRIBERS; ++j) {
            (uint256 p, address subscriber) = (j % PLANS, subscribers[j / PLANS]);
            Book memory book = books[plans[p]][subscriber];
            ISubscriptionRouter.SubscriptionState expected = ISubscriptionRouter.SubscriptionState.None;
            if (book.life == Life.Cancelled) expected = ISubscriptionRouter.SubscriptionState.Cancelled;
            if (book.life == Life.Halted) expected = ISubscriptionRouter.SubscriptionState.Halted;
            if (book.life == Life.Active) {
                expected = _isActive(book, p)
                    ? ISubscriptionRouter.SubscriptionState.Active
                    : ISubscriptionRouter.SubscriptionState.Halted;
            }
            if (router.subscriptionOf(plans[p], subscriber).state != expected) return false;
        }
        return true;
    }

    /// @dev The first second at which a charge is due: in a later period than that of the last one, and half a period after it.
    function _dueAt(Book memory book, uint256 period) private pure returns (uint256 multiple) {
        multiple = book.startedAt + ((book.lastChargedAt - book.startedAt) / period + 1) * period;
        uint256 half = book.lastChargedAt + (period + 1) / 2;
        if (half > multiple) return half;
    }

    function _isActive(Book memory book, uint256 p) private view returns (bool) {
        return book.life == Life.Active && block.timestamp < _dueAt(book, periods[p]) + 3 * uint256(periods[p]);
    }

    function _isDue(uint256 p, address subscriber) private view returns (bool) {
        bool open = !router.paused() && router.planOf(plans[p]).state == ISubscriptionRouter.PlanState.Active;
        Book memory book = books[plans[p]][subscriber];
        return open && _isActive(book, p) && block.timestamp >= _dueAt(book, periods[p]);
    }

    function _canPay(uint256 p, address subscriber) private view returns (bool) {
        if (subscriber != subscribers[2]) return usdc.allowance(subscriber, address(router)) >= amounts[p];
        (uint160 most,,) = IPermit2Allowances(permit2).allowance(subscriber, address(usdc), address(router));
        return most >= amounts[p] && usdc.allowance(subscriber, permit2) >= amounts[p];
    }

    /// @dev The fuzzer likes small numbers and repeats them.
    function _random(uint256 seed) private returns (uint256) {
        return uint256(keccak256(abi.encode(seed, ++_randoms)));
    }

    function _pick(uint256 seed) private pure returns (uint256 p, uint256 s) {
        return (seed % PLANS, (seed >> 8) % SUBSCRIBERS);
    }

    function _call(address caller, bytes memory data) private returns (bool ok) {
        vm.prank(caller);
        bytes memory answer;
        (ok, answer) = address(router).call(data);
        // What ends something never fails for the pause.
        bytes4 selector = bytes4(data);
        bool ends = selector == router.cancel.selector || selector == router.cancelBySig.selector
            || selector == router.deactivatePlan.selector || selector == router.halt.selector;
        if (ends && !ok && bytes4(answer) == IRoles.Paused.selector) anEndWasRefused = true;
    }

    // --------------------------------------------------------------------------------------------------------------------- signatures

    /// @dev Calls as a stranger, with the signature of `signer`.
    function _subscribeBySig(uint256 p, address signer, uint256 key) private view returns (Signed memory) {
        (bytes32 plan, uint256 amount, uint256 nonce) = (plans[p], amounts[p], router.nonces(signer));
        bytes memory signature = _sign(key, SubscriptionHashes.subscribe(plan, signer, amount, periods[p], nonce, NEVER));
        IPermits.Permit memory none;
        bytes memory data =
            abi.encodeCall(router.subscribeBySig, (plan, signer, amount, periods[p], nonce, NEVER, signature, none));
        return Signed(data, signer, nonce);
    }

    function _cancelBySig(uint256 p, address subscriber, address signer, uint256 key) private view returns (Signed memory) {
        (bytes32 plan, uint256 nonce) = (plans[p], router.nonces(signer));
        bytes memory signature = _sign(key, SubscriptionHashes.setSubscription(plan, subscriber, 2, nonce, NEVER));
        bytes memory data = abi.encodeCall(router.cancelBySig, (plan, subscriber, signer, nonce, NEVER, signature));
        return Signed(data, signer, nonce);
    }

    function _setPlanBySig(uint256 p, uint8 state) private view returns (Signed memory) {
        address signer = creators[p % 2];
        (bytes32 plan, uint256 nonce) = (plans[p], router.nonces(signer));
        bytes memory signature = _sign(_creatorKeys[p % 2], SubscriptionHashes.setPlan(plan, state, nonce, NEVER));
        ISubscriptionRouter.PlanState wanted = ISubscriptionRouter.PlanState(state);
        bytes memory data = abi.encodeCall(router.setPlanBySig, (plan, wanted, nonce, NEVER, signature));
        return Signed(data, signer, nonce);
    }

    function _sign(uint256 key, bytes32 structHash) private view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(key, keccak256(abi.encodePacked(hex"1901", router.DOMAIN_SEPARATOR(), structHash)));
        return abi.encodePacked(r, s, v);
    }

    function _submit(Signed memory signed) private returns (bool) {
        _signed.push(signed);
        return _call(stranger, signed.data);
    }
}
