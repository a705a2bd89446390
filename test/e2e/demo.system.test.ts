/** `npm run demo` by somebody whose shell has settings of another service, and who stops it half-way. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readlink } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { NODE_COMPILE_CACHE } from '../support/compile-cache.ts'
import { temporaryFolder } from '../support/data-folder.ts'
import { PATIENCE } from '../support/patience.ts'

const PROJECT = path.join(import.meta.dirname, '../..')

/** Of the processes that work below a folder, their numbers. */
async function workingBelow(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const places = await Promise.all(
    pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => 'ended')),
  )
  return pids.filter((_, at) => places[at]!.startsWith(folder))
}

test.skipIf(process.platform !== 'linux')(
  'it takes no setting of the shell, and Ctrl-C leaves neither its database nor its folder behind',
  { timeout: 120_000 * PATIENCE },
  async () => {
    const folder = path.join(await temporaryFolder([]), 'tmp')
    await mkdir(folder)
    const child = spawn(process.execPath, [path.join(PROJECT, 'scripts/demo.ts')], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE,
        TMPDIR: folder,
        NODE_ENV: 'production',
        DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
        EGRESS_ALLOW: '10.0.0.0/8',
        BASE_URL: 'https://hooks.example.com',
        HOST: '192.0.2.1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'close')
    let told = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (told += text))
    }
    await expect
      .poll(() => /1\. Wasla,|FAILED|cannot start/.test(told), { timeout: 60_000 * PATIENCE })
      .toBe(true)
    expect(told).toContain('1. Wasla,')
    child.kill('SIGINT')
    child.kill('SIGINT')
    await ended
    expect(child.exitCode).toBe(1)
    expect(told).toMatch(/\nStopped before every step was seen\.\n$/)
    expect(await readdir(folder)).toEqual([])
    expect(await workingBelow(folder)).toEqual([])
  },
)
