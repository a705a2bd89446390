import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction, type Audit } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type {
  BroadcastView,
  ResumeBroadcast,
  StartBroadcast,
} from '../../contract/dashboard/broadcast.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { Transaction } from 'kysely'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { BROADCAST_LIMITS } from '../../core/limits/broadcasts.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'
import type { BroadcastState } from '../../core/vocabulary/broadcasts.ts'
import { serializeCategories, findProblems } from './find-problems.ts'
import { lockBroadcast, type BroadcastRow, type OwnedBroadcast } from './require-broadcast.ts'
import { recallQueued } from './recall-queued.sql.ts'
import { showBroadcast } from './view-broadcast.ts'

type Deps = Pick<Context, 'db' | 'ids' | 'clock'> & { formatFact: FormatFact }

/**
 * Starts a draft, immediately or at a time. It cannot be edited afterwards.
 * @throws not_found; conflict for a broadcast that is no draft; invalid with all problems.
 * Spec: Broadcasts › Sending.
 */
export function startBroadcast(
  deps: Deps,
  actor: Actor,
  { sendAt, ...owned }: OwnedBroadcast & StartBroadcast,
): Promise<BroadcastView> {
  return change(deps, actor, owned, ['draft'], async (tx, now, row, audit) => {
    const at = sendAt === undefined ? null : new Date(sendAt)
    if (at && at <= now) throw wrongField('sendAt', fact('send_at_passed'))
    const { aheadMs } = BROADCAST_LIMITS
    if (at && at.getTime() > now.getTime() + aheadMs) {
      throw wrongField('sendAt', fact('send_at_too_far', { days: aheadMs / DAY_MS }))
    }
    const errors = await findProblems(tx, row)
    if (errors.length > 0) {
      throw new ServiceError('invalid', fact('broadcast_not_ready'), { errors })
    }
    const categories = await serializeCategories(tx, row)
    const due = { sendAt: at, dueAt: at ?? now }
    await set(tx, owned, { state: 'scheduled', categories, ...due, updatedAt: now })
    notifyAfterCommit(tx, 'broadcasts')
    await audit('broadcast.started', subject(owned), { name: row.name, sendAt: sendAt ?? null })
  })
}

/** Pauses a broadcast immediately and recalls messages that were not begun. @throws not_found; conflict */
export function pauseBroadcast(
  deps: Deps,
  actor: Actor,
  owned: OwnedBroadcast,
): Promise<BroadcastView> {
  return change(
    deps,
    actor,
    owned,
    ['sending', 'paused'],
    async (tx, now, { state, name }, audit) => {
      if (state === 'paused') return
      await recallQueued(tx, now, owned.broadcastId)
      await set(tx, owned, { state: 'paused', reason: null, dueAt: now, updatedAt: now })
      notifyAfterCommit(tx, 'broadcasts')
      await audit('broadcast.paused', subject(owned), { name })
    },
  )
}

/**
 * Resumes a broadcast with its next recipient, at another rate if one is given. A broadcast that is sending only gets
 * the new rate.
 * @throws not_found; conflict; invalid while the cause of the pause persists.
 */
export function resumeBroadcast(
  deps: Deps,
  actor: Actor,
  { perSecond, ...owned }: OwnedBroadcast & ResumeBroadcast,
): Promise<BroadcastView> {
  return change(deps, actor, owned, ['sending', 'paused'], async (tx, now, row, audit) => {
    const pace = perSecond ?? row.perSecond
    const isSending = row.state === 'sending'
    if (isSending && pace === row.perSecond) return
    const all = await findProblems(tx, { ...row, perSecond: pace })
    // For a broadcast that is sending, any other problem pauses it later.
    const found = isSending ? all.filter(({ field }) => field === 'perSecond') : all
    // The audience was frozen when the broadcast began.
    const errors = row.filter === null ? found : found.filter(({ field }) => field !== 'audience')
    if (errors.length > 0) {
      throw new ServiceError('invalid', fact('broadcast_not_ready'), { errors })
    }
    const paced = { perSecond: pace, pace: null, updatedAt: now }
    const details = { name: row.name, perSecond: pace }
    if (isSending) {
      await set(tx, owned, { ...paced, state: 'sending' })
      await audit('broadcast.resumed', subject(owned), details)
      return
    }
    const begun = row.preparedAt === null ? 'preparing' : 'sending'
    const state = row.filter === null ? 'scheduled' : begun
    const categories = await serializeCategories(tx, row)
    const goesOn = { state, reason: null, categories, dueAt: now, resumedAt: now }
    await set(tx, owned, { ...paced, ...goesOn })
    notifyAfterCommit(tx, 'broadcasts')
    await audit('broadcast.resumed', subject(owned), details)
  })
}

const CANCELLED_IN = ['scheduled', 'preparing', 'sending', 'paused', 'cancelled'] as const

/** Cancels a broadcast. Its pending recipients get no message. @throws not_found; conflict. Spec: reading R11. */
export function cancelBroadcast(
  deps: Deps,
  actor: Actor,
  owned: OwnedBroadcast,
): Promise<BroadcastView> {
  return change(deps, actor, owned, CANCELLED_IN, async (tx, now, { state, name }, audit) => {
    if (state === 'cancelled') return
    await recallQueued(tx, now, owned.broadcastId)
    const over = { state: 'cancelled', reason: null, dueAt: now, endedAt: now, updatedAt: now }
    await set(tx, owned, over)
    notifyAfterCommit(tx, 'broadcasts')
    await audit('broadcast.cancelled', subject(owned), { name })
  })
}

async function change(
  { db, ids, clock, formatFact }: Deps,
  actor: Actor,
  owned: OwnedBroadcast,
  from: readonly BroadcastState[],
  work: (tx: Transaction<DB>, now: Date, row: BroadcastRow, audit: Audit) => Promise<void>,
): Promise<BroadcastView> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await work(tx, now, await lockBroadcast(tx, owned, from), audit)
  })
  return showBroadcast({ db, clock, formatFact }, owned)
}

async function set(
  tx: Transaction<DB>,
  { companyId, broadcastId }: OwnedBroadcast,
  columns: {
    state: string
    sendAt?: Date | null
    reason?: null
    perSecond?: number
    pace?: null
    categories?: string
    dueAt?: Date
    resumedAt?: Date
    endedAt?: Date
    updatedAt: Date
  },
): Promise<void> {
  await tx
    .updateTable('broadcast')
    .set(columns)
    .where('id', '=', broadcastId)
    .where('companyId', '=', companyId)
    .execute()
}

function subject({ companyId, broadcastId }: OwnedBroadcast) {
  return { id: broadcastId, companyId }
}
