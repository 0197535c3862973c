// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {IUsdc} from "./Usdc.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

interface IDomain {
    function DOMAIN_SEPARATOR() external view returns (bytes32);
}

/// @dev Plays payers, payees, strangers, owner and guardian at random over a few orders, each with several terms, and keeps books of
/// its own about what everybody should have.
contract PaymentHandler is Test {
    uint256 public constant TERMS = 8;
    uint256 private constant FUNDS = 1e6;
    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    bytes32 private constant RECEIVE = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant REFUND = keccak256("RefundTo(bytes32 key,address to,uint256 amount,uint256 nonce,uint256 deadline)");
    bytes32 private constant WITNESSED = keccak256(
        "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Order witness)Order(bytes32 orderId,address payer,address payee,address token,uint256 amount,uint256 fee,uint64 deadline)TokenPermissions(address token,uint256 amount)"
    );

    IPaymentRouter private router;
    IUsdc private usdc;
    uint256 private unit;
    bool private onBusiness;
    uint256 private permits;

    address[2] public payers;
    address[2] public payees;
    uint256[2] private payerKeys;
    uint256[2] private payeeKeys;
    address public customer = makeAddr("handler customer");
    address public stranger = makeAddr("handler stranger");

    IPaymentRouter.Terms[] private terms_;
    bytes32[] public keys;
    address[] public accounts;
    /// @dev What everybody should have.
    mapping(address token => mapping(address account => uint256)) public due;
    mapping(bytes32 key => uint256) public settledCount;
    mapping(bytes32 key => uint256) public refunds;
    /// @dev Of the settlements, what the treasury got, and half-up hundredths of their amounts.
    uint256 public feesTaken;
    uint256 public hundredths;

    bool public settledWhilePausedOrLate;
    bool public drawnWithoutAWord;
    bool public movedByAnother;
    bool public coveredWasMoved;
    bool public exitWasPaused;
    bool public otherTermsUsedTheKey;
    bool public sweepStoppedShort;

    constructor(IPaymentRouter router_, IUsdc usdc_, uint256 unit_, bool onBusiness_) {
        (router, usdc, unit, onBusiness) = (router_, usdc_, unit_, onBusiness_);
        for (uint256 i; i < 2; ++i) {
            (payers[i], payerKeys[i]) = makeAddrAndKey(string.concat("handler payer", vm.toString(i)));
            (payees[i], payeeKeys[i]) = makeAddrAndKey(string.concat("handler payee", vm.toString(i)));
        }
        accounts = [payers[0], payers[1], payees[0], payees[1], customer, stranger, router.treasury()];
        accounts.push(makeAddr("handler treasury"));
        for (uint256 i; i < TERMS; ++i) {
            terms_.push(_newTerms(i));
            keys.push(router.keyOf(terms_[i]));
            accounts.push(router.depositAddress(terms_[i]));
        }
    }

    /// @dev Of each asset a million to the payers and payees, with full allowances.
    function fund() external {
        if (due[address(0)][payers[0]] != 0) return;
        for (uint256 i; i < 4; ++i) {
            address account = i < 2 ? payers[i] : payees[i - 2];
            due[address(usdc)][account] = FUNDS * unit;
            due[address(0)][account] = FUNDS * 1 ether;
            vm.startPrank(account);
            usdc.approve(address(router), type(uint256).max);
            usdc.approve(PERMIT2, type(uint256).max);
            vm.stopPrank();
        }
    }

    function termsAt(uint256 index) public view returns (IPaymentRouter.Terms memory) {
        return terms_[index % TERMS];
    }

    /// @dev Two orders with four terms each: two payees, two assets, amounts and deadlines of their own.
    function _newTerms(uint256 index) private view returns (IPaymentRouter.Terms memory terms) {
        terms.orderId = bytes32(index / 4 + 1);
        terms.payee = payees[index % 2];
        terms.token = index % 4 < 2 ? address(usdc) : address(0);
        terms.amount = (index + 1) * (terms.token == address(0) ? 1 ether : unit) / 3;
        terms.fee = onBusiness ? (terms.amount * 2 + 100) / 200 : terms.amount * (index % 5) / 7;
        terms.deadline = uint64(block.timestamp + (1 + index * 7 % TERMS) * 1 days);
    }

    function accountCount() external view returns (uint256) {
        return accounts.length;
    }

    // ---------------------------------------------------------------------------------------------------------------------- paying

    function pay(uint256 seed) external {
        IPaymentRouter.Terms memory terms = termsAt(seed);
        uint256 who = (seed >> 8) % 2;
        uint256 way = (seed >> 16) % 4;
        address from = payers[who];
        bytes32 hash = router.orderHash(terms, from);
        if (terms.token == address(0)) {
            vm.prank(from);
            try router.payNative{value: terms.amount}(terms) {
                settled(terms, from);
            } catch {}
        } else if (way == 0) {
            vm.prank(from);
            try router.pay(terms) {
                settled(terms, from);
            } catch {}
        } else if (way == 1) {
            bytes memory signature = sign(payerKeys[who], address(router), hash);
            vm.prank(stranger);
            try router.payWithAllowance(terms, from, signature) {
                settled(terms, from);
            } catch {}
        } else if (way == 2) {
            bytes memory signature = sign(payerKeys[who], PERMIT2, permitHash(terms, ++permits, hash));
            vm.prank(stranger);
            try router.payWithPermit2(terms, from, IPermits.Permit2(permits, type(uint256).max, signature)) {
                settled(terms, from);
            } catch {}
        } else {
            payWithAuthorization(terms, from, payerKeys[who], hash);
        }
    }

    /// @dev With a fee that is not what the terms say; only a router that prescribes none takes it.
    function payAnotherFee(uint256 seed) external {
        if (!onBusiness) return;
        IPaymentRouter.Terms memory terms = termsAt(seed);
        if (terms.token == address(0)) return;
        terms.fee = (seed >> 8) % 2 == 0 ? terms.fee + 1 : (seed >> 16) % terms.fee;
        vm.prank(payers[0]);
        try router.pay(terms) {
            feesTaken += terms.fee;
            hundredths += (2 * terms.amount * 100 + 10_000) / 20_000;
        } catch {}
    }

    function sweep(uint256 seed) external {
        IPaymentRouter.Terms memory terms = termsAt(seed);
        address at = router.depositAddress(terms);
        bool covered = isCovered(terms, balanceOf(terms.token, at));
        vm.prank(stranger);
        try router.sweep(terms) {
            settled(terms, at);
        } catch {
            if (covered) sweepStoppedShort = true;
        }
    }

    /// @dev Strangers and payees try to draw on a payer whose word they do not have.
    function draw(uint256 seed) external {
        IPaymentRouter.Terms memory terms = termsAt(seed);
        address from = [payers[0], payers[1], payees[0], router.depositAddress(terms)][(seed >> 8) % 4];
        bytes32 hash = router.orderHash(terms, from);
        // Of another key, or of the right one over other terms.
        bytes memory forged = sign(payeeKeys[1], address(router), hash);
        bytes memory others = sign(payerKeys[0], address(router), router.orderHash(termsAt(seed % TERMS + 4), payers[0]));
        IPermits.Permit memory none;
        vm.startPrank(stranger);
        try router.payWithAllowance(terms, from, forged) {
            drawnWithoutAWord = true;
        } catch {}
        try router.payWithPermit(terms, from, none, others) {
            drawnWithoutAWord = true;
        } catch {}
        try router.payWithPermit2(terms, from, IPermits.Permit2(permits + 1, type(uint256).max, forged)) {
            drawnWithoutAWord = true;
        } catch {}
        try router.payWithAuthorization(terms, from, IPermits.Authorization(0, type(uint256).max, others)) {
            drawnWithoutAWord = true;
        } catch {}
        vm.stopPrank();
    }

    // -------------------------------------------------------------------------------------------------------------------- deposits

    function send(uint256 seed, uint256 amount) external {
        IPaymentRouter.Terms memory terms = termsAt(seed);
        address at = router.depositAddress(terms);
        address from = payers[(seed >> 8) % 2];
        bool asked = (seed >> 16) % 4 != 0;
        address token = asked ? terms.token : terms.token == address(0) ? address(usdc) : address(0);
        if (asked && (seed >> 32) % 3 != 0) amount = terms.amount + amount % 2;
        else amount = bound(amount, 1, asked ? terms.amount : token == address(0) ? 1 ether : unit);
        vm.prank(from);
        if (token == address(0)) payable(at).transfer(amount);
        else usdc.transfer(at, amount);
        moved(token, from, at, amount);
    }

    function acceptDeposit(uint256 seed) external {
        (IPaymentRouter.Terms memory terms, address token, address caller) = moving(seed);
        address at = router.depositAddress(terms);
        uint256 held = balanceOf(token, at);
        bool covered = token == terms.token && isCovered(terms, held);
        vm.prank(caller);
        try router.acceptDeposit(terms, token) {
            movedDeposit(terms, caller, covered);
            uint256 share = (2 * held * terms.fee + terms.amount) / (2 * terms.amount);
            moved(token, at, terms.payee, held - share);
            moved(token, at, router.treasury(), share);
        } catch (bytes memory reason) {
            left(reason);
        }
    }

    function refundDeposit(uint256 seed, uint256 amount) external {
        (IPaymentRouter.Terms memory terms, address token, address caller) = moving(seed);
        address at = router.depositAddress(terms);
        uint256 held = balanceOf(token, at);
        bool covered = token == terms.token && isCovered(terms, held);
        amount = bound(amount, 1, held + 1);
        vm.prank(caller);
        try router.refundDeposit(terms, token, customer, amount) {
            movedDeposit(terms, caller, covered);
            moved(token, at, customer, amount);
        } catch (bytes memory reason) {
            left(reason);
        }
    }

    // --------------------------------------------------------------------------------------------------------------------- refunds

    function refund(uint256 seed, uint256 amount) external {
        IPaymentRouter.Terms memory terms = termsAt(seed);
        amount = bound(amount, 1, terms.amount);
        address caller = (seed >> 8) % 8 == 0 ? stranger : terms.payee;
        vm.deal(stranger, terms.amount);
        vm.prank(caller);
        try router.refund{value: terms.token == address(0) ? amount : 0}(terms, customer, amount) {
            if (caller != terms.payee) movedByAnother = true;
            refunded(terms, amount);
        } catch (bytes memory reason) {
            left(reason);
        }
        vm.deal(stranger, 0);
    }

    function refundBySig(uint256 seed, uint256 amount) external {
        IPaymentRouter.Terms memory terms = termsAt(seed);
        amount = bound(amount, 1, terms.amount);
        uint256 nonce = router.nonces(terms.payee) + (seed >> 8) % 8 / 7;
        uint256 signer = (seed >> 16) % 8 == 0 ? payerKeys[0] : payeeKeys[seed % TERMS % 2];
        bytes32 structHash = keccak256(abi.encode(REFUND, router.keyOf(terms), customer, amount, nonce, type(uint256).max));
        bytes memory signature = sign(signer, address(router), structHash);
        vm.prank(stranger);
        try router.refundBySig(terms, customer, amount, nonce, type(uint256).max, signature) {
            if (signer == payerKeys[0]) movedByAnother = true;
            refunded(terms, amount);
        } catch (bytes memory reason) {
            left(reason);
        }
    }

    // ----------------------------------------------------------------------------------------------------------------- circumstances

    function pauseRouter(uint256 seed) external {
        bool pause = seed % 3 == 0;
        vm.startPrank(router.owner());
        pause ? router.pause() : router.unpause();
        vm.stopPrank();
    }

    function changeTreasury(uint256 seed) external {
        if (seed % 4 != 0) return;
        address next = router.treasury() == accounts[6] ? accounts[7] : accounts[6];
        vm.prank(router.owner());
        router.announceTreasury(next);
        vm.warp(block.timestamp + 48 hours);
        router.applyTreasury();
    }

    function wait(uint256 seconds_) external {
        vm.warp(block.timestamp + bound(seconds_, 0, 9 hours));
    }

    // ------------------------------------------------------------------------------------------------------------------------ books

    function payWithAuthorization(IPaymentRouter.Terms memory terms, address from, uint256 key, bytes32 hash) private {
        // A token without EIP-3009 has no domain either.
        try IDomain(address(usdc)).DOMAIN_SEPARATOR() {}
        catch {
            return;
        }
        bytes32 structHash = keccak256(abi.encode(RECEIVE, from, address(router), terms.amount, 0, type(uint256).max, hash));
        bytes memory signature = sign(key, address(usdc), structHash);
        vm.prank(stranger);
        try router.payWithAuthorization(terms, from, IPermits.Authorization(0, type(uint256).max, signature)) {
            settled(terms, from);
        } catch {}
    }

    function settled(IPaymentRouter.Terms memory terms, address from) private {
        if (router.paused() || block.timestamp > terms.deadline) settledWhilePausedOrLate = true;
        bytes32 key = router.keyOf(terms);
        settledCount[key]++;
        uint256 before = due[terms.token][router.treasury()];
        moved(terms.token, from, terms.payee, terms.amount - terms.fee);
        moved(terms.token, from, router.treasury(), terms.fee);
        // What the treasury has now, beyond what it had before this payment.
        feesTaken += balanceOf(terms.token, router.treasury()) - before;
        hundredths += (2 * terms.amount * 100 + 10_000) / 20_000;
        for (uint256 i; i < TERMS; ++i) {
            bytes32 other = keys[i];
            if (router.settled(other) != (settledCount[other] != 0)) otherTermsUsedTheKey = true;
        }
    }

    function moving(uint256 seed) private view returns (IPaymentRouter.Terms memory terms, address token, address caller) {
        terms = termsAt(seed);
        token = (seed >> 8) % 2 == 0 ? address(usdc) : address(0);
        caller = (seed >> 16) % 8 == 0 ? stranger : terms.payee;
    }

    function movedDeposit(IPaymentRouter.Terms memory terms, address caller, bool covered) private {
        if (caller != terms.payee) movedByAnother = true;
        if (covered) coveredWasMoved = true;
    }

    function refunded(IPaymentRouter.Terms memory terms, uint256 amount) private {
        refunds[router.keyOf(terms)] += amount;
        moved(terms.token, terms.payee, customer, amount);
    }

    function moved(address token, address from, address to, uint256 amount) private {
        due[token][from] -= amount;
        due[token][to] += amount;
    }

    function left(bytes memory reason) private {
        if (bytes4(reason) == IRoles.Paused.selector) exitWasPaused = true;
    }

    function isCovered(IPaymentRouter.Terms memory terms, uint256 held) private view returns (bool) {
        bool inTime = block.timestamp <= terms.deadline && !router.paused();
        return inTime && held >= terms.amount && settledCount[router.keyOf(terms)] == 0;
    }

    function balanceOf(address token, address account) public view returns (uint256) {
        return token == address(0) ? account.balance : usdc.balanceOf(account);
    }

    function permitHash(IPaymentRouter.Terms memory terms, uint256 nonce, bytes32 witness) private view returns (bytes32) {
        bytes32 typeHash = keccak256("TokenPermissions(address token,uint256 amount)");
        bytes32 permitted = keccak256(abi.encode(typeHash, terms.token, terms.amount));
        return keccak256(abi.encode(WITNESSED, permitted, address(router), nonce, type(uint256).max, witness));
    }

    function sign(uint256 key, address verifier, bytes32 structHash) private view returns (bytes memory) {
        bytes32 domain = IDomain(verifier).DOMAIN_SEPARATOR();
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked(hex"1901", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }
}
