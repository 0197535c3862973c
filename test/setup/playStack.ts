// A world that looks like the local stack from outside: served with play wallets, described in a `local.json`, and running by itself on request.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mountPlayWallets } from '../../local/chains/playWallets.ts';
import { PEOPLE } from '../../local/stack/people.ts';
import { freePort } from '../../local/stack/ports.ts';
import { seed } from '../../local/stack/seed.ts';
import type { LocalFile } from '../../src/cli/connection.ts';
import { CHAINS } from '../../src/domain/chains.ts';
import { serve } from '../../src/http/serve.ts';
import { checkoutOf } from './checkout.ts';
import { escrowsOf } from './escrows.ts';
import { visitor } from './visitor.ts';
import type { World } from './world.ts';

export type PlayStack = {
  base: string;
  /** Where its `local.json` is. */
  dataDir: string;
  file: LocalFile;
  /** Does what the processes do, again and again, until something is done; each round takes some seconds of the clocks, when told so. */
  atWork<T>(work: Promise<T>, laterSeconds?: number): Promise<T>;
};

export async function playStack(world: World): Promise<PlayStack> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  Object.assign(world.ctx.env, { PORT: port, BASE_URL: base });
  const file = await fileOf(world, base);
  await serve(world.ctx, { mount: (app) => mountPlayWallets(app, file) });
  writeFileSync(join(world.folder, 'local.json'), JSON.stringify(file));
  const [checkout, tabs] = [checkoutOf(world, visitor(base)), escrowsOf(world)];
  // The first look at the chain only begins.
  await checkout.index();
  await tabs.index();
  return {
    base,
    dataDir: world.folder,
    file,
    async atWork(work, laterSeconds = 0) {
      let isDone = false;
      const end = () => {
        isDone = true;
      };
      work.then(end, end);
      while (!isDone) {
        if (laterSeconds > 0) await checkout.later(laterSeconds);
        await checkout.finish();
        await tabs.pay();
      }
      return work;
    },
  };
}

async function fileOf({ processEnv, embedded }: World, base: string): Promise<LocalFile> {
  const { sessions, apiKeys } = await seed(processEnv, embedded);
  return {
    base_url: base,
    checkout_base: base,
    accounts: Object.fromEntries(
      PEOPLE.map(({ name, handle, address, key }) => [
        name,
        {
          handle,
          session: sessions[name] ?? null,
          api_key: apiKeys[name] ?? null,
          evm_address: address,
          evm_private_key: key,
        },
      ]),
    ),
    chains: Object.fromEntries(
      embedded.map(({ name, config }) => [
        name,
        { chain_id: CHAINS[name].chainId, rpc_url: config.rpcUrls[0] ?? '', usdc: config.usdc ?? CHAINS[name].usdc },
      ]),
    ),
  };
}
