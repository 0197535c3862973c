// What the pages have to know of this deployment's configuration. Nothing in it is a secret.
import type { Express } from 'express';
import { type Ctx, evmChains } from '../../context.ts';
import type { ConfigView } from './configAnswers.ts';

export function mountConfig(app: Express, ctx: Ctx): void {
  app.get('/api/config', (_request, response) => {
    const view: ConfigView = {
      object: 'config',
      walletconnect_project_id: ctx.env.WALLETCONNECT_PROJECT_ID ?? null,
      chains: contractsOf(ctx),
    };
    response.json(view);
  });
}

/** For pages that sign by themselves: they sign for these contracts only. It reads no chain. */
function contractsOf(ctx: Ctx): ConfigView['chains'] {
  return Object.values(evmChains(ctx)).map(({ name, facts, usdc, wrappedNative, routers }) => ({
    name,
    chain_id: facts.chainId,
    usdc,
    wrapped_native: wrappedNative,
    routers: { ...routers },
  }));
}
