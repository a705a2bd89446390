import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { portTaken } from '../src/infra/listen-errors.ts'

/** A running program of `examples/`. */
export type Example = { port: number; stop(): Promise<void> }

type ExampleProgram = {
  program: string
  options: { port: number; [name: string]: string | number }
  /** The program's name for an error message. */
  who: string
  /** The setting that changes its port, for an error message. */
  setting: string
}

const START_MS = 10_000

/**
 * Starts a program of the merchant's side in `examples/` as a separate process, and returns its port. It ends with
 * this process, even if this one is killed, because its input then ends.
 */
export async function startExample(
  { program, options, who, setting }: ExampleProgram,
  onLine: (line: string) => void,
): Promise<Example> {
  const given = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, '../examples', program), ...given, '--until-input-ends'],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  )
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let complaint = ''
  createInterface({ input: child.stderr }).on('line', (line) => {
    complaint += `${line}\n`
    onLine(line)
  })
  const listening = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${program} did not start`)), START_MS)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^listening on https:\/\/127\.0\.0\.1:(\d+)/.exec(line)
      if (found) {
        clearTimeout(timer)
        resolve(Number(found[1]))
      } else {
        onLine(line)
      }
    })
    void exited.then(() => {
      clearTimeout(timer)
      const isTaken = complaint.includes(`Port ${options.port} is in use`)
      reject(
        isTaken
          ? portTaken({ who, port: options.port, setting })
          : new Error(`${program} of the demonstration could not start. ${complaint.trim()}`),
      )
    })
  })
  return {
    port: await listening,
    async stop() {
      child.stdin.end()
      await exited
    },
  }
}
