/**
 * Checks that each statement that may span accounts is in the list `account-scope/spanning-statements.json`, whose
 * groups say why. An account can only be moved to another database if all other statements stay within one. `--write`
 * removes statements from the list that no longer exist; new ones are added by hand.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findSpanning, readOwnedTables, type Spanning } from './account-scope/find-statements.ts'

const ROOT = path.join(import.meta.dirname, '..')
const LIST = path.join(ROOT, 'scripts/account-scope/spanning-statements.json')
const TABLES = 'src/infra/database/tables.ts'
const SOURCES = ['src/**/*.ts', 'scripts/operator/**/*.ts']
/** Programs of browsers: they have no statements. */
const WITHOUT = ['src/dashboard/**', 'src/widget/**']

/** Groups by name. `statements` has the declarations of each file, with the number of statements if it is not one. */
type List = Record<string, { why: string; statements: Record<string, string> }>
type Counts = Map<string, number>

/** Returns a line for each statement that the list lacks, and for each entry whose statement no longer exists. */
export function compareWithList(found: readonly (Spanning & { file: string })[], list: Counts) {
  const counts = countByKey(found)
  const missing = found
    .filter((one) => counts.get(keyOf(one))! > (list.get(keyOf(one)) ?? 0))
    .map(
      ({ file, line, name, table }) =>
        `${file}:${line}: ${name} reads or changes ${table} without a condition on a company or an account`,
    )
  const stale = [...list]
    .filter(([key, count]) => count > (counts.get(key) ?? 0))
    .map(
      ([key, count]) =>
        `${key} has ${counts.get(key) ?? 0} such statements, and the list says ${count}`,
    )
  return { missing, stale }
}

/** Returns the statements of all source files that may span accounts. */
function findAll(): (Spanning & { file: string })[] {
  const owned = readOwnedTables(read(TABLES))
  return globSync(SOURCES, { cwd: ROOT, exclude: WITHOUT })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted()
    .flatMap((file) => findSpanning(file, read(file), owned).map((one) => ({ ...one, file })))
}

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const keyOf = ({ file, name }: { file: string; name: string }) => `${file} ${name}`

function countByKey(found: readonly (Spanning & { file: string })[]): Counts {
  const counts: Counts = new Map()
  for (const one of found) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1)
  return counts
}

/** Returns the number of statements by file and declaration that the list has. */
export function countsOf(list: List): Counts {
  const counts: Counts = new Map()
  for (const { statements } of Object.values(list)) {
    for (const [file, names] of Object.entries(statements)) {
      for (const text of names.split(', ')) {
        const [name = '', count = '1'] = text.split(' ')
        counts.set(keyOf({ file, name }), (counts.get(keyOf({ file, name })) ?? 0) + Number(count))
      }
    }
  }
  return counts
}

/** Returns the list without statements that no longer exist. */
function lowered(list: List, found: Counts): List {
  const left = new Map(found)
  const lowerNames = (file: string, names: string) =>
    names.split(', ').flatMap((text) => {
      const [name = '', count = '1'] = text.split(' ')
      const key = keyOf({ file, name })
      const kept = Math.min(Number(count), left.get(key) ?? 0)
      left.set(key, (left.get(key) ?? 0) - kept)
      return kept === 0 ? [] : [kept === 1 ? name : `${name} ${kept}`]
    })
  return Object.fromEntries(
    Object.entries(list).map(([group, { why, statements }]) => {
      const files = Object.entries(statements)
        .map(([file, names]) => [file, lowerNames(file, names).join(', ')] as const)
        .filter(([, names]) => names !== '')
      return [group, { why, statements: Object.fromEntries(files) }]
    }),
  )
}

if (import.meta.main) {
  const found = findAll()
  const list = JSON.parse(readFileSync(LIST, 'utf8')) as List
  if (process.argv.includes('--write')) {
    writeFileSync(LIST, `${JSON.stringify(lowered(list, countByKey(found)), null, 2)}\n`)
  } else {
    const { missing, stale } = compareWithList(found, countsOf(list))
    for (const line of missing) console.error(line)
    if (missing.length > 0) {
      console.error(
        'Name the company in the statement, or add it to scripts/account-scope/spanning-statements.json, in the group that says why it spans accounts.',
      )
    }
    for (const line of stale) console.error(`${line}: node scripts/account-scope.ts --write`)
    if (missing.length + stale.length > 0) process.exitCode = 1
  }
}
