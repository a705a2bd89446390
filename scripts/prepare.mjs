/**
 * Makes a fresh clone ready, so that `npm start` and `npm test` need nothing before them. Plain
 * JavaScript for any Node from 18: what the project itself runs on (Node 24) is installed here.
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

const NODE_MAJOR = 24
const project = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const modules = path.join(project, 'node_modules')
const stamp = path.join(modules, '.wasla-installed')
const platform = `${process.platform}-${process.arch}`

const lock = createHash('sha256')
  .update(readFileSync(path.join(project, 'package-lock.json')))
  .update(platform)
  .digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) install()
linkNode()
checkNode()

function install() {
  console.log('Installing what Wasla needs (once)…')
  // The command that runs this script is npm itself; its path is known even where PATH has no npm.
  // It runs by its own Node: this one may be the project's, which npm is about to replace.
  const npm = process.env.npm_execpath
  const node = process.env.npm_node_execpath ?? process.execPath
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const result = npm
    ? spawnSync(node, [npm, ...args], { cwd: project, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: project, stdio: 'inherit' })
  if (result.status !== 0) {
    console.error('The installation failed. Is the npm registry reachable? Then run it again.')
    process.exit(1)
  }
  putInPlace(stamp, (file) => writeFileSync(file, lock))
}

/** Where this platform's package has its Node, from `.bin`; undefined where there is none. */
function packagedNode() {
  return [`node-${platform}`, `node-bin-${platform}`]
    .map((name) => path.join('..', name, 'bin', 'node'))
    .find((file) => existsSync(path.join(modules, '.bin', file)))
}

/**
 * npm links the packaged Node itself, but before 11.6.1 removes the link again together with the
 * packages of other platforms, whose program has the same name.
 */
function linkNode() {
  const packaged = packagedNode()
  const folder = path.join(modules, '.bin')
  const link = path.join(folder, 'node')
  if (packaged === undefined || leadsTo(link, path.join(folder, packaged))) return
  mkdirSync(folder, { recursive: true })
  putInPlace(link, (file) => symlinkSync(packaged, file))
}

function leadsTo(link, file) {
  return existsSync(link) && realpathSync(link) === realpathSync(file)
}

/** Under another name first: whoever else starts at this moment finds the old one, or the new one whole. */
function putInPlace(file, make) {
  const temporary = `${file}-${process.pid}`
  rmSync(temporary, { force: true })
  make(temporary)
  renameSync(temporary, file)
}

/** The scripts run by the Node in `node_modules/.bin`; where there is none, by the one on PATH. */
function checkNode() {
  const own = path.join(modules, '.bin', 'node')
  const result = spawnSync(existsSync(own) ? own : 'node', ['--version'], { encoding: 'utf8' })
  const major = Number(/^v(\d+)/.exec(result.stdout ?? '')?.[1] ?? 0)
  if (major >= NODE_MAJOR) return
  const packaged = packagedNode()
  console.error(
    packaged === undefined
      ? `Wasla needs Node ${NODE_MAJOR}. None is packaged for ${platform}, and the one installed is ${result.stdout?.trim() || 'missing'}: install Node ${NODE_MAJOR}.`
      : `Wasla needs Node ${NODE_MAJOR}. The one in ${path.join('node_modules', packaged.slice(3))} does not run on this machine (${result.error?.message ?? result.stderr.trim()}); it is made for Linux with glibc 2.28 or newer, and for macOS.`,
  )
  process.exit(1)
}
