import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The service that answers API requests of `npx vite`. */
const SERVICE = process.env.WASLA_URL ?? 'http://127.0.0.1:4080'

/** Packages that the first screen always loads. */
const GROUND = /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack)\//

/** The frame around the pages of a company. */
const FRAME = /src\/dashboard\/frame\/(?:AppShell|routes)\.tsx$/

/** The build of the dashboard. File names contain a hash of the content. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: 'public',
  base: '/',
  plugins: [react()],
  css: { postcss: import.meta.dirname },
  server: {
    // The service accepts changes from its own origin only, so requests are sent with that origin.
    proxy: { '/api': { target: SERVICE, headers: { origin: SERVICE } } },
  },
  build: {
    outDir: path.join(import.meta.dirname, '../../build/dashboard'),
    emptyOutDir: true,
    assetsDir: 'assets',
    // Fonts and images stay files: the page's policy forbids data URLs of them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['chrome111', 'firefox114', 'safari16.4'],
    manifest: true,
    rolldownOptions: {
      output: {
        // The modules that every page needs are in two files, which is smaller than many. A group includes the imports
        // of its modules.
        codeSplitting: {
          groups: [
            { name: 'ground', test: GROUND, priority: 1 },
            { name: 'frame', test: FRAME },
          ],
        },
      },
    },
  },
})
