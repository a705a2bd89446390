/**
 * `npm run check`: refuses prose that a newcomer would not understand, in comments, titles of tests, log messages,
 * dictionaries, Markdown and commit subjects. Each folder has an allowance of failures that only falls.
 *
 *   node scripts/check-prose.ts                 checks everything, and prints the failures of folders above their allowance
 *   node scripts/check-prose.ts src/core docs   prints all failures of these folders or files
 *   node scripts/check-prose.ts --counts        prints the count of each folder
 *   node scripts/check-prose.ts --write         lowers the allowance to what is there
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { folderOf } from './lint/prose-folder.mjs'
import { checkCommits } from './prose/commits.ts'
import { checkMarkdown, type Failure } from './prose/markdown.ts'
import { checkSource } from './prose/sources.ts'

type Counts = Record<string, number>

const ROOT = path.join(import.meta.dirname, '..')
const ALLOWANCE = path.join(ROOT, 'scripts/lint/prose-allowance.json')
const SOURCE = /\.(?:ts|tsx|mts|js|mjs)$/
const GENERATED = new Set(['src/infra/database/tables.ts'])

const readAllowance = (): Counts =>
  existsSync(ALLOWANCE) ? (JSON.parse(readFileSync(ALLOWANCE, 'utf8')) as Counts) : {}

function listFiles(): string[] {
  const given = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', given, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
  // A file that was deleted stays in the index until the next commit.
  return listed.split('\0').filter((file) => file !== '' && existsSync(path.join(ROOT, file)))
}

function checkFiles(isWanted: (file: string) => boolean): Failure[] {
  return listFiles()
    .filter((file) => isWanted(file) && !GENERATED.has(file))
    .flatMap((file) => {
      if (!file.endsWith('.md') && !SOURCE.test(file)) return []
      const text = readFileSync(path.join(ROOT, file), 'utf8')
      return file.endsWith('.md') ? checkMarkdown(ROOT, file, text) : checkSource(file, text)
    })
}

function countByFolder(failures: readonly Failure[]): Counts {
  const counts: Counts = {}
  for (const { file } of failures) counts[folderOf(file)] = (counts[folderOf(file)] ?? 0) + 1
  return Object.fromEntries(Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const print = (failures: readonly Failure[]) => {
  for (const { file, line, message } of failures) console.error(`${file}:${line}: ${message}`)
}

/** Writes the lower of both counts for each folder. The file goes when no folder has failures left. */
function lowerAllowance(allowed: Counts, counts: Counts): void {
  const lower = Object.entries(allowed)
    .map(([folder, count]) => [folder, Math.min(count, counts[folder] ?? 0)] as const)
    .filter(([, count]) => count > 0)
  if (lower.length === 0) rmSync(ALLOWANCE, { force: true })
  else writeFileSync(ALLOWANCE, `${JSON.stringify(Object.fromEntries(lower), null, 2)}\n`)
}

function checkAll(options: { isWriting: boolean; isCounting: boolean }): boolean {
  const failures = checkFiles(() => true)
  const [allowed, counts] = [readAllowance(), countByFolder(failures)]
  if (options.isCounting) console.log(JSON.stringify(counts, null, 2))
  if (options.isWriting) lowerAllowance(allowed, counts)
  const above = Object.keys(counts).filter((folder) => counts[folder]! > (allowed[folder] ?? 0))
  for (const folder of above) {
    print(failures.filter(({ file }) => folderOf(file) === folder))
    console.error(`${folder}: ${counts[folder]} failures, ${allowed[folder] ?? 0} allowed.`)
  }
  const commits = checkCommits(ROOT)
  for (const line of commits) console.error(line)
  return above.length === 0 && commits.length === 0
}

const given = process.argv.slice(2)
const named = given.filter((argument) => !argument.startsWith('--'))
if (named.length > 0) {
  const isNamed = (file: string) =>
    named.some((one) => file === one || file.startsWith(`${one.replace(/\/$/, '')}/`))
  const failures = checkFiles(isNamed)
  print(failures)
  console.error(`${failures.length} failures`)
  process.exitCode = failures.length > 0 ? 1 : 0
} else {
  const options = { isWriting: given.includes('--write'), isCounting: given.includes('--counts') }
  process.exitCode = checkAll(options) ? 0 : 1
}
