/**
 * Streams of changes for the clients that watch a company. A node polls the database four times a second for all its
 * clients together, and only while it has any.
 *
 * Spec: Dashboard › Live updates.
 */
import type { Kysely } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { LIVE_LIMITS } from '../../core/limits/deliveries.ts'
import { SWEEP } from '../../core/limits/retention.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Role } from '../../core/vocabulary/accounts.ts'
import {
  startRecording,
  readChanges,
  readSnapshot,
  sweepChanges,
  type Change,
  type Snapshot,
} from './live-changes.sql.ts'

/** The snapshot that a watcher had received at a message, with the time of the message. */
type Position = { seen: Snapshot; at: Date }

const POSITION = /^(\d{1,15}(?:\.\d{1,15}){0,50})-(\d{1,15})$/

/** Serializes a position, for the client to send when it reconnects. */
export function writePosition({ seen: { end, open }, at }: Position): string {
  const text = `${[end, ...open].join('.')}-${at.getTime()}`
  if (text.length <= LIVE_LIMITS.positionChars) return text
  // Too many transactions are open to list. Everything that ended since the oldest one is reported again.
  return `${Math.min(...open)}-${at.getTime()}`
}

/** Parses a position that a client sends; null for any other text. */
export function readPosition(text: string): Position | null {
  const [, seen, at] = POSITION.exec(text) ?? []
  if (seen === undefined) return null
  const [end, ...open] = seen.split('.').map(Number)
  return { seen: { end: end!, open }, at: new Date(Number(at)) }
}

/** A kind of entity that clients can watch. Its table has the triggers that record changes under its name. */
export type LiveEntity = {
  /** The roles that may receive changes. */
  roles: readonly Role[]
  /** Loads the entities as members see them now. Deleted ones are left out. */
  load(
    db: Kysely<DB>,
    of: { companyId: string; ids: readonly string[] },
  ): Promise<readonly object[]>
}

/** The current state of an entity. */
type LiveItem = { companyId: string; entity: string; item: object }

/**
 * A message of a stream. `ready`: no later change is missed, so the client reads its lists now. `changed`: everything
 * that is new or has changed since the previous message, unordered. `reset`: too many changes, or too long ago, so the
 * client reads its lists again. `position` is where a returning client continues.
 */
export type LiveMessage =
  | { kind: 'ready' | 'reset'; position: string }
  | { kind: 'changed'; items: LiveItem[]; position: string }

/** A client that watches companies of one account. */
export type Watcher = {
  accountId: string
  /** The companies to watch, all of the account. */
  companyIds: readonly string[]
  sessionId: string
  role: Role
  /** The position of the last received message; null for a new client. */
  position: string | null
  send(message: LiveMessage): void
}

/** The stream of changes that one process serves. */
export type LiveChanges = {
  /**
   * Sends changes to a client from now on. Returns the function that stops it.
   * @throws limit_reached when the session, the account or the node has its number of watchers
   */
  watch(watcher: Watcher): () => void
  /** Reads new changes. A timer calls it while a client is watching. */
  poll(): Promise<void>
  stop(): void
}

type Watching = Watcher & {
  /** The snapshot of the last message; null until the stream is ready. */
  sentTo: Snapshot | null
  watchedAt: Date
  /** Transactions that were open before the recording of their changes began. Their changes may be missing. */
  unrecorded: readonly number[]
}

type Entities = Readonly<Record<string, LiveEntity>>

/** The recording of a company's changes: its end, and the first transaction that is recorded. */
type Recording = { until: Date; since: number }

/** Creates the stream of changes of companies' data, which polls the database while any client listens. */
export function createLiveChanges(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  entities: Entities,
): LiveChanges {
  const watching = new Set<Watching>()
  const recordings = new Map<string, Recording>()
  let timer: NodeJS.Timeout | null = null
  let polling: Promise<void> | null = null
  const sweep = createSweep(db.kysely, recordings)
  let hasFailed = false

  async function readNewChanges(): Promise<void> {
    const now = clock.now()
    await extendRecordings(db.kysely, watching, recordings, now)
    const seen = await readSnapshot(db.kysely)
    await sweep(now, seen)
    const position = writePosition({ seen, at: now })
    const known = [...watching].filter(({ companyIds }) =>
      companyIds.every((id) => recordings.has(id)),
    )
    if (hasFailed) {
      for (const watcher of known) {
        watcher.send({ kind: 'reset', position })
        // After a failover to another server, transactions may have other numbers.
        if (watcher.sentTo !== null) watcher.sentTo = seen
      }
    }
    hasFailed = false
    for (const watcher of known) openStream(watcher, { seen, at: now })
    const behind = known.filter(({ sentTo }) => sentTo !== null && hasGoneOn(sentTo, seen))
    const read = await readFor(db.kysely, entities, behind, seen)
    for (const watcher of behind) {
      const parts = watcher.companyIds.map((id) => read.get(rangeOf(id, watcher.sentTo!))!)
      watcher.sentTo = seen
      const stillOpen = openOf(watcher.unrecorded, seen)
      const isReset = parts.includes(TOO_MUCH) || stillOpen.length < watcher.unrecorded.length
      watcher.unrecorded = stillOpen
      const items = parts.flat().filter((one) => entities[one.entity]!.roles.includes(watcher.role))
      if (isReset) watcher.send({ kind: 'reset', position })
      else if (items.length > 0) watcher.send({ kind: 'changed', items, position })
    }
  }

  /** Sends `ready` to a new client, or continues the stream of a returning one. */
  function openStream(watcher: Watching, now: Position): void {
    if (watcher.sentTo !== null) return
    const { seen } = now
    const since = Math.max(...watcher.companyIds.map((id) => recordings.get(id)!.since))
    const from = watcher.position === null ? null : readPosition(watcher.position)
    if (from !== null && isRecordedSince(from, since, now)) {
      watcher.sentTo = from.seen
      watcher.unrecorded = from.seen.open.filter((xid) => xid < since)
      return
    }
    watcher.unrecorded = seen.open.filter((xid) => xid < since)
    // Most transactions end soon. One that stays open does not delay readiness, because the client reads its lists
    // again after its end.
    const waitedMs = now.at.getTime() - watcher.watchedAt.getTime()
    if (watcher.unrecorded.length > 0 && waitedMs < LIVE_LIMITS.readyAfterMs) return
    watcher.sentTo = seen
    const kind = watcher.position === null ? 'ready' : 'reset'
    watcher.send({ kind, position: writePosition(now) })
  }

  function poll(): Promise<void> {
    polling ??= readNewChanges()
      .catch((error: unknown) => {
        if (!hasFailed)
          log.warn({ err: error }, 'reading live changes failed: clients read their lists again')
        hasFailed = true
      })
      .finally(() => void (polling = null))
    return polling
  }

  function stopTimerIfIdle(): void {
    if (watching.size > 0) return
    if (timer) clearInterval(timer)
    timer = null
  }

  return {
    watch(watcher) {
      refuseTooMany(watching, watcher)
      const entry: Watching = { ...watcher, sentTo: null, watchedAt: clock.now(), unrecorded: [] }
      watching.add(entry)
      timer ??= setInterval(() => void poll(), LIVE_LIMITS.pollEveryMs)
      return () => {
        watching.delete(entry)
        stopTimerIfIdle()
      }
    },
    poll,
    stop() {
      watching.clear()
      stopTimerIfIdle()
    },
  }
}

/** Extends the recording of changes of all watched companies. */
async function extendRecordings(
  db: Kysely<DB>,
  watching: ReadonlySet<Watching>,
  recordings: Map<string, Recording>,
  now: Date,
): Promise<void> {
  const until = new Date(now.getTime() + LIVE_LIMITS.keptMs + MINUTE_MS)
  const soon = new Date(now.getTime() + LIVE_LIMITS.keptMs)
  const watched = new Set([...watching].flatMap(({ companyIds }) => companyIds))
  const companyIds = [...watched].filter((id) => (recordings.get(id)?.until ?? now) < soon)
  if (companyIds.length === 0) return
  const since = await startRecording(db, { companyIds, until })
  for (const [id, xid] of since) recordings.set(id, { until, since: xid })
}

/** Returns a function that deletes expired changes once a minute. */
function createSweep(db: Kysely<DB>, recordings: Map<string, Recording>) {
  const { keptMs } = LIVE_LIMITS
  /** The snapshot at each sweep, the oldest first. */
  const seenAt: Position[] = []
  let next = new Date(0)
  return async (at: Date, seen: Snapshot): Promise<void> => {
    if (at < next) return
    next = new Date(at.getTime() + MINUTE_MS)
    seenAt.push({ seen, at })
    const isLongAgo = (one: Position) => one.at.getTime() <= at.getTime() - keptMs
    // A client that returns has seen at least this snapshot.
    while (seenAt.length > 1 && isLongAgo(seenAt[1]!)) seenAt.shift()
    const [oldest] = seenAt
    if (isLongAgo(oldest!)) {
      const limit = SWEEP.rowsPerStatement * 10
      await sweepChanges(db, { now: at, keptMs, limit, seenBy: oldest!.seen })
    }
    for (const [id, { until }] of recordings) if (until < at) recordings.delete(id)
  }
}

/** Returns true if a transaction has ended that the other snapshot did not see. */
const hasGoneOn = (from: Snapshot, to: Snapshot): boolean =>
  to.end > from.end || openOf(from.open, to).length < from.open.length

/** Returns those of the transactions that a snapshot sees as open. */
const openOf = (xids: readonly number[], { end, open }: Snapshot): number[] =>
  xids.filter((xid) => xid >= end || open.includes(xid))

/** Returns true if all changes since a position are recorded. */
const isRecordedSince = ({ seen, at }: Position, since: number, now: Position): boolean =>
  seen.end >= since &&
  seen.end <= now.seen.end &&
  at.getTime() > now.at.getTime() - LIVE_LIMITS.keptMs

/**
 * Checks that another watcher is within the limits.
 * @throws limit_reached
 */
function refuseTooMany(watching: ReadonlySet<Watching>, watcher: Watcher): void {
  const ofAccount = [...watching].filter(({ accountId }) => accountId === watcher.accountId)
  const ofSession = ofAccount.filter(({ sessionId }) => sessionId === watcher.sessionId)
  if (ofSession.length >= LIVE_LIMITS.watchersPerSession) {
    throw new ServiceError(
      'limit_reached',
      fact('session_watchers', { max: LIVE_LIMITS.watchersPerSession }),
    )
  }
  if (ofAccount.length >= LIVE_LIMITS.watchersPerAccount) {
    throw new ServiceError(
      'limit_reached',
      fact('log_watchers', { max: LIVE_LIMITS.watchersPerAccount }),
    )
  }
  if (watching.size >= LIVE_LIMITS.watchersInAll) {
    throw new ServiceError(
      'limit_reached',
      fact('server_watchers', { max: LIVE_LIMITS.watchersInAll }),
    )
  }
}

/** Reads the changes of each company once for each distinct position of its watchers. */
async function readFor(
  db: Kysely<DB>,
  entities: Entities,
  behind: readonly Watching[],
  to: Snapshot,
): Promise<Map<string, readonly LiveItem[]>> {
  const read = new Map<string, readonly LiveItem[]>()
  const limit = LIVE_LIMITS.changesPerPoll + 1
  for (const { companyIds, sentTo } of behind) {
    for (const companyId of companyIds) {
      const range = rangeOf(companyId, sentTo!)
      if (read.has(range)) continue
      const changes = await readChanges(db, { companyId, from: sentTo!, to, limit })
      read.set(
        range,
        changes.length >= limit ? TOO_MUCH : await load(db, entities, companyId, changes),
      )
    }
  }
  return read
}

async function load(
  db: Kysely<DB>,
  entities: Entities,
  companyId: string,
  changes: readonly Change[],
): Promise<LiveItem[]> {
  const loaded: LiveItem[] = []
  for (const [entity, changed] of Map.groupBy(changes, (change) => change.entity)) {
    // A newer node may record entities that this one does not know.
    if (!Object.hasOwn(entities, entity)) continue
    const ids = [...new Set(changed.map(({ id }) => id))]
    const items = await entities[entity]!.load(db, { companyId, ids })
    loaded.push(...items.map((item) => ({ companyId, entity, item })))
  }
  return loaded
}

/** A marker for more changes than one message may hold. */
const TOO_MUCH: readonly LiveItem[] = []

const rangeOf = (companyId: string, { end, open }: Snapshot) =>
  `${companyId} ${[end, ...open].join('.')}`
