/** The sources that `npm run test:mutation` breaks: those that were named, and at least one. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { TARGETS, sourcesIn } from '../../scripts/mutants/targets.ts'
import { systemTest } from '../support/system-tests.ts'

const FILES = [
  'src/rules/a.ts',
  'src/rules/deep/b.ts',
  'src/rules-of-all.ts',
  'src/modules/hooks/c.ts',
]

test.each([
  ['src/rules', ['src/rules/a.ts', 'src/rules/deep/b.ts']],
  ['./src/rules/', ['src/rules/a.ts', 'src/rules/deep/b.ts']],
  ['src/rules/deep/b.ts, src/modules/hooks', ['src/rules/deep/b.ts', 'src/modules/hooks/c.ts']],
  ['src/rules,src/rules/a.ts', ['src/rules/a.ts', 'src/rules/deep/b.ts']],
])('%s names the sources in it', (only, files) => {
  expect([...sourcesIn(FILES, only)]).toEqual(files)
})

const ABSENT = ['src/webhooks', 'src/rules,src/webhooks', 'src/rul', '']
test.each(ABSENT)('%j names a part without sources, and is refused', (only) => {
  expect(() => sourcesIn(FILES, only)).toThrow(/^No source is in /)
})

systemTest('the default parts exist, and CONTRIBUTING.md names them', () => {
  const project = path.join(import.meta.dirname, '../..')
  const files = globSync('src/**/*.ts', { cwd: project })
  expect(sourcesIn(files, TARGETS).size).toBeGreaterThan(200)
  const told = readFileSync(path.join(project, 'CONTRIBUTING.md'), 'utf8')
  const [, rooms] = /Without `--only` it mutates ([^;]+);/.exec(told)!
  expect([...rooms!.matchAll(/`(.+?)`/g)].map(([, room]) => room)).toEqual(TARGETS.split(','))
})
