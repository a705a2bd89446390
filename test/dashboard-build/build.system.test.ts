/** The program that builds the dashboard, with stand-ins for npm and vite. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { readBuild } from '../../src/dashboard-build/read-build.ts'
import { temporaryFolder } from '../support/data-folder.ts'

const PROJECT = path.join(import.meta.dirname, '../..')

/** Records that it ran and writes what its sources say, slowly enough to be interrupted. */
const VITE = `const fs = require('node:fs'), path = require('node:path')
const out = process.argv[process.argv.indexOf('--outDir') + 1]
fs.appendFileSync('../../log', 'vite ')
const text = fs.readFileSync('main.tsx', 'utf8')
fs.mkdirSync(path.join(out, 'assets'), { recursive: true })
fs.writeFileSync(path.join(out, 'index.html'), '<!doctype html>' + ' '.repeat(2000))
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
if (text === 'broken') process.exit(3)
fs.writeFileSync(path.join(out, 'assets/index-a1.js'), text.repeat(1000))
fs.writeFileSync(path.join(out, 'assets/small-b2.js'), 'small')
fs.writeFileSync(path.join(out, 'assets/font-c3.woff2'), Buffer.alloc(4000))
fs.writeFileSync(path.join(out, 'made-for'), process.env.NODE_ENV ?? 'nothing')`

let clone: string
let build: string
const write = (file: string, text: string) => writeFile(path.join(clone, file), text)
beforeEach(async () => {
  clone = path.join(await temporaryFolder(undefined, '/tmp'), 'متجر my shop')
  build = path.join(clone, 'build/dashboard')
  const parts = ['build-dashboard.ts', 'dashboard', 'installed-by-npm.mjs', 'process-lock.mjs']
  for (const part of [...parts.map((name) => `scripts/${name}`), 'src/dashboard-build']) {
    await cp(path.join(PROJECT, part), path.join(clone, part), { recursive: true })
  }
  await mkdir(path.join(clone, 'src/dashboard'))
  await write('package.json', '{"type":"module"}')
  await write('package-lock.json', '{}')
  await write('src/dashboard/package.json', '{"type":"commonjs"}')
  await write('src/dashboard/package-lock.json', '{}')
  await write('src/dashboard/main.tsx', 'first')
  await write(
    'npm.cjs',
    `const fs = require('node:fs')
    fs.appendFileSync('../../log', 'npm-' + process.argv[2] + ' ')
    fs.writeFileSync('../../words', process.argv.join(' '))
    fs.mkdirSync('node_modules/vite/bin', { recursive: true })
    fs.writeFileSync('node_modules/vite/bin/vite.js', ${JSON.stringify(VITE)})`,
  )
})

/** Starts the program, with a stand-in for npm by default, under a given user or other settings. */
const start = (env: Record<string, string> = {}, as: { uid?: number; gid?: number } = {}) =>
  spawn(process.execPath, ['scripts/build-dashboard.ts'], {
    cwd: clone,
    env: { PATH: '/nowhere', npm_execpath: path.join(clone, 'npm.cjs'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...as,
  })
/** Runs the program to its end. */
async function run(
  ...how: Parameters<typeof start>
): Promise<{ code: number | null; told: string }> {
  const child = start(...how)
  let told = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (told += text))
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, told }
}
/** Returns what ran, in order, since the last call. */
async function ran(): Promise<string> {
  const log = await readFile(path.join(clone, 'log'), 'utf8').catch(() => '')
  await write('log', '')
  return log.trim()
}
const served = async () =>
  (await readBuild(build))?.files.get('/assets/index-a1.js')?.bytes.toString().slice(0, 10)
/** Returns the files of an unfinished build, of which none may be left. */
const beside = async () =>
  (await readdir(path.join(clone, 'build'))).filter((name) => name !== 'dashboard')

test('The first build installs, builds and packs; a later one does only what is new', async () => {
  expect(await run()).toMatchObject({ code: 0 })
  expect(await ran()).toBe('npm-ci vite')
  expect((await readdir(path.join(build, 'assets'))).toSorted()).toEqual([
    'font-c3.woff2',
    'index-a1.js',
    'index-a1.js.br',
    'index-a1.js.gz',
    'small-b2.js',
  ])
  const read = (end: string) => readFile(path.join(build, `assets/index-a1.js${end}`))
  expect(brotliDecompressSync(await read('.br'))).toEqual(await read(''))
  expect(gunzipSync(await read('.gz'))).toEqual(await read(''))
  expect(await run()).toEqual({ code: 0, told: '' })
  expect(await ran()).toBe('')
  await write('src/dashboard/main.tsx', 'second')
  expect((await run()).code).toBe(0)
  expect(await ran()).toBe('vite')
  expect(await served()).toBe('secondseco')
  await write('src/dashboard/package-lock.json', '{"lockfileVersion":3}')
  expect((await run()).code).toBe(0)
  expect(await ran()).toBe('npm-ci vite')
  expect(await beside()).toEqual([])
})

test('Settings of the environment change neither the installed packages nor the build', async () => {
  expect(await run({ NODE_ENV: 'development' })).toMatchObject({ code: 0 })
  expect(await readFile(path.join(build, 'made-for'), 'utf8')).toBe('production')
  const words = await readFile(path.join(clone, 'words'), 'utf8')
  expect(words).toContain(' --min-release-age=0 --engine-strict=false ')
})

test('A failed build says so, keeps the previous one, and is tried again', async () => {
  await run()
  await write('src/dashboard/main.tsx', 'broken')
  await ran()
  for (let time = 0; time < 2; time++) {
    const { code, told } = await run()
    expect([code, told.trim().split('\n').at(-1)]).toEqual([
      1,
      'The dashboard could not be built: vite says why above.',
    ])
    expect(await served()).toBe('firstfirst')
  }
  expect(await ran()).toBe('vite vite')
  await write('src/dashboard/main.tsx', 'mended')
  expect((await run()).code).toBe(0)
  expect(await served()).toBe('mendedmend')
  expect(await beside()).toEqual([])
})

test('One of many concurrent builds runs, and the others wait; an interrupted one is not waited for', async () => {
  const ended = spawn('/bin/sh', ['-c', ':'])
  await once(ended, 'exit')
  await mkdir(path.join(clone, 'build/.next-1'), { recursive: true })
  await write(`build/.building-${ended.pid}`, '')
  const all = await Promise.all(Array.from({ length: 4 }, () => run()))
  expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect(await ran()).toBe('npm-ci vite')
  expect(await beside()).toEqual([])
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  'A build that waits for another ends immediately by %s, as the signal demands',
  async (signal) => {
    // This process runs, and is taken for one that builds.
    await mkdir(path.join(clone, 'build'))
    await write(`build/.building-${process.pid}`, '')
    const child = start()
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    const [told] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
    expect(told).toContain('Another build of the dashboard runs')
    child.kill(signal)
    expect(await ended).toEqual([null, signal])
    expect(await ran()).toBe('')
  },
  10_000,
)

test('A build that is stopped ends its child processes', async () => {
  await write('npm.cjs', `console.log(process.pid)\nsetInterval(() => {}, 1000)`)
  const child = start()
  onTestFinished(() => void child.kill('SIGKILL'))
  let told = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (told += text))
  await expect.poll(() => told).toMatch(/^\d+$/m)
  const ended = once(child, 'close')
  child.kill('SIGTERM')
  // The output closes once all processes that hold it have ended, child processes included.
  expect(await ended).toEqual([1, null])
  expect(await beside()).toEqual([])
})

test('A build without npm or its registry, or in a read-only folder, says what to do', async () => {
  await write('npm.cjs', 'process.exit(7)')
  expect(await run()).toMatchObject({
    code: 1,
    told: expect.stringContaining('Is npm there, and is its registry reachable?'),
  })
  expect((await run({ npm_execpath: '' })).told).toContain('Is npm there')
  // Root may write anywhere, so it becomes the user `nobody`, who needs access to the clone.
  const isRoot = process.getuid!() === 0
  await chmod(path.join(clone, 'build'), 0o555)
  const { code, told } = await run({}, isRoot ? { uid: 65_534, gid: 65_534 } : {})
  await chmod(path.join(clone, 'build'), 0o755)
  expect(code).toBe(1)
  expect(told).toMatch(/^The project's folder cannot be written to \(EACCES\)/)
})
