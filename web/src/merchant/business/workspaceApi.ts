// The workspace that is paid, as the service tells it: which kind it is, where its money goes, on which chains, and who else it may pay by API.
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useSyncExternalStore } from 'react';
import type { WalletFamily } from '../../../../src/domain/walletFamily.ts';
import { callApi, type TypedData } from '../../app/api.ts';

export type Mode = 'test' | 'live';

/** `payout` is the address that is paid there; null with the `problem` why nothing can be. */
export type WorkspaceChain = {
  chain: string;
  family: WalletFamily;
  label: string;
  livemode: boolean;
  currencies: string[];
  payout: string | null;
  problem: string | null;
  /** How many grants a campaign has there unless it says otherwise; null where there is no end. */
  grant_places: number | null;
};

export type Workspace = {
  handle: string;
  kind: 'personal' | 'business';
  /** The wallet that signs; null before there is one. */
  wallet: string | null;
  /** Where payments go from now on. */
  payout_address: string | null;
  /** The same, where it is another one than the wallet that signs. */
  business_address: string | null;
  /** For a contract as the payout address: the only chains on which it is paid. */
  payout_chains: string[] | null;
  /** Of 100, taken from the payout. */
  fee_percent: string;
  modes: Mode[];
  chains: WorkspaceChain[];
  /** Handles beside its own that may be paid by its keys. */
  recipients: { handle: string; kind: 'personal' | 'business'; created_at: string }[];
};

export const WORKSPACE_KEY = ['workspace'];

export function useWorkspace() {
  return useQuery({
    queryKey: WORKSPACE_KEY,
    queryFn: ({ signal }) => callApi<{ workspace: Workspace }>('GET', '/workspace', undefined, signal),
    select: ({ workspace }) => workspace,
    staleTime: 60_000,
  });
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const choiceKey = (handle: string) => `mode @${handle}`;

function readChoice(handle: string): string | null {
  return sessionStorage.getItem(choiceKey(handle)) ?? localStorage.getItem(choiceKey(handle));
}

/** For this tab, and for the next one that this account opens. */
export function chooseMode(handle: string, mode: Mode): void {
  localStorage.setItem(choiceKey(handle), mode);
  followMode(handle, mode);
}

/** For this tab alone. */
function followMode(handle: string, mode: Mode): void {
  sessionStorage.setItem(choiceKey(handle), mode);
  for (const listener of listeners) listener();
}

/** Test or live; null while the workspace is not known: nothing of either may be shown then. */
export function useMode(): Mode | null {
  const { data } = useWorkspace();
  const chosen = useSyncExternalStore(subscribe, () => data && readChoice(data.handle));
  if (!data) return null;
  if (data.modes.length < 2) return data.modes[0] ?? 'live';
  return chosen === 'test' ? 'test' : 'live';
}

/** The pages follow a thing that was opened by its address, of whichever mode it is. */
export function useModeOf(thing: { livemode: boolean } | undefined): void {
  const handle = useWorkspace().data?.handle;
  const mode = thing && (thing.livemode ? 'live' : 'test');
  // Before the page is drawn: an effect after it would show the thing in the other mode's colours for a frame.
  useLayoutEffect(() => {
    if (handle && mode) followMode(handle, mode);
  }, [handle, mode]);
}

type KeyedQuery = { queryKey: readonly unknown[] };

/** As `placeholderData`: what was shown stays until the next answer is here, unless it is of the other mode. */
export function keptIn(mode: Mode | null | undefined) {
  return <T>(previous: T | undefined, query?: KeyedQuery): T | undefined =>
    query?.queryKey.includes(mode) ? previous : undefined;
}

/** The chains of the mode that is looked at. */
export function chainsOf(workspace: Workspace, mode: Mode | null): WorkspaceChain[] {
  return workspace.chains.filter(({ livemode }) => mode === null || livemode === (mode === 'live'));
}

/** `submit` goes back as it came, with the signatures. */
export type PreparedBusiness = { typed_data: TypedData; submit: Record<string, unknown>; signers: string[] };
export type PreparedRecipient = { typed_data: TypedData; submit: Record<string, unknown> };

export function prepareBusiness(payoutAddress: string): Promise<PreparedBusiness> {
  return callApi('POST', '/workspace/business/prepare', { payout_address: payoutAddress });
}

export function submitBusiness(
  { submit }: PreparedBusiness,
  signatures: { signature: string; payout_signature?: string },
): Promise<{ workspace: Workspace }> {
  return callApi('POST', '/workspace/business', { ...submit, ...signatures });
}

export function prepareRecipient(recipient: string, allowed: boolean): Promise<PreparedRecipient> {
  return callApi('POST', '/workspace/recipients/prepare', { recipient, allowed });
}

export function submitRecipient({ submit }: PreparedRecipient, signature: string): Promise<{ workspace: Workspace }> {
  return callApi('POST', '/workspace/recipients', { ...submit, signature });
}
