/**
 * Counts the statements that name tables in tests, and compares them with the allowance of the linter's rule
 * `no-tables-in-tests`. `--write` lowers the allowance to the current count; it never raises the sum.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { isTableStatement } from './lint/no-tables-in-tests.mjs'

type Node = { type: string }
/** Numbers of statements by the paths of test files. */
export type Allowance = Record<string, number>

const ROOT = path.join(import.meta.dirname, '..')
const FILE = path.join(ROOT, 'scripts/lint/table-allowance.json')

/** Returns the number of statements in a source file that name tables. */
export function countTableStatements(file: string, source: string): number {
  const { program } = parseSync(file, source)
  let count = 0
  const look = (node: Node) => {
    if (isTableStatement(node)) count += 1
  }
  new Visitor({ CallExpression: look, TaggedTemplateExpression: look }).visit(program)
  return count
}

/** Returns the counts of all test files that have statements, by path. */
export function countInTests(): Allowance {
  const files = globSync(['{test,src/dashboard/test,simulators}/**/*.test.ts'], {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  })
  const counts = files
    .map((file) => file.replaceAll('\\', '/'))
    .map((file) => [file, countTableStatements(file, readFileSync(path.join(ROOT, file), 'utf8'))])
    .filter(([, count]) => count !== 0) as [string, number][]
  return Object.fromEntries(counts.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Reads the stored number of statements that each test file may have. */
export const readAllowance = (): Allowance => JSON.parse(readFileSync(FILE, 'utf8')) as Allowance

/** Returns the total number of statements that the tests may have. */
export const sumOf = (allowance: Allowance): number =>
  Object.values(allowance).reduce((sum, count) => sum + count, 0)

if (import.meta.main) {
  const [allowed, counted] = [readAllowance(), countInTests()]
  const sums = `${sumOf(counted)} statements, ${sumOf(allowed)} allowed`
  if (process.argv.includes('--write')) {
    if (sumOf(counted) > sumOf(allowed)) throw new Error(`The allowance only falls: ${sums}.`)
    writeFileSync(FILE, `${JSON.stringify(counted, null, 2)}\n`)
  }
  console.log(sums)
}
