/**
 * The report of `npm run check`: every failure is printed, and a tool whose files are unchanged since it passed
 * is not run again.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../support/own-folder.ts'
import { createStamper, listChanged, listFiles } from '../../scripts/check/stamps.ts'

/** A copy of the script among tools that do nothing but fail where `failing` names them, and note each start. */
function makeProject(failing: readonly string[]) {
  const project = makeFolder('check')
  const started = path.join(project, '.started')
  const stub = (file: string, name: string, head = '') => {
    const end = failing.includes(name) ? `console.log('${name} is wrong'); process.exit(2)` : ''
    const note = `require('node:fs').appendFileSync('${started}', '${name}\\n')`
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true })
    writeFileSync(path.join(project, file), `${head}${note}\n${end}\n`, { mode: 0o755 })
  }
  for (const name of ['tsc', 'oxlint', 'oxfmt', 'knip']) {
    stub(`node_modules/.bin/${name}`, name, `#!${process.execPath}\n`)
  }
  for (const name of SCRIPTS) stub(`scripts/${name}.ts`, name)
  for (const what of ['scripts/check.ts', 'scripts/check']) {
    const from = path.join(import.meta.dirname, '../..', what)
    cpSync(from, path.join(project, what), { recursive: true })
  }
  writeFileSync(path.join(project, '.gitignore'), 'node_modules/\n.started\n')
  execFileSync('git', ['init', '--quiet'], { cwd: project })
  return {
    project,
    check(env: NodeJS.ProcessEnv = {}) {
      rmSync(started, { force: true })
      const given = [path.join(project, 'scripts/check.ts')]
      const { CI: _, ...rest } = process.env
      const options = { encoding: 'utf8', env: { ...rest, ...env } } as const
      const ended = spawnSync(process.execPath, given, options)
      const names = existsSync(started) ? readFileSync(started, 'utf8').trim().split('\n') : []
      return { code: ended.status, said: ended.stdout + ended.stderr, started: names.toSorted() }
    },
  }
}

const GENERATORS = ['generate-openapi', 'generate-tables']
const SCRIPTS = [
  'account-scope',
  'check-dashboard',
  'check-patterns',
  'check-boundaries',
  'check-prose',
  'check-words',
  ...GENERATORS,
  'module-graph',
]
/** The finder of unused code runs twice, once without the tests. */
const ALL = [...SCRIPTS, 'knip', 'knip', 'oxfmt', 'oxlint'].toSorted()

test('two tools that fail are both reported, the others run to their ends, and the exit code is 1', () => {
  const stubs = makeProject(['knip', 'check-boundaries'])
  const { code, said, started } = stubs.check()
  expect(code).toBe(1)
  expect(started).toEqual(ALL)
  expect(said).toMatch(/── unused code ──\nknip is wrong/)
  expect(said).toMatch(/── import rules ──\ncheck-boundaries is wrong/)
  expect(said).toMatch(/^format +passed +\d+\.\d s$/m)
  expect(stubs.check().started).toEqual(['check-boundaries', 'check-dashboard', 'knip', 'knip'])
})

test('a tool that passed over the same contents is not run again, unless CI is set', () => {
  const stubs = makeProject([])
  expect(stubs.check()).toMatchObject({ code: 0, started: ALL })
  const again = stubs.check()
  expect(again).toMatchObject({ code: 0, started: ['check-dashboard'] })
  expect(again.said).toMatch(/^format +unchanged$/m)
  expect(stubs.check({ CI: 'true' }).started).toEqual(ALL)
  writeFileSync(path.join(stubs.project, 'notes.md'), 'changed')
  expect(stubs.check().started).toEqual(['check-dashboard', 'check-prose', 'oxfmt'])
})

test('a stamp changes with the files that a tool reads and with its command, and with no other file', () => {
  const project = makeFolder('check')
  const git = (...given: string[]) => execFileSync('git', given, { cwd: project })
  const write = (file: string, text: string) => writeFileSync(path.join(project, file), text)
  git('init', '--quiet')
  write('a.ts', '1')
  write('b.md', '1')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'first')
  const stamp = (command = ['tsc']) => createStamper(project, listFiles(project)!)(command, /\.ts$/)
  const first = stamp()
  expect(stamp()).toBe(first)
  expect(stamp(['tsc', '--strict'])).not.toBe(first)
  write('b.md', '2')
  expect(stamp()).toBe(first)
  write('c.ts', '1')
  expect(stamp()).not.toBe(first)
  expect(listChanged(project)!.toSorted()).toEqual(['b.md', 'c.ts'])
  write('package-lock.json', '{}')
  rmSync(path.join(project, 'c.ts'))
  expect(stamp()).not.toBe(first)
})

test('outside of a git repository every tool runs, since no file is known', () => {
  const folder = makeFolder('check')
  expect(listFiles(folder)).toBeNull()
  expect(listChanged(folder)).toBeNull()
})
