// What a depositor signs to have Across deliver a deposit elsewhere, to one unit of it unless said otherwise, and the relayer's fill that carries the signature.
import { encodeFunctionData, type Hex, pad, parseAbi, zeroHash } from 'viem';
import type { AcrossDeposit } from '../../src/chain/bridge/across.ts';
import type { Address } from '../../src/chain/rpc/client.ts';

export const fillAbi = parseAbi([
  'struct Relay { bytes32 depositor; bytes32 recipient; bytes32 exclusiveRelayer; bytes32 inputToken; bytes32 outputToken; uint256 inputAmount; uint256 outputAmount; uint256 originChainId; uint256 depositId; uint32 fillDeadline; uint32 exclusivityDeadline; bytes message; }',
  'function requestSlowFill(Relay relay)',
  'function fillRelay(Relay relay, uint256 repaymentChainId, bytes32 repaymentAddress)',
  'function fillRelayWithUpdatedDeposit(Relay relay, uint256 repaymentChainId, bytes32 repaymentAddress, uint256 updatedOutputAmount, bytes32 updatedRecipient, bytes updatedMessage, bytes depositorSignature)',
]);

export function relayOf(deposit: AcrossDeposit, depositId: bigint) {
  return {
    ...{ depositor: pad(deposit.depositor), recipient: pad(deposit.recipient), exclusiveRelayer: zeroHash },
    ...{ inputToken: pad(deposit.inputToken), outputToken: pad(deposit.outputToken), message: '0x' as Hex },
    ...{ inputAmount: deposit.input, outputAmount: deposit.output, originChainId: BigInt(deposit.originChainId) },
    ...{ depositId, fillDeadline: deposit.fillDeadline, exclusivityDeadline: 0 },
  };
}

export function redirection({ originChainId }: AcrossDeposit, depositId: bigint, to: Address, units = 1n) {
  return {
    domain: { name: 'ACROSS-V2', version: '1.0.0', chainId: originChainId },
    types: {
      UpdateDepositDetails: [
        { name: 'depositId', type: 'uint256' },
        { name: 'originChainId', type: 'uint256' },
        { name: 'updatedOutputAmount', type: 'uint256' },
        { name: 'updatedRecipient', type: 'bytes32' },
        { name: 'updatedMessage', type: 'bytes' },
      ],
    },
    primaryType: 'UpdateDepositDetails',
    message: {
      ...{ depositId, originChainId: BigInt(originChainId), updatedOutputAmount: units },
      ...{ updatedRecipient: pad(to), updatedMessage: '0x' as Hex },
    },
  } as const;
}

/** Asks Across itself to deliver, later and without a relayer: nothing is delivered by it. */
export function encodeSlowFill(deposit: AcrossDeposit, depositId: bigint): Hex {
  const args = [relayOf(deposit, depositId)] as const;
  return encodeFunctionData({ abi: fillAbi, functionName: 'requestSlowFill', args });
}

export function encodeRedirectedFill(
  deposit: AcrossDeposit,
  depositId: bigint,
  { relayer, to, signature, units = 1n }: { relayer: Address; to: Address; signature: Hex; units?: bigint },
): Hex {
  const at = BigInt(deposit.destinationChainId);
  const args = [relayOf(deposit, depositId), at, pad(relayer), units, pad(to), '0x', signature] as const;
  return encodeFunctionData({ abi: fillAbi, functionName: 'fillRelayWithUpdatedDeposit', args });
}
