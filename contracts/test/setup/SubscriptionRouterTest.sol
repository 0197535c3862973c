// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";

import {RouterTest} from "./RouterTest.sol";
import {SubscriptionRouter} from "../../src/SubscriptionRouter.sol";
import {IPermit2} from "../../src/interfaces/IPermit2.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";
import {ISubscriptionRouter} from "../../src/interfaces/ISubscriptionRouter.sol";

/// @dev What the tests need of USDC beside IUsdc.
interface IUsdcPermits {
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external;
    function nonces(address owner) external view returns (uint256);
    function unBlacklist(address account) external;
    function unpause() external;
}

/// @dev What the tests need of Permit2 beside the router's own interface.
interface IPermit2Allowances {
    struct TokenSpenderPair {
        address token;
        address spender;
    }

    error AllowanceExpired(uint256 deadline);
    error InsufficientAllowance(uint256 amount);

    function approve(address token, address spender, uint160 amount, uint48 expiration) external;
    function allowance(address owner, address token, address spender) external view returns (uint160, uint48, uint48);
    function lockdown(TokenSpenderPair[] calldata approvals) external;
    function DOMAIN_SEPARATOR() external view returns (bytes32);
}

/// @dev The structs that are signed, written out apart from the router.
library SubscriptionHashes {
    function subscribe(bytes32 key, address account, uint256 amount, uint32 period, uint256 nonce, uint256 deadline)
        internal
        pure
        returns (bytes32)
    {
        bytes32 typeHash = keccak256(
            "Subscribe(bytes32 planKey,address subscriber,uint256 amount,uint32 period,uint256 nonce,uint256 deadline)"
        );
        return keccak256(abi.encode(typeHash, key, account, amount, period, nonce, deadline));
    }

    function setSubscription(bytes32 key, address account, uint8 state, uint256 nonce, uint256 deadline)
        internal
        pure
        returns (bytes32)
    {
        bytes32 typeHash =
            keccak256("SetSubscription(bytes32 planKey,address subscriber,uint8 state,uint256 nonce,uint256 deadline)");
        return keccak256(abi.encode(typeHash, key, account, state, nonce, deadline));
    }

    function setPlan(bytes32 key, uint8 state, uint256 nonce, uint256 deadline) internal pure returns (bytes32) {
        bytes32 typeHash = keccak256("SetPlan(bytes32 planKey,uint8 state,uint256 nonce,uint256 deadline)");
        return keccak256(abi.encode(typeHash, key, state, nonce, deadline));
    }
}

/// @dev A subscription router with a fee of 1 % on Circle's USDC, a monthly plan of 10, and a subscriber who has 1,000 and gave
/// the router its allowance.
abstract contract SubscriptionRouterTest is RouterTest {
    uint256 internal constant BASIS_POINTS = 100;
    uint32 internal constant PERIOD = 30 days;
    bytes32 internal constant PLAN_ID = keccak256("gold");
    string internal constant NAME = "Ampersat Subscription Router";

    address internal creator;
    uint256 internal creatorKey;
    address internal subscriber;
    uint256 internal subscriberKey;
    address internal relayer = makeAddr("relayer");

    SubscriptionRouter internal router;
    uint256 internal amount;
    uint256 internal fee;
    bytes32 internal planKey;

    uint256 private _plans;

    function setUp() public virtual override {
        super.setUp();
        (creator, creatorKey) = makeAddrAndKey("creator");
        (subscriber, subscriberKey) = makeAddrAndKey("subscriber");
        router = deployRouter(address(usdc), BASIS_POINTS);
        subject = address(router);
        amount = 10 * USD;
        fee = USD / 10;
        fund(subscriber);
        vm.prank(creator);
        planKey = router.createPlan(PLAN_ID, address(usdc), amount, PERIOD);
    }

    function deployRouter(address token, uint256 basisPoints) internal returns (SubscriptionRouter) {
        return SubscriptionRouter(
            deployShipped(
                "SubscriptionRouter", abi.encode(owner, guardian, treasury, executorList(), token, PERMIT2, basisPoints)
            )
        );
    }

    /// @dev 1,000 and full allowance for the router.
    function fund(address account) internal {
        usdc.mint(account, 1000 * USD);
        vm.prank(account);
        usdc.approve(address(router), type(uint256).max);
    }

    /// @dev 1,000, full allowance for Permit2, and an allowance of Permit2 for the router.
    function fundPermit2(address account, uint160 most, uint256 expiration) internal {
        usdc.mint(account, 1000 * USD);
        vm.startPrank(account);
        usdc.approve(PERMIT2, type(uint256).max);
        IPermit2Allowances(PERMIT2).approve(address(usdc), address(router), most, uint48(expiration));
        vm.stopPrank();
    }

    function newPlan(uint256 amount_, uint32 period) internal returns (bytes32) {
        bytes32 id = keccak256(abi.encode("plan", ++_plans));
        vm.prank(creator);
        return router.createPlan(id, address(usdc), amount_, period);
    }

    function join() internal {
        vm.prank(subscriber);
        router.subscribe(planKey, amount, PERIOD);
    }

    /// @dev Subscribes with 1,000 of Permit2's allowance for a year.
    function joinByPermit2() internal {
        fundPermit2(subscriber, uint160(1000 * USD), START + 365 days);
        vm.prank(subscriber);
        router.subscribeWithPermit2(planKey, amount, PERIOD, noPermit2());
    }

    function pauseRouter() internal {
        vm.prank(guardian);
        router.pause();
    }

    function subscription() internal view returns (ISubscriptionRouter.Subscription memory) {
        return router.subscriptionOf(planKey, subscriber);
    }

    function assertState(ISubscriptionRouter.SubscriptionState state) internal view {
        assertEq(uint8(subscription().state), uint8(state), "state of the subscription");
    }

    function assertPlanState(ISubscriptionRouter.PlanState state) internal view {
        assertEq(uint8(router.planOf(planKey).state), uint8(state), "state of the plan");
    }

    /// @dev Of so many charges of the plan, subscriber, creator and treasury have what they should, and the router nothing.
    function assertPaid(uint256 charges) internal view {
        assertEq(usdc.balanceOf(subscriber), 1000 * USD - charges * amount, "subscriber");
        assertEq(usdc.balanceOf(creator), charges * (amount - fee), "creator");
        assertEq(usdc.balanceOf(treasury), charges * fee, "treasury");
        assertRouterEmpty();
    }

    function assertRouterEmpty() internal view {
        assertEq(usdc.balanceOf(address(router)), 0, "router holds USDC");
        assertEq(address(router).balance, 0, "router holds native");
    }

    /// @dev How many of the recorded logs are the router's.
    function countLogs() internal returns (uint256 count) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].emitter == address(router)) ++count;
        }
    }

    function expectCharged(uint256 nextChargeAt) internal {
        vm.expectEmit(address(router));
        emit ISubscriptionRouter.Charged(planKey, subscriber, creator, amount, fee, uint64(nextChargeAt));
    }

    function expectTooSoon(uint256 nextChargeAt) internal {
        vm.expectRevert(abi.encodeWithSelector(ISubscriptionRouter.TooSoon.selector, nextChargeAt));
    }

    function expectNotActive(ISubscriptionRouter.SubscriptionState state) internal {
        vm.expectRevert(abi.encodeWithSelector(ISubscriptionRouter.NotActive.selector, state));
    }

    function expectInvalidNonce(uint256 expected) internal {
        vm.expectRevert(abi.encodeWithSelector(ISubscriptionRouter.InvalidNonce.selector, expected));
    }

    // ------------------------------------------------------------------------------------------------------------------ signatures

    /// @dev A signature of `key` over a struct hash in this router's domain.
    function sign(uint256 key, bytes32 structHash) internal view returns (bytes memory) {
        return signIn(key, NAME, block.chainid, address(router), structHash);
    }

    function subscribeHash(address account, uint256 nonce, uint256 deadline) internal view returns (bytes32) {
        return subscribeHash(planKey, account, amount, PERIOD, nonce, deadline);
    }

    function subscribeHash(bytes32 key, address account, uint256 amount_, uint32 period, uint256 nonce, uint256 deadline)
        internal
        pure
        returns (bytes32)
    {
        return SubscriptionHashes.subscribe(key, account, amount_, period, nonce, deadline);
    }

    function cancelHash(address account, uint256 nonce, uint256 deadline) internal view returns (bytes32) {
        return setSubscriptionHash(planKey, account, 2, nonce, deadline);
    }

    function setSubscriptionHash(bytes32 key, address account, uint8 state, uint256 nonce, uint256 deadline)
        internal
        pure
        returns (bytes32)
    {
        return SubscriptionHashes.setSubscription(key, account, state, nonce, deadline);
    }

    function setPlanHash(bytes32 key, uint8 state, uint256 nonce, uint256 deadline) internal pure returns (bytes32) {
        return SubscriptionHashes.setPlan(key, state, nonce, deadline);
    }

    function noPermit() internal pure returns (IPermits.Permit memory permit) {}

    function noPermit2() internal pure returns (IPermits.Permit2Allowance memory permit) {}

    /// @dev An EIP-2612 permit for the router, in USDC's own domain.
    function tokenPermit(uint256 key, address account, uint256 value, uint256 deadline)
        internal
        view
        returns (IPermits.Permit memory)
    {
        return tokenPermitIn("USD Coin", key, account, value, deadline);
    }

    function tokenPermitIn(string memory name, uint256 key, address account, uint256 value, uint256 deadline)
        internal
        view
        returns (IPermits.Permit memory)
    {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256("2"),
                block.chainid,
                address(usdc)
            )
        );
        bytes32 typeHash = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        // The plain token knows no permits; whatever is signed for it is refused.
        uint256 nonce = onToken18 ? 0 : IUsdcPermits(address(usdc)).nonces(account);
        bytes32 structHash = keccak256(abi.encode(typeHash, account, address(router), value, nonce, deadline));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked(hex"1901", domain, structHash)));
        return IPermits.Permit(value, deadline, v, r, s);
    }

    /// @dev Permit2's allowance for the router, valid for signing until `expiration`.
    function permit2Allowance(uint256 key, uint160 most, uint48 expiration, uint48 nonce)
        internal
        view
        returns (IPermits.Permit2Allowance memory)
    {
        string memory details = "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)";
        bytes32 detailsHash = keccak256(abi.encode(keccak256(bytes(details)), address(usdc), most, expiration, nonce));
        bytes32 typeHash =
            keccak256(bytes.concat("PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)", bytes(details)));
        bytes32 structHash = keccak256(abi.encode(typeHash, detailsHash, address(router), uint256(expiration)));
        bytes32 domain = IPermit2Allowances(PERMIT2).DOMAIN_SEPARATOR();
        bytes memory signature = signDigest(key, keccak256(abi.encodePacked(hex"1901", domain, structHash)));
        return IPermits.Permit2Allowance(most, expiration, nonce, expiration, signature);
    }

    function usePermit2Allowance(address account, IPermits.Permit2Allowance memory permit) internal {
        IPermit2.PermitDetails memory details =
            IPermit2.PermitDetails(address(usdc), permit.amount, permit.expiration, permit.nonce);
        IPermit2(PERMIT2).permit(account, IPermit2.PermitSingle(details, address(router), permit.deadline), permit.signature);
    }
}

/// @dev What an EIP-7702 account may be delegated to: it has code, and no ERC-1271.
contract PlainDelegate {
    receive() external payable {}
}
