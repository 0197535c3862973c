// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";
import {RolesSuite} from "../setup/RolesSuite.sol";
import {RouterTest} from "../setup/RouterTest.sol";
import {TreasurySuite} from "../setup/TreasurySuite.sol";
import {BusinessRouter} from "../../src/BusinessRouter.sol";
import {PaymentRouter} from "../../src/PaymentRouter.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";
import {IRoles} from "../../src/interfaces/IRoles.sol";

abstract contract RolesTest is PaymentRouterTest, RolesSuite, TreasurySuite {
    function setUp() public override(PaymentRouterTest, RouterTest) {
        PaymentRouterTest.setUp();
    }

    function test_constructor_setsEverything() external view {
        assertEq(router.owner(), owner);
        assertEq(router.guardian(), guardian);
        assertEq(router.treasury(), treasury);
        assertEq(router.usdc(), address(usdc));
        assertEq(router.permit2(), PERMIT2);
        assertFalse(router.paused());
        bytes32 typeHash = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        bytes32 name = keccak256(bytes(domainName()));
        assertEq(router.DOMAIN_SEPARATOR(), keccak256(abi.encode(typeHash, name, keccak256("1"), block.chainid, address(router))));
    }

    function test_constructor_revertsWhenRolesAreNotDistinct() external {
        expectConstructor(owner, owner, treasury, abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, owner));
        expectConstructor(owner, guardian, owner, abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, owner));
        expectConstructor(owner, guardian, guardian, abi.encodeWithSelector(IRoles.RolesNotDistinct.selector, guardian));
        expectConstructor(address(0), guardian, treasury, abi.encodePacked(IRoles.ZeroAddress.selector));
        expectConstructor(owner, address(0), treasury, abi.encodePacked(IRoles.ZeroAddress.selector));
        expectConstructor(owner, guardian, address(0), abi.encodePacked(IRoles.ZeroAddress.selector));
    }

    function test_constructor_revertsWithoutUsdcOrPermit2() external {
        vm.expectRevert(IPaymentRouter.UnsupportedToken.selector);
        construct(owner, guardian, treasury, other, PERMIT2);
        vm.expectRevert(IRoles.ZeroAddress.selector);
        construct(owner, guardian, treasury, address(usdc), address(0));
    }

    /// @dev No role moves anybody's funds: each tries every way to draw on a payer with full allowance.
    function test_roles_cannotDrawOnAnybody() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        sendToDeposit(terms, terms.token, 5 * USD);
        address[3] memory roles = [owner, guardian, treasury];
        for (uint256 i; i < roles.length; ++i) {
            vm.startPrank(roles[i]);
            vm.expectRevert(IPaymentRouter.InvalidSignature.selector);
            router.payWithAllowance(terms, payer, "");
            vm.expectRevert(IPaymentRouter.NotPayee.selector);
            router.acceptDeposit(terms, terms.token);
            vm.expectRevert(IPaymentRouter.NotPayee.selector);
            router.refundDeposit(terms, terms.token, roles[i], 1);
            vm.expectRevert(IPaymentRouter.NotPayee.selector);
            router.refund(terms, roles[i], 1);
            vm.stopPrank();
        }
    }

    function expectConstructor(address owner_, address guardian_, address treasury_, bytes memory reason) private {
        vm.expectRevert(reason);
        construct(owner_, guardian_, treasury_, address(usdc), PERMIT2);
    }

    function construct(address owner_, address guardian_, address treasury_, address usdc_, address permit2_) private {
        if (onBusiness) new BusinessRouter(owner_, guardian_, treasury_, usdc_, permit2_);
        else new PaymentRouter(owner_, guardian_, treasury_, usdc_, permit2_);
    }
}

contract RolesOfPaymentRouterTest is RolesTest {}
