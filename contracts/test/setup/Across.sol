// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";

import {IAcrossPool} from "../../src/interfaces/IAcrossPool.sol";

/// @dev The part of Across's SpokePool that the tests use.
interface ISpokePool is IAcrossPool {
    struct RelayData {
        bytes32 depositor;
        bytes32 recipient;
        bytes32 exclusiveRelayer;
        bytes32 inputToken;
        bytes32 outputToken;
        uint256 inputAmount;
        uint256 outputAmount;
        uint256 originChainId;
        uint256 depositId;
        uint32 fillDeadline;
        uint32 exclusivityDeadline;
        bytes message;
    }

    struct RefundLeaf {
        uint256 amountToReturn;
        uint256 chainId;
        uint256[] refundAmounts;
        uint32 leafId;
        address l2TokenAddress;
        address[] refundAddresses;
    }

    error DepositsArePaused();
    error ExpiredFillDeadline();
    error InvalidDepositorSignature();
    error NoRelayerRefundToClaim();
    error RelayFilled();

    function initialize(uint32 initialDepositId, address withdrawalRecipient) external;
    function upgradeTo(address implementation) external;
    function pauseDeposits(bool pause) external;
    function pausedDeposits() external view returns (bool);
    function getUnsafeDepositId(address caller, bytes32 depositor, uint256 nonce) external pure returns (uint256);
    function fillRelay(RelayData calldata relayData, uint256 repaymentChainId, bytes32 repaymentAddress) external;
    function fillRelayWithUpdatedDeposit(
        RelayData calldata relayData,
        uint256 repaymentChainId,
        bytes32 repaymentAddress,
        uint256 updatedOutputAmount,
        bytes32 updatedRecipient,
        bytes calldata updatedMessage,
        bytes calldata depositorSignature
    ) external;
    function relayRootBundle(bytes32 relayerRefundRoot, bytes32 slowRelayRoot) external;
    function executeRelayerRefundLeaf(uint32 rootBundleId, RefundLeaf calldata leaf, bytes32[] calldata proof) external payable;
    function claimRelayerRefund(bytes32 token, bytes32 refundAddress) external;
    function getRelayerRefund(address token, address account) external view returns (uint256);
}

/// @dev Deploys Across's own compiled bytecode with the times of real networks, and reads its deposits.
library Across {
    /// @dev Seconds that a deadline may lie ahead.
    uint32 internal constant BUFFER = 21_600;

    /// @dev What FundsDeposited says, every field of it.
    struct Deposit {
        bytes32 inputToken;
        bytes32 outputToken;
        uint256 inputAmount;
        uint256 outputAmount;
        uint256 destinationChainId;
        uint256 depositId;
        uint32 quoteTimestamp;
        uint32 fillDeadline;
        uint32 exclusivityDeadline;
        bytes32 depositor;
        bytes32 recipient;
        bytes32 exclusiveRelayer;
        bytes message;
    }

    /// @dev The fields of the event that are not indexed, which are encoded as a struct is behind its offset.
    struct Data {
        bytes32 inputToken;
        bytes32 outputToken;
        uint256 inputAmount;
        uint256 outputAmount;
        uint32 quoteTimestamp;
        uint32 fillDeadline;
        uint32 exclusivityDeadline;
        bytes32 recipient;
        bytes32 exclusiveRelayer;
        bytes message;
    }

    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    string private constant ARTIFACTS = "node_modules/@across-protocol/contracts/dist/evm/artifacts/";
    bytes32 private constant FUNDS_DEPOSITED = keccak256(
        "FundsDeposited(bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,uint32,bytes32,bytes32,bytes32,bytes)"
    );

    function deploy(address wrappedNative, address owner) internal returns (ISpokePool pool) {
        address implementation = deployImplementation(wrappedNative, BUFFER, owner);
        pool = ISpokePool(_create("ERC1967Proxy", abi.encode(implementation, "")));
        vm.prank(owner);
        pool.initialize(0, owner);
    }

    function deployImplementation(address wrappedNative, uint32 buffer, address owner) internal returns (address) {
        return _create("Ethereum_SpokePool", abi.encode(wrappedNative, 3600, buffer, owner));
    }

    /// @dev The deposits that a pool reported since logs are recorded.
    function recorded(ISpokePool pool) internal returns (Deposit[] memory deposits) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 count;
        deposits = new Deposit[](logs.length);
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].emitter != address(pool) || logs[i].topics[0] != FUNDS_DEPOSITED) continue;
            deposits[count++] = _read(logs[i]);
        }
        assembly ("memory-safe") {
            mstore(deposits, count)
        }
    }

    /// @dev What a relayer has to know of a deposit.
    function relayOf(Deposit memory deposit, uint256 origin) internal pure returns (ISpokePool.RelayData memory) {
        return ISpokePool.RelayData({
            depositor: deposit.depositor,
            recipient: deposit.recipient,
            exclusiveRelayer: deposit.exclusiveRelayer,
            inputToken: deposit.inputToken,
            outputToken: deposit.outputToken,
            inputAmount: deposit.inputAmount,
            outputAmount: deposit.outputAmount,
            originChainId: origin,
            depositId: deposit.depositId,
            fillDeadline: deposit.fillDeadline,
            exclusivityDeadline: deposit.exclusivityDeadline,
            message: deposit.message
        });
    }

    /// @dev Gives an expired deposit back, as Across does: its owner publishes a tree, here of one leaf, and anybody executes it.
    /// @param bundle How many trees the pool has had before.
    function refund(ISpokePool pool, Deposit memory deposit, address owner, uint32 bundle) internal {
        ISpokePool.RefundLeaf memory leaf;
        leaf.chainId = block.chainid;
        leaf.refundAmounts = new uint256[](1);
        leaf.refundAmounts[0] = deposit.inputAmount;
        leaf.l2TokenAddress = address(uint160(uint256(deposit.inputToken)));
        leaf.refundAddresses = new address[](1);
        leaf.refundAddresses[0] = address(uint160(uint256(deposit.depositor)));
        vm.prank(owner);
        pool.relayRootBundle(keccak256(abi.encode(leaf)), 0);
        pool.executeRelayerRefundLeaf(bundle, leaf, new bytes32[](0));
    }

    function word(address account) internal pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }

    function _read(Vm.Log memory log) private pure returns (Deposit memory) {
        Data memory data = abi.decode(bytes.concat(abi.encode(0x20), log.data), (Data));
        return Deposit({
            inputToken: data.inputToken,
            outputToken: data.outputToken,
            inputAmount: data.inputAmount,
            outputAmount: data.outputAmount,
            destinationChainId: uint256(log.topics[1]),
            depositId: uint256(log.topics[2]),
            quoteTimestamp: data.quoteTimestamp,
            fillDeadline: data.fillDeadline,
            exclusivityDeadline: data.exclusivityDeadline,
            depositor: log.topics[3],
            recipient: data.recipient,
            exclusiveRelayer: data.exclusiveRelayer,
            message: data.message
        });
    }

    function _create(string memory name, bytes memory arguments) private returns (address created) {
        string memory artifact = vm.readFile(string.concat(ARTIFACTS, name, ".sol/", name, ".json"));
        bytes memory initCode = bytes.concat(vm.parseJsonBytes(artifact, ".bytecode"), arguments);
        assembly ("memory-safe") {
            created := create(0, add(initCode, 0x20), mload(initCode))
        }
        require(created != address(0), "Across fixture: creation failed");
    }
}
