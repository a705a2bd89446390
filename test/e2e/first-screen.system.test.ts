/** What a newcomer reads after `npm start`, and that everything in it works as it stands. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { writeBanner } from '../../src/banner.ts'
import { readConfig } from '../../src/config.ts'
import { start, type Started } from '../../src/start.ts'
import { temporaryFolder } from '../support/data-folder.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { giveCluster } from '../support/made-cluster.ts'
import { connectionUrl } from '../support/service.ts'
import { PATIENCE } from '../support/patience.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
const SLOWLY = { timeout: 120_000 * PATIENCE }

let folder: string
let database: TestDatabase
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'wasla-first-screen-'))
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const configOf = (env: Record<string, string> = {}, argv: string[] = []) =>
  readConfig(
    {
      DATABASE_URL: connectionUrl(database.connection),
      DATA_FOLDER: folder,
      PORT: '0',
      LOG_LEVEL: 'silent',
      ...env,
    },
    argv,
    folder,
  )

describe('What the start prints', () => {
  let started: Started
  let banner: string
  beforeAll(async () => {
    const config = configOf()
    started = await start(config, () => {})
    banner = writeBanner(config, started)
  })
  afterAll(() => started.stop())

  /** The commands of the banner, each as it is pasted. */
  const commands = () => [...banner.matchAll(/^ {2}(curl (?:.*\\\n)*.*)$/gm)].map(([, one]) => one!)
  const run = (command: string) => promisify(execFile)('bash', ['-c', `${command} -s`])

  test('has addresses that all answer, and names guides that are there', async () => {
    const printed = banner.replaceAll(/^ {2}curl (?:.*\\\n)*.*$/gm, '')
    const pages = [
      ...printed.matchAll(/^ {2}(Dashboard|Set-up|Phones|Booking page) +(http:\S+)$/gm),
    ].map(([, , url]) => url!)
    expect(pages).toHaveLength(4)
    const headers = { accept: 'text/html' }
    for (const url of pages) expect((await fetch(url, { headers })).status).toBe(200)
    for (const [, url] of printed.matchAll(/^ {2}(?:Hook URL|Second hook) +(http:\S+)$/gm)) {
      expect((await fetch(url!)).status).toBe(405)
    }
    for (const [guide] of banner.matchAll(/docs\/\S+\.md/g)) {
      expect(existsSync(path.join(PROJECT, guide))).toBe(true)
    }
  })

  test('begins with one link, which opens the demonstration without a password', async () => {
    const [, url] = /^\nWasla is running\.\n\n {2}Dashboard +(http:\S+)\n/.exec(banner)!
    const { origin, pathname, hash } = new URL(url!)
    expect(pathname).toBe('/welcome')
    const entered = await fetch(`${origin}/api/demonstration/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ token: hash.slice(1) }),
    })
    expect(entered.status).toBe(201)
  })

  test('has a command that starts the flow, and a link that makes an account of one’s own', async () => {
    const [hook, ...others] = commands()
    expect(others).toEqual([])
    expect((await run(hook!)).stdout).toContain('"status":"accepted"')
    const [, token] = /^ {2}Set-up +http:\S+\/set-up#(\S+)$/m.exec(banner)!
    expect(token).toBe(started.setupToken)
  })
})

test('with --only it says that simulator and receiver are left out', async () => {
  for (const only of ['http', 'daemon']) {
    const config = configOf({}, [`--only=${only}`])
    const started = await start(config, () => {})
    const banner = writeBanner(config, started)
    await started.stop()
    expect(banner).toContain(`Without the demonstration: --only=${only}`)
  }
  const off = configOf({ DEMONSTRATION: 'off' }, ['--only=http'])
  const started = await start(off, () => {})
  const banner = writeBanner(off, started)
  await started.stop()
  expect(banner).not.toContain('--only')
})

test('a port that is taken is named with the setting that moves it', async () => {
  const free = await freePort()
  const taken = createServer().listen(free, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const [port, before] = [String(free), String(free - 1)]
  const ports = { SIMULATOR_PORT: '0', RECEIVER_PORT: '0' }
  for (const [env, told] of [
    [{ ...ports, PORT: port }, 'so Wasla cannot start. Stop what listens there, or set PORT '],
    [
      { ...ports, SIMULATOR_PORT: port },
      'simulator of WhatsApp cannot start. Stop what listens there, or set SIMULATOR_PORT ',
    ],
    [
      { ...ports, RECEIVER_PORT: port },
      'receiver cannot start. Stop what listens there, or set RECEIVER_PORT ',
    ],
    [
      { ...ports, RECEIVER_PORT: before },
      "shop's API of the demonstration cannot start. Stop what listens there, or set RECEIVER_PORT, ",
    ],
  ] as const) {
    const failed = start(configOf(env), () => {})
    await expect(failed).rejects.toThrow(`Port ${port} is in use, so `)
    await expect(failed).rejects.toThrow(told)
  }
})

test('a HOST that is not of this machine is named', async () => {
  const failed = start(configOf({ HOST: '192.0.2.1' }), () => {})
  await expect(failed).rejects.toThrow(
    'HOST is "192.0.2.1", which is not an address of this machine',
  )
})

test(
  'the screen begins with what runs, nothing raw before it; a name in .env that is no setting is told; a signal to npm ends it all',
  SLOWLY,
  async () => {
    const clone = path.join(await temporaryFolder(['my clone/data/postgres']), 'my clone')
    await giveCluster(inject('cluster'), path.join(clone, 'data'))
    for (const part of ['package.json', 'src', 'migrations', 'examples']) {
      await cp(path.join(PROJECT, part), path.join(clone, part), {
        recursive: true,
        // Its packages are many, and without its sources no start builds it.
        filter: (file) => file !== path.join(PROJECT, 'src/dashboard'),
      })
    }
    await symlink(path.join(PROJECT, 'node_modules'), path.join(clone, 'node_modules'))
    // What it runs on is there: nothing is installed.
    await mkdir(path.join(clone, 'scripts'))
    await writeFile(path.join(clone, 'scripts/prepare.mjs'), '')
    await writeFile(path.join(clone, '.env'), 'PORT=0\nLOG_LEVEL=info\nDATABSE_URL=postgres://\n')
    // As npm starts it, and as whoever stops npm has the signal handed on: to the shell.
    const { scripts } = JSON.parse(await readFile(path.join(clone, 'package.json'), 'utf8')) as {
      scripts: { start: string }
    }
    const child = spawn('/bin/sh', ['-c', scripts.start], {
      cwd: clone,
      env: { PATH: `${path.join(clone, 'node_modules/.bin')}:${process.env.PATH}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    let [told, warned] = ['', '']
    child.stderr.setEncoding('utf8').on('data', (text: string) => (warned += text))
    await new Promise<void>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        told += text
        if (told.includes('"applied"')) resolve()
      })
      void exited.then(() => reject(new Error(`it ended: ${told}${warned}`)))
    })
    // Ctrl-C under npm: once from the terminal, and once handed on by npm, a moment later.
    child.kill('SIGINT')
    await expect.poll(() => told, SLOWLY).toContain('Stopping:')
    child.kill('SIGINT')
    expect(await exited).toEqual([0, null])
    expect(existsSync(path.join(clone, 'data/postgres/postmaster.pid'))).toBe(false)
    expect(told).toMatch(/^\nWasla is running\.\n/)
    // Kept back, not thrown away.
    expect(told.indexOf('"applied"')).toBeGreaterThan(told.indexOf('Wasla is running.'))
    expect(warned).toContain('DATABSE_URL, which is not a setting')
    expect(warned).toContain('Did you mean DATABASE_URL?')
  },
)
