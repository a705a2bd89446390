import path from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { LONG } from './test/long.ts'
import { PATIENCE } from './test/support/patience.ts'

const isQuick = process.env.TESTS === 'quick'

/** What takes long begins first: begun last, it would leave the other workers idle. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer is asked by that name
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => {
      const file = path.relative(import.meta.dirname, moduleId)
      return LONG.some((pattern) => path.matchesGlob(file, pattern))
    }
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(isQuick ? LONG : [])],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/beat.ts'],
    pool: 'forks',
    // Two cores are kept busy by more than two: many tests wait for a clock, a page or another process.
    maxWorkers: process.env.CI ? 4 : 3,
    // A worker loads what it tests once, and not once a file.
    isolate: false,
    sequence: { sequencer: LongFirst },
    // Nothing takes that long; a machine that others keep busy may stretch it.
    testTimeout: 60_000 * PATIENCE,
    hookTimeout: 60_000 * PATIENCE,
    expect: { poll: { timeout: 20_000 * PATIENCE, interval: 20 } },
    // A shared machine may stall for seconds, and some tests measure real time. What fails twice is
    // broken; at a desk nothing is tried again.
    retry: process.env.CI ? 1 : 0,
  },
})
