/**
 * Builds the dashboard that the service serves: installs its packages, builds it, compresses its files, and replaces
 * the old build atomically. It does nothing when the build is up to date. It runs by `npm run dashboard`, before
 * tests and checks, and as a child of the service.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { BUILD_STEPS } from '../src/dashboard-build/build-steps.ts'
import { hashSources } from '../src/dashboard-build/hash-sources.ts'
import { placesOf, PROJECT, STAMP } from '../src/dashboard-build/places.ts'
import { readBuild } from '../src/dashboard-build/read-build.ts'
import { installPackages } from './dashboard/install-packages.ts'
import { packFiles } from './dashboard/pack-files.ts'
import { run } from './dashboard/run.ts'
import { acquireProcessLock } from './process-lock.mjs'

const BEFORE = '.before-'
const NEXT = '.next-'

const places = placesOf(PROJECT)

async function isFresh(sources: string): Promise<boolean> {
  const built = await readBuild(places.build)
  return built !== null && built.sources === sources
}

async function build(): Promise<void> {
  const sources = await hashSources(places.project)
  if (sources === null) throw new Error('The sources of the dashboard, src/dashboard, are missing.')
  if (await isFresh(sources)) return
  acquireProcessLock(path.join(places.builds, '.building'), 'build of the dashboard')
  if (await isFresh(sources)) return
  clearAway()
  await installPackages(places.sources)
  console.log(BUILD_STEPS.building)
  const began = performance.now()
  const next = path.join(places.builds, `${NEXT}${process.pid}`)
  const vite = path.join(places.sources, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--outDir', next, '--emptyOutDir', '--logLevel', 'warn']
  // The service's NODE_ENV does not apply, which would make vite build a slow and large dashboard.
  const env = { ...process.env, NODE_ENV: 'production' }
  if (!(await run(process.execPath, args, { cwd: places.sources, env }))) {
    throw new Error('The dashboard could not be built: vite says why above.')
  }
  console.log(BUILD_STEPS.packing)
  await packFiles(next)
  writeFileSync(path.join(next, STAMP), sources)
  putInPlace(next)
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  console.log(`The dashboard was built in ${seconds} s.`)
}

/** Replaces the build by two renames. A reader compares the stamp before and after, and so reads one whole build. */
function putInPlace(next: string): void {
  const before = path.join(places.builds, `${BEFORE}${process.pid}`)
  if (existsSync(places.build)) renameSync(places.build, before)
  renameSync(next, places.build)
  rmSync(before, { recursive: true, force: true })
}

/** Deletes the leftovers of interrupted builds. */
function clearAway(): void {
  mkdirSync(places.builds, { recursive: true })
  for (const name of readdirSync(places.builds)) {
    if (!name.startsWith(BEFORE) && !name.startsWith(NEXT)) continue
    rmSync(path.join(places.builds, name), { recursive: true, force: true })
  }
}

// A low priority, because the service starts at the same time. A lower one is kept.
os.setPriority(Math.max(10, os.getPriority()))
try {
  await build()
} catch (error) {
  const { code } = error as NodeJS.ErrnoException
  const isForbidden = code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
  console.error(
    isForbidden
      ? `The project's folder cannot be written to (${code}): build it there as its owner.`
      : (error as Error).message,
  )
  process.exit(1)
}
