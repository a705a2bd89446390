/**
 * The npm scripts prepare a clone themselves: an npm that was told `ignore-scripts` runs what it was asked for, and
 * nothing before or after it.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/data-folder.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
const SHELLS = ['/bin/sh', '/bin/bash'].filter((shell) => existsSync(shell))
const { scripts } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
const NAMES = Object.keys(scripts)

test('none is one that npm runs before or after another', () => {
  expect(NAMES).toContain('start')
  expect(NAMES.filter((name) => /^(pre|post)/.test(name))).toEqual([])
})

test.each(NAMES)('npm run %s installs first what is missing', (name) => {
  expect(scripts[name]).toMatch(/^env node scripts\/prepare\.mjs( --tests)?( --dashboard)? && \S/)
})

test.each(['start', 'dashboard', 'demo', 'listen', 'operator'])(
  'npm run %s says nothing of types before its own first line, where the packaged Node is 24.0',
  (name) => {
    expect(scripts[name]).toMatch(/ --disable-warning=ExperimentalWarning \w+\/[\w-]+\.ts$/)
  },
)

describe.each(SHELLS)('By %s', (shell) => {
  /** A clone whose preparation brings a Node that only says what it was given. */
  async function makeClone(): Promise<{ folder: string; env: { PATH: string } }> {
    const folder = path.join(await temporaryFolder(), 'my shop')
    const [programs, modules] = [path.join(folder, 'bin'), path.join(folder, 'node_modules/.bin')]
    for (const made of [path.join(folder, 'scripts'), programs]) {
      mkdirSync(made, { recursive: true })
    }
    symlinkSync(process.execPath, path.join(programs, 'node'))
    const own = '#!/bin/sh\necho "own: $*"\n'
    writeFileSync(
      path.join(folder, 'scripts/prepare.mjs'),
      `import { mkdirSync, writeFileSync } from 'node:fs'
      mkdirSync('node_modules/.bin', { recursive: true })
      writeFileSync('node_modules/.bin/node', ${JSON.stringify(own)}, { mode: 0o755 })`,
    )
    return { folder, env: { PATH: `${modules}:${programs}:/usr/bin:/bin` } }
  }

  test.each(['start', 'demo', 'operator', 'generate'])(
    '%s runs on the Node that was installed a moment ago, with the words that were given',
    async (name) => {
      const { folder, env } = await makeClone()
      // So npm hands them on.
      const command = `${scripts[name]!} --first 'two words'`
      const told = execFileSync(shell, ['-c', command], {
        cwd: folder,
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const commands = scripts[name]!.split(' && ').slice(1)
      const expected = commands.map((one) => `own: ${one.split(/\bnode (?=-|\w+\/\w)/)[1]!}`)
      expect(told.trim().split('\n')).toEqual([
        ...expected.slice(0, -1),
        `${expected.at(-1)!} --first two words`,
      ])
    },
  )
})
