// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {RouterTest} from "./RouterTest.sol";
import {EscrowRouter} from "../../src/EscrowRouter.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";

/// @dev An escrow router on Circle's USDC, with a sender who has balance and allowance in both tokens. What is hashed and signed
/// is written down here once more, as the interface describes it.
abstract contract EscrowRouterTest is RouterTest {
    string internal constant NAME = "Ampersat Escrow Router";
    bytes32 internal constant HANDLE = keccak256("alice");
    uint256 internal constant FUNDS = 1000;
    string internal constant TAB_TYPE =
        "Tab(address sender,address token,bytes32 handleKey,uint128 amount,uint64 deadline,uint256 senderNonce,bool revocable)";
    bytes32 internal constant CLAIM_TYPEHASH =
        keccak256("Claim(bytes32 tabId,bytes32 handleKey,address recipient,uint64 notAfter)");
    bytes32 internal constant USDC_DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    address internal sender;
    uint256 internal senderKey;
    address internal recipient = makeAddr("recipient");
    /// @dev Stands in for the bot router, which moves a tab's funds before it opens it.
    address internal botRouter = makeAddr("bot router");

    EscrowRouter internal router;
    uint256 private _senderNonces;

    function setUp() public virtual override {
        super.setUp();
        (sender, senderKey) = makeAddrAndKey("sender");
        router = deployRouter();
        subject = address(router);
        fund(sender);
    }

    function deployRouter() internal virtual returns (EscrowRouter) {
        return EscrowRouter(
            deployShipped(
                "EscrowRouter",
                abi.encode(owner, guardian, authority, executorList(), address(usdc), address(wrapped), botRouter, PERMIT2)
            )
        );
    }

    /// @dev 1,000 of each token, and full allowance.
    function fund(address account) internal virtual {
        usdc.mint(account, FUNDS * USD);
        vm.deal(account, FUNDS * 1 ether);
        vm.startPrank(account);
        wrapped.deposit{value: FUNDS * 1 ether}();
        usdc.approve(address(router), type(uint256).max);
        wrapped.approve(address(router), type(uint256).max);
        vm.stopPrank();
    }

    // ------------------------------------------------------------------------------------------------------------------ operations

    /// @dev A revocable tab of 5 USDC for a week, with a new nonce.
    function newTab() internal returns (IEscrowRouter.Tab memory) {
        return IEscrowRouter.Tab({
            sender: sender,
            token: address(usdc),
            handleKey: HANDLE,
            amount: 5 * USD,
            deadline: uint64(block.timestamp + 7 days),
            senderNonce: ++_senderNonces,
            revocable: true
        });
    }

    /// @dev The same with 5 of the native asset.
    function nativeTab() internal returns (IEscrowRouter.Tab memory tab) {
        tab = newTab();
        tab.token = address(wrapped);
        tab.amount = 5 ether;
    }

    /// @dev A tab that its sender cannot take back before the deadline.
    function firmTab() internal returns (IEscrowRouter.Tab memory tab) {
        tab = newTab();
        tab.revocable = false;
    }

    function openTab(IEscrowRouter.Tab memory tab) internal returns (bytes32) {
        vm.prank(tab.sender);
        return router.open(tab.token, tab.handleKey, tab.amount, tab.deadline, tab.senderNonce, tab.revocable);
    }

    /// @dev `tab`, open.
    function opened(IEscrowRouter.Tab memory tab) internal returns (IEscrowRouter.Tab memory) {
        openTab(tab);
        return tab;
    }

    function openFor(IEscrowRouter.Tab memory tab) internal returns (bytes32) {
        vm.prank(botRouter);
        return router.openFor(tab.sender, tab.token, tab.handleKey, tab.amount, tab.deadline, tab.senderNonce);
    }

    /// @dev By the executor, on an attestation for the next five minutes.
    function claim(IEscrowRouter.Tab memory tab, address to) internal {
        uint64 notAfter = uint64(block.timestamp + 5 minutes);
        bytes memory signature = attest(tab, to, notAfter);
        vm.prank(executor);
        router.claim(tab, to, notAfter, signature);
    }

    function refund(IEscrowRouter.Tab memory tab) internal {
        vm.prank(tab.sender);
        router.refund(tab);
    }

    // ------------------------------------------------------------------------------------------------------------------ signatures

    function idOf(IEscrowRouter.Tab memory tab) internal view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(router), tab.sender, tab.senderNonce));
    }

    /// @dev EIP-712 struct hash.
    function tabHash(IEscrowRouter.Tab memory tab) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256(bytes(TAB_TYPE)),
                tab.sender,
                tab.token,
                tab.handleKey,
                tab.amount,
                tab.deadline,
                tab.senderNonce,
                tab.revocable
            )
        );
    }

    function claimHash(bytes32 tabId, bytes32 handleKey, address to, uint64 notAfter) internal pure returns (bytes32) {
        return keccak256(abi.encode(CLAIM_TYPEHASH, tabId, handleKey, to, notAfter));
    }

    function refundHash(bytes32 tabId, uint256 deadline) internal pure returns (bytes32) {
        return keccak256(abi.encode(keccak256("Refund(bytes32 tabId,uint256 deadline)"), tabId, deadline));
    }

    /// @dev A signature of `key` over a struct hash in this router's domain.
    function sign(uint256 key, bytes32 structHash) internal view returns (bytes memory) {
        return signIn(key, NAME, block.chainid, address(router), structHash);
    }

    function attest(IEscrowRouter.Tab memory tab, address to, uint64 notAfter) internal view returns (bytes memory) {
        return attestWith(authorityKey, tab, to, notAfter);
    }

    function attestWith(uint256 key, IEscrowRouter.Tab memory tab, address to, uint64 notAfter)
        internal
        view
        returns (bytes memory)
    {
        return sign(key, claimHash(idOf(tab), tab.handleKey, to, notAfter));
    }

    /// @dev In Circle's domain.
    function signInUsdc(uint256 key, string memory name, bytes32 structHash) internal view returns (bytes memory) {
        bytes32 domain =
            keccak256(abi.encode(USDC_DOMAIN_TYPEHASH, keccak256(bytes(name)), keccak256("2"), block.chainid, address(usdc)));
        return signDigest(key, keccak256(abi.encodePacked(hex"1901", domain, structHash)));
    }

    /// @dev EIP-3009, for the next hour of the start.
    function authorize(IEscrowRouter.Tab memory tab) internal view returns (IPermits.Authorization memory) {
        return authorizeAs(senderKey, "USD Coin", address(router), tab);
    }

    function authorizeAs(uint256 key, string memory name, address to, IEscrowRouter.Tab memory tab)
        internal
        view
        returns (IPermits.Authorization memory authorization)
    {
        authorization.validBefore = START + 1 hours;
        bytes32 typeHash = keccak256(
            "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
        bytes32 structHash = keccak256(
            abi.encode(typeHash, tab.sender, to, uint256(tab.amount), uint256(0), authorization.validBefore, tabHash(tab))
        );
        authorization.signature = signInUsdc(key, name, structHash);
    }

    function permit2For(IEscrowRouter.Tab memory tab, uint256 nonce) internal view returns (IPermits.Permit2 memory) {
        return permit2As(senderKey, address(router), block.chainid, tab, nonce);
    }

    function permit2As(uint256 key, address spender, uint256 chainId, IEscrowRouter.Tab memory tab, uint256 nonce)
        internal
        pure
        returns (IPermits.Permit2 memory permit)
    {
        permit.nonce = nonce;
        permit.deadline = START + 1 hours;
        string memory tokenType = "TokenPermissions(address token,uint256 amount)";
        bytes32 typeHash = keccak256(
            abi.encodePacked(
                "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Tab witness)",
                TAB_TYPE,
                tokenType
            )
        );
        bytes32 permitted = keccak256(abi.encode(keccak256(bytes(tokenType)), tab.token, uint256(tab.amount)));
        bytes32 structHash = keccak256(abi.encode(typeHash, permitted, spender, permit.nonce, permit.deadline, tabHash(tab)));
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
                keccak256("Permit2"),
                chainId,
                PERMIT2
            )
        );
        permit.signature = signDigest(key, keccak256(abi.encodePacked(hex"1901", domain, structHash)));
    }

    // -------------------------------------------------------------------------------------------------------------- what must hold

    function notOpen(IEscrowRouter.Tab memory tab, IEscrowRouter.Status status) internal view returns (bytes memory) {
        return abi.encodeWithSelector(IEscrowRouter.TabNotOpen.selector, idOf(tab), status);
    }

    function exists(IEscrowRouter.Tab memory tab) internal view returns (bytes memory) {
        return abi.encodeWithSelector(IEscrowRouter.TabExists.selector, idOf(tab));
    }

    function expectOpened(IEscrowRouter.Tab memory tab) internal {
        vm.expectEmit(address(router));
        emit IEscrowRouter.TabOpened(
            idOf(tab), tab.sender, tab.handleKey, tab.token, tab.amount, tab.deadline, tab.senderNonce, tab.revocable
        );
    }

    function expectClaimed(IEscrowRouter.Tab memory tab, address to) internal {
        vm.expectEmit(address(router));
        emit IEscrowRouter.TabClaimed(idOf(tab), tab.handleKey, to, tab.token, tab.amount);
    }

    function expectRefunded(IEscrowRouter.Tab memory tab) internal {
        vm.expectEmit(address(router));
        emit IEscrowRouter.TabRefunded(idOf(tab), tab.sender, tab.token, tab.amount);
    }

    function expectOpenRevert(IEscrowRouter.Tab memory tab, bytes memory reason) internal {
        uint256 total = router.openTotal(tab.token);
        IEscrowRouter.Status before = router.statusOf(idOf(tab));
        vm.prank(tab.sender);
        vm.expectRevert(reason);
        router.open(tab.token, tab.handleKey, tab.amount, tab.deadline, tab.senderNonce, tab.revocable);
        assertStatus(tab, before);
        assertEq(router.openTotal(tab.token), total, "a failed opening was counted");
    }

    function expectOpenRevert(IEscrowRouter.Tab memory tab, bytes4 reason) internal {
        expectOpenRevert(tab, abi.encodePacked(reason));
    }

    function expectClaimRevert(IEscrowRouter.Tab memory tab, bytes memory reason) internal {
        uint64 notAfter = uint64(block.timestamp + 5 minutes);
        bytes memory signature = attest(tab, recipient, notAfter);
        vm.prank(executor);
        vm.expectRevert(reason);
        router.claim(tab, recipient, notAfter, signature);
    }

    function expectRefundRevert(IEscrowRouter.Tab memory tab, address caller, bytes memory reason) internal {
        vm.prank(caller);
        vm.expectRevert(reason);
        router.refund(tab);
    }

    function assertStatus(IEscrowRouter.Tab memory tab, IEscrowRouter.Status status) internal view {
        assertEq(uint8(router.statusOf(idOf(tab))), uint8(status), "status");
    }

    /// @dev The slot of an executor, as the router keeps it.
    function laneOf(address account) internal view returns (bytes32) {
        return vm.load(address(router), bytes32("lane........") | bytes32(uint256(uint160(account))));
    }

    /// @dev The router holds exactly its open tabs.
    function assertHolds(uint256 inUsdc, uint256 inNative) internal view {
        assertEq(router.openTotal(address(usdc)), inUsdc, "open in USDC");
        assertEq(router.openTotal(address(wrapped)), inNative, "open in the native asset");
        assertEq(usdc.balanceOf(address(router)), inUsdc, "USDC held");
        assertEq(wrapped.balanceOf(address(router)), inNative, "wrapped held");
        assertEq(address(router).balance, 0, "native held");
    }
}
