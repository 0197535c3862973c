// Builds the pages into web/dist. Everything is a file of our own origin, because the pages run under a policy without inline code.
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'assets',
    // A data: address would be refused for everything but images.
    assetsInlineLimit: 0,
    // The polyfill is for browsers that the pages do not serve anyway.
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
  },
});
