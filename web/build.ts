// What all builds of pages share. Every file is of our own origin, because the pages run under a policy without inline code.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin, UserConfig } from 'vite';

const LEAST_BYTES = 1_024;

/** Compresses each file once, as small as it gets. */
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

export const BUILD = {
  plugins: [react(), tailwindcss(), precompress()],
  // Written for React, and run by Preact, a sixth of its size: a checkout is opened once, on a phone, by a buyer who waits.
  resolve: {
    alias: [
      { find: /^react$/, replacement: 'preact/compat' },
      { find: /^react-dom$/, replacement: 'preact/compat' },
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
    ],
  },
  build: {
    emptyOutDir: true,
    assetsDir: 'assets',
    // The policy refuses a data: address for everything but images.
    assetsInlineLimit: 0,
    modulePreload: false,
    target: 'es2022',
    reportCompressedSize: false,
  },
} satisfies UserConfig;
