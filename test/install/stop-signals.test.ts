/** How the programs that work until they are told to end hear it: from `kill`, from Ctrl-C, from a terminal that is closed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { systemTest } from '../support/system-tests.ts'

const MODULE = path.join(import.meta.dirname, '../../src/stop-signals.ts')

/** A program that says when it was told to end, and ends once it is given a line, by what the line says. */
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
  '%s is heard once where it comes twice at once, as Ctrl-C does under npm: what is under way ends first',
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

systemTest('who asks again a second later does not wait', async () => {
  const program = await startProgram()
  program.kill('SIGTERM')
  await program.says('stopping')
  program.tell('clock 1000')
  await program.says('clock 1000')
  program.kill('SIGINT')
  expect(await program.ended).toEqual([1, null])
})

systemTest('what cannot end in order says why, and the program has failed', async () => {
  const program = await startProgram()
  program.kill('SIGTERM')
  await program.says('stopping')
  program.tell('failed')
  expect(await program.ended).toEqual([1, null])
  expect(program.lines).toContain('it does not stop')
})
