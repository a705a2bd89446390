/**
 * Makes a fresh clone ready, so that `npm start` and `npm test` need nothing before them. Plain
 * JavaScript for any Node from 18: what the project itself runs on (Node 24) is installed here.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR = 24
const project = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const modules = path.join(project, 'node_modules')
const stamp = path.join(modules, '.wasla-installed')

const lock = createHash('sha256')
  .update(readFileSync(path.join(project, 'package-lock.json')))
  .update(`${process.platform}-${process.arch}`)
  .digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) install()
checkNode()

function install() {
  console.log('Installing what Wasla needs (once)…')
  // The command that runs this script is npm itself; its path is known even where PATH has no npm.
  const npm = process.env.npm_execpath
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const result = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: project, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: project, stdio: 'inherit' })
  if (result.status !== 0) {
    console.error('The installation failed. Is the npm registry reachable? Then run it again.')
    process.exit(1)
  }
  writeFileSync(stamp, lock)
}

/** The scripts run by the Node in `node_modules/.bin`; where there is none, by the one on PATH. */
function checkNode() {
  const own = path.join(modules, '.bin', 'node')
  const result = spawnSync(existsSync(own) ? own : 'node', ['--version'], { encoding: 'utf8' })
  const major = Number(/^v(\d+)/.exec(result.stdout ?? '')?.[1] ?? 0)
  if (major < NODE_MAJOR) {
    console.error(
      `Wasla needs Node ${NODE_MAJOR}. None is packaged for ${process.platform}-${process.arch}, and the one installed is ${result.stdout?.trim() || 'missing'}: install Node ${NODE_MAJOR}.`,
    )
    process.exit(1)
  }
}
