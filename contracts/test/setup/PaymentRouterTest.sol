// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";

import {RouterTest} from "./RouterTest.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";

/// @dev A payment router, a payer with balance and allowance in USDC and some of the native asset, and a payee. A suite whose
/// constructor sets `onBusiness` has the business router instead.
abstract contract PaymentRouterTest is RouterTest {
    bool internal onBusiness;

    address internal payer;
    uint256 internal payerKey;
    address internal payee;
    uint256 internal payeeKey;

    IPaymentRouter internal router;

    uint256 private _orders;

    function setUp() public virtual override {
        super.setUp();
        (payer, payerKey) = makeAddrAndKey("payer");
        (payee, payeeKey) = makeAddrAndKey("payee");
        router = deployRouter();
        subject = address(router);
        fund(payer);
    }

    function deployRouter() internal returns (IPaymentRouter) {
        string memory name = onBusiness ? "BusinessRouter" : "PaymentRouter";
        return IPaymentRouter(deployShipped(name, abi.encode(owner, guardian, treasury, address(usdc), PERMIT2)));
    }

    function domainName() internal view returns (string memory) {
        return onBusiness ? "Ampersat Business Router" : "Ampersat Payment Router";
    }

    /// @dev 1,000 of each asset and full allowances for the router and Permit2.
    function fund(address account) internal {
        usdc.mint(account, 1000 * USD);
        vm.deal(account, 1000 ether);
        vm.startPrank(account);
        usdc.approve(address(router), type(uint256).max);
        usdc.approve(PERMIT2, type(uint256).max);
        vm.stopPrank();
    }

    // ---------------------------------------------------------------------------------------------------------------------- terms

    /// @dev A new order: 100 USDC with a fee of 1, payable for a day.
    function usdcTerms() internal returns (IPaymentRouter.Terms memory) {
        return IPaymentRouter.Terms({
            orderId: keccak256(abi.encode("order", ++_orders)),
            payee: payee,
            token: address(usdc),
            amount: 100 * USD,
            fee: USD,
            deadline: uint64(block.timestamp + 1 days)
        });
    }

    /// @dev The same with 100 of the native asset and a fee of 1.
    function nativeTerms() internal returns (IPaymentRouter.Terms memory terms) {
        terms = usdcTerms();
        terms.token = address(0);
        terms.amount = 100 ether;
        terms.fee = 1 ether;
    }

    /// @dev A fee that the router takes for this amount: any below it, or a hundredth.
    function someFee(uint256 amount, uint256 seed) internal view returns (uint256) {
        return onBusiness ? (amount * 2 + 100) / 200 : bound(seed, 0, amount - 1);
    }

    /// @dev The terms with one field changed, the fee's aside on the business router, which takes only one.
    function changed(IPaymentRouter.Terms memory terms, uint256 field)
        internal
        view
        returns (IPaymentRouter.Terms memory other_)
    {
        other_ = abi.decode(abi.encode(terms), (IPaymentRouter.Terms));
        if (field == 0) other_.orderId = keccak256(abi.encode(terms.orderId));
        if (field == 1) other_.payee = address(uint160(terms.payee) ^ 1);
        if (field == 2) other_.deadline += 1;
        if (field == 3) other_.amount += 1;
        if (field == 4) onBusiness ? other_.amount -= 1 : other_.fee -= 1;
    }

    uint256 internal constant FIELDS = 5;

    // ------------------------------------------------------------------------------------------------------------------- signatures

    /// @dev A signature of `key` over a struct hash in this router's domain.
    function sign(uint256 key, bytes32 structHash) internal view returns (bytes memory) {
        return signIn(key, domainName(), block.chainid, address(router), structHash);
    }

    function orderHash(IPaymentRouter.Terms memory terms, address payer_) internal pure returns (bytes32) {
        bytes32 typeHash = keccak256(
            "Order(bytes32 orderId,address payer,address payee,address token,uint256 amount,uint256 fee,uint64 deadline)"
        );
        return
            keccak256(
                abi.encode(typeHash, terms.orderId, payer_, terms.payee, terms.token, terms.amount, terms.fee, terms.deadline)
            );
    }

    function refundHash(bytes32 key, address to, uint256 amount, uint256 nonce, uint256 deadline)
        internal
        pure
        returns (bytes32)
    {
        bytes32 typeHash = keccak256("RefundTo(bytes32 key,address to,uint256 amount,uint256 nonce,uint256 deadline)");
        return keccak256(abi.encode(typeHash, key, to, amount, nonce, deadline));
    }

    /// @dev Of Circle's token: its domain has version 2.
    function usdcDigest(string memory name, bytes32 structHash) internal view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256("2"),
                block.chainid,
                address(usdc)
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    function authorizationHash(IPaymentRouter.Terms memory terms, address from, address to) internal view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256(
                    "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
                ),
                from,
                to,
                terms.amount,
                block.timestamp - 1,
                uint256(terms.deadline) + 1,
                orderHash(terms, from)
            )
        );
    }

    /// @dev EIP-3009 over these terms, signed by `key` for `from`.
    function authorization(IPaymentRouter.Terms memory terms, address from, uint256 key)
        internal
        view
        returns (IPermits.Authorization memory)
    {
        bytes32 digest = usdcDigest("USD Coin", authorizationHash(terms, from, address(router)));
        return IPermits.Authorization({
            validAfter: block.timestamp - 1, validBefore: uint256(terms.deadline) + 1, signature: signDigest(key, digest)
        });
    }

    /// @dev EIP-2612 for the router, signed by `key` for `from`.
    function permitOf(string memory name, address from, uint256 key, uint256 value)
        internal
        view
        returns (IPermits.Permit memory permit)
    {
        permit.value = value;
        permit.deadline = block.timestamp + 1 hours;
        bytes32 typeHash = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 structHash = keccak256(
            abi.encode(typeHash, from, address(router), value, IERC20Permit(address(usdc)).nonces(from), permit.deadline)
        );
        (permit.v, permit.r, permit.s) = vm.sign(key, usdcDigest(name, structHash));
    }

    /// @dev Permit2 over these terms with `nonce`, signed by `key`: `spender` may take `amount` with the witness.
    function permit2Of(uint256 key, address token, uint256 amount, address spender, uint256 nonce, bytes32 witness)
        internal
        view
        returns (IPermits.Permit2 memory permit)
    {
        permit.nonce = nonce;
        permit.deadline = block.timestamp + 1 hours;
        bytes32 typeHash = keccak256(
            "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Order witness)Order(bytes32 orderId,address payer,address payee,address token,uint256 amount,uint256 fee,uint64 deadline)TokenPermissions(address token,uint256 amount)"
        );
        bytes32 permitted = keccak256(abi.encode(keccak256("TokenPermissions(address token,uint256 amount)"), token, amount));
        bytes32 structHash = keccak256(abi.encode(typeHash, permitted, spender, nonce, permit.deadline, witness));
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
                keccak256("Permit2"),
                block.chainid,
                PERMIT2
            )
        );
        permit.signature = signDigest(key, keccak256(abi.encodePacked(hex"1901", domain, structHash)));
    }

    function permit2Of(IPaymentRouter.Terms memory terms, address from, uint256 key)
        internal
        view
        returns (IPermits.Permit2 memory)
    {
        return permit2Of(key, terms.token, terms.amount, address(router), 7, orderHash(terms, from));
    }

    // -------------------------------------------------------------------------------------------------------------------- operations

    function pay(IPaymentRouter.Terms memory terms) internal returns (bytes32) {
        vm.prank(payer);
        return terms.token == address(0) ? router.payNative{value: terms.amount}(terms) : router.pay(terms);
    }

    /// @dev Sends to the deposit address of the terms as any wallet would.
    function sendToDeposit(IPaymentRouter.Terms memory terms, address token, uint256 amount) internal returns (address at) {
        at = router.depositAddress(terms);
        vm.prank(payer);
        if (token != address(0)) {
            usdc.transfer(at, amount);
        } else {
            (bool ok,) = at.call{value: amount}("");
            assertTrue(ok, "the deposit address took no value");
        }
    }

    function pauseRouter() internal {
        vm.prank(guardian);
        router.pause();
    }

    function expectSettled(IPaymentRouter.Terms memory terms, address payer_) internal {
        bytes32 key = router.keyOf(terms);
        vm.expectEmit(address(router));
        emit IPaymentRouter.PaymentSettled(key, terms.orderId, payer_, terms.payee, terms.token, terms.amount, terms.fee);
    }

    function balanceOf(address token, address account) internal view returns (uint256) {
        return token == address(0) ? account.balance : usdc.balanceOf(account);
    }

    /// @dev That the terms settled from a payer with 1,000, and nothing else happened.
    function assertPaid(IPaymentRouter.Terms memory terms, address from) internal view {
        assertTrue(router.settled(router.keyOf(terms)), "not settled");
        uint256 start = terms.token == address(0) ? 1000 ether : 1000 * USD;
        assertEq(balanceOf(terms.token, from), start - terms.amount, "payer");
        assertEq(balanceOf(terms.token, terms.payee), terms.amount - terms.fee, "payee");
        assertEq(balanceOf(terms.token, treasury), terms.fee, "treasury");
        assertRouterEmpty();
    }

    function assertUnpaid(IPaymentRouter.Terms memory terms) internal view {
        assertFalse(router.settled(router.keyOf(terms)), "settled");
        assertEq(balanceOf(terms.token, terms.payee), 0, "payee");
        assertEq(balanceOf(terms.token, treasury), 0, "treasury");
        assertRouterEmpty();
    }

    function assertRouterEmpty() internal view {
        assertEq(usdc.balanceOf(address(router)), 0, "router holds USDC");
        assertEq(address(router).balance, 0, "router holds native");
    }
}
