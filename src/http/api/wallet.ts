// The payout wallets, their change, and the addition of a first one of a family.
import { z } from 'zod';
import { CHAIN_NAMES } from '../../domain/chains.ts';
import { WALLET_FAMILIES } from '../../domain/walletFamily.ts';
import {
  prepareWalletChange,
  requestWalletChange,
  stopWalletChange,
  walletsView,
} from '../../services/accounts/wallets.ts';
import { walletSignature } from '../parse.ts';
import { type Route, route, signatures } from './route.ts';
import { changedWallets, preparedChange, wallets } from './walletAnswers.ts';

/** The address says of which family the wallet is. */
const wanted = z.strictObject({ new_address: z.string().max(100), chain: z.enum(CHAIN_NAMES).nullish() });
const signed = wanted.extend({
  nonce: z.number().int().min(0).max(1_000_000),
  deadline: z.number().int().min(0).max(100_000_000_000),
  new_signature: walletSignature,
  old_signature: walletSignature.optional(),
});

const get = route({
  method: 'get',
  path: '/api/wallet',
  access: 'handle',
  answer: wallets,
  status: 200,
  errors: [],
  run: async (ctx, { caller: { handle } }) => walletsView(ctx, handle.id),
});

const prepare = route({
  method: 'post',
  path: '/api/wallet/change/prepare',
  access: 'handle',
  limit: signatures,
  body: wanted,
  answer: preparedChange,
  status: 200,
  errors: ['state_conflict'],
  run: async (ctx, { caller: { handle }, body: { new_address: newAddress, chain } }) =>
    prepareWalletChange(ctx, handle, { newAddress, chain: chain ?? undefined }),
});

const change = route({
  method: 'post',
  path: '/api/wallet/change',
  access: 'handle',
  limit: signatures,
  body: signed,
  answer: changedWallets,
  status: 200,
  errors: ['signature_invalid', 'state_conflict', 'rate_limited'],
  async run(ctx, { caller, body: { new_address: newAddress, chain, nonce, deadline, ...signatures } }) {
    const { new_signature: newSignature, old_signature: oldSignature } = signatures;
    const asked = { newAddress, chain: chain ?? undefined, nonce, deadline, newSignature, oldSignature };
    return { wallets: await requestWalletChange(ctx, caller, asked) };
  },
});

const cancel = route({
  method: 'delete',
  path: '/api/wallet/change',
  access: 'handle',
  query: z.strictObject({ family: z.enum(WALLET_FAMILIES).default('evm') }),
  answer: changedWallets,
  status: 200,
  errors: ['resource_missing'],
  run: async (ctx, { caller: { handle }, query: { family } }) => ({
    wallets: await stopWalletChange(ctx, handle.id, family),
  }),
});

export const WALLET_ROUTES: readonly Route[] = [get, prepare, change, cancel];
