/**
 * The screen of `npm start`, in which every address and command works unchanged; and `npm run demo`, stopped
 * half-way.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { writeBanner } from '../../src/banner.ts'
import { readConfig } from '../../src/app/config.ts'
import { start, type Started } from '../../src/start.ts'
import { temporaryFolder } from '../support/data-folder.ts'
import { freePort } from '../support/free-port.ts'
import { listenLocally } from '../support/local-server.ts'
import { giveCluster } from '../support/made-cluster.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'
import { NODE_COMPILE_CACHE } from '../support/compile-cache.ts'
import { demonstrationConfig } from '../support/demonstration.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
const SLOWLY = { timeout: 120_000 * TIMEOUT_FACTOR }

const { settings, folder } = await demonstrationConfig(afterAll)
const configOf = (env: Record<string, string> = {}, argv: string[] = []) =>
  readConfig({ ...settings, DATA_FOLDER: folder, ...env }, argv, folder)

describe('The start prints a banner that', () => {
  let started: Started
  let banner: string
  beforeAll(async () => {
    started = await start(configOf(), () => {})
    banner = writeBanner(configOf(), started)
  })
  afterAll(() => started.stop())

  /** Returns the commands of the banner, each as it is pasted. */
  const commands = () => [...banner.matchAll(/^ {2}(curl (?:.*\\\n)*.*)$/gm)].map(([, one]) => one!)
  const run = (command: string) => promisify(execFile)('bash', ['-c', `${command} -s`])

  test('has only addresses that answer, and names guides that exist', async () => {
    const printed = banner.replaceAll(/^ {2}curl (?:.*\\\n)*.*$/gm, '')
    const pages = [
      ...printed.matchAll(/^ {2}(Dashboard|Setup|Phones|Booking page) +(http:\S+)$/gm),
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

  test('has a command that starts the flow, and a link to set up an account', async () => {
    const [hook, ...others] = commands()
    expect(others).toEqual([])
    expect((await run(hook!)).stdout).toContain('"status":"accepted"')
    const [, token] = /^ {2}Setup +http:\S+\/set-up#(\S+)$/m.exec(banner)!
    expect(token).toBe(started.setupToken)
  })
})

test('the banner of --only says that simulator and receiver are left out', async () => {
  const bannerOf = async (only: string, env = {}) => {
    const config = configOf(env, [`--only=${only}`])
    const started = await start(config, () => {})
    await started.stop()
    return writeBanner(config, started)
  }
  for (const only of ['http', 'daemon']) {
    expect(await bannerOf(only)).toContain(`The demo is not running: --only=${only}`)
  }
  expect(await bannerOf('http', { DEMONSTRATION: 'off' })).not.toContain('--only')
})

async function takePort(): Promise<number> {
  const { port, close } = await listenLocally(createServer(), await freePort())
  onTestFinished(close)
  return port
}

test('a taken port is named with the setting that changes it', async () => {
  const taken = await takePort()
  const [port, before] = [String(taken), String(taken - 1)]
  for (const [name, given, what, advice] of [
    ['PORT', port, 'so Wasla', 'PORT '],
    ['SIMULATOR_PORT', port, 'simulator of WhatsApp', 'SIMULATOR_PORT '],
    ['RECEIVER_PORT', port, 'receiver', 'RECEIVER_PORT '],
    ['RECEIVER_PORT', before, "shop's API of the demonstration", 'RECEIVER_PORT, '],
  ] as const) {
    const failed = start(configOf({ [name]: given }), () => {})
    await expect(failed).rejects.toThrow(`Port ${port} is in use, so `)
    const told = `${what} cannot start. Stop what listens there, or set ${advice}`
    await expect(failed).rejects.toThrow(told)
  }
})

test('a taken port and missing keys are reported before anything is created', async () => {
  const taken = await takePort()
  const DATA_FOLDER = path.join(await temporaryFolder(), 'data')
  await expect(start(configOf({ PORT: String(taken), DATA_FOLDER }), () => {})).rejects.toThrow(
    `Port ${taken} is in use`,
  )
  const nobodyListens = {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://wasla@127.0.0.1:1/wasla',
    EGRESS_ALLOW: '',
    DATA_FOLDER,
  }
  await expect(start(configOf(nobodyListens), () => {})).rejects.toThrow(
    'ENCRYPTION_KEYS must be set when DATABASE_URL is',
  )
  expect(existsSync(DATA_FOLDER)).toBe(false)
})

test('a HOST of another machine is named', async () => {
  const failed = start(configOf({ HOST: '192.0.2.1' }), () => {})
  await expect(failed).rejects.toThrow(
    'HOST is "192.0.2.1", which is not an address of this machine',
  )
})

const PARTS = ['package.json', 'src', 'simulators', 'demonstration', 'migrations', 'examples']

test(
  'the screen begins with what runs, an unknown name in .env is named, and a signal to npm ends all',
  SLOWLY,
  async () => {
    const clone = path.join(await temporaryFolder(['my clone/data/postgres']), 'my clone')
    await giveCluster(inject('cluster'), path.join(clone, 'data'))
    for (const part of PARTS) {
      await cp(path.join(PROJECT, part), path.join(clone, part), {
        recursive: true,
        // The packages are many, and no start builds the dashboard without its sources.
        filter: (file) => file !== path.join(PROJECT, 'src/dashboard'),
      })
    }
    await symlink(path.join(PROJECT, 'node_modules'), path.join(clone, 'node_modules'))
    // All dependencies are there: nothing is installed.
    await mkdir(path.join(clone, 'scripts'))
    await writeFile(path.join(clone, 'scripts/prepare.mjs'), '')
    await writeFile(path.join(clone, '.env'), 'PORT=0\nLOG_LEVEL=info\nDATABSE_URL=postgres://\n')
    // The service starts like under npm, which hands a signal on to the shell.
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
    // Ctrl-C under npm sends a signal once from the terminal, and once from npm a moment later.
    child.kill('SIGINT')
    await expect.poll(() => told, SLOWLY).toContain('Stopping:')
    child.kill('SIGINT')
    expect(await exited).toEqual([0, null])
    expect(existsSync(path.join(clone, 'data/postgres/postmaster.pid'))).toBe(false)
    expect(told).toMatch(/^\nWasla is running\.\n/)
    // The log lines were kept back, not thrown away.
    expect(told.indexOf('"applied"')).toBeGreaterThan(told.indexOf('Wasla is running.'))
    expect(warned).toContain('DATABSE_URL, which is not a setting')
    expect(warned).toContain('Did you mean DATABASE_URL?')
  },
)

/** Returns the numbers of the processes that work below a folder. */
async function workingBelow(place: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const places = await Promise.all(
    pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => 'ended')),
  )
  return pids.filter((_, at) => places[at]!.startsWith(place))
}

test.skipIf(process.platform !== 'linux')(
  'npm run demo ignores settings of the shell, and Ctrl-C removes both its database and its folder',
  SLOWLY,
  async () => {
    const temporary = path.join(await temporaryFolder([]), 'tmp')
    await mkdir(temporary)
    const child = spawn(process.execPath, [path.join(PROJECT, 'scripts/demo.ts')], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE,
        TMPDIR: temporary,
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
    await expect.poll(() => told, SLOWLY).toMatch(/1\. Wasla,|FAILED|cannot start/)
    expect(told).toContain('1. Wasla,')
    child.kill('SIGINT')
    child.kill('SIGINT')
    await ended
    expect(child.exitCode).toBe(1)
    expect(told).toMatch(/\nStopped before every step was seen\.\n$/)
    expect(await readdir(temporary)).toEqual([])
    expect(await workingBelow(temporary)).toEqual([])
  },
)
