import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The page's files, by names that change with what they hold. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: 'public',
  base: '/',
  plugins: [react()],
  css: { postcss: import.meta.dirname },
  build: {
    outDir: path.join(import.meta.dirname, '../../build/dashboard'),
    emptyOutDir: true,
    assetsDir: 'assets',
    // Fonts and pictures stay files: the page's policy takes no data URLs of them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['chrome111', 'firefox114', 'safari16.4'],
    manifest: true,
  },
})
