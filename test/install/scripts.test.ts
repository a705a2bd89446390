/**
 * The npm scripts prepare a clone themselves: an npm with `ignore-scripts` runs what it was asked for, and
 * nothing before or after it. The second part is how long-running programs receive the signal to end: from
 * `kill`, from Ctrl-C, or from a terminal that is closed.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { temporaryFolder } from '../support/data-folder.ts'
import { systemTest } from '../support/system-tests.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
const SHELLS = ['/bin/sh', '/bin/bash'].filter((shell) => existsSync(shell))
const { scripts } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
const NAMES = Object.keys(scripts)

test('no script is one that npm runs before or after another', () => {
  expect(NAMES).toContain('start')
  expect(NAMES.filter((name) => /^(pre|post)/.test(name))).toEqual([])
})

test.each(NAMES)('npm run %s installs first what is missing', (name) => {
  expect(scripts[name]).toMatch(/^env node scripts\/prepare\.mjs( --tests)?( --dashboard)? && \S/)
})

const TYPED = ['start', 'dashboard', 'demo', 'listen', 'operator']
test.each(TYPED)('npm run %s begins without a warning of types, where Node is 24.0', (name) => {
  expect(scripts[name]).toMatch(/ --disable-warning=ExperimentalWarning \w+\/[\w-]+\.ts$/)
})

describe.each(SHELLS)('By %s', (shell) => {
  /** A clone whose preparation brings a Node that only prints its arguments. */
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

  const RUN = ['start', 'demo', 'operator', 'generate']
  test.each(RUN)(
    '%s runs on the Node that was just installed, with the words given',
    async (name) => {
      const { folder, env } = await makeClone()
      // npm passes these words on.
      const command = `${scripts[name]!} --first 'two words'`
      const how = { cwd: folder, env, encoding: 'utf8' } as const
      const told = execFileSync(shell, ['-c', command], how)
      const commands = scripts[name]!.split(' && ').slice(1)
      const expected = commands.map((one) => `own: ${one.split(/\bnode (?=-|\w+\/\w)/)[1]!}`)
      expect(told.trim()).toBe(`${expected.join('\n')} --first two words`)
    },
  )
})

const MODULE = path.join(PROJECT, 'src/app/stop-signals.ts')

/** Starts a program that prints when it is asked to end, and then ends as the next line of its input says. */
async function startProgram() {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { createInterface } from 'node:readline'
      const { stopOnSignals } = await import(${JSON.stringify(MODULE)})
      let clock = 0
      performance.now = () => clock
      const lines = createInterface({ input: process.stdin })
      lines.on('line', (line) => {
        if (line.startsWith('clock ')) console.log(\`clock \${clock = Number(line.slice(6))}\`)
      })
      stopOnSignals(() => {
        console.log('stopping')
        return new Promise((resolve, reject) => lines.on('line', (line) => {
          if (line === 'ended') resolve()
          if (line === 'failed') reject(new Error('it does not stop'))
        }))
      })
      process.on('SIGUSR2', () => console.log('works'))
      console.log('ready')`,
    ],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'close')
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => lines.push(line))
  }
  const says = async (line: string) => {
    await expect.poll(() => lines).toContain(line)
  }
  await says('ready')
  return {
    ended,
    lines,
    says,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    tell: (line: string) => child.stdin.write(`${line}\n`),
  }
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s counts once where it comes twice together, as Ctrl-C does under npm: current work ends first',
  async (signal) => {
    const program = await startProgram()
    program.kill(signal)
    await program.says('stopping')
    program.tell('clock 999')
    await program.says('clock 999')
    program.kill(signal)
    program.kill('SIGUSR2')
    await program.says('works')
    program.tell('ended')
    expect(await program.ended).toEqual([0, null])
    expect(program.lines.filter((line) => line === 'stopping')).toHaveLength(1)
  },
)

systemTest('a second signal a second later ends the program without waiting', async () => {
  const program = await startProgram()
  program.kill('SIGTERM')
  await program.says('stopping')
  program.tell('clock 1000')
  await program.says('clock 1000')
  program.kill('SIGINT')
  expect(await program.ended).toEqual([1, null])
})

systemTest('a program that cannot end in order says why, and has failed', async () => {
  const program = await startProgram()
  program.kill('SIGTERM')
  await program.says('stopping')
  program.tell('failed')
  expect(await program.ended).toEqual([1, null])
  expect(program.lines).toContain('it does not stop')
})
