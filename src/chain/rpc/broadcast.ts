// Sends signed bytes to every endpoint: one that swallows them must not keep a transaction from the chain.
import { BaseError, type PublicClient } from 'viem';
import { needsTwo } from './agreement.ts';
import { answersUntil } from './answers.ts';
import type { BroadcastOutcome, EvmChain, Hex } from './client.ts';

/** What counts where none took them: what is cured by another bid, then what nothing cures. */
const BY_WEIGHT: readonly BroadcastOutcome['kind'][] = ['sent', 'fee_too_low', 'nonce_too_low', 'refused', 'unknown'];

/** Any number of times: sending the same bytes again is always harmless. Done as soon as one endpoint takes them. */
export async function broadcast(chain: EvmChain, raw: Hex): Promise<BroadcastOutcome> {
  const clients = needsTwo(chain) ? chain.endpoints : [chain.client];
  const outcomes = await answersUntil(
    clients.map((client) => sendTo(client, raw)),
    (answers) => answers.some(({ kind }) => kind === 'sent'),
  );
  const [first] = outcomes.sort((a, b) => BY_WEIGHT.indexOf(a.kind) - BY_WEIGHT.indexOf(b.kind));
  return first ?? { kind: 'unknown', reason: 'no endpoint' };
}

async function sendTo(client: PublicClient, raw: Hex): Promise<BroadcastOutcome> {
  try {
    await client.request({ method: 'eth_sendRawTransaction', params: [raw] });
    return { kind: 'sent' };
  } catch (error) {
    const text = error instanceof BaseError ? `${error.details} ${error.shortMessage}` : String(error);
    if (/already ?(imported|known)|\bknown transaction/i.test(text)) return { kind: 'sent' };
    if (/nonce too low/i.test(text)) return { kind: 'nonce_too_low', reason: 'nonce too low' };
    if (/less than block base fee|underpriced|fee too low/i.test(text))
      return { kind: 'fee_too_low', reason: 'fee too low' };
    if (/insufficient funds/i.test(text)) return { kind: 'refused', reason: 'insufficient funds for gas' };
    if (/invalid chain id|invalid sender|intrinsic gas|exceeds block gas limit|tx type/i.test(text)) {
      return { kind: 'refused', reason: 'the node calls the transaction invalid' };
    }
    return { kind: 'unknown', reason: 'no clear answer from the node' };
  }
}
