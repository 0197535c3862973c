// The part of the build that draws what each page looks like before its scripts run, for the service to send with the document.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type ResolvedConfig } from 'vite';
import { guides } from './guides.ts';

/** HTML by page, in the folder of the build. */
const FILE = 'frames.json';
const MOST_BYTES = 8_000_000;

export function firstFrames(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'first-frames',
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    async writeBundle({ dir = '' }) {
      const folder = mkdtempSync(join(tmpdir(), 'ampersat-frames-'));
      try {
        await build({
          configFile: false,
          root: config.root,
          logLevel: 'warn',
          plugins: [guides(), react()],
          resolve: { alias: config.resolve.alias },
          ssr: { noExternal: true },
          build: {
            ssr: 'src/app/firstFrames.tsx',
            outDir: folder,
            minify: false,
            target: 'es2022',
            rolldownOptions: { output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' } },
          },
        });
        // In a process of its own: what stands in for a browser there is global.
        const html = execFileSync(process.execPath, [join(folder, 'firstFrames.mjs')], { maxBuffer: MOST_BYTES });
        writeFileSync(join(dir, FILE), html);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
