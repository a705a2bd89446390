import type { Transaction, Updateable } from 'kysely'
import type { BroadcastTemplate } from '../../contract/dashboard/broadcast.ts'
import type { PagedJob } from '../../infra/database/queues/pages.ts'
import type { Broadcast, DB } from '../../infra/database/tables.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { parseFact } from '../../core/facts/stored-fact.ts'
import type { Ids } from '../../core/ids.ts'
import { BROADCAST_LIMITS, BROADCAST_WORK } from '../../core/limits/broadcasts.ts'
import { SECOND_MS } from '../../core/limits/units.ts'
import { fillTemplate } from '../messaging/fill-template.ts'
import type { TemplateVersion } from '../messaging/read-templates-to-send.sql.ts'
import { ServiceError } from '../../core/service-error.ts'
import { freezeAudience } from './audience.sql.ts'
import { countBroadcast } from './count-broadcast.sql.ts'
import { optOutProblem, readVersions, usableVersions } from './find-problems.ts'
import { prepareRecipients } from './prepare-recipients.sql.ts'
import { hasUnfinishedMessages, readProgress, type Progress } from './read-progress.sql.ts'
import { parseBroadcastRow, type BroadcastRow } from './require-broadcast.ts'
import { autoPause } from './recall-queued.sql.ts'
import { writeToRecipients, type LinkDeps } from './write-to-recipients.ts'

type Deps = LinkDeps & { ids: Ids; now: Date }

/**
 * The paged job of broadcasts. A page writes recipients, queues some of them at the broadcast's rate, or counts. Only
 * one process works on a broadcast, so no recipient gets two messages. Spec: Broadcasts › Sending.
 */
export const BROADCAST_JOBS: PagedJob<'broadcast', LinkDeps & { ids: Ids }> = {
  ...BROADCAST_WORK,
  table: 'broadcast',
  step: (tx, deps, found) => processPage(tx, deps, parseBroadcastRow(found)),
}

type Change = Updateable<Broadcast>

async function processPage(
  tx: Transaction<DB>,
  deps: Deps,
  row: BroadcastRow,
): Promise<Change | null> {
  switch (row.state) {
    case 'scheduled':
      return begin(tx, deps, row)
    case 'preparing':
      return prepare(tx, deps, row)
    case 'sending':
      return send(tx, deps, row)
    case 'paused':
    case 'done':
    case 'cancelled':
      return countAfterwards(tx, deps, row)
    case 'draft':
      // Never due.
      return null
  }
}

/** Begins a broadcast, which freezes its audience. */
async function begin(
  tx: Transaction<DB>,
  { now }: Deps,
  { id, companyId, audience }: BroadcastRow,
): Promise<Change | null> {
  try {
    const filter = JSON.stringify(await freezeAudience(tx, companyId, audience))
    return { state: 'preparing', filter, startedAt: now, dueAt: now, updatedAt: now }
  } catch (error) {
    // The segment, or a field of its filter, was deleted.
    if (!(error instanceof ServiceError)) throw error
    const [first] = error.errors ?? []
    // As one expression, both types form a union that is too complex for the compiler.
    if (first) await autoPause(tx, now, id, first)
    else await autoPause(tx, now, id, error.reason)
    return null
  }
}

async function prepare(tx: Transaction<DB>, { now }: Deps, row: BroadcastRow): Promise<Change> {
  const { isDone, position, total } = await prepareRecipients(tx, row)
  const done = { state: 'sending', preparedAt: now, resumedAt: now, updatedAt: now }
  return { position, total, dueAt: now, ...(isDone && done) }
}

async function send(tx: Transaction<DB>, deps: Deps, row: BroadcastRow): Promise<Change | null> {
  const { now } = deps
  const progress = await readProgress(tx, row)
  const versions = await readVersions(tx, row)
  const why = whyPause(row, progress, versions)
  if (why) {
    await autoPause(tx, now, row.id, why)
    return null
  }
  const perSecond = paceOf(row, progress)
  const maxWaiting = Math.max(1, Math.ceil((perSecond * BROADCAST_WORK.aheadMs) / SECOND_MS))
  const free = maxWaiting - progress.waiting
  const lateMs = Math.min(now.getTime() - row.dueAt!.getTime(), BROADCAST_WORK.aheadMs)
  const batchMs = BROADCAST_WORK.batchMs + lateMs
  const batch = Math.max(1, Math.round((perSecond * batchMs) / SECOND_MS))
  const limit = Math.min(batch, free, BROADCAST_WORK.batch)
  const channel = { id: row.channelId, ...progress.channel }
  const handled =
    limit > 0
      ? await writeToRecipients(tx, deps, row, { channel, versions, limit })
      : { count: 0, enqueuedTo: row.enqueuedTo }
  const isOver =
    handled === null && progress.waiting === 0 && !(await hasUnfinishedMessages(tx, row))
  const waitMs = handled === null ? BROADCAST_WORK.idleMs : BROADCAST_WORK.batchMs
  const dueAt =
    handled === null || limit <= 0
      ? new Date(now.getTime() + waitMs)
      : dueAfter(row, now, (handled.count * SECOND_MS) / perSecond)
  return {
    enqueuedTo: handled?.enqueuedTo ?? row.enqueuedTo,
    pace: perSecond,
    dueAt,
    ...(isOver && { state: 'done', dueAt: now, endedAt: now, updatedAt: now }),
    ...((isOver || isCountDue(row, now)) && {
      counts: JSON.stringify(await countBroadcast(tx, row)),
      countedAt: now,
    }),
  }
}

/** Returns the due time of the next batch, counted from the due time of this one. */
function dueAfter({ dueAt }: BroadcastRow, now: Date, lengthMs: number): Date {
  const earliest = now.getTime() - BROADCAST_WORK.aheadMs
  return new Date(Math.max(dueAt!.getTime(), earliest) + lengthMs)
}

function isCountDue({ countedAt }: BroadcastRow, now: Date): boolean {
  return !countedAt || countedAt.getTime() + BROADCAST_WORK.countEveryMs <= now.getTime()
}

/** Returns messages per second: broadcasts that send on one number share its rate. Spec: reading R5. */
function paceOf({ perSecond }: BroadcastRow, { channel, broadcasts }: Progress): number {
  const maxPerSecond = channel.isCoexistence ? BROADCAST_LIMITS.perSecondInCoexistence : Infinity
  return Math.min(perSecond, maxPerSecond) / Math.max(1, broadcasts)
}

/** Returns why the broadcast must pause, or null. Spec: reading R7. */
function whyPause(
  { template, categories }: BroadcastRow,
  { channel, failuresInRow }: Progress,
  versions: readonly TemplateVersion[],
): Fact | null {
  if (channel.isDeleted) return fact('not_sent_channel_gone')
  if (!channel.isConnected) {
    const { disconnectedReason: why } = channel
    return fact('channel_disconnected', { why: why === null ? null : parseFact(why) })
  }
  const usable = usableVersions(template, versions)
  if (usable.length === 0) {
    const languages = [template.language ?? null]
    const filled = fillTemplate({ ...template, languages }, versions, () => '')
    if (!filled.ok) return filled.why
  }
  const changed = whyTemplateChanged(template, categories, usable)
  if (changed) return changed
  const { failuresInRow: max } = BROADCAST_LIMITS
  return failuresInRow >= max ? fact('broadcast_failing', { max }) : null
}

/**
 * Returns the reason if the template has lost its opt-out, or if the provider has changed its category since a member
 * started the broadcast.
 */
function whyTemplateChanged(
  template: BroadcastTemplate,
  categories: BroadcastRow['categories'],
  usable: readonly TemplateVersion[],
): Fact | null {
  const lacking = optOutProblem(template, usable)
  if (lacking) return lacking
  for (const { language, category: is } of usable) {
    const was = categories?.[language]
    if (was === undefined || was === is) continue
    return fact('template_recategorised', { template: template.name, language, was, is })
  }
  return null
}

/** Counts outcomes after the end, ever less often, because receipts arrive for days. Spec: Broadcasts › Outcome. */
async function countAfterwards(
  tx: Transaction<DB>,
  { now }: Deps,
  row: BroadcastRow,
): Promise<Change> {
  const sinceMs = now.getTime() - (row.endedAt ?? row.updatedAt).getTime()
  const inMs = Math.max(sinceMs, BROADCAST_WORK.minRecountMs)
  return {
    counts: JSON.stringify(await countBroadcast(tx, row)),
    countedAt: now,
    dueAt: sinceMs > BROADCAST_WORK.countAfterMs ? null : new Date(now.getTime() + inMs),
  }
}
