import path from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * More than half of a whole run's time, and 1,500 of its 12,000 tests: what drives a browser, ends processes, fills
 * machines, follows the guides, waits for real time or goes through the same on every channel and in every language.
 * `npm test` leaves them to `npm run test:all`, which is what CI runs.
 */
const LONG = [
  'test/accounts/known-device.test.ts',
  'test/assistant/fallback.test.ts',
  'test/assistant/other-channels.test.ts',
  'test/broadcasts/broadcast*.test.ts',
  'test/broadcasts/drafts-and-pauses.test.ts',
  'test/channels/capability-table*.test.ts',
  'test/channels/send-faults.test.ts',
  'test/channels/whatsapp-qr-faults.test.ts',
  'test/conformance/conformance.test.ts',
  'test/connections/answers.test.ts',
  'test/connections/time-of-a-call.test.ts',
  'test/contacts/import.test.ts',
  'test/daemon/sweep.test.ts',
  'test/dashboard-api/live.test.ts',
  'test/dashboard-api/wrong-inputs.test.ts',
  'test/dashboard-build/**',
  'test/dashboard/**',
  'test/database/database-away.test.ts',
  'test/database/embedded-*.test.ts',
  'test/database/listen.test.ts',
  'test/database/open-beside.test.ts',
  'test/demonstration/**',
  'test/e2e/**',
  'test/examples/receivers.test.ts',
  'test/examples/start-a-flow.test.ts',
  'test/flows/many-runs.test.ts',
  'test/flows/step-counts.test.ts',
  'test/hooks/abuse-slow.test.ts',
  'test/http/bodies.test.ts',
  'test/http/flood.test.ts',
  'test/inbound/post-faults.test.ts',
  'test/inbound/two-nodes.test.ts',
  'test/inbound/unsigned-webhook.test.ts',
  'test/messaging/paced-sends.test.ts',
  'test/models/asked.test.ts',
  'test/operator/backup.test.ts',
  'test/operator/reencrypt-secrets.test.ts',
  'test/operator/restore.test.ts',
  'test/public-pages/browser.test.ts',
  'test/public-pages/hostile.test.ts',
  'test/scripts/evaluate.test.ts',
  'test/simulator/phones-page.test.ts',
  'test/visitors/widget-page.test.ts',
]
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
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000, interval: 20 } },
    // A shared machine may stall for seconds, and some tests measure real time. What fails twice is
    // broken; at a desk nothing is tried again.
    retry: process.env.CI ? 1 : 0,
  },
})
