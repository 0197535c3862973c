// Builds the pages into web/dist. Everything is a file of our own origin, because the pages run under a policy without inline code.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { firstFrames } from './firstFrames.ts';
import { guides } from './guides.ts';

/** What every page runs on, and what most pages look like. Neither imports from another room, so that no chunk waits for one that waits for it. */
const VENDOR =
  /node_modules\/(preact|@tanstack|lucide-react\/dist\/esm\/(?!icons))|vite\/preload-helper|rolldown\/runtime/;
const UI =
  /src\/domain\/(money|chains)\.ts$|web\/src\/(app\/(api|format|router|firstAnswer|takeAnswer|hasPlayground|session\/useSession)\.tsx?$|wallet\/playWallets|ui\/(Avatar|Button|Card|Field|Hex|Pill|Steps|TimeAgo|Title|Wordmark|notices|tone)\.)/;

const LEAST_BYTES = 1_024;

/** Each file is compressed once, here, as small as it gets. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets');
      for (const name of readdirSync(assets)) {
        const file = join(assets, name);
        const content = readFileSync(file);
        if (content.length < LEAST_BYTES) continue;
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [guides(), react(), tailwindcss(), precompress(), firstFrames()],
  // Written for React, and run by what does the same with a sixth of the code: a checkout is opened once, on a phone, by somebody who waits.
  resolve: {
    alias: [
      { find: /^react$/, replacement: 'preact/compat' },
      { find: /^react-dom$/, replacement: 'preact/compat' },
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'assets',
    // A data: address would be refused for everything but images.
    assetsInlineLimit: 0,
    // The service reads there what each page needs, and has the browser fetch it with the document.
    manifest: true,
    modulePreload: false,
    target: 'es2022',
    reportCompressedSize: false,
    // What most pages need is one file, and so is what the pages of a room share: each request costs a phone more than the bytes that it spares.
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'vendor', test: VENDOR },
            { name: 'icons', test: /lucide-react/ },
            { name: 'ui', test: UI },
            { name: 'wallet', test: /mipd|web\/src\/wallet\/(?!walletConnect|playWallets)/ },
            { name: 'checkout', test: /web\/src\/payer\/checkout\/(?!DepositPay|\w+Page|words\/(?:de|es))/ },
            { name: 'shell', test: /web\/src\/app\/(shell|session)\/(?!useSession)/ },
          ],
        },
      },
    },
  },
});
