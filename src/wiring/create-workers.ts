/** The workers of a service, by subject. A new one is made here, and stands in `held` or in `aside`. */
import { createTools } from '../assistant/tools/all-tools.ts'
import { makeCall } from '../connections/make-call.ts'
import { createAnswerCustomersDuty } from '../daemon/answer-customers.ts'
import { createAskNamesDuty } from '../daemon/ask-names.ts'
import { createDeliverDuty } from '../daemon/deliver.ts'
import { createFetchFilesDuty } from '../daemon/fetch-files.ts'
import { createFetchKnowledgeDuty } from '../daemon/fetch-knowledge.ts'
import { createGiveBackDuty } from '../daemon/give-back.ts'
import type { WorkingDuty } from '../daemon/loop.ts'
import { createMailNoticesDuty } from '../daemon/mail-notices.ts'
import { createPagedJobsDuties } from '../daemon/paged-jobs.ts'
import { createPollChannelsDuty } from '../daemon/poll-channels.ts'
import { createRemindDuty } from '../daemon/remind.ts'
import { createRunFlowsDuty, type RunFlowsDuty } from '../daemon/run-flows.ts'
import { createSendMessagesDuty } from '../daemon/send-messages.ts'
import { createShowTypingDuty } from '../daemon/show-typing.ts'
import { createSweepDuty } from '../daemon/sweep.ts'
import { createSyncTemplatesDuty } from '../daemon/sync-templates.ts'
import { createTellCustomersDuty } from '../daemon/tell-customers.ts'
import type { Base } from './open-base.ts'
import type { Node, Waking } from './waking.ts'

export type Workers = ReturnType<typeof createWorkers>

export function createWorkers(base: Base, waking: Waking, node: Node) {
  const { context, outbound, keyRing, metrics } = base
  const { nodes } = node
  const talk = createTalkWorkers(base, waking, node)
  const ofChannels = createChannelWorkers(base, waking, node)
  const ofMail = createMailWorkers(base, waking, node)
  const deliver = createDeliverDuty(context, {
    outbound: outbound.deliveries,
    keyRing,
    meter: metrics.deliveries,
    nodes,
    onProgress: () => waking.wake('deliveries'),
  })
  const fetchKnowledge = createFetchKnowledgeDuty(context, {
    outbound: outbound.calls,
    claimId: nodes.claimId,
    onProgress: () => waking.wake('knowledge'),
  })
  const giveBack = createGiveBackDuty(context, {
    onLost: () => waking.wakeWorker('give-back'),
    onGivenBack: waking.wakeAll,
  })
  const paged = createPagedJobsDuties({ ...context, keyRing, publicUrl: base.publicUrl })
  const { syncTemplates, fetchFiles, askNames, pollChannels } = ofChannels
  const aside: WorkingDuty[] = [
    syncTemplates,
    fetchFiles,
    fetchKnowledge,
    askNames,
    ...paged.aside,
    createSweepDuty(context),
    giveBack,
    nodes,
  ]
  /** Not before it is said that this copy of the database is the one that counts. */
  const held: WorkingDuty[] = [
    createRemindDuty(context, base),
    ofMail.tellCustomers,
    talk.runFlows,
    talk.answerCustomers,
    talk.showTyping,
    talk.sendMessages,
    ...paged.held,
    deliver,
    ofMail.mailNotices,
    pollChannels,
  ]
  return { held, aside, deliver, giveBack, runFlows: talk.runFlows }
}

/** What sends, what flows do, and what the assistant answers: each sets the others to work. */
function createTalkWorkers(base: Base, { wake, wakeWorker }: Waking, { nodes }: Node) {
  const { context, keyRing, models, adapters, knownChannels, config, metrics } = base
  const outbound = base.outbound.calls
  const { claimId } = nodes
  const sendMessages = createSendMessagesDuty(context, {
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
  const { claimFor, handOver } = sendMessages
  const runFlows: RunFlowsDuty = createRunFlowsDuty(context, {
    readVersion: base.readVersion,
    publicUrl: base.publicUrl,
    claimFor,
    handOver,
    makeCall: (call) => makeCall({ ...context, keyRing, outbound }, call),
    claimId,
    onProgress: () => wake('runs'),
  })
  const showTyping = createShowTypingDuty(context, {
    adapters,
    knownChannels,
    onBegun: () => wakeWorker('show-typing'),
  })
  const answerCustomers = createAnswerCustomersDuty(context, {
    keyRing,
    outbound,
    models,
    store: base.files,
    tools: createTools({ keyRing, outbound }),
    claimFor,
    handOver,
    beginTyping: showTyping.begin,
    guard: { observes: new Set(config.guardObserves), note: metrics.guarded },
    claimId,
    onProgress: () => wake('replies'),
  })
  return { sendMessages, runFlows, showTyping, answerCustomers }
}

/** What asks providers. */
function createChannelWorkers(base: Base, { loops, wake, wakeWorker }: Waking, { nodes }: Node) {
  const { context, atDoors, keyRing, adapters, knownChannels } = base
  const { claimId } = nodes
  const asking = (onProgress: () => void) => ({ adapters, knownChannels, claimId, onProgress })
  return {
    syncTemplates: createSyncTemplatesDuty(
      context,
      asking(() => wakeWorker('sync-templates')),
    ),
    fetchFiles: createFetchFilesDuty(context, {
      ...asking(() => wake('files')),
      store: base.files,
    }),
    askNames: createAskNamesDuty(
      context,
      asking(() => wake('names')),
    ),
    pollChannels: createPollChannelsDuty(
      { ...context, db: atDoors.db },
      {
        ...asking(() => wake('polls')),
        keyRing,
        takeInFrequent: base.takeInFrequent,
        publicUrl: base.publicUrl,
        mayWait: () => loops.has('poll-channels'),
      },
    ),
  }
}

/** What is sent by e-mail. */
function createMailWorkers(base: Base, { wake }: Waking, { nodes }: Node) {
  const { context, mailer, publicUrl } = base
  const mailing = (onProgress: () => void) => ({
    mailer,
    publicUrl,
    claimId: nodes.claimId,
    onProgress,
  })
  return {
    mailNotices: createMailNoticesDuty(
      context,
      mailing(() => wake('notices')),
    ),
    tellCustomers: createTellCustomersDuty(
      context,
      mailing(() => wake('appointments')),
    ),
  }
}
