/**
 * Repeats chosen tests next to busy loops and reports which of them failed, how often, and with which seeds. It
 * reveals tests that pass only on an idle machine or by chance.
 *
 *   npm run test:stress -- FILES [--times N] [--loops N] [--seed N]
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

const PROJECT = path.join(import.meta.dirname, '..')
const HELP = `npm run test:stress -- FILES [--times N] [--loops N] [--seed N]

FILES   test files or folders, as vitest takes them
--times how often they run; 10 by default
--loops concurrent busy loops; by default as many as there are processors
--seed  the seed of every run; without it each run has its own`

type Report = {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

type Failure = { title: string; seeds: number[]; message: string }

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '10' },
    loops: { type: 'string', default: String(os.availableParallelism()) },
    seed: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help || files.length === 0) {
  console.log(HELP)
  process.exit(values.help ? 0 : 2)
}

const times = readCount('--times', values.times)
const loops = Array.from({ length: readCount('--loops', values.loops) }, startLoop)
const folder = mkdtempSync(path.join(os.tmpdir(), 'wasla-stress-'))
const failures = new Map<string, Failure>()
let redRuns = 0
try {
  for (let run = 1; run <= times; run += 1) {
    const seed = values.seed === undefined ? newSeed() : readCount('--seed', values.seed)
    const startedAt = performance.now()
    const failed = await runOnce(seed)
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
    if (failed > 0) redRuns += 1
    console.log(`run ${run} of ${times}, SEED=${seed}: ${failed} failed, ${seconds} s`)
  }
} finally {
  for (const loop of loops) loop.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
for (const { title, seeds, message } of failures.values()) {
  console.log(`\nfailed ${seeds.length} of ${times} times: ${title}`)
  console.log(`  with SEED=${seeds.join(', ')}`)
  console.log(message.split('\n').slice(0, 8).join('\n  '))
}
console.log(`\n${times - redRuns} of ${times} runs passed beside ${loops.length} busy loops`)
process.exitCode = redRuns === 0 ? 0 : 1

function readCount(name: string, text: string): number {
  const count = Number(text)
  if (Number.isSafeInteger(count) && count >= 0) return count
  console.error(`${name} is a whole number from 0 on, not ${text}.`)
  process.exit(2)
}

function newSeed(): number {
  return Math.floor(Math.random() * 2 ** 31)
}

/** Starts a process that uses all of one processor until it is killed. */
function startLoop(): ChildProcess {
  return spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
}

/** Runs the files once and returns how many tests failed. A file or a run that could not start counts as one. */
async function runOnce(seed: number): Promise<number> {
  const output = path.join(folder, `${seed}.json`)
  const vitest = path.join(PROJECT, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--reporter=json', `--outputFile=${output}`, ...files]
  const child = spawn(process.execPath, args, {
    cwd: PROJECT,
    env: { ...process.env, SEED: String(seed) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  const failed = existsSync(output) ? readFailures(output) : []
  rmSync(output, { force: true })
  for (const { title, message } of failed) {
    const failure = failures.get(title) ?? { title, seeds: [], message }
    failure.seeds.push(seed)
    failures.set(title, failure)
  }
  return failed.length === 0 && code !== 0 ? 1 : failed.length
}

function readFailures(output: string): { title: string; message: string }[] {
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report
  return testResults.flatMap((file) => {
    const name = path.relative(PROJECT, file.name)
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length === 0 && file.status === 'failed') {
      return [{ title: name, message: file.message }]
    }
    return failed.map(({ fullName, failureMessages }) => ({
      title: `${name} › ${fullName}`,
      message: failureMessages.join('\n'),
    }))
  })
}
