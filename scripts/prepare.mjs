/**
 * Prepares a fresh clone, so that `npm start` and `npm test` need no other command. Plain JavaScript for any Node
 * from 18: the project's own Node 24 is installed here. Packages for tests and checks are installed with `--tests`.
 * With `--dashboard` the dashboard is built too, which a start leaves to the service.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isInstalledByNpm } from './installed-by-npm.mjs'
import { acquireProcessLock } from './process-lock.mjs'

const NODE_MAJOR = 24
const project = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const modules = path.join(project, 'node_modules')
const stamp = path.join(modules, '.wasla-installed')
const platform = `${process.platform}-${process.arch}`

const lock = createHash('sha256')
  .update(readFileSync(path.join(project, 'package-lock.json')))
  .update(platform)
  .digest('hex')

/**
 * Options that override the user's .npmrc. The lock pins every package by its content, of any age. The Node that runs
 * npm need not be the one that the packages are for.
 */
const AS_LOCKED = ['--min-release-age=0', '--engine-strict=false']

const withTests = process.argv.includes('--tests')
/** The stamp of an installation without the packages that only tests need. */
const lockToRun = `${lock} without tests`

if (!isInstalled() && !isInstalledByNpm(project, { withDev: withTests })) {
  withInstallLock(() => isInstalled() || install())
}
linkNode()
checkNode()
if (process.argv.includes('--dashboard')) buildDashboard()

function isInstalled() {
  const installed = readStamp()
  return installed === lock || (!withTests && installed === lockToRun)
}

function readStamp() {
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : null
}

/** Runs one installation at a time, because npm deletes what another npm is writing. */
function withInstallLock(work) {
  try {
    acquireProcessLock(path.join(project, '.installing'), 'installation')
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) fail(error.message)
    fail(
      `What is installed in ${project} was not installed by this command, or for another package-lock.json, and the folder cannot be written to (${error.code}). Run "node scripts/prepare.mjs" there as its owner; or leave npm out, which nothing needs at run time: node_modules/.bin/node scripts/operator.ts`,
    )
  }
  work()
}

/** Returns the npm command. Packages for tests are added: `npm ci` would delete files that a running service uses. */
function npmCommand() {
  if (!withTests) return ['ci', '--omit=dev']
  return readStamp() === lockToRun
    ? ['install', '--no-save', '--include=dev']
    : ['ci', '--include=dev']
}

function install() {
  console.log(`Installing what ${withTests ? 'its tests need' : 'Wasla needs'} (once)…`)
  // The command that runs this script is npm itself; its path is known even where PATH has no npm.
  // It runs by its own Node: this one may be the project's, which npm is about to replace.
  const npm = process.env.npm_execpath
  const node = process.env.npm_node_execpath ?? process.execPath
  const args = [...npmCommand(), ...AS_LOCKED, '--no-audit', '--no-fund', '--loglevel=error']
  const result = npm
    ? spawnSync(node, [npm, ...args], { cwd: project, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: project, stdio: 'inherit' })
  if (result.status !== 0) {
    fail('The installation failed. Is the npm registry reachable? Then run it again.')
  }
  putInPlace(stamp, (file) => writeFileSync(file, withTests ? lock : lockToRun))
}

/** Returns the path of this platform's packaged Node from `.bin`; undefined when there is none. */
function packagedNode() {
  return [`node-${platform}`, `node-bin-${platform}`]
    .map((name) => path.join('..', name, 'bin', 'node'))
    .find((file) => existsSync(path.join(modules, '.bin', file)))
}

/**
 * Links the packaged Node. npm links it itself, but before 11.6.2 removes the link again with other platforms'
 * packages, whose program has the same name. Where the packaged Node does not run (musl), the link leads to the first
 * one on PATH that is new enough.
 */
function linkNode() {
  const packaged = packagedNode()
  if (packaged === undefined) return
  const folder = path.join(modules, '.bin')
  const runs = askVersion(path.join(folder, packaged)).major >= NODE_MAJOR
  const chosen = runs ? packaged : (nodeOnPath(folder) ?? packaged)
  const link = path.join(folder, 'node')
  if (isSameFile(link, path.resolve(folder, chosen))) return
  mkdirSync(folder, { recursive: true })
  putInPlace(link, (file) => symlinkSync(chosen, file))
}

/** Returns the first Node on PATH that is new enough, without the folder of the link, which npm puts first on PATH. */
function nodeOnPath(folderOfLink) {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && !isSameFile(folder, folderOfLink))
    .map((folder) => path.join(folder, 'node'))
    .find((file) => existsSync(file) && askVersion(file).major >= NODE_MAJOR)
}

/** Runs `node --version`. Returns its output, the reason when there is none, and the major version or 0. */
function askVersion(node) {
  const result = spawnSync(node, ['--version'], { encoding: 'utf8' })
  const said = result.stdout?.trim() ?? ''
  const why = result.error?.message ?? result.stderr?.trim() ?? ''
  return { said, why, major: Number(/^v(\d+)/.exec(said)?.[1] ?? 0) }
}

/** Returns whether both paths exist and lead to the same file. */
function isSameFile(link, file) {
  return existsSync(link) && existsSync(file) && realpathSync(link) === realpathSync(file)
}

/** Makes a file or link under another name and renames it, so that a concurrent start finds the old or the new one. */
function putInPlace(file, make) {
  const temporary = `${file}-${process.pid}`
  rmSync(temporary, { force: true })
  make(temporary)
  renameSync(temporary, file)
}

/** Returns the Node that runs the scripts: the one in `node_modules/.bin`, or else the one on PATH. */
function nodeOfScripts() {
  const own = path.join(modules, '.bin', 'node')
  return existsSync(own) ? own : 'node'
}

/** Builds the dashboard. The build prints its errors, after which this process ends with 1. */
function buildDashboard() {
  const program = path.join(project, 'scripts', 'build-dashboard.ts')
  const result = spawnSync(nodeOfScripts(), [program], { cwd: project, stdio: 'inherit' })
  if (result.status !== 0) process.exit(1)
}

function checkNode() {
  const { said, why, major } = askVersion(nodeOfScripts())
  if (major >= NODE_MAJOR) return
  const packaged = packagedNode()
  fail(
    packaged === undefined
      ? `Wasla needs Node ${NODE_MAJOR}. None is packaged for ${platform}, and the one installed is ${said || 'missing'}: install Node ${NODE_MAJOR}.`
      : `Wasla needs Node ${NODE_MAJOR}. The one in ${path.join('node_modules', packaged.slice(3))} does not run on this machine (${why}); it is made for Linux with glibc 2.28 or newer, and for macOS. Install Node ${NODE_MAJOR}, and it is used in its place.`,
  )
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
