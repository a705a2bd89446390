import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { BUILD_STEPS } from '../../src/dashboard-build/build-steps.ts'
import { isInstalledByNpm } from '../installed-by-npm.mjs'
import { run } from './run.ts'

/**
 * Installs the dashboard's packages when its lock is new. No package needs an install script. @throws with what to do
 */
export async function installPackages(folder: string): Promise<void> {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(folder, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}`)
    .digest('hex')
  const stamp = path.join(folder, 'node_modules/.wasla-installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  if (isInstalledByNpm(folder, { withDev: true })) return
  console.log(BUILD_STEPS.installing)
  const args = [
    'ci',
    '--include=dev',
    '--ignore-scripts',
    // The lock decides, as in prepare.mjs, whatever the user's .npmrc says.
    '--min-release-age=0',
    '--engine-strict=false',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  // The npm that runs this script is used with its Node, or else the npm on PATH.
  const npm = process.env.npm_execpath
  const node = process.env.npm_node_execpath ?? process.execPath
  const options = { cwd: folder, env: ownEnvironment() }
  const isInstalled = npm
    ? await run(node, [npm, ...args], options)
    : await run('npm', args, options)
  if (!isInstalled) {
    throw new Error(
      "The dashboard's packages could not be installed. Is npm there, and is its registry reachable?",
    )
  }
  writeFileSync(stamp, lock)
}

/** Returns the environment without npm's variables about the calling package. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^npm_(package|lifecycle)_|^npm_config_(local_prefix|omit|include)$/.test(name),
  )
  return Object.fromEntries(own)
}
