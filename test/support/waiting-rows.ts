/**
 * One waiting row of every queue, and the late write of a process that has claimed it. A new queue needs its
 * line here: `test/workers/every-queue.test.ts` checks them all.
 */
import { REPLY_RETRIES } from '../../src/modules/assistant/reply-retries.ts'
import type { ReplyAdvanceDeps } from '../../src/modules/assistant/reply-context.ts'
import { recordNoticeOutcome } from '../../src/modules/appointments/due-notices.sql.ts'
import { skipRestoredNotices } from '../../src/modules/appointments/plan-notices.sql.ts'
import { recordPollOutcome } from '../../src/modules/channels/poll-queue.sql.ts'
import { deferJob } from '../../src/infra/database/queues/defer-job.ts'
import type { ClaimedJob, RowClaim } from '../../src/infra/database/queues/queue.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import type { ClaimedDelivery } from '../../src/modules/deliveries/claim-deliveries.sql.ts'
import { recordAttempts } from '../../src/modules/deliveries/record-attempts.sql.ts'
import { fact } from '../../src/core/facts/fact.ts'
import type { ClaimedFile } from '../../src/modules/files/file-queue.ts'
import { settleLost } from '../../src/modules/files/settle-file.ts'
import { advanceRuns } from '../../src/modules/flows/runs/advance-runs.ts'
import { settleFailed } from '../../src/modules/knowledge/settle-source.ts'
import type { ClaimedSource } from '../../src/modules/knowledge/source-queue.ts'
import { beginSend } from '../../src/modules/messaging/mark-sending.sql.ts'
import { claimSends } from '../../src/modules/messaging/claim-sends.sql.ts'
import {
  enqueueProfileLookups,
  postponeProfileLookup,
} from '../../src/modules/messaging/profile-lookup-queue.sql.ts'
import type { ClaimedMessage } from '../../src/modules/messaging/queue-message.ts'
import { settleTemplates } from '../../src/modules/messaging/template-queue.ts'
import { giveUpRestoredMails, postponeMail } from '../../src/modules/notices/mail-queue.sql.ts'
import { addEndpoint, attemptOf, claim as claimDeliveries } from './deliveries.ts'
import { addAppointmentNotice } from './records/appointments.ts'
import { cancelReplies, addReply } from './records/assistant.ts'
import { addChannel, awaitPoll, putChannel, setConnected } from './records/channels.ts'
import { addConversation, forgetNameToAsk } from './records/conversations.ts'
import { addDeliveries, putDeliveries } from './records/deliveries.ts'
import { addFile, putFile } from './records/files.ts'
import { addSources, putSource } from './records/knowledge.ts'
import { addNotice } from './records/notices.ts'
import { addQueuedMessage, cancelQueued } from './records/outbox.ts'
import { addRun, endEveryRun } from './records/runs.ts'
import type { World } from './test-service.ts'
import type { Shop } from './shop.ts'
import { advanceDeps } from './advances.ts'

/** The company of a waiting row, which need not be the shop's own one, and its channel. */
export type Place = { shop: Shop; companyId: string; channelId: string }

export type WaitingRows = {
  /** Adds a row that is due now. Returns its key. */
  add(world: World, place: Place): Promise<string>
  /** Claims rows, for a queue that has its own claim. */
  claim?(world: World, limit: number): Promise<RowClaim[]>
  /** Writes the outcome of a slow process, with the claim that it had. */
  writeLate(world: World, row: RowClaim): Promise<unknown>
  /** Removes the row from the queue for good. */
  cancel(world: World, row: { id: string } & Place): Promise<unknown>
}

const nowOf = ({ clock }: World) => clock.now()
const NO_ROW = { claimId: null, leaseExpiresAt: null }

const talk = (world: World, { companyId, channelId }: Place, more = {}) =>
  addConversation(world, { companyId, channelId }, more)

export const addWaitingRun = async (world: World, place: Place, status: string) =>
  addRun(
    world,
    { ...place.shop, companyId: place.companyId },
    { conversationId: await talk(world, place), status, dueAt: nowOf(world) },
  )

export const WAITING_ROWS: Record<string, WaitingRows> = {
  runs: {
    add: (world, place) => addWaitingRun(world, place, 'queued'),
    writeLate: (world, row) =>
      advanceRuns(advanceDeps(world), [{ run: row as never, called: null }]),
    cancel: (world) => endEveryRun(world),
  },
  replies: {
    async add(world, place) {
      const conversationId = await talk(world, place)
      const of = { companyId: place.companyId, conversationId }
      return addReply(world, of, { dueAt: nowOf(world) })
    },
    writeLate: ({ service }, row) =>
      deferJob(
        service.context as typeof service.context & ReplyAdvanceDeps,
        REPLY_RETRIES,
        row as ClaimedJob,
      ),
    cancel: (world) => cancelReplies(world),
  },
  'messages to send': {
    async add(world, place) {
      const { companyId, channelId } = place
      const conversationId = await talk(world, place)
      return addQueuedMessage(world, { companyId, channelId, conversationId })
    },
    async claim({ service, clock }, limit) {
      const { db, ids } = service.context
      const asked = { claimId: ids.uuid(), now: clock.now(), limit, without: [] }
      return (await claimSends(db.kysely, asked)).messages
    },
    writeLate: ({ service, clock }, row) =>
      beginSend(service.context.db, { ...(row as ClaimedMessage), now: clock.now() }),
    cancel: (world, place) => cancelQueued(world, place),
  },
  deliveries: {
    async add(world, { companyId }) {
      const endpointId = await addEndpoint(world, { companyId })
      const due = { queue: 'first', dueAt: nowOf(world) }
      return (await addDeliveries(world, { companyId, endpointId }, ['pending'], due))[0]!
    },
    claim: (world, limit) => claimDeliveries(world, { first: limit }),
    writeLate(world, row) {
      const { db, ids } = world.service.context
      const written = <T>(ask: () => Promise<T>) => ask()
      return recordAttempts({ db, ids, written }, [
        attemptOf(world, row as ClaimedDelivery, 'http_error'),
      ])
    },
    cancel: (world, { id }) =>
      putDeliveries(world, [id], {
        state: 'cancelled',
        queue: null,
        dueAt: null,
        endedAt: nowOf(world),
        ...NO_ROW,
      }),
  },
  files: {
    add(world, { companyId, channelId }) {
      const media = { channelId, providerMedia: '{}', purpose: 'received', state: 'awaited' }
      return addFile(world, { companyId }, { ...media, dueAt: nowOf(world) })
    },
    writeLate: ({ service }, row) =>
      settleLost(service.context.db.kysely, row as ClaimedFile, fact('not_sent_channel_gone')),
    cancel: (world, { id }) => putFile(world, id, { state: 'lost', dueAt: null, ...NO_ROW }),
  },
  'channels that are polled': {
    async add(world, { companyId }) {
      const channelId = await addChannel(world, { companyId }, { type: 'telegram' })
      await awaitPoll(world, { channelId })
      return channelId
    },
    writeLate({ service, clock }, { id, claimId }) {
      const told = { dueAt: clock.now(), failureCount: 1, refusalCount: 0, problem: null }
      return recordPollOutcome(service.context.db.kysely, { channelId: id, claimId }, told)
    },
    cancel: (world, { id }) => setConnected(world, { channelId: id }, false),
  },
  'sources of knowledge': {
    async add(world, { companyId }) {
      const id = world.service.context.ids.uuid()
      await addSources(world, { companyId }, [{ id, state: 'waiting', dueAt: nowOf(world) }])
      return id
    },
    writeLate({ service, clock }, row) {
      const failed = { why: fact('source_broken'), now: clock.now() }
      return settleFailed(service.context.db, row as ClaimedSource, failed)
    },
    cancel: (world, { id }) => putSource(world, id, { state: 'ready', dueAt: null, ...NO_ROW }),
  },
  'names to ask for': {
    async add(world, place) {
      const { companyId } = place
      const id = await talk(world, place, { channelType: 'messenger' })
      const { db, clock } = world.service.context
      await transaction(db, (tx) => enqueueProfileLookups(tx, clock.now(), [{ id, companyId }]))
      return id
    },
    writeLate: ({ service, clock }, row) =>
      postponeProfileLookup(service.context.db.kysely, row, clock.now()),
    cancel: (world, { id }) => forgetNameToAsk(world, id),
  },
  'notices to mail': {
    add: (world, { shop, companyId }) =>
      addNotice(world, { ...shop, companyId }, { kind: 'mentioned', mailDueAt: nowOf(world) }),
    writeLate: ({ service, clock }, row) =>
      postponeMail(service.context.db.kysely, row, clock.now()),
    cancel: ({ service, clock }) => giveUpRestoredMails(service.context.db.kysely, clock.now()),
  },
  'notices of appointments': {
    add: (world, { companyId }) => addAppointmentNotice(world, { companyId }),
    writeLate: ({ service, clock }, row) =>
      recordNoticeOutcome(service.context.db.kysely, clock.now(), row, { state: 'mailed' }),
    cancel: ({ service, clock }) => skipRestoredNotices(service.context.db.kysely, clock.now()),
  },
  'channels whose templates are read': {
    async add(world, { companyId }) {
      const id = await addChannel(world, { companyId }, { type: 'whatsapp' })
      await putChannel(world, id, { templatesDueAt: nowOf(world) })
      return id
    },
    writeLate: ({ service, clock }, row) =>
      settleTemplates(service.context.db.kysely, row as never, clock.now()),
    cancel: (world, { id }) => setConnected(world, { channelId: id }, false),
  },
}
