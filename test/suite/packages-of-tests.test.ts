/** What `npm test` runs needs nothing that it does not install: a newcomer's first one would fail. */
import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readSource } from '../../scripts/walls/read-source.ts'
import { LONG } from '../long.ts'

const PROJECT = path.join(import.meta.dirname, '../..')

const INSTALLED = new Set(
  (({ dependencies, devDependencies }) => Object.keys({ ...dependencies, ...devDependencies }))(
    JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as {
      dependencies: object
      devDependencies: object
    },
  ),
)

/** With its scope, without the path within it. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** What is loaded with a file that is not there after `npm test` has installed, as `file imports package`. */
function findMissing(files: string[]): string[] {
  const seen = new Set(files)
  const missing: string[] = []
  for (const file of seen) {
    const { imports } = readSource(file, readFileSync(path.join(PROJECT, file), 'utf8'))
    for (const { specifier, isType } of imports) {
      if (specifier === null || isType || isBuiltin(specifier)) continue
      if (!specifier.startsWith('.')) {
        const name = packageOf(specifier)
        if (!INSTALLED.has(name)) missing.push(`${file} imports ${name}`)
      } else if (/\.(?:ts|tsx|mjs|js)$/.test(specifier)) {
        seen.add(path.join(path.dirname(file), specifier))
      }
    }
  }
  return missing
}

test('no test of `npm test` loads a package that only the dashboard has', () => {
  const quick = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], {
    cwd: PROJECT,
    exclude: ['**/node_modules/**', ...LONG],
  })
  expect(quick.length).toBeGreaterThan(300)
  expect(findMissing(quick)).toEqual([])
  expect(findMissing(['src/dashboard/words/format.test.ts'])).toContain(
    'src/dashboard/words/format.ts imports react',
  )
})
