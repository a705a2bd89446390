/**
 * Checks every regular expression of the service, its simulators and its demonstration. The time of each must grow
 * only with the length of its input. recheck judges new expressions; `--write` stores the safe ones in
 * `scripts/patterns/safe.json`. An unsafe one has to be rewritten, or listed in `scripts/patterns/excused.ts` with
 * its largest input.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { EXCUSED, EXCUSED_AT_RUN, EXCUSED_FILES } from './patterns/excused.ts'
import { findPatterns, type Pattern } from './patterns/find-patterns.ts'

const PROJECT = path.join(import.meta.dirname, '..')
const SAFE = path.join(import.meta.dirname, 'patterns/safe.json')
/** Time limit for one pattern in ms, after which it is not known to be safe. */
const CHECK_MS = 10_000

const files = execFileSync('git', ['ls-files', 'src', 'simulators', 'demonstration'], {
  cwd: PROJECT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/^(simulators|src\/dashboard)\/test\//.test(file))
  // One that is deleted stays in the index until the next commit.
  .filter((file) => existsSync(path.join(PROJECT, file)))
const { patterns, builtAtRun } = await findPatterns(PROJECT, files)
const safe = new Set(JSON.parse(readFileSync(SAFE, 'utf8')) as Pattern[])

const problems: string[] = []
for (const [pattern, where] of patterns) {
  if (safe.has(pattern) || pattern in EXCUSED) continue
  if ([...where].every((file) => file in EXCUSED_FILES)) continue
  const problem = await evaluate(pattern)
  if (problem === null) safe.add(pattern)
  else problems.push(`${[...where].join(', ')}: ${pattern}\n  ${problem}`)
}
for (const file of builtAtRun) {
  if (!(file in EXCUSED_AT_RUN)) problems.push(`${file}: builds a regular expression while it runs`)
}
if (process.argv.includes('--write')) {
  const kept = [...safe].filter((pattern) => patterns.has(pattern)).toSorted()
  writeFileSync(SAFE, `${JSON.stringify(kept, null, 2)}\n`)
}
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)

/** Returns what is wrong with a pattern; null when it is safe. */
async function evaluate(pattern: Pattern): Promise<string | null> {
  // The package is slow to load, so it is loaded only for new patterns.
  const { check } = await import('recheck')
  const end = pattern.lastIndexOf('/')
  const [source, flags] = [pattern.slice(1, end), pattern.slice(end + 1)]
  const result = await check(source, flags, { timeout: CHECK_MS })
  if (result.status === 'safe') return null
  if (result.status === 'unknown') return 'it is not known to be safe'
  return `${result.complexity.summary}, with ${result.attack.pattern.slice(0, 200)}`
}
