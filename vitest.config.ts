import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/beat.ts'],
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // A shared machine may stall for seconds, and some tests measure real time. What fails twice is
    // broken; at a desk nothing is tried again.
    retry: process.env.CI ? 1 : 0,
  },
})
