/**
 * Ownership of a data folder across containers and machines. A process number is meaningless outside its PID
 * namespace, so `owner.json` names the namespace as well: boot id, host name and the namespace's inode. The owner
 * increments a counter in it. A process of the same namespace checks the owner's process; any other watches the
 * counter, which needs no common clock.
 */
import { randomUUID } from 'node:crypto'
import { open, readFile, readlink, rename, rm, type FileHandle } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isAlive, usedElsewhere } from './running-postmaster.ts'

/**
 * The ownership of a data folder by this process, which keeps other containers and machines out. Between processes of
 * the same namespace the database's lock decides.
 */
export type FolderOwner = {
  /**
   * Makes this process the owner, unless a live process of this namespace is: then the database's lock decides. Waits
   * while it is unclear whether an owner elsewhere is alive.
   * @throws when another container or machine uses the folder
   */
  claim(): Promise<void>
  /** Replaces the entry of a dead process of this namespace, once the database's lock was taken. */
  confirm(): Promise<void>
  /** Sets the listener for the loss of the folder to another process, for example after this one was frozen. */
  onLost(listener: () => void): void
  release(): Promise<void>
}

type Place = { bootId: string; hostName: string; pidNamespace: string }
type Owner = Place & { pid: number; token: string; beat: string }

/** The name of the file in the data folder that names its owner. */
export const OWNER_FILE = 'owner.json'
const BEAT_MS = 2_000
/** An owner elsewhere has ended if its counter is unchanged for this long. */
const SILENCE_MS = 10_000
const WATCH_MS = 500
/** A second process that found the same ended owner replaces the file within this time. */
const SETTLE_MS = 500
/** The file has a fixed length, so that a beat needs no space on a full disk. */
const BEAT_DIGITS = 12

/** Creates the ownership of a data folder, which is not claimed yet. */
export function createFolderOwner(dataFolder: string, log: (message: string) => void): FolderOwner {
  const path = join(dataFolder, OWNER_FILE)
  let held: { file: FileHandle; owner: Owner; timer: NodeJS.Timeout } | null = null
  let beats = 0
  let onLost = () => {}

  return {
    async claim() {
      if (held) return
      const here = await findPlace()
      for (;;) {
        const text = await readWritten(path)
        if (text === undefined) {
          if (await create(here)) return
          continue
        }
        const owner = parseOwner(text)
        if (owner && isSamePlace(owner, here)) {
          // The lock of the database decides whether that process uses the folder.
          if (owner.pid !== process.pid && isAlive(owner.pid)) return
        } else {
          await waitUntilSilent(path, text, log)
        }
        if (await replace(here, text, owner !== undefined && isSamePlace(owner, here))) return
      }
    },
    async confirm() {
      if (held) return
      await replace(await findPlace(), await read(path), true)
    },
    onLost(listener) {
      onLost = listener
    },
    async release() {
      if (!held) return
      const { file, owner, timer } = held
      held = null
      clearInterval(timer)
      if (parseOwner(await read(path))?.token === owner.token) await rm(path, { force: true })
      await file.close()
    },
  }

  async function create(here: Place): Promise<boolean> {
    const owner = newOwner(here)
    try {
      hold(await writeNew(path, owner), owner)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    }
  }

  /** @returns false when the file has changed since it was checked, or another process replaced it as well */
  async function replace(
    here: Place,
    expected: string | undefined,
    isHere: boolean,
  ): Promise<boolean> {
    const owner = newOwner(here)
    const written = `${path}.${owner.token}`
    const file = await writeNew(written, owner)
    if ((await read(path)) === expected) {
      await rename(written, path)
      if (!isHere) await pause(SETTLE_MS)
      if (parseOwner(await read(path))?.token === owner.token) {
        hold(file, owner)
        return true
      }
    }
    await file.close()
    await rm(written, { force: true })
    return false
  }

  function hold(file: FileHandle, owner: Owner): void {
    const timer = setInterval(() => void beat().catch(() => {}), BEAT_MS)
    timer.unref()
    held = { file, owner, timer }
  }

  /** Writes through the handle, so that the file of a later owner is never overwritten. */
  async function beat(): Promise<void> {
    if (!held) return
    const { file, owner, timer } = held
    beats += 1
    await file.write(serialize({ ...owner, beat: String(beats).padStart(BEAT_DIGITS, '0') }), 0)
    const found = await read(path)
    if (held?.owner !== owner || parseOwner(found)?.token === owner.token) return
    held = null
    clearInterval(timer)
    await file.close()
    if (found === undefined && (await create(owner))) return
    log(`${dataFolder} was taken over by another container or machine: PostgreSQL here is stopped`)
    onLost()
  }
}

async function read(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

/** Reads the file. Waits for a moment if another process has created it and not written it yet. */
async function readWritten(path: string): Promise<string | undefined> {
  const text = await read(path)
  if (text === undefined || parseOwner(text)) return text
  await pause(WATCH_MS)
  return read(path)
}

/** Waits until the owner counts as ended. @throws as soon as its counter changes */
async function waitUntilSilent(
  path: string,
  text: string,
  log: (message: string) => void,
): Promise<void> {
  const owner = parseOwner(text)
  const dataFolder = dirname(path)
  log(
    `${dataFolder} was in use ${describe(owner)}: waiting up to ${SILENCE_MS / 1_000} s for a sign of life`,
  )
  const begin = performance.now()
  while (performance.now() - begin < SILENCE_MS) {
    await pause(WATCH_MS)
    const now = await read(path)
    if (now === undefined) return
    if (now !== text) throw usedElsewhere(dataFolder, describe(parseOwner(now) ?? owner))
  }
}

function describe(owner: Owner | undefined): string {
  if (!owner) return 'in another container or on another machine'
  return `in another container or on another machine (process ${owner.pid} of host ${owner.hostName})`
}

function newOwner(here: Place): Owner {
  return { ...here, pid: process.pid, token: randomUUID(), beat: '0'.repeat(BEAT_DIGITS) }
}

const serialize = ({ bootId, hostName, pidNamespace, pid, token, beat }: Owner) =>
  `${JSON.stringify({ bootId, hostName, pidNamespace, pid, token, beat })}\n`

async function writeNew(path: string, owner: Owner): Promise<FileHandle> {
  const file = await open(path, 'wx', 0o600)
  await file.write(serialize(owner), 0)
  return file
}

function parseOwner(text: string | undefined): Owner | undefined {
  try {
    const found = JSON.parse(text ?? '') as Partial<Owner> | null
    const isWhole = typeof found?.pid === 'number' && typeof found.token === 'string'
    return isWhole ? (found as Owner) : undefined
  } catch {
    return undefined
  }
}

const isSamePlace = (one: Place, other: Place) =>
  one.bootId === other.bootId &&
  one.hostName === other.hostName &&
  one.pidNamespace === other.pidNamespace

/** Returns the namespace in which process numbers are valid. Only Linux has several on one machine. */
async function findPlace(): Promise<Place> {
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const pidNamespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return { bootId: bootId.trim(), hostName: hostname(), pidNamespace }
}
