/** Creates all workers of a service, by subject. A new worker is added to `pausable` or to `alwaysOn`. */
import { createTools } from '../../modules/assistant/tools/all-tools.ts'
import { makeCall } from '../../modules/connections/make-call.ts'
import { createAssistantRepliesWorker } from '../../workers/assistant-replies.ts'
import { createProfileLookupsWorker } from '../../workers/profile-lookups.ts'
import { createDeliveriesWorker } from '../../workers/deliveries.ts'
import { createFetchFilesWorker } from '../../workers/fetch-files.ts'
import { createFetchKnowledgeWorker } from '../../workers/fetch-knowledge.ts'
import { createLostClaimsWorker } from '../../workers/release-lost-claims.ts'
import type { ConcurrentWorker } from '../../workers/worker-loop.ts'
import { createMailNoticesWorker } from '../../workers/mail-notices.ts'
import { createPagedJobsWorkers } from '../../workers/paged-jobs.ts'
import { createPollChannelsWorker } from '../../workers/poll-channels.ts'
import { createRemindersWorker } from '../../workers/reminders.ts'
import { createFlowRunsWorker, type FlowRunsWorker } from '../../workers/flow-runs.ts'
import { createMessagesWorker } from '../../workers/messages.ts'
import { createShowTypingWorker } from '../../workers/show-typing.ts'
import { createSweepWorker } from '../../workers/sweep.ts'
import { createSyncTemplatesWorker } from '../../workers/sync-templates.ts'
import { createAppointmentNoticesWorker } from '../../workers/appointment-notices.ts'
import type { Base } from './open-base.ts'
import type { Node, Waking } from './waking.ts'

/** The workers of a process, and those of them that other parts call. */
export type Workers = ReturnType<typeof createWorkers>

/** Creates the workers without starting them, and connects each with the workers that it notifies. */
export function createWorkers(base: Base, waking: Waking, node: Node) {
  const { context, outbound, keyRing, metrics } = base
  const { nodes } = node
  const talk = createTalkWorkers(base, waking, node)
  const ofChannels = createChannelWorkers(base, waking, node)
  const ofMail = createMailWorkers(base, waking, node)
  const deliver = createDeliveriesWorker(context, {
    outbound: outbound.deliveries,
    keyRing,
    meter: metrics.deliveries,
    nodes,
    onProgress: () => waking.wake('deliveries'),
  })
  const fetchKnowledge = createFetchKnowledgeWorker(context, {
    outbound: outbound.calls,
    claimId: nodes.claimId,
    onProgress: () => waking.wake('knowledge'),
  })
  const lostClaims = createLostClaimsWorker(context, {
    onLost: () => waking.wakeWorker('release-lost-claims'),
    onReleased: waking.wakeAll,
  })
  const paged = createPagedJobsWorkers({ ...context, keyRing, publicUrl: base.publicUrl })
  const { syncTemplates, fetchFiles, lookUpProfiles, pollChannels } = ofChannels
  const alwaysOn: ConcurrentWorker[] = [
    syncTemplates,
    fetchFiles,
    fetchKnowledge,
    lookUpProfiles,
    ...paged.alwaysOn,
    createSweepWorker(context),
    lostClaims,
    nodes,
  ]
  /** Workers that wait until the operator confirms that this copy of the database is the one in use. */
  const pausable: ConcurrentWorker[] = [
    createRemindersWorker(context, base),
    ofMail.notifyCustomers,
    talk.runFlows,
    talk.answerCustomers,
    talk.showTyping,
    talk.sendMessages,
    ...paged.pausable,
    deliver,
    ofMail.mailNotices,
    pollChannels,
  ]
  return { pausable, alwaysOn, deliver, lostClaims, runFlows: talk.runFlows }
}

/** Creates the workers for sending, flows and the assistant: each of them notifies the others. */
function createTalkWorkers(base: Base, { wake, wakeWorker }: Waking, { nodes }: Node) {
  const { context, keyRing, models, adapters, knownChannels, config, metrics } = base
  const outbound = base.outbound.calls
  const { claimId } = nodes
  const sendMessages = createMessagesWorker(context, {
    openChannel: base.openChannel,
    random: base.random,
    claimId,
    onSettled: (run, of) => {
      if (run) return runFlows.takeOn(run)
      if (of !== 'reply') wake('runs')
      if (of !== 'run') answerCustomers.noteSent()
    },
    onProgress: () => wake('sends'),
  })
  const { eagerClaimFor, dispatchMessages } = sendMessages
  const runFlows: FlowRunsWorker = createFlowRunsWorker(context, {
    readVersion: base.readVersion,
    publicUrl: base.publicUrl,
    eagerClaimFor,
    dispatchMessages,
    makeCall: (call) => makeCall({ ...context, keyRing, outbound }, call),
    claimId,
    onProgress: () => wake('runs'),
  })
  const showTyping = createShowTypingWorker(context, {
    adapters,
    knownChannels,
    onBegun: () => wakeWorker('show-typing'),
  })
  const answerCustomers = createAssistantRepliesWorker(context, {
    keyRing,
    outbound,
    models,
    store: base.files,
    tools: createTools({ keyRing, outbound }),
    eagerClaimFor,
    dispatchMessages,
    beginTyping: showTyping.begin,
    guard: { observes: new Set(config.guardObserves), note: metrics.guarded },
    claimId,
    onProgress: () => wake('replies'),
  })
  return { sendMessages, runFlows, showTyping, answerCustomers }
}

/** Creates the workers that send requests to providers. */
function createChannelWorkers(base: Base, { loops, wake, wakeWorker }: Waking, { nodes }: Node) {
  const { context, requestContext, keyRing, adapters, knownChannels } = base
  const { claimId } = nodes
  const asking = (onProgress: () => void) => ({ adapters, knownChannels, claimId, onProgress })
  return {
    syncTemplates: createSyncTemplatesWorker(
      context,
      asking(() => wakeWorker('sync-templates')),
    ),
    fetchFiles: createFetchFilesWorker(context, {
      ...asking(() => wake('files')),
      store: base.files,
    }),
    lookUpProfiles: createProfileLookupsWorker(
      context,
      asking(() => wake('names')),
    ),
    pollChannels: createPollChannelsWorker(
      { ...context, db: requestContext.db },
      {
        ...asking(() => wake('polls')),
        keyRing,
        ingestBatched: base.ingestBatched,
        publicUrl: base.publicUrl,
        mayWait: () => loops.has('poll-channels'),
      },
    ),
  }
}

/** Creates the workers that send e-mail. */
function createMailWorkers(base: Base, { wake }: Waking, { nodes }: Node) {
  const { context, mailer, publicUrl } = base
  const mailing = (onProgress: () => void) => ({
    mailer,
    publicUrl,
    claimId: nodes.claimId,
    onProgress,
  })
  return {
    mailNotices: createMailNoticesWorker(
      context,
      mailing(() => wake('notices')),
    ),
    notifyCustomers: createAppointmentNoticesWorker(
      context,
      mailing(() => wake('appointments')),
    ),
  }
}
