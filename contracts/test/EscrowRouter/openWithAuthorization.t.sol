// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EscrowRouterTest} from "../setup/EscrowRouterTest.sol";
import {ContractWallet} from "../setup/Hostile.sol";
import {IEscrowRouter} from "../../src/interfaces/IEscrowRouter.sol";
import {IGaslessToken} from "../../src/interfaces/IGaslessToken.sol";
import {IPermits} from "../../src/interfaces/IPermits.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";
import {EscrowRouter} from "../../src/EscrowRouter.sol";

interface ICancel {
    function cancelAuthorization(address authorizer, bytes32 nonce, bytes calldata signature) external;
}

/// @dev A wrapped asset that takes any call for a deposit, as WETH9 does.
contract AnswersEverything {
    mapping(address => uint256) public balanceOf;

    fallback() external payable {}

    function give(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }
}

contract OpenWithAuthorizationTest is EscrowRouterTest {
    string private constant CIRCLE = "USD Coin";

    function setUp() public override {
        super.setUp();
        // No allowance is needed.
        vm.prank(sender);
        usdc.approve(address(router), 0);
    }

    function test_openWithAuthorization_isOpenedByAnyone() external {
        IEscrowRouter.Tab memory tab = newTab();
        IPermits.Authorization memory authorization = authorize(tab);
        expectOpened(tab);
        vm.prank(other);
        assertEq(router.openWithAuthorization(tab, authorization), idOf(tab));
        assertEq(usdc.balanceOf(sender), FUNDS * USD - tab.amount);
        assertHolds(tab.amount, 0);
    }

    /// @dev Only the router may use what was signed for it, so nobody takes it out of the mempool.
    function test_openWithAuthorization_isOfNoUseElsewhere() external {
        IEscrowRouter.Tab memory tab = newTab();
        IPermits.Authorization memory authorization = authorize(tab);
        bytes32 nonce = tabHash(tab);
        vm.prank(other);
        vm.expectRevert("FiatTokenV2: caller must be the payee");
        IGaslessToken(address(usdc))
            .receiveWithAuthorization(
                sender, address(router), tab.amount, 0, authorization.validBefore, nonce, authorization.signature
            );
        EscrowRouter second = deployRouter();
        vm.expectRevert("FiatTokenV2: invalid signature");
        second.openWithAuthorization(tab, authorization);
        router.openWithAuthorization(tab, authorization);
    }

    function test_openWithAuthorization_revertsWhenReplayed() external {
        IEscrowRouter.Tab memory tab = newTab();
        IPermits.Authorization memory authorization = authorize(tab);
        router.openWithAuthorization(tab, authorization);
        _expectRevert(tab, authorization, exists(tab));
        refund(tab);
        _expectRevert(tab, authorization, exists(tab));
    }

    function test_openWithAuthorization_revertsWhenItWasCanceled() external {
        IEscrowRouter.Tab memory tab = newTab();
        bytes32 typeHash = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
        bytes memory cancellation = signInUsdc(senderKey, CIRCLE, keccak256(abi.encode(typeHash, sender, tabHash(tab))));
        ICancel(address(usdc)).cancelAuthorization(sender, tabHash(tab), cancellation);
        _expectRevert(tab, authorize(tab), _reason("FiatTokenV2: authorization is used or canceled"));
    }

    function test_openWithAuthorization_revertsWhenAnyFieldOfTheTabIsAnother() external {
        IEscrowRouter.Tab memory tab = newTab();
        IPermits.Authorization memory authorization = authorize(tab);
        fund(other);
        IEscrowRouter.Tab[6] memory changed;
        for (uint256 i; i < 6; ++i) {
            changed[i] = abi.decode(abi.encode(tab), (IEscrowRouter.Tab));
        }
        changed[0].sender = other;
        changed[1].handleKey = keccak256("mallory");
        changed[2].amount += 1;
        changed[3].deadline += 1;
        changed[4].senderNonce += 100;
        changed[5].revocable = false;
        for (uint256 i; i < 6; ++i) {
            _expectRevert(changed[i], authorization, _reason("FiatTokenV2: invalid signature"));
        }
        router.openWithAuthorization(tab, authorization);
    }

    function test_openWithAuthorization_revertsWhenTheAuthorizationIsAnother() external {
        IEscrowRouter.Tab memory tab = newTab();
        bytes memory invalid = _reason("FiatTokenV2: invalid signature");
        IPermits.Authorization memory authorization = authorize(tab);
        authorization.validAfter = 1;
        _expectRevert(tab, authorization, invalid);
        authorization = authorize(tab);
        authorization.validBefore += 1;
        _expectRevert(tab, authorization, invalid);
        (, uint256 otherKey) = makeAddrAndKey("other");
        _expectRevert(tab, authorizeAs(otherKey, CIRCLE, address(router), tab), invalid);
        _expectRevert(tab, authorizeAs(senderKey, "USDC", address(router), tab), invalid);
        _expectRevert(tab, authorizeAs(senderKey, CIRCLE, other, tab), invalid);
        // On another chain the token's domain is another.
        authorization = authorize(tab);
        vm.chainId(block.chainid + 1);
        _expectRevert(tab, authorization, invalid);
    }

    function test_openWithAuthorization_revertsOutsideItsTime() external {
        IEscrowRouter.Tab memory tab = newTab();
        IPermits.Authorization memory authorization = authorize(tab);
        vm.warp(authorization.validBefore);
        _expectRevert(tab, authorization, _reason("FiatTokenV2: authorization is expired"));
        authorization.validAfter = authorization.validBefore;
        _expectRevert(tab, authorization, _reason("FiatTokenV2: authorization is not yet valid"));
    }

    function test_openWithAuthorization_revertsWhenTheTokenRefuses() external {
        IEscrowRouter.Tab memory tab = newTab();
        tab.amount = uint128(FUNDS * USD + 1);
        _expectRevert(tab, authorize(tab), _reason("ERC20: transfer amount exceeds balance"));
        tab = newTab();
        usdc.blacklist(sender);
        _expectRevert(tab, authorize(tab), _reason("Blacklistable: account is blacklisted"));
        usdc.pause();
        _expectRevert(tab, authorize(tab), _reason("Pausable: paused"));
    }

    function test_openWithAuthorization_revertsOnTermsThatOpenRefuses() external {
        IEscrowRouter.Tab memory tab = newTab();
        tab.amount = 0;
        _expectRevert(tab, authorize(tab), abi.encodePacked(IEscrowRouter.ZeroAmount.selector));
        tab = newTab();
        tab.deadline = uint64(block.timestamp + 90 days + 1);
        _expectRevert(tab, authorize(tab), abi.encodePacked(IEscrowRouter.InvalidDeadline.selector));
        vm.prank(guardian);
        router.pause();
        tab = newTab();
        _expectRevert(tab, authorize(tab), abi.encodePacked(IRoles.Paused.selector));
    }

    function test_openWithAuthorization_revertsWhenTheTokenIsNotUsdc() external {
        IEscrowRouter.Tab memory tab = nativeTab();
        _expectRevert(tab, authorize(tab), abi.encodePacked(IEscrowRouter.UnsupportedToken.selector));
        tab.token = other;
        _expectRevert(tab, authorize(tab), abi.encodePacked(IEscrowRouter.UnsupportedToken.selector));
    }

    /// @dev WETH9 takes an unknown call for a deposit of nothing. Nobody may pay with that for what was sent here by mistake.
    function test_openWithAuthorization_revertsWhenTheWrappedAssetAnswersEverything() external {
        AnswersEverything token = new AnswersEverything();
        router = EscrowRouter(
            deployShipped(
                "EscrowRouter",
                abi.encode(owner, guardian, authority, executorList(), address(usdc), address(token), botRouter, PERMIT2)
            )
        );
        token.give(address(router), 100 ether);
        IEscrowRouter.Tab memory tab = nativeTab();
        tab.token = address(token);
        IPermits.Authorization memory nothing;
        _expectRevert(tab, nothing, abi.encodePacked(IEscrowRouter.UnsupportedToken.selector));
    }

    function test_openWithAuthorization_takesTheSignatureOfAContractWallet() external {
        (address signer, uint256 key) = makeAddrAndKey("wallet owner");
        address wallet = address(new ContractWallet(signer));
        fund(wallet);
        IEscrowRouter.Tab memory tab = newTab();
        tab.sender = wallet;
        _expectRevert(tab, authorize(tab), _reason("FiatTokenV2: invalid signature"));
        router.openWithAuthorization(tab, authorizeAs(key, CIRCLE, address(router), tab));
        assertHolds(tab.amount, 0);
    }

    /// @dev EIP-7702: Circle's token asks the code of a delegated account, which knows no ERC-1271.
    function test_openWithAuthorization_ofADelegatedAccountIsRefusedByTheToken() external {
        vm.etch(sender, abi.encodePacked(hex"ef0100", address(usdc)));
        IEscrowRouter.Tab memory tab = newTab();
        _expectRevert(tab, authorize(tab), _reason("FiatTokenV2: invalid signature"));
    }

    function _reason(string memory text) private pure returns (bytes memory) {
        return abi.encodeWithSignature("Error(string)", text);
    }

    function _expectRevert(IEscrowRouter.Tab memory tab, IPermits.Authorization memory authorization, bytes memory reason)
        private
    {
        uint256 total = router.openTotal(tab.token);
        vm.expectRevert(reason);
        router.openWithAuthorization(tab, authorization);
        assertEq(router.openTotal(tab.token), total);
    }
}

/// @dev A token without EIP-3009 refuses, whatever was signed.
contract OpenWithAuthorizationOnToken18Test is EscrowRouterTest {
    constructor() {
        onToken18 = true;
    }

    function test_openWithAuthorization_revertsWhenTheTokenKnowsNone() external {
        IPermits.Authorization memory nothing;
        IEscrowRouter.Tab memory tab = newTab();
        vm.expectRevert(bytes(""));
        router.openWithAuthorization(tab, nothing);
        assertStatus(tab, IEscrowRouter.Status.Unknown);
    }
}
