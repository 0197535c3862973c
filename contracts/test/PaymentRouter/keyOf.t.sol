// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PaymentRouterTest} from "../setup/PaymentRouterTest.sol";
import {IPaymentRouter} from "../../src/interfaces/IPaymentRouter.sol";

/// @dev The hashes that wallets and the service compute for themselves.
abstract contract KeyOfTest is PaymentRouterTest {
    function test_keyOf_isTheHashOfItsParts() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        assertEq(
            router.keyOf(terms),
            keccak256(
                abi.encode(
                    block.chainid,
                    address(router),
                    terms.orderId,
                    terms.payee,
                    terms.token,
                    terms.amount,
                    terms.fee,
                    terms.deadline
                )
            )
        );
    }

    function testFuzz_keyOf_bindsEveryField(IPaymentRouter.Terms memory terms, uint256 chain) external {
        terms.amount = bound(terms.amount, 2, type(uint256).max - 1);
        terms.fee = bound(terms.fee, 1, type(uint256).max);
        terms.deadline = uint64(bound(terms.deadline, 0, type(uint64).max - 1));
        chain = bound(chain, 1, type(uint64).max - 1);
        bytes32 key = router.keyOf(terms);
        for (uint256 i; i < FIELDS; ++i) {
            IPaymentRouter.Terms memory others = changed(terms, i);
            assertTrue(router.keyOf(others) != key);
        }
        IPaymentRouter.Terms memory elsewhere = abi.decode(abi.encode(terms), (IPaymentRouter.Terms));
        elsewhere.fee -= 1;
        assertTrue(router.keyOf(elsewhere) != key);
        elsewhere.fee += 1;
        elsewhere.token = address(uint160(terms.token) ^ 1);
        assertTrue(router.keyOf(elsewhere) != key);
        assertTrue(deployRouter().keyOf(terms) != key);
        if (chain == block.chainid) return;
        vm.chainId(chain);
        assertTrue(router.keyOf(terms) != key);
    }

    function test_orderHash_bindsThePayerToo() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        assertEq(router.orderHash(terms, payer), orderHash(terms, payer));
        assertTrue(router.orderHash(terms, payer) != router.orderHash(terms, other));
    }

    /// @dev The digest as a wallet computes it from the typed data of eth_signTypedData_v4.
    function test_order_isTypedDataThatAWalletShows() external {
        IPaymentRouter.Terms memory terms = usdcTerms();
        string memory order = string.concat(
            '"message":{"orderId":"',
            vm.toString(terms.orderId),
            '","payer":"',
            vm.toString(payer),
            '","payee":"',
            vm.toString(terms.payee),
            '","token":"',
            vm.toString(terms.token),
            '","amount":"',
            vm.toString(terms.amount),
            '","fee":"',
            vm.toString(terms.fee),
            '","deadline":"',
            vm.toString(terms.deadline),
            '"}}'
        );
        bytes32 digest = typedData(
            "Order",
            '[{"name":"orderId","type":"bytes32"},{"name":"payer","type":"address"},{"name":"payee","type":"address"},{"name":"token","type":"address"},{"name":"amount","type":"uint256"},{"name":"fee","type":"uint256"},{"name":"deadline","type":"uint64"}]',
            order
        );
        router.payWithAllowance(terms, payer, signDigest(payerKey, digest));
        assertPaid(terms, payer);
    }

    function test_refundTo_isTypedDataThatAWalletShows() external {
        fund(payee);
        IPaymentRouter.Terms memory terms = usdcTerms();
        bytes32 key = pay(terms);
        string memory refund = string.concat(
            '"message":{"key":"',
            vm.toString(key),
            '","to":"',
            vm.toString(payer),
            '","amount":"5","nonce":"0","deadline":"',
            vm.toString(START),
            '"}}'
        );
        bytes32 digest = typedData(
            "RefundTo",
            '[{"name":"key","type":"bytes32"},{"name":"to","type":"address"},{"name":"amount","type":"uint256"},{"name":"nonce","type":"uint256"},{"name":"deadline","type":"uint256"}]',
            refund
        );
        router.refundBySig(terms, payer, 5, 0, START, signDigest(payeeKey, digest));
        assertEq(router.refunded(key), 5);
    }

    function typedData(string memory name, string memory fields, string memory message) private view returns (bytes32) {
        string memory types = string.concat(
            '{"types":{"EIP712Domain":[{"name":"name","type":"string"},{"name":"version","type":"string"},{"name":"chainId","type":"uint256"},{"name":"verifyingContract","type":"address"}],"',
            name,
            '":',
            fields,
            '},"primaryType":"',
            name
        );
        string memory domain = string.concat(
            '","domain":{"name":"',
            domainName(),
            '","version":"1","chainId":',
            vm.toString(block.chainid),
            ',"verifyingContract":"',
            vm.toString(address(router)),
            '"},'
        );
        return vm.eip712HashTypedData(string.concat(types, domain, message));
    }
}

contract KeyOfPaymentRouterTest is KeyOfTest {}
