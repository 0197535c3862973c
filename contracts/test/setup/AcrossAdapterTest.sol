// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Across, ISpokePool} from "./Across.sol";
import {BotRouterTest} from "./BotRouterTest.sol";
import {AcrossAdapter} from "../../src/AcrossAdapter.sol";
import {IAcrossAdapter} from "../../src/interfaces/IAcrossAdapter.sol";
import {IBotRouter} from "../../src/interfaces/IBotRouter.sol";
import {IBridgeAdapter} from "../../src/interfaces/IBridgeAdapter.sol";

/// @dev A bot router whose way out is the adapter on Across's own pool. A suite whose constructor sets `onWrapped` sends the wrapped
/// native asset instead of USDC.
abstract contract AcrossAdapterTest is BotRouterTest {
    uint256 internal constant DESTINATION = 10;
    /// @dev Across's own number for Solana, whose addresses fill all 32 bytes.
    uint256 internal constant SOLANA = 34_268_394_551_451;
    bytes32 internal constant ON_SOLANA = keccak256("mint");

    bool internal onWrapped;
    address internal token;
    /// @dev One dollar, or one of the native asset.
    uint128 internal unit;
    /// @dev What arrives on DESTINATION.
    address internal outputToken = makeAddr("output token");
    address internal poolOwner = makeAddr("pool owner");

    ISpokePool internal pool;
    AcrossAdapter internal adapter;

    function setUp() public virtual override {
        super.setUp();
        (token, unit) = onWrapped ? (address(wrapped), uint128(1 ether)) : (address(usdc), USD);
        pool = Across.deploy(address(wrapped), poolOwner);
        // Each of the two knows the other's address from its first moment.
        address next = vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 1);
        adapter = deployAdapter(next);
        router = deployRouter(address(adapter));
        assertEq(address(router), next);
        subject = next;
        fund(sender);
    }

    function deployAdapter(address router_) internal returns (AcrossAdapter) {
        return AcrossAdapter(deployShipped("AcrossAdapter", abi.encode(router_, address(pool), routes())));
    }

    /// @dev Both tokens to DESTINATION, and the one that is sent here to Solana as well.
    function routes() internal view returns (IAcrossAdapter.Route[] memory list) {
        list = new IAcrossAdapter.Route[](3);
        list[0] = IAcrossAdapter.Route(DESTINATION, address(usdc), outputOf(address(usdc)));
        list[1] = IAcrossAdapter.Route(DESTINATION, address(wrapped), outputOf(address(wrapped)));
        list[2] = IAcrossAdapter.Route(SOLANA, token, ON_SOLANA);
    }

    function outputOf(address account) internal view returns (bytes32) {
        return account == token ? Across.word(outputToken) : keccak256(abi.encode("output", account));
    }

    /// @dev 5 of the token and a fee of 0.10 from `sender`, of which 4 have to arrive, with a new message key.
    function crossTip() internal returns (IBotRouter.CrossChainTip memory) {
        return IBotRouter.CrossChainTip({
            messageKey: newKey(),
            sender: sender,
            recipient: Across.word(recipient),
            destinationChain: DESTINATION,
            token: token,
            amount: 5 * unit,
            minOutput: 4 * unit,
            fee: unit / 10,
            validUntil: uint64(block.timestamp + 15 minutes),
            route: hex"1234"
        });
    }

    /// @dev What the router makes of a tip.
    function orderOf(IBotRouter.CrossChainTip memory t) internal pure returns (IBridgeAdapter.Order memory) {
        return IBridgeAdapter.Order({
            messageKey: t.messageKey,
            sender: t.sender,
            token: t.token,
            amount: t.amount,
            destinationChain: t.destinationChain,
            recipient: t.recipient,
            minOutput: t.minOutput,
            validUntil: t.validUntil,
            route: t.route
        });
    }

    /// @dev The deposit that a tip has to become, at this moment.
    function expectedOf(IBotRouter.CrossChainTip memory t) internal view returns (Across.Deposit memory deposit) {
        uint256 latest = block.timestamp + Across.BUFFER;
        deposit.inputToken = Across.word(t.token);
        deposit.outputToken = t.destinationChain == SOLANA ? ON_SOLANA : outputOf(t.token);
        deposit.inputAmount = t.amount;
        deposit.outputAmount = t.minOutput;
        deposit.destinationChainId = t.destinationChain;
        deposit.depositId = pool.getUnsafeDepositId(address(adapter), Across.word(t.sender), uint256(t.messageKey));
        deposit.quoteTimestamp = uint32(block.timestamp);
        deposit.fillDeadline = uint32(t.validUntil < latest ? t.validUntil : latest);
        deposit.depositor = Across.word(t.sender);
        deposit.recipient = t.recipient;
    }

    /// @dev Settles a tip. @return deposit The one deposit that it has become
    function send(IBotRouter.CrossChainTip memory t) internal returns (Across.Deposit memory deposit) {
        vm.recordLogs();
        vm.prank(executor);
        bytes32 transferId = router.tipCrossChain(t);
        Across.Deposit[] memory deposits = Across.recorded(pool);
        assertEq(deposits.length, 1, "deposits");
        deposit = deposits[0];
        assertEq(transferId, bytes32(deposit.depositId), "transfer id");
    }

    /// @dev The executor is refused: no balance moves, and the key is as it was.
    function expectCrossRevert(IBotRouter.CrossChainTip memory t, bytes memory reason) internal {
        bytes32 before = booksOf(t);
        vm.prank(executor);
        vm.expectRevert(reason);
        router.tipCrossChain(t);
        assertEq(booksOf(t), before, "a refused tip moved something");
    }

    function expectCrossRevert(IBotRouter.CrossChainTip memory t, bytes4 reason) internal {
        expectCrossRevert(t, abi.encodePacked(reason));
    }

    /// @dev Everything that a tip may change, as one number.
    function booksOf(IBotRouter.CrossChainTip memory t) private view returns (bytes32) {
        return keccak256(
            abi.encode(
                balanceOf(t.token, t.sender),
                balanceOf(t.token, treasury),
                balanceOf(t.token, address(pool)),
                balanceOf(t.token, address(adapter)),
                spentOf(t.sender, t.token),
                router.processed(t.messageKey)
            )
        );
    }

    function give(address account, uint256 amount) internal {
        if (!onWrapped) return usdc.mint(account, amount);
        vm.deal(address(this), amount);
        wrapped.deposit{value: amount}();
        wrapped.transfer(account, amount);
    }

    function balanceOf(address token_, address account) internal view returns (uint256) {
        return token_ == address(wrapped) ? wrapped.balanceOf(account) : usdc.balanceOf(account);
    }

    function balanceOf(address account) internal view returns (uint256) {
        return balanceOf(token, account);
    }

    function assertAdapterEmpty() internal view {
        assertAdapterHolds(0);
    }

    /// @dev Only what came by accident, and nothing that the pool might draw.
    function assertAdapterHolds(uint256 amount) internal view {
        assertEq(balanceOf(address(adapter)), amount, "adapter's balance");
        assertEq(usdc.allowance(address(adapter), address(pool)), 0, "allowance of USDC");
        assertEq(wrapped.allowance(address(adapter), address(pool)), 0, "allowance of wrapped");
    }

    function assertDeposit(Across.Deposit memory actual, Across.Deposit memory expected) internal pure {
        assertEq(actual.inputToken, expected.inputToken, "inputToken");
        assertEq(actual.outputToken, expected.outputToken, "outputToken");
        assertEq(actual.inputAmount, expected.inputAmount, "inputAmount");
        assertEq(actual.outputAmount, expected.outputAmount, "outputAmount");
        assertEq(actual.destinationChainId, expected.destinationChainId, "destinationChainId");
        assertEq(actual.depositId, expected.depositId, "depositId");
        assertEq(actual.quoteTimestamp, expected.quoteTimestamp, "quoteTimestamp");
        assertEq(actual.fillDeadline, expected.fillDeadline, "fillDeadline");
        assertEq(actual.exclusivityDeadline, expected.exclusivityDeadline, "exclusivityDeadline");
        assertEq(actual.depositor, expected.depositor, "depositor");
        assertEq(actual.recipient, expected.recipient, "recipient");
        assertEq(actual.exclusiveRelayer, expected.exclusiveRelayer, "exclusiveRelayer");
        assertEq(actual.message, expected.message, "message");
    }
}
