/** The tiers of tests: what each may load. CONTRIBUTING says which tier a test belongs to. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'

const PROJECT = path.join(import.meta.dirname, '../..')

const INSTALLED = new Set(
  (({ dependencies, devDependencies }) => Object.keys({ ...dependencies, ...devDependencies }))(
    JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as {
      dependencies: object
      devDependencies: object
    },
  ),
)

/** Returns the name of a package with its scope, without the path within it. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

type Loaded = { files: Set<string>; packages: { file: string; name: string }[] }

/** An import or export of values; one of types alone loads nothing. */
const IMPORTED =
  /^(?:import|export)(?! type\b)(?:[^'";]*? from)? ?'([^']+)'|\bimport\('([^']+)'\)/gm
const importsOf = new Map<string, string[]>()

function readImports(file: string): string[] {
  let imports = importsOf.get(file)
  if (imports === undefined) {
    const text = readFileSync(path.join(PROJECT, file), 'utf8')
    imports = [...text.matchAll(IMPORTED)].map(([, from, within]) => from ?? within!)
    importsOf.set(file, imports)
  }
  return imports
}

function loadedWith(files: string[]): Loaded {
  const loaded: Loaded = { files: new Set(files), packages: [] }
  for (const file of loaded.files) {
    for (const specifier of readImports(file)) {
      if (isBuiltin(specifier)) continue
      if (!specifier.startsWith('.')) loaded.packages.push({ file, name: packageOf(specifier) })
      else {
        const imported = path.join(path.dirname(file), specifier)
        // A line that a test plants in a text looks like an import of the test.
        if (existsSync(path.join(PROJECT, imported))) loaded.files.add(imported)
      }
    }
  }
  return loaded
}

const findMissing = (files: string[]): string[] =>
  loadedWith(files)
    .packages.filter(({ name }) => !INSTALLED.has(name))
    .map(({ file, name }) => `${file} imports ${name}`)

const filesOf = (...patterns: string[]) =>
  globSync(patterns, { cwd: PROJECT, exclude: ['**/node_modules/**'] })
const isQuick = (file: string) => !/\.(?:smoke|system)\.test\.ts$/.test(file)

test('no test of `npm test` loads a package that only the dashboard has', () => {
  const quick = filesOf('{test,simulators}/**/*.test.ts').filter(isQuick)
  expect(quick.length).toBeGreaterThan(300)
  expect(findMissing(quick)).toEqual([])
  expect(findMissing(['src/dashboard/test/format.system.test.ts'])).toContain(
    'src/dashboard/words/language.ts imports react',
  )
})

test('src holds no test, except for the dashboard, which is a separate package', () => {
  const found = filesOf('src/**/*.test.{ts,tsx}').filter(
    (file) => !file.startsWith('src/dashboard/test/'),
  )
  expect(found).toEqual([])
})

test('no unit test loads a module that connects to a database', () => {
  const unit = filesOf('{test,simulators}/**/*.unit.test.ts')
  expect(unit.length).toBeGreaterThan(100)
  const connects = ['src/infra/database/connect.ts', 'test/support/database.ts']
  const found = unit.filter((file) => connects.some((one) => loadedWith([file]).files.has(one)))
  expect(found).toEqual([])
})
