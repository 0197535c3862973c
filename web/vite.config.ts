// Builds the pages into web/dist.
import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vite';
import { BUILD } from './build.ts';
import { firstFrames } from './firstFrames.ts';
import { guides } from './guides.ts';

/** What every page runs on, and what most pages look like. Neither imports from another room, so that no chunk waits for one that waits for it. */
const VENDOR =
  /node_modules\/(preact|@tanstack|lucide-react\/dist\/esm\/(?!icons))|vite\/preload-helper|rolldown\/runtime/;
const UI =
  /src\/domain\/(money|chains|walletFamily|team)\.ts$|web\/src\/(app\/(acting|api|apiError|format|router|firstAnswer|takeAnswer|localStack|session\/(useSession|pageAccount))\.tsx?$|wallet\/playWallets|ui\/(Avatar|Button|Card|Field|Hex|Meter|Pill|Steps|TimeAgo|Title|Wordmark|notices|tone)\.)/;

export default defineConfig(
  mergeConfig(BUILD, {
    root: import.meta.dirname,
    plugins: [guides(), firstFrames()],
    build: {
      outDir: 'dist',
      // The service reads there what each page needs, and has the browser fetch it with the document.
      manifest: true,
      // What most pages need is one file, and so is what the pages of a room share: each request costs a phone more than the bytes that it spares.
      rolldownOptions: {
        // The pages, and the wallet's window, which another host serves.
        input: ['index.html', 'wallet.html'].map((name) => join(import.meta.dirname, name)),
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [
              { name: 'vendor', test: VENDOR },
              { name: 'icons', test: /lucide-react/ },
              { name: 'ui', test: UI },
              {
                name: 'wallet',
                test: /mipd|web\/src\/wallet\/(?!walletConnect|playWallets|solana|WalletAction|passkey\/(?!passkeyWallet|remembered|support|places|words))/,
              },
              {
                name: 'solanaWallet',
                test: /@wallet-standard|src\/domain\/(solanaAddress|solanaSignIn)\.ts$|web\/src\/wallet\/solana\/(?!playWallets)/,
              },
              {
                name: 'checkout',
                test: /src\/domain\/checkout\.ts$|web\/src\/payer\/checkout\/(?!DepositPay|\w+Page|words\/(?:de|es))/,
              },
              { name: 'shell', test: /web\/src\/app\/(shell|session)\/(?!useSession|pageAccount)/ },
            ],
          },
        },
      },
    },
  }),
);
