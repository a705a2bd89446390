import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/beat.ts'],
    pool: 'forks',
    maxWorkers: 3,
    // A worker loads what it tests once, and not once a file.
    isolate: false,
    // Nothing takes that long; a machine that others keep busy may stretch it.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000, interval: 20 } },
    // A shared machine may stall for seconds, and some tests measure real time. What fails twice is
    // broken; at a desk nothing is tried again.
    retry: process.env.CI ? 1 : 0,
  },
})
