/**
 * `npm run check`: runs every check, two at a time, and reports all failures at the end. A check whose files are
 * unchanged since it last passed is skipped; with `CI` set all of them run.
 *
 * `npm run check -- --changed` covers only the files that differ from the last commit: their format and lint, the types,
 * and each quick check that reads one of them.
 */
import path from 'node:path'
import { lineOf, runTools, type Tool } from './check/run-tools.ts'
import { createStamper, listChanged, listFiles, readStamps, writeStamps } from './check/stamps.ts'

const PROJECT = path.join(import.meta.dirname, '..')
const CACHE = path.join(PROJECT, 'node_modules/.cache/check')
const STAMPS = path.join(CACHE, 'stamps.json')
/** Maximum number of concurrent checks. */
const AT_ONCE = 2

const SOURCE = /\.(ts|tsx|mts|cts|js|mjs|json)$/

const bin = (name: string) => path.join(PROJECT, 'node_modules/.bin', name)

/** Each of the compiler's checkers computes the types that it needs, so one does less work than the default of four. */
const COMPILER = [bin('tsc'), '--checkers', '1'] as const

type Check = Tool & {
  /** The files on which it depends; null when git does not track them all. */
  reads: RegExp | null
  /** Takes a few seconds for the whole tree, so that `--changed` runs it too. */
  isQuick?: true
}

/** All checks. The longest are first, so that none of them is left to run alone at the end. */
const CHECKS: readonly Check[] = [
  // The linter computes all types for its own rules: it reports the compiler's errors too, so that no second pass does.
  {
    name: 'lint and types',
    command: [bin('oxlint'), '--type-aware', '--type-check', '--deny-warnings'],
    reads: SOURCE,
  },
  { name: 'unused code', command: [bin('knip')], reads: SOURCE },
  // An export that only tests read is marked `@internal`, or is a helper of tests.
  {
    name: 'used by tests only',
    command: [bin('knip'), '--production', '--include', 'files,exports,types'],
    reads: SOURCE,
  },
  {
    name: 'import rules',
    command: [process.execPath, 'scripts/check-boundaries.ts'],
    reads: /^((src|simulators|demonstration)\/.*\.tsx?|scripts\/(check-)?boundaries.*)$/,
    isQuick: true,
  },
  {
    name: 'module graph',
    command: [process.execPath, 'scripts/module-graph.ts', '--check'],
    reads:
      /^((src|simulators|demonstration)\/.*\.tsx?|scripts\/(module-graph|boundaries).*|ARCHITECTURE\.md)$/,
    isQuick: true,
  },
  {
    name: 'regular expressions',
    command: [process.execPath, 'scripts/check-patterns.ts'],
    reads: /^((src|simulators|demonstration)\/.*\.tsx?|scripts\/(check-)?patterns.*)$/,
    isQuick: true,
  },
  {
    name: 'account scope',
    command: [process.execPath, 'scripts/account-scope.ts'],
    reads: /^((src|scripts\/operator)\/.*\.ts|scripts\/account-scope.*)$/,
    isQuick: true,
  },
  {
    name: 'unused texts',
    command: [process.execPath, 'scripts/check-words.ts'],
    reads: /^(src\/.*\.(tsx?|js)|scripts\/(check-)?words.*)$/,
    isQuick: true,
  },
  { name: 'format', command: [bin('oxfmt'), '--check'], reads: /./ },
  {
    name: 'prose',
    command: [process.execPath, 'scripts/check-prose.ts'],
    reads: /./,
    isQuick: true,
  },
  {
    name: 'table types',
    command: [process.execPath, 'scripts/generate-tables.ts', '--check'],
    reads: /^(migrations\/|src\/infra\/database\/|scripts\/generate-tables\.ts$)/,
    isQuick: true,
  },
  {
    name: 'OpenAPI',
    command: [process.execPath, 'scripts/generate-openapi.ts', '--check'],
    reads: /^(openapi\/|src\/(?!dashboard)|scripts\/(generate-)?openapi)/,
    isQuick: true,
  },
  // It reads the build of the dashboard, which git does not know.
  {
    name: 'dashboard size',
    command: [process.execPath, 'scripts/check-dashboard.ts'],
    reads: null,
  },
]

process.chdir(PROJECT)
const passed = process.argv.includes('--changed') ? await checkChanged() : await checkAll()
process.exitCode = passed ? 0 : 1

async function checkAll(): Promise<boolean> {
  const files = process.env['CI'] ? null : listFiles(PROJECT)
  const stampOf = files && createStamper(PROJECT, files)
  const before = files ? readStamps(STAMPS) : {}
  const now: Record<string, string> = {}
  const toRun = CHECKS.filter(({ name, command, reads }) => {
    if (!stampOf || !reads) return true
    const stamp = stampOf(command, reads)
    now[name] = stamp
    if (before[name] !== stamp) return true
    console.log(lineOf(name, 'unchanged'))
    return false
  })
  const outcomes = await runTools(toRun, { atOnce: AT_ONCE, print: console.log })
  const failed = outcomes.filter((outcome) => !outcome.passed)
  // A stamp is taken before its tool runs, so a file that is edited meanwhile makes the tool run again.
  for (const { name } of failed) delete now[name]
  if (files) writeStamps(STAMPS, now)
  return failed.length === 0
}

async function checkChanged(): Promise<boolean> {
  const changed = listChanged(PROJECT)
  if (!changed) throw new Error('--changed needs a git repository.')
  const incremental = (name: string) => [
    '--incremental',
    '--tsBuildInfoFile',
    path.join(CACHE, `${name}.tsbuildinfo`),
  ]
  const sources = changed.filter((file) => /\.(ts|tsx|mts|cts|js|mjs)$/.test(file))
  const tools: Tool[] = [
    { name: 'types', command: [...COMPILER, ...incremental('service')] },
    {
      name: 'dashboard types',
      command: [...COMPILER, '-p', 'src/dashboard', ...incremental('dashboard')],
    },
  ]
  if (sources.length > 0) {
    const command = [bin('oxlint'), '--type-aware', '--deny-warnings', ...sources] as const
    tools.unshift({ name: 'lint', command: [...command] })
  }
  if (changed.length > 0) {
    const command = [bin('oxfmt'), '--check', '--no-error-on-unmatched-pattern', ...changed]
    tools.push({ name: 'format', command: command as [string, ...string[]] })
  }
  tools.push(
    ...CHECKS.filter(
      ({ isQuick, reads }) => isQuick === true && changed.some((file) => reads?.test(file)),
    ),
  )
  const outcomes = await runTools(tools, { atOnce: AT_ONCE, print: console.log })
  return outcomes.every((outcome) => outcome.passed)
}
