/**
 * The worker that downloads customers' files and deletes unused ones. A failed download or upload is retried by the
 * schedule. A file that the provider will never return is marked as lost, with the reason. One process holds few
 * files in memory, and fewer of one account. Spec: Files › Receiving; Files › Keeping.
 */
import type { FetchedMedia } from '../modules/channels/channel-adapter.ts'
import type { MediaRef } from '../modules/channels/inbound.ts'
import type { ChannelCache } from '../modules/channels/channel-cache.ts'
import type { ChannelAdapters } from '../modules/channels/registry.ts'
import { whyRefused } from '../modules/channels/why-refused.ts'
import type { Context } from '../infra/context.ts'
import { isDatabaseUnavailable } from '../infra/database/is-database-unavailable.ts'
import { isLockTimeout } from '../infra/database/transaction.ts'
import { fact, type Fact } from '../core/facts/fact.ts'
import { FILE_QUEUE, type ClaimedFile } from '../modules/files/file-queue.ts'
import { storeFailure, type FileStore } from '../modules/files/file-store.ts'
import {
  nextFileAttemptAt,
  postponeFile,
  settleDeleted,
  settleKept,
  settleLost,
} from '../modules/files/settle-file.ts'
import { FILE_ENGINE, FILE_LIMITS } from '../core/limits/files.ts'
import type { ConcurrentWorker } from './worker-loop.ts'
import { createWorker, type WorkDeps } from './worker.ts'

type Deps = WorkDeps & {
  store: FileStore
  adapters: ChannelAdapters
  knownChannels: ChannelCache
}

/** Creates the worker that downloads customers' files and deletes unused ones. */
export function createFetchFilesWorker(context: Context, deps: Deps): ConcurrentWorker {
  return createWorker(
    context,
    {
      name: 'fetch-files',
      queue: FILE_QUEUE,
      places: { maxConcurrent: FILE_ENGINE.maxConcurrent },
      wakesAtEnd: true,
      take: (file) => doOne(context, deps, file),
      onError: (error, { id }) =>
        context.log.error({ err: error, fileId: id }, 'outcome of a file not recorded'),
    },
    deps,
  )
}

async function doOne(context: Context, deps: Deps, file: ClaimedFile): Promise<void> {
  const { db, clock, log } = context
  const why = await (file.state === 'dropped' ? deleteOne : fetchOne)(context, deps, file).catch(
    (error: unknown) => {
      // The database says nothing about the file, so the attempt does not count.
      if (isDatabaseUnavailable(error) || isLockTimeout(error)) throw error
      return storeFailure(error)
    },
  )
  if (why === null) return
  const dueAt = nextFileAttemptAt(file.attempt, clock.now())
  const about = { fileId: file.id, attempt: file.attempt, dueAt, why }
  if (dueAt) {
    log.info(about, 'file download or deletion failed: retrying')
    await postponeFile(db.kysely, file, dueAt)
  } else if (file.state === 'dropped') {
    // Deletion is retried without end: the content must not be kept.
    log.error(about, 'file deletion failed: retrying')
    await postponeFile(db.kysely, file, new Date(clock.now().getTime() + LAST_DELAY_MS))
  } else {
    log.warn(about, 'file download failed permanently')
    await settleLost(db.kysely, file, why)
  }
}

const LAST_DELAY_MS = FILE_ENGINE.retryDelaysMs.at(-1)!

/** Downloads and stores one file. Returns null once its outcome is recorded, else why the download has to be retried. */
async function fetchOne(
  { db }: Context,
  { store, adapters, knownChannels }: Deps,
  file: ClaimedFile,
): Promise<Fact | null> {
  // Credentials that the provider refused may have been changed since.
  const find = file.attempt === 1 ? 'byId' : 'reload'
  const channel = await knownChannels[find](file.channelId!)
  const adapter = channel && adapters[channel.type]
  if (!adapter) return fact('not_sent_channel_gone')
  const media = JSON.parse(file.providerMedia!) as MediaRef
  const fetched: FetchedMedia = adapter.fetchMedia
    ? await adapter.fetchMedia(channel, media, { maxBytes: FILE_LIMITS.bytes })
    : { outcome: 'lost', why: fact('provider_fetches_no_files') }
  if (fetched.outcome === 'refused') return whyRefused(fetched.error)
  if (fetched.outcome === 'lost') {
    await settleLost(db.kysely, file, fetched.why)
    return null
  }
  return settleKept({ db: db.kysely, store }, file, fetched.bytes)
}

/** Deletes one file. Returns null once its row is deleted, else why the deletion has to be retried. */
async function deleteOne(
  { db }: Context,
  { store }: Deps,
  file: ClaimedFile,
): Promise<Fact | null> {
  try {
    await store.delete(file)
  } catch (error) {
    return storeFailure(error)
  }
  await settleDeleted(db.kysely, file)
  return null
}
