// What is stored of a Solana transaction before it is signed: instructions, which get their block hash late; or a message that others have signed.
import { MessageV0, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { z } from 'zod';
import { type SolanaAddress, solanaAddressOf } from '../../domain/solanaAddress.ts';
import type { SolanaCall } from './client.ts';

/** `s` signs, `w` is writable. */
const role = z.enum(['', 's', 'w', 'sw']);
const instructions = z.strictObject({
  instructions: z.array(
    z.strictObject({ program: z.string(), keys: z.array(z.tuple([z.string(), role])), data: z.base64() }),
  ),
});
const message = z.strictObject({
  /** The message in base64; it names its payer and its block hash. */
  message: z.base64(),
  signatures: z.record(z.string(), z.base64()),
  lastValidHeight: z.string().regex(/^\d+$/),
});
const payload = z.union([instructions, message]);

export type SignedMessage = {
  message: MessageV0;
  /** Of all signers but our executor. */
  signatures: Map<SolanaAddress, Uint8Array>;
  /** The last block height at which it can land. */
  lastValidHeight: bigint;
};

/** Stands for the executor in instructions that are stored: which key signs is decided late. */
export const EXECUTOR: SolanaAddress = solanaAddressOf(Buffer.from('the executor that signs. '.padEnd(32)));

export function encodeInstructions(list: readonly TransactionInstruction[]): string {
  return JSON.stringify({
    instructions: list.map(({ programId, keys, data }) => ({
      program: programId.toBase58(),
      keys: keys.map(({ pubkey, isSigner, isWritable }) => [
        pubkey.toBase58(),
        `${isSigner ? 's' : ''}${isWritable ? 'w' : ''}`,
      ]),
      data: data.toString('base64'),
    })),
  });
}

export function encodeSignedMessage({ message: signed, signatures, lastValidHeight }: SignedMessage): string {
  const texts = [...signatures].map(([address, bytes]) => [address, Buffer.from(bytes).toString('base64')]);
  return JSON.stringify({
    message: Buffer.from(signed.serialize()).toString('base64'),
    signatures: Object.fromEntries(texts),
    lastValidHeight: String(lastValidHeight),
  });
}

/** @param executor who takes the place of {@link EXECUTOR}. @throws Error for another text than {@link encodeInstructions} writes */
export function decodeInstructions(text: string, executor: SolanaAddress): Pick<SolanaCall, 'instructions'> {
  return toInstructions(instructions.parse(JSON.parse(text)), executor);
}

/** The same of a text that either function wrote. */
export function decodePayload(text: string, executor: SolanaAddress): Pick<SolanaCall, 'instructions'> | SignedMessage {
  const stored = payload.parse(JSON.parse(text));
  if ('message' in stored) {
    const signatures = Object.entries(stored.signatures).map(
      ([address, bytes]) => [address, Buffer.from(bytes, 'base64')] as const,
    );
    return {
      message: MessageV0.deserialize(Buffer.from(stored.message, 'base64')),
      signatures: new Map(signatures),
      lastValidHeight: BigInt(stored.lastValidHeight),
    };
  }
  return toInstructions(stored, executor);
}

function toInstructions(stored: z.infer<typeof instructions>, executor: SolanaAddress) {
  return {
    instructions: stored.instructions.map(
      ({ program, keys, data }) =>
        new TransactionInstruction({
          programId: new PublicKey(program),
          keys: keys.map(([key, of]) => ({
            pubkey: new PublicKey(key === EXECUTOR ? executor : key),
            isSigner: of.includes('s'),
            isWritable: of.includes('w'),
          })),
          data: Buffer.from(data, 'base64'),
        }),
    ),
  };
}
