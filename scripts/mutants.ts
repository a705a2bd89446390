/**
 * Mutation testing: changes one small place of the source at a time and runs the tests that reach it. A mutant that
 * survives is a line that no test guards.
 *
 *   npm run test:mutation                                          every mutant of the modules that decide most
 *   npm run test:mutation -- --only src/rules                      every mutant of a folder or file
 *   npm run test:mutation -- --only src/rules,src/modules/hooks --sample 200 --seed 1
 *   npm run test:mutation -- --list --only src/rules/messaging/phone-reading.ts
 *   npm run test:mutation -- --reach                               only find out which tests reach what
 *
 * `--minutes N` ends a run after that time; the next one continues there. `--seconds N` limits the tests of one
 * mutant (60); the nearest ones run first. `--workers 1` uses half of the machine. Everything runs in copies of the
 * tree in `--folder`, with at most two test files at a time. A mutant is killed when a test fails or takes far too
 * long.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, appendFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { isEquivalent } from './mutants/equivalent-mutants.ts'
import { findMutants, nameMutant, type Mutant } from './mutants/find-mutants.ts'
import { createTestFinder, hashOf, measureReach, readReach } from './mutants/coverage.ts'
import { moduleOf } from './boundaries/find-violations.ts'
import { TARGETS, sourcesIn } from './mutants/targets.ts'
import { createRunner, type Runner } from './mutants/runner.ts'
import { readSource, type Source } from './mutants/walk.ts'

/**
 * Tests that are not run for mutants: tests that start processes or measure the machine are too slow, and tests of the
 * scripts and of the tests reach no source.
 */
const LEFT_OUT =
  /^test\/(e2e|examples|database|simulator|operator|scripts|suite)\/|\.(smoke|system)\.test\.ts$/
const MAX_WORKERS = 2

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: TARGETS },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '600' },
    seconds: { type: 'string', default: '60' },
    workers: { type: 'string', default: String(MAX_WORKERS) },
    folder: { type: 'string', default: path.join(os.tmpdir(), 'wasla-mutants') },
    list: { type: 'boolean', default: false },
    reach: { type: 'boolean', default: false },
  },
})

/** The result of a mutant. `by` is the test file that failed, `time` after a timeout, or the number of files tried. */
type Verdict = {
  mutant: string
  key: string
  verdict: 'killed' | 'survived' | 'unreached'
  by: string
}

const tree = path.join(import.meta.dirname, '..')
const workers = Math.min(Number(options.workers), MAX_WORKERS)
let until = performance.now() + Number(options.minutes) * 60_000
const folder = path.resolve(options.folder)
os.setPriority(Math.max(10, os.getPriority()))
// Mutants in progress are finished and recorded.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (until = 0))
mkdirSync(folder, { recursive: true })

const files = (patterns: string[]) =>
  globSync(patterns, { cwd: tree, exclude: ['**/node_modules'] }).toSorted()
const written = files(['src/**/*.ts']).filter((file) => !file.startsWith('src/dashboard/test/'))
const wanted = readWanted()
const sources = new Map<string, Source>(written.map((file) => [file, readSource(tree, file)]))
const tests = files(['{test,src/dashboard/test,simulators}/**/*.test.ts'])
  .filter((file) => !LEFT_OUT.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(tree, file), 'utf8') }))

const mutants = choose(
  [...sources.values()]
    .filter(({ file }) => wanted.has(file))
    .flatMap((source) => findMutants(source))
    .filter((mutant) => !isEquivalent(mutant, textOf(mutant))),
)

if (options.list) {
  for (const mutant of mutants) console.log(nameMutant(mutant, textOf(mutant)))
  console.log(`${mutants.length} mutants`)
} else {
  await withDatabase(async (env) => {
    const reachFile = path.join(folder, 'reach.json')
    const note = path.join(tree, 'scripts/mutants/note-coverage.ts')
    const openRunners = () =>
      Array.from({ length: workers }, (_, nth) =>
        createRunner(tree, path.join(folder, `reach-${nth}`), env, note),
      )
    const isOver = () => performance.now() >= until
    const left = await measureReach(
      reachFile,
      [...sources.values()],
      tests,
      openRunners,
      isOver,
      console.log,
    )
    if (left > 0) console.log(`${left} test files are still to be run for the map of reach.`)
    else if (!options.reach) await tryAll(env, readReach(reachFile))
  })
}

function readWanted(): Set<string> {
  try {
    return sourcesIn(written, options.only)
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}

function textOf({ file }: Mutant): string {
  return sources.get(file)?.text ?? ''
}

/** Returns all mutants, or a sample by the seed. */
function choose(all: Mutant[]): Mutant[] {
  if (options.sample === undefined) return all
  let state = Number(options.seed) >>> 0
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  return all
    .map((mutant) => ({ mutant, lot: random() }))
    .toSorted((a, b) => a.lot - b.lot)
    .slice(0, Number(options.sample))
    .map(({ mutant }) => mutant)
    .toSorted((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1))
}

async function tryAll(env: NodeJS.ProcessEnv, reach: ReturnType<typeof readReach>): Promise<void> {
  const resultsFile = path.join(folder, 'results.jsonl')
  const testsHash = hashOf(tests.map(({ text }) => text).join())
  const known = new Map<string, Verdict>()
  if (existsSync(resultsFile)) {
    for (const line of readFileSync(resultsFile, 'utf8').trim().split('\n')) {
      const verdict = JSON.parse(line) as Verdict & { tests: string; seconds: number }
      // Killed mutants stay killed; survivors are tried again when a test has changed, or with more time.
      const isSame = verdict.tests === testsHash && verdict.seconds >= Number(options.seconds)
      if (verdict.verdict === 'killed' || isSame) known.set(verdict.key, verdict)
    }
  }
  const keyOf = (mutant: Mutant) =>
    `${hashOf(textOf(mutant))} ${mutant.start} ${mutant.end} ${mutant.to}`
  const waiting = mutants.filter((mutant) => !known.has(keyOf(mutant)))
  const killers = new Map<string, string[]>()
  let tried = 0
  /** The factor by which tests now take longer than in the map of reach, at least 1. */
  let slowness = 1

  async function tryMutant(
    runner: Runner,
    mutant: Mutant,
  ): Promise<Omit<Verdict, 'key' | 'mutant'>> {
    const source = sources.get(mutant.file) as Source
    const near = nearestTests(
      mutant,
      createTestFinder(reach, source)(mutant.start, mutant.end),
      killers,
    )
    if (near.length === 0) return { verdict: 'unreached', by: '' }
    const text = source.text.slice(0, mutant.start) + mutant.to + source.text.slice(mutant.end)
    let change: { file: string; text: string } | null = { file: mutant.file, text }
    try {
      for (const batch of inBatches(near)) {
        const expected = batch.reduce((sum, test) => sum + test.ms, 0)
        const answer = await runner.run(
          { change, tests: batch.map(({ file }) => file) },
          (20_000 + 4 * expected) * slowness,
        )
        change = null
        if (answer === 'timed_out') return { verdict: 'killed', by: 'time' }
        if (answer.failed === null) {
          slowness = Math.max(1, answer.ms / (expected + 2_000))
          continue
        }
        const others = (killers.get(mutant.file) ?? []).filter((file) => file !== answer.failed)
        killers.set(mutant.file, [answer.failed, ...others])
        return { verdict: 'killed', by: answer.failed }
      }
      return { verdict: 'survived', by: `${near.length} test files` }
    } finally {
      runner.write(mutant.file, source.text)
    }
  }

  const work = async (nth: number) => {
    const runner = createRunner(tree, path.join(folder, `tree-${nth}`), env)
    let last: Mutant | undefined
    try {
      while (performance.now() < until) {
        const mutant = waiting.shift()
        if (mutant === undefined) break
        if (last !== undefined && last.file !== mutant.file) {
          // The last mutant's file has its original text again on the disk; vitest must notice.
          await runner.run({ change: { file: last.file, text: textOf(last) }, tests: [] }, 20_000)
        }
        last = mutant
        const result = await tryMutant(runner, mutant)
        const verdict = {
          mutant: nameMutant(mutant, textOf(mutant)),
          key: keyOf(mutant),
          ...result,
        }
        known.set(verdict.key, verdict)
        appendFileSync(
          resultsFile,
          `${JSON.stringify({ ...verdict, tests: testsHash, seconds: Number(options.seconds) })}\n`,
        )
        tried += 1
        if (tried % 50 === 0) console.log(`${tried} tried, ${waiting.length} to go`)
      }
    } finally {
      await runner.close()
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, nth) => work(nth)))
  report(mutants.map((mutant) => ({ file: mutant.file, result: known.get(keyOf(mutant)) })))
}

/**
 * Orders tests: those that killed a mutant here first, then the unit test of the source, then the tests of its module,
 * then the quickest.
 */
function nearestTests(
  mutant: Mutant,
  reaching: { file: string; ms: number }[],
  killers: Map<string, string[]>,
): { file: string; ms: number }[] {
  const own = mutant.file.replace(/^src(.*)\.ts$/, 'test$1.unit.test.ts')
  const module = path
    .dirname(mutant.file)
    .replace(/^src(\/modules)?/, 'test')
    .concat('/')
  const before = killers.get(mutant.file) ?? []
  const rank = (file: string) => {
    if (before.includes(file)) return before.indexOf(file) - 1_000
    if (file === own) return -500
    return file.startsWith(module) ? -100 : 0
  }
  const sorted = reaching.toSorted((a, b) => rank(a.file) - rank(b.file) || a.ms - b.ms)
  let sum = 0
  return sorted.filter(({ ms }, nth) => {
    sum += ms
    return nth === 0 || sum <= Number(options.seconds) * 1_000
  })
}

/** Returns the first test file alone, because it is usually the one that fails, and the others in groups of five. */
function inBatches<T>(all: T[]): T[][] {
  const batches = all.length === 0 ? [] : [all.slice(0, 1)]
  for (let from = 1; from < all.length; from += 5) batches.push(all.slice(from, from + 5))
  return batches
}

function report(all: { file: string; result: Verdict | undefined }[]): void {
  for (const { result } of all) {
    if (result && result.verdict !== 'killed')
      console.log(`${result.verdict}  ${result.mutant}  ${result.by}`)
  }
  const modules = Map.groupBy(all, ({ file }) => moduleOf(file))
  for (const [module, of] of [...modules, ['all', all] as const]) {
    const result = of.flatMap((one) => one.result ?? [])
    const killed = result.filter(({ verdict }) => verdict === 'killed')
    const byTime = killed.filter(({ by }) => by === 'time').length
    const score =
      result.length === 0 ? '-' : `${((100 * killed.length) / result.length).toFixed(1)} %`
    const rest = of.length - result.length
    console.log(
      `${module}: ${score}, ${killed.length} of ${result.length} killed (${byTime} by time), ${rest} not tried yet`,
    )
  }
}

/** Runs a function with the environment of a database server: the one of `TEST_DATABASE_URL`, or a new one. */
async function withDatabase(use: (env: NodeJS.ProcessEnv) => Promise<void>): Promise<void> {
  if (process.env.TEST_DATABASE_URL) return use(process.env)
  const dataFolder = path.join(folder, 'database')
  rmSync(dataFolder, { recursive: true, force: true })
  const { connection, stop } = await startEmbeddedPostgres({
    dataFolder,
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '100' },
  })
  const { host, port, user, database } = connection
  const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
  try {
    await use({ ...process.env, TEST_DATABASE_URL: url })
  } finally {
    await stop()
  }
}
