// The calls that the pages write by hand are, byte for byte, those of the library that the service uses.
import fc from 'fast-check';
import { encodeFunctionData, erc20Abi, getAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { encodeOpen, escrowHash, escrowOnChainId, handleKey } from '../chain/routers/escrow.ts';
import type { Address, EvmChain } from '../chain/rpc/client.ts';
import { approveCall, authorizedOpenCall, handleKeyOf, hashOfEscrow, onChainIdOf, openCall } from './escrowCalls.ts';
import type { EscrowTerms } from './typedData/escrow.ts';
import type { Bytes } from './typedData.ts';

const hex = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes): Bytes => `0x${Buffer.from(bytes).toString('hex')}`);
const uint = (bits: bigint) => fc.bigInt(0n, 2n ** bits - 1n);
const address = hex(20).map((value) => getAddress(value) as Bytes);
const escrows: fc.Arbitrary<EscrowTerms> = fc.record({
  sender: address,
  token: address,
  handleKey: hex(32),
  amount: uint(128n),
  deadline: uint(64n),
  senderNonce: uint(256n),
  revocable: fc.boolean(),
});
const signatures = fc.integer({ min: 0, max: 300 }).chain(hex);

describe('the calls that open a tab', () => {
  it('opens by allowance', () => {
    fc.assert(
      fc.property(escrows, (escrow) => {
        expect(openCall(escrow)).toBe(encodeOpen(escrow, { way: 'direct' }));
      }),
    );
  });

  it('opens by an authorization with a signature of any length', () => {
    fc.assert(
      fc.property(escrows, uint(256n), uint(256n), signatures, (escrow, validAfter, validBefore, signature) => {
        const authorization = { validAfter, validBefore, signature };
        expect(authorizedOpenCall(escrow, authorization)).toBe(encodeOpen(escrow, { way: 'eip3009', authorization }));
      }),
    );
  });

  it('approves', () => {
    fc.assert(
      fc.property(address, uint(256n), (spender, amount) => {
        const args = [spender, amount] as const;
        expect(approveCall(spender, amount)).toBe(encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }));
      }),
    );
  });

  it('names handles and tabs as the routers do', () => {
    fc.assert(
      fc.property(fc.string(), (slug) => {
        expect(handleKeyOf(slug)).toBe(handleKey(slug));
      }),
    );
    fc.assert(
      fc.property(escrows, (escrow) => {
        expect(hashOfEscrow(escrow)).toBe(escrowHash(escrow));
      }),
    );
    fc.assert(
      fc.property(escrows, address, fc.nat(), (escrow, router, chainId) => {
        const chain = { facts: { chainId }, routers: { escrow: router as Address } } as unknown as EvmChain;
        expect(onChainIdOf({ chainId, router }, escrow)).toBe(
          escrowOnChainId(chain, escrow.sender, escrow.senderNonce),
        );
      }),
    );
  });

  it('refuses what fits into no word', () => {
    expect(() => approveCall('0x12', 2n ** 256n)).toThrow(RangeError);
    expect(() => approveCall('0xalice', 1n)).toThrow(RangeError);
    expect(() => approveCall('0x12', -1n)).toThrow(RangeError);
  });
});
