/** The watchdog over the tests, on planted files that hang, in a separate run. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from '../support/own-folder.ts'

const PROJECT = path.join(import.meta.dirname, '../..')

const CONFIG = `
import { defineConfig } from 'vitest/config'
export default defineConfig({
  test: {
    include: ['*.test.ts'],
    globalSetup: ['./watch.ts'],
    setupFiles: ['./beat.ts'],
    pool: 'forks',
    maxWorkers: 3,
    isolate: false,
    testTimeout: 500,
  },
})`

const WATCH = `
import type { TestProject } from 'vitest/node'
import { startWatchdog } from './watchdog.ts'
export default (project: TestProject) => {
  const watchdog = startWatchdog({ silentMs: 2_000, fileMs: 60_000 })
  project.provide('beats', watchdog.beats)
  return watchdog.stop
}`

/** The files hang for a minute, so that they end even when the watchdog is broken. */
const FOR_A_MINUTE = 'for (const end = performance.now() + 60_000; performance.now() < end; )'

/** The test's time-out fires first and is not reported, and the loop goes on. */
const IN_PROMISES = `
import { test } from 'vitest'
test('spins in promises that settle at once', async () => {
  ${FOR_A_MINUTE} await Promise.resolve()
})`

const IN_A_LOOP = `
import { test } from 'vitest'
test('spins in a loop', () => {
  ${FOR_A_MINUTE};
})`

const USUAL = `
import { test } from 'vitest'
test('is as it should be', () => {})`

const folder = makeFolder('watchdog', afterAll)
mkdirSync(path.join(folder, 'suite'))
symlinkSync(path.join(PROJECT, 'node_modules'), path.join(folder, 'node_modules'))
for (const file of ['watchdog.ts', 'beat.ts']) {
  cpSync(path.join(PROJECT, 'test/support', file), path.join(folder, 'suite', file))
}
const files = {
  'vitest.config.ts': CONFIG,
  'watch.ts': WATCH,
  'in-promises.test.ts': IN_PROMISES,
  'in-a-loop.test.ts': IN_A_LOOP,
  'usual.test.ts': USUAL,
}
for (const [name, text] of Object.entries(files)) {
  writeFileSync(path.join(folder, 'suite', name), text)
}
const { CI: _, VITEST: __, ...env } = process.env
const [code, lines] = await new Promise<[unknown, string[]]>((resolve) => {
  const vitest = path.join(PROJECT, 'node_modules/vitest/vitest.mjs')
  const options = { cwd: path.join(folder, 'suite'), env, timeout: 50_000 }
  execFile(process.execPath, [vitest, 'run'], options, (error, stdout, stderr) => {
    resolve([error?.code, `${stdout}${stderr}`.split('\n')])
  })
})

test.each(['in-promises.test.ts', 'in-a-loop.test.ts'])(
  'a worker that spins is ended, and the line says in which file: %s',
  (file) => {
    expect(lines.filter((line) => line.startsWith('HANGS'))).toContainEqual(
      expect.stringMatching(`${file}: it has not answered for 2 s, so its worker was ended`),
    )
  },
)

test('the run then ends as failed, and the other files are run', () => {
  expect(code).toBe(1)
  expect(lines.join('\n')).toMatch(/✓.*usual\.test\.ts/)
})
