/**
 * The preparation that runs before every npm script, on whatever Node and npm the machine has. npm before
 * 11.6.2 leaves no `node_modules/.bin/node` behind. It removes the link with the other platforms' packages,
 * which have a program of the same name. An install by such an npm is part of `.ci/run`; these tests imitate
 * its result.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/data-folder.ts'

const SCRIPTS = path.join(import.meta.dirname, '../../scripts')
const PLATFORM = `${process.platform}-${process.arch}`
const NAME = `node-${PLATFORM}`

let clone: string
let modules: string
let ownNode: string
beforeEach(async () => {
  // Spaces and letters that are not Latin are part of many people's paths.
  clone = path.join(await temporaryFolder(undefined, '/tmp'), 'متجر my shop')
  modules = path.join(clone, 'node_modules')
  ownNode = path.join(modules, '.bin/node')
  await mkdir(path.join(clone, 'scripts'), { recursive: true })
  for (const file of ['prepare.mjs', 'installed-by-npm.mjs', 'process-lock.mjs']) {
    await copyFile(path.join(SCRIPTS, file), path.join(clone, 'scripts', file))
  }
  await writeFile(path.join(clone, 'package-lock.json'), '{}')
})

/** Makes the result of `npm ci` of an old npm: everything except the link. */
async function leaveModules(name = NAME): Promise<void> {
  await mkdir(path.join(modules, '.bin'), { recursive: true })
  await mkdir(path.join(modules, name, 'bin'), { recursive: true })
  await symlink(process.execPath, path.join(modules, name, 'bin/node'))
}

async function stampModules(): Promise<void> {
  const lock = await readFile(path.join(clone, 'package-lock.json'))
  const stamp = createHash('sha256').update(lock).update(PLATFORM).digest('hex')
  await writeFile(path.join(modules, '.wasla-installed'), stamp)
}

/**
 * Writes a program that replaces npm: it records that it ran, and by which Node, and makes the result of an old
 * npm.
 */
async function writeOldNpm(): Promise<string> {
  const npm = path.join(clone, 'npm-cli.cjs')
  const inModules = (name: string) => JSON.stringify(path.join(modules, name))
  await writeFile(
    npm,
    `const fs = require('node:fs')
    fs.appendFileSync(${JSON.stringify(path.join(clone, 'npm.log'))}, process.argv.slice(2).join(' ') + '\\n')
    fs.mkdirSync(${inModules(`${NAME}/bin`)}, { recursive: true })
    const node = ${inModules(`${NAME}/bin/node`)}
    if (!fs.existsSync(node)) fs.symlinkSync(${JSON.stringify(process.execPath)}, node)`,
  )
  return npm
}

async function prepare(
  env: Record<string, string> = {},
  as: { uid?: number; gid?: number } = {},
  args: string[] = [],
): Promise<{ code: number; told: string }> {
  const child = spawn(process.execPath, ['scripts/prepare.mjs', ...args], {
    cwd: clone,
    env: { PATH: '/nowhere', npm_execpath: '/no/npm/is/needed', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...as,
  })
  let told = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (told += text))
  }
  const [code] = (await once(child, 'close')) as [number]
  return { code, told }
}

/** Returns the files of the processes that install, or wait for it. */
const leftInLine = async () =>
  (await readdir(clone)).filter((name) => name.startsWith('.installing'))

/** Returns the arguments of npm in one preparation, or `nothing`. */
async function askedOfNpm(npm: string, ...args: string[]): Promise<string> {
  await rm(path.join(clone, 'npm.log'), { force: true })
  expect((await prepare({ npm_execpath: npm }, {}, args)).code).toBe(0)
  return readFile(path.join(clone, 'npm.log'), 'utf8').catch(() => 'nothing')
}

/**
 * Prepares four times concurrently. Returns how each ended, what npm was asked, and which processes are left in
 * line.
 */
async function prepareAtOnce() {
  const npm = await writeOldNpm()
  const all = await Promise.all(Array.from({ length: 4 }, () => prepare({ npm_execpath: npm })))
  const asked = await readFile(path.join(clone, 'npm.log'), 'utf8')
  return { codes: all.map(({ code }) => code), asked, left: await leftInLine() }
}
const ONE_INSTALLS = {
  codes: [0, 0, 0, 0],
  asked: expect.stringMatching(/^ci [^\n]*\n$/) as string,
  left: [],
}

/** Writes a Node to a folder: one that reports this version, or one that does not run when there is none. */
async function writeNode(folder: string, version: string | null): Promise<void> {
  await mkdir(folder, { recursive: true })
  const text = version === null ? '#!/no/such/loader\n' : `#!/bin/sh\necho ${version}\n`
  await writeFile(path.join(folder, 'node'), text, { mode: 0o755 })
}

const ends = { code: 0, told: '' }

describe('Before every npm script', () => {
  test.each([NAME, `node-bin-${PLATFORM}`])(
    'an installation without .bin/node is repaired without npm: the link leads to %s',
    async (name) => {
      await leaveModules(name)
      await stampModules()
      expect(await prepare()).toEqual(ends)
      expect((await lstat(ownNode)).isSymbolicLink()).toBe(true)
      expect(path.dirname(await realpath(path.dirname(ownNode)))).toBe(await realpath(modules))
      expect(await realpath(ownNode)).toBe(await realpath(process.execPath))
      // No other file is left next to it.
      expect(await readdir(path.join(modules, '.bin'))).toEqual(['node'])
    },
  )

  test('a .bin/node that leads nowhere, or to another program, is repaired', async () => {
    await leaveModules()
    await stampModules()
    for (const wrong of ['../gone/bin/node', '/bin/sh']) {
      await rm(ownNode, { force: true })
      await symlink(wrong, ownNode)
      expect(await prepare()).toEqual(ends)
      expect(await realpath(ownNode)).toBe(await realpath(process.execPath))
    }
  })

  test('the first one installs, what an old npm leaves out is repaired then, and npm runs once', async () => {
    const npm = await writeOldNpm()
    const first = await prepare({ npm_execpath: npm })
    expect(first).toEqual({ code: 0, told: 'Installing what Wasla needs (once)…\n' })
    expect(await realpath(ownNode)).toBe(await realpath(process.execPath))
    expect(await prepare({ npm_execpath: npm })).toEqual(ends)
    const asked = await readFile(path.join(clone, 'npm.log'), 'utf8')
    expect(asked).toMatch(/^ci [^\n]*\n$/)
  })

  test('a start installs nothing that only tests need; tests add it, and take nothing away', async () => {
    const npm = await writeOldNpm()
    const npmCommand = (...args: string[]) => askedOfNpm(npm, ...args)
    expect(await npmCommand()).toMatch(/^ci --omit=dev /)
    expect(await npmCommand()).toBe('nothing')
    expect(await npmCommand('--tests')).toMatch(/^install --no-save --include=dev /)
    expect(await npmCommand('--tests')).toBe('nothing')
    expect(await npmCommand()).toBe('nothing')
    await rm(modules, { recursive: true })
    const whole = await npmCommand('--tests')
    expect(whole).toMatch(/^ci --include=dev /)
    // An npm that is configured to take nothing new, or nothing for another Node, installs what the lock names.
    expect(whole).toContain(' --min-release-age=0 --engine-strict=false ')
    await rm(modules, { recursive: true })
    expect(await npmCommand()).toContain(' --min-release-age=0 --engine-strict=false ')
  })

  test('packages that npm itself has installed are not installed again, which would need the registry', async () => {
    const npm = await writeOldNpm()
    const npmCommand = (...args: string[]) => askedOfNpm(npm, ...args)
    const lock = (packages: object) => JSON.stringify({ packages })
    const ran = { version: '1.0.0', integrity: 'sha512-a' }
    await writeFile(
      path.join(clone, 'package-lock.json'),
      lock({
        '': {},
        'node_modules/ran': ran,
        'node_modules/elsewhere': { ...ran, os: ['plan9'] },
        'node_modules/for-elsewhere': { ...ran, optional: true },
        'node_modules/tested': { ...ran, dev: true },
      }),
    )
    await leaveModules()
    const noted = path.join(modules, '.package-lock.json')
    await writeFile(noted, lock({ 'node_modules/ran': ran }))
    expect(await npmCommand()).toBe('nothing')
    expect(await realpath(ownNode)).toBe(await realpath(process.execPath))
    expect(await npmCommand('--tests')).toMatch(/^ci --include=dev /)
    await rm(path.join(modules, '.wasla-installed'))
    await writeFile(noted, lock({ 'node_modules/ran': { ...ran, version: '0.9.0' } }))
    expect(await npmCommand()).toMatch(/^ci --omit=dev /)
  })

  test('the dashboard is built after it when requested, by the Node of the project', async () => {
    await leaveModules()
    await stampModules()
    const builder = path.join(clone, 'scripts/build-dashboard.ts')
    await writeFile(builder, 'console.log(`built by ${process.argv0}`)')
    expect(await prepare()).toEqual(ends)
    const built = await prepare({}, {}, ['--dashboard'])
    expect(built).toEqual({ code: 0, told: `built by ${ownNode}\n` })
    await writeFile(builder, 'process.exitCode = 3')
    expect((await prepare({}, {}, ['--dashboard'])).code).toBe(1)
  })

  test('many concurrent ones all find the link, and none finds it missing', async () => {
    await leaveModules()
    await stampModules()
    await symlink('../gone/bin/node', ownNode)
    const all = await Promise.all(Array.from({ length: 8 }, () => prepare()))
    expect(all).toEqual(Array.from({ length: 8 }, () => ends))
    expect(await readdir(path.join(modules, '.bin'))).toEqual(['node'])
  })

  test('one of many concurrent starts on a fresh clone installs, and the others wait for it', async () => {
    expect(await prepareAtOnce()).toEqual(ONE_INSTALLS)
  })

  test('an interrupted installation is not waited for: one of many that find its leftovers installs', async () => {
    const ended = spawn('/bin/sh', ['-c', ':'])
    await once(ended, 'exit')
    await writeFile(path.join(clone, `.installing-${ended.pid}`), '')
    expect(await prepareAtOnce()).toEqual(ONE_INSTALLS)
  })

  test('a leftover with the number of this process is not waited for, as in a restarted container', async () => {
    const npm = await writeOldNpm()
    const noted = ': > .installing-"$$" && exec "$0" scripts/prepare.mjs'
    const child = spawn('/bin/sh', ['-c', noted, process.execPath], {
      cwd: clone,
      env: { PATH: '/nowhere', npm_execpath: npm },
      stdio: 'ignore',
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [code] = (await once(child, 'close')) as [number]
    expect(code).toBe(0)
    expect(await leftInLine()).toEqual([])
  })

  test('an installation that fails ends the command, and the next one tries again', async () => {
    const npm = path.join(clone, 'npm-fails.cjs')
    await writeFile(npm, 'process.exit(7)')
    for (let time = 0; time < 2; time++) {
      const { code, told } = await prepare({ npm_execpath: npm })
      expect(code).toBe(1)
      expect(told).toContain('The installation failed.')
      expect(await leftInLine()).toEqual([])
    }
  })

  test('a folder of another user is left as it is, with a message that says what to do', async () => {
    await leaveModules()
    await chmod(clone, 0o555)
    // Root may write anywhere, so it becomes the user 65534, who must be able to reach the clone.
    const isRoot = process.getuid!() === 0
    if (isRoot) await chmod(path.dirname(clone), 0o755)
    const { code, told } = await prepare({}, isRoot ? { uid: 65_534, gid: 65_534 } : {})
    await chmod(clone, 0o755)
    expect(code).toBe(1)
    expect(told).toMatch(
      /cannot be written to \(E[A-Z]+\)\. Run "node scripts\/prepare\.mjs" there as its owner/,
    )
    expect(told).not.toContain('    at ')
    expect(await leftInLine()).toEqual([])
  })

  test('npm is run by the Node that runs npm, not by one that it is about to remove', async () => {
    const npm = await writeOldNpm()
    const node = path.join(clone, 'node-of-npm')
    await symlink(process.execPath, node)
    const log = path.join(clone, 'npm.log')
    await writeFile(
      npm,
      `${await readFile(npm, 'utf8')}\nfs.appendFileSync(${JSON.stringify(log)}, process.argv0)`,
    )
    await prepare({ npm_execpath: npm, npm_node_execpath: node })
    expect(await readFile(log, 'utf8')).toContain(node)
  })

  test('where no Node is packaged and the machine has an old one, it says what to install', async () => {
    await mkdir(modules)
    await stampModules()
    const folder = path.join(clone, 'bin')
    await writeNode(folder, 'v22.9.0')
    const { code, told } = await prepare({ PATH: `${folder}:/bin` })
    expect(code).toBe(1)
    expect(told).toContain(
      `None is packaged for ${PLATFORM}, and the one installed is v22.9.0: install Node 24.`,
    )
  })

  test('where the packaged Node does not run, as on musl, the first new enough one on PATH replaces it', async () => {
    await writeNode(path.join(modules, NAME, 'bin'), null)
    // npm leads PATH through the link itself.
    await mkdir(path.join(modules, '.bin'))
    await symlink(path.join('..', NAME, 'bin/node'), ownNode)
    await stampModules()
    const [old, young] = [path.join(clone, 'old'), path.join(clone, 'young')]
    await writeNode(old, 'v22.9.0')
    await writeNode(young, 'v25.1.0')
    const dotBin = path.dirname(ownNode)
    expect(await prepare({ PATH: `${dotBin}:${old}:/bin` })).toMatchObject({ code: 1 })
    for (let time = 0; time < 2; time++) {
      expect(await prepare({ PATH: `${dotBin}:${old}:${young}:/bin` })).toEqual(ends)
      expect(await realpath(ownNode)).toBe(await realpath(path.join(young, 'node')))
    }
    // Its package may start to run, with another C library.
    await rm(path.join(modules, NAME, 'bin/node'))
    await symlink(process.execPath, path.join(modules, NAME, 'bin/node'))
    expect(await prepare({ PATH: `${young}:/bin` })).toEqual(ends)
    expect(await realpath(ownNode)).toBe(await realpath(process.execPath))
  })

  test('where the packaged Node does not run, it says so and why', async () => {
    await writeNode(path.join(modules, NAME, 'bin'), null)
    await stampModules()
    const { code, told } = await prepare()
    expect(code).toBe(1)
    expect(told).toContain(`node_modules/${NAME}/bin/node does not run on this machine`)
    expect(told).toContain('ENOENT')
  })
})
