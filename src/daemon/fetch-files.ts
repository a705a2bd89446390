/**
 * The duty that fetches what customers send, and deletes what is dropped. A file that a provider or the store does
 * not give, or take, is tried again by the schedule; what a provider will never give is lost, and says
 * why. A few are in memory at a time, and of one account fewer. Spec: Files › Receiving; Files › Keeping.
 */
import type { FetchedMedia, MediaRef } from '../channels/channel-adapter.ts'
import type { KnownChannels } from '../channels/known-channels.ts'
import type { ChannelAdapters } from '../channels/registry.ts'
import { whyRefused } from '../channels/why-refused.ts'
import type { Context } from '../context.ts'
import { fact, type Fact } from '../facts/fact.ts'
import {
  claimFiles,
  nextFileDue,
  releaseExpiredFiles,
  type FileInHand,
} from '../files/claim-files.sql.ts'
import { storeFault, type FileStore } from '../files/file-store.ts'
import {
  fileTriedAgainAt,
  postponeFile,
  settleDeleted,
  settleKept,
  settleLost,
} from '../files/settle-file.ts'
import { FILE_ENGINE, FILE_LIMITS } from '../limits/files.ts'
import { atIntervals, LEASES_EVERY_MS, type WorkingDuty } from './loop.ts'

type Deps = {
  store: FileStore
  adapters: ChannelAdapters
  knownChannels: KnownChannels
  claimId(): string
  /** Called when there is room for what waits. */
  onProgress(): void
}

export function createFetchFilesDuty(context: Context, deps: Deps): WorkingDuty {
  const { db, clock, log } = context
  const underWay = new Map<Promise<void>, string>()
  let after: string | null = null
  const isTimeForLeases = atIntervals(LEASES_EVERY_MS)
  let isHalted = false

  /** By account, the files in hand. */
  function inHand(): Map<string, number> {
    const files = Map.groupBy(underWay.values(), (accountId) => accountId)
    return new Map([...files].map(([accountId, { length }]) => [accountId, length]))
  }

  function start(file: FileInHand): void {
    const done = doOne(context, deps, file)
      .catch((error: unknown) => {
        // Its lease ends, and it is taken up again.
        log.error({ err: error, fileId: file.id }, 'what became of a file could not be written')
      })
      .finally(() => {
        underWay.delete(done)
        deps.onProgress()
      })
    underWay.set(done, file.accountId)
  }

  return {
    name: 'fetch-files',
    async work() {
      const limit = FILE_ENGINE.atOnce - underWay.size
      if (isHalted || limit <= 0) return false
      const now = clock.now()
      if (isTimeForLeases(now)) {
        const expired = await releaseExpiredFiles(db.kysely, now)
        if (expired > 0) log.warn({ expired }, 'files whose lease had ended are looked at again')
      }
      const claimId = deps.claimId()
      const { files, next } = await claimFiles(db.kysely, {
        claimId,
        now,
        limit,
        inHand: inHand(),
        after,
      })
      after = next
      for (const file of files) start(file)
      return files.length > 0 || next !== null
    },
    nextDue: () => (underWay.size > 0 ? Promise.resolve(null) : nextFileDue(db.kysely)),
    inFlight: () => underWay.size,
    halt() {
      isHalted = true
    },
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay.keys())
    },
  }
}

async function doOne(context: Context, deps: Deps, file: FileInHand): Promise<void> {
  const { db, clock, log } = context
  const why = await (file.state === 'dropped' ? deleteOne : fetchOne)(context, deps, file).catch(
    (error: unknown) => fact('store_failed', { fault: storeFault(error) }),
  )
  if (why === null) return
  const dueAt = fileTriedAgainAt(file.attempt, clock.now())
  const about = { fileId: file.id, attempt: file.attempt, dueAt, why }
  if (dueAt) {
    log.info(about, 'a file could not be fetched or deleted, will try again')
    await postponeFile(db.kysely, file, dueAt)
  } else if (file.state === 'dropped') {
    // Kept would be against somebody's will: it is tried for ever.
    log.error(about, 'a file could not be deleted')
    await postponeFile(db.kysely, file, new Date(clock.now().getTime() + LAST_DELAY_MS))
  } else {
    log.warn(about, 'a file could not be fetched: given up')
    await settleLost(db.kysely, file, why)
  }
}

const LAST_DELAY_MS = FILE_ENGINE.retryDelaysMs.at(-1)!

/** Null once it is settled, else why it is to be tried again. */
async function fetchOne(
  { db }: Context,
  { store, adapters, knownChannels }: Deps,
  file: FileInHand,
): Promise<Fact | null> {
  // Credentials that the provider refused may have been changed since.
  const find = file.attempt === 1 ? 'byId' : 'readAnew'
  const channel = await knownChannels[find](file.channelId!)
  const adapter = channel && adapters[channel.type]
  if (!adapter) return fact('not_sent_channel_gone')
  const media = JSON.parse(file.providerMedia!) as MediaRef
  const fetched: FetchedMedia = adapter.fetchMedia
    ? await adapter.fetchMedia(channel, media, { mostBytes: FILE_LIMITS.bytes })
    : { outcome: 'lost', why: fact('provider_fetches_no_files') }
  if (fetched.outcome === 'refused') return whyRefused(fetched.error)
  if (fetched.outcome === 'lost') {
    await settleLost(db.kysely, file, fetched.why)
    return null
  }
  await settleKept({ db: db.kysely, store }, file, fetched.bytes)
  return null
}

async function deleteOne({ db }: Context, { store }: Deps, file: FileInHand): Promise<null> {
  await store.delete(file)
  await settleDeleted(db.kysely, file)
  return null
}
