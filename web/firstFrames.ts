// The part of a build that draws what each page looks like before its scripts run, for the service to send with the document.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type ResolvedConfig } from 'vite';
import { guides } from './guides.ts';

const MOST_BYTES = 8_000_000;

/** Calls `write` with what the program `source` of the build prints, once all other files are in `dir`. */
export function drawn(source: string, write: (dir: string, html: string) => void): Plugin {
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
            ssr: source,
            outDir: folder,
            minify: false,
            target: 'es2022',
            rolldownOptions: { output: { entryFileNames: 'draw.mjs', chunkFileNames: '[name]-[hash].mjs' } },
          },
        });
        // In a process of its own: what stands in for a browser there is global.
        const options = { maxBuffer: MOST_BYTES, encoding: 'utf8' } as const;
        write(dir, execFileSync(process.execPath, [join(folder, 'draw.mjs')], options));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** HTML by page, in the folder of the build. */
export function firstFrames(): Plugin {
  return drawn('src/app/firstFrames.tsx', (dir, html) => writeFileSync(join(dir, 'frames.json'), html));
}
