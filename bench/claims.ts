// A claim of an OpenTab, one after the other: from the press of its recipient until the page can show that the money is in the wallet.
import { setTimeout as sleep } from 'node:timers/promises';
import { createWalletClient, type Hex, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Stack } from '../local/stack/stack.ts';
import { approveCall, onChainIdOf, openCall } from '../src/domain/escrowCalls.ts';
import type { EscrowView, OneEscrow, StagedEscrow } from '../src/http/api/escrowAnswers.ts';
import type { Row } from './main.ts';

/** Staging and claiming are limited to so many calls a minute. */
const CLAIMS = 15;
const POLL_MS = 20;
const WITHIN_MS = 30_000;

export async function measureClaims(stack: Stack): Promise<Row> {
  const { local } = stack;
  const { alice, bob } = local.accounts;
  const base = local.chains['base'];
  if (!alice?.evm_private_key || !bob || !base) throw new Error('the stack has no alice, no bob or no Base');
  const account = privateKeyToAccount(alice.evm_private_key as Hex);
  const wallet = createWalletClient({ account, transport: http(base.rpc_url) }).extend(publicActions);
  const callAs =
    (session: string | null) =>
    async <T>(path: string, body?: object): Promise<T> => {
      const response = await fetch(`${local.base_url}/api${path}`, {
        headers: {
          'content-type': 'application/json',
          origin: local.base_url,
          cookie: `service-session=${session}`,
        },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
      return (await response.json()) as T;
    };
  const [asAlice, asBob] = [callAs(alice.session), callAs(bob.session)];
  const send = (to: string, data: string) =>
    wallet.sendTransaction({ to: to as Hex, data: data as Hex, chain: null, gas: 500_000n });

  const waits: number[] = [];
  for (let index = 0; index < CLAIMS; index++) {
    const { escrow, onChainArgs } = await asAlice<StagedEscrow>('/escrow', {
      handleSlug: 'bob',
      amount: '1',
      chain: 'base',
      dueInHours: 24,
    });
    const { router, stable, handleKey, amount, deadline, senderNonce, revocable, chainId } = onChainArgs;
    const terms = {
      sender: account.address,
      token: stable,
      handleKey,
      amount: BigInt(amount),
      deadline: BigInt(deadline),
      senderNonce: BigInt(senderNonce),
      revocable,
    } as Parameters<typeof openCall>[0];
    await send(stable, approveCall(router, terms.amount));
    const txHash = await send(router, openCall(terms));
    await wallet.waitForTransactionReceipt({ hash: txHash, pollingInterval: 50 });
    if (chainId === null) throw new Error('this measures an EVM chain');
    const onChainId = onChainIdOf({ chainId, router }, terms);
    await asAlice(`/escrow/${escrow.id}`, { action: 'confirm_create', txHash, onChainId });
    await untilStatus(asAlice, escrow.id, 'open');
    const pressed = performance.now();
    await asBob(`/escrow/${escrow.id}`, { action: 'claim' });
    await untilStatus(asBob, escrow.id, 'claimed');
    waits.push(performance.now() - pressed);
  }
  waits.sort((a, b) => a - b);
  const quantile = (part: number) => Math.round(waits[Math.floor(waits.length * part)] ?? 0);
  return {
    name: 'claim of an OpenTab, pressed to paid, p50',
    value: quantile(0.5),
    unit: 'ms',
    note: `p90 ${quantile(0.9)} ms, of ${CLAIMS} one after the other`,
  };
}

type Caller = <T>(path: string, body?: object) => Promise<T>;

async function untilStatus(call: Caller, id: string, status: EscrowView['status']): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  while ((await call<OneEscrow>(`/escrow/${id}`)).escrow.status !== status) {
    if (performance.now() > end) throw new Error(`${id} is not ${status} after ${WITHIN_MS / 1_000} s`);
    await sleep(POLL_MS);
  }
}
