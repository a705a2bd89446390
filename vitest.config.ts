import { randomInt } from 'node:crypto'
import path from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { TIMEOUT_FACTOR } from './test/support/timeout-multiplier.ts'

/**
 * The tier of a test is in the name of its file, and nowhere else. A test file without a mark is a service test.
 */
const SMOKE = '**/*.smoke.test.ts'
const SYSTEM = '**/*.system.test.ts'
/** Tests that need programs which the project does not install, such as nginx: `npm run test:deploy` alone runs them. */
const DEPLOY = 'test/deploy/programs/*.test.ts'
const UNIT = '{test,simulators}/**/*.unit.test.ts'
const ALL = '{test,src/dashboard/test,simulators}/**/*.test.ts'

/** The files of each value of `TESTS`; without it, all of them. */
const TIERS: Record<string, { include: string[]; exclude: string[] }> = {
  unit: { include: [UNIT], exclude: [] },
  quick: { include: [ALL], exclude: [SMOKE, SYSTEM, DEPLOY] },
  smoke: { include: [SMOKE], exclude: [] },
  all: { include: [ALL], exclude: [DEPLOY] },
  deploy: { include: [DEPLOY], exclude: [] },
}
const tier = process.env.TESTS || 'all'
const { include, exclude } = TIERS[tier]

/** The seed of `npm test` and CI is always the same; `npm run test:all` draws another one each time. */
const SEED = 20_261_128
process.env.SEED ??= String(tier === 'all' ? randomInt(2 ** 31) : SEED)
console.log(`Random choices are made from SEED=${process.env.SEED}.`)

// As `npm start` does: what was compiled once is not compiled again in each worker.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, 'node_modules/.cache/node')

/** Files that wait for browsers and processes begin first, so that none of them is left alone at the end. */
class SlowTiersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the method of the class has that name
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => /\.(system|smoke)\.test\.ts$/.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

export default defineConfig({
  test: {
    environment: 'node',
    include,
    exclude: [...configDefaults.exclude, ...exclude],
    globalSetup: [
      'test/support/watch-workers.ts',
      // No unit test reads a database.
      ...(tier === 'unit' ? [] : ['test/support/start-postgres.ts']),
    ],
    setupFiles: [
      'test/support/beat.ts',
      'test/support/collect-statements.ts',
      'test/support/close-left-open.ts',
      'test/support/seeded-properties.ts',
      'test/support/cheap-passwords.ts',
    ],
    pool: 'forks',
    // Two cores are kept busy by more than two: many tests wait for a clock, a page or another process.
    maxWorkers: 3,
    // A worker loads what it tests once, and not once a file.
    isolate: false,
    // Node runs the sources as they are, as it does in production: nothing is transformed first.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: SlowTiersFirst },
    // Nothing takes that long; a machine that others keep busy may stretch it.
    testTimeout: 60_000 * TIMEOUT_FACTOR,
    hookTimeout: 60_000 * TIMEOUT_FACTOR,
    // A worker ends after it has closed what its files opened.
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 20_000 * TIMEOUT_FACTOR, interval: 20 } },
  },
})
