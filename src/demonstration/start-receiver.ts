import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { DemonstrationFiles } from './files.ts'

export type Receiver = { port: number; stop(): Promise<void> }

const START_MS = 10_000

/**
 * Starts the merchant's side of the demonstration: the small program in `examples/`, as a process of
 * its own. It ends with this one, also when this one is killed, because its input then ends.
 */
export async function startReceiver(
  files: DemonstrationFiles,
  port: number,
  onLine: (line: string) => void,
): Promise<Receiver> {
  const program = path.join(import.meta.dirname, '../../examples/receiver.mjs')
  const child = spawn(
    process.execPath,
    [
      program,
      `--port=${port}`,
      `--certificate=${files.certificateFile}`,
      `--key=${files.keyFile}`,
      `--secret-file=${files.secretFile}`,
      '--until-input-ends',
    ],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  )
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let complaint = ''
  createInterface({ input: child.stderr }).on('line', (line) => {
    complaint += `${line}\n`
    onLine(line)
  })
  const listening = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the receiver did not start')), START_MS)
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
      reject(new Error(`The demonstration receiver could not start. ${complaint.trim()}`))
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
