// A wallet for each of the local people, of EVM and of Solana, so that the pages can be tried without an extension. Never part of a deployment: it signs whatever
// our own page on this machine asks for, with keys that everybody may know.
import type { Express, Request, Response } from 'express';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import type { Hex } from '../../src/chain/rpc/client.ts';
import { AppError } from '../../src/domain/errors.ts';
import { localSolanaKey } from '../solana/keys.ts';
import { answerAsSolanaWallet } from '../solana/playWallet.ts';
import { evmChainsIn, type LocalFile } from '../stack/localFile.ts';
import { answerAsWallet, answerOrError, type WalletState } from './walletRpc.ts';

const body = z.object({
  name: z.string(),
  method: z.string().max(60),
  params: z.array(z.unknown()).max(4).default([]),
});

type Wallets = Pick<LocalFile, 'chains'> & {
  accounts: Record<string, Pick<LocalFile['accounts'][string], 'evm_private_key'>>;
};

/** Its routes lie behind the guard of everything local. */
export function mountPlayWallets(app: Express, local: Wallets): void {
  const chains = evmChainsIn(local).map(([, chain]) => ({ chainId: chain.chain_id, rpcUrl: chain.rpc_url }));
  const { solana } = local.chains;
  const wallets = new Map(
    Object.entries(local.accounts).map(([name, { evm_private_key }]) => {
      const account = privateKeyToAccount(evm_private_key as Hex);
      const ofEvm: WalletState = { account, chainId: chains[0]?.chainId ?? 1, chains };
      return [name, { ofEvm, ofSolana: { key: localSolanaKey(name), rpcUrl: solana?.rpc_url ?? null } }];
    }),
  );
  app.get('/api/local/wallets', (_request: Request, response: Response) => {
    response.json({ names: [...wallets.keys()] });
  });
  app.post('/api/local/wallets', async (request: Request, response: Response) => {
    const asked = body.safeParse(request.body);
    const wallet = asked.success ? wallets.get(asked.data.name) : undefined;
    if (!asked.success || !wallet)
      throw new AppError('parameter_invalid', 'name is one of the people of the local stack, params is a list');
    const { data } = asked;
    response.json(
      await answerOrError(() =>
        data.method.startsWith('solana_')
          ? answerAsSolanaWallet(wallet.ofSolana, data)
          : answerAsWallet(wallet.ofEvm, data),
      ),
    );
  });
}
