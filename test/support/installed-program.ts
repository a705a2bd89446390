/** Starts programs of the machine, such as a load balancer, from a sample of `deploy/`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { waitUntil } from './wait.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
/** Servers of Debian are in the folders of the superuser. */
const FOLDERS = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']
/** An account without rights, for programs that refuse to work as root. */
const NOBODY = 65_534

/** Returns the path of a program. @throws where it is not installed */
export function findProgram(program: string): string {
  const file = FOLDERS.map((folder) => path.join(folder, program)).find((one) => existsSync(one))
  if (file) return file
  throw new Error(`${program} is not installed: see the tiers of tests in CONTRIBUTING.md`)
}

/**
 * Returns a sample of `deploy/` with other values, as an operator edits it.
 *
 * @throws where the sample has no such text any more
 */
export function editSample(sample: string, edits: readonly [from: string, to: string][]): string {
  let text = readFileSync(path.join(PROJECT, 'deploy', sample), 'utf8')
  for (const [from, to] of edits) {
    if (!text.includes(from)) throw new Error(`deploy/${sample} has no "${from}"`)
    text = text.replaceAll(from, to)
  }
  return text
}

/** Makes a folder that every account may use, until the last test of the file has ended. */
export function openFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'wasla-program-'))
  chmodSync(folder, 0o755)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes a file that every account may read. Returns its path. */
export function writeIn(folder: string, name: string, text: string): string {
  const file = path.join(folder, name)
  writeFileSync(file, text, { mode: 0o644 })
  return file
}

/** Starts a program and waits until it listens. Returns the function that ends it. */
export async function startProgram(
  program: string,
  args: readonly string[],
  { port, isUnprivileged = false }: { port: number; isUnprivileged?: boolean },
): Promise<() => Promise<void>> {
  const account = isUnprivileged && process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const child = spawn(findProgram(program), args, { stdio: ['ignore', 'pipe', 'pipe'], ...account })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => (said += text.toString()))
  }
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  const isListening = async () => {
    if (child.exitCode !== null)
      throw new Error(`${program} ended with ${child.exitCode}:\n${said}`)
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isOpen
  }
  await waitUntil(`${program} listens`, isListening, { withinMs: 10_000, everyMs: 50 })
  return stop
}
