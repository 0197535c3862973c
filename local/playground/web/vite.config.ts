// Builds the playground into local/playground/dist: one document that contains its first frame.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vite';
import { BUILD } from '../../../web/build.ts';
import { drawn } from '../../../web/firstFrames.ts';

function putInto(dir: string, frame: string): void {
  const file = join(dir, 'index.html');
  const html = readFileSync(file, 'utf8');
  // Inert until the scripts run: a press would be lost.
  writeFileSync(
    file,
    html.replace('<div id="root"></div>', () => `<div id="root" inert>${frame}</div>`),
  );
}

export default defineConfig(
  mergeConfig(BUILD, {
    root: import.meta.dirname,
    base: '/playground/',
    plugins: [drawn('firstFrame.tsx', putInto)],
    build: { outDir: '../dist' },
  }),
);
