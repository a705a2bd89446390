/**
 * The service, wired: the only place that knows every room. A test embeds it too: clock, resolver and the like are ports.
 */
import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { createDemonstrationLink } from './accounts/demonstration-link.ts'
import { requireKeysInUse } from './secrets/find-unreadable-keys.ts'
import { createKeyRing, type KeyRing } from './secrets/key-ring.ts'
import { createFileToSend } from './channels/file-to-send.ts'
import { createKnownChannels } from './channels/known-channels.ts'
import { realBaseUrls } from './channels/base-urls.ts'
import { createChannelAdapters, type ChannelAdapters } from './channels/registry.ts'
import { createOpenChannel } from './channels/open-channel.ts'
import { createCidrList } from './cidr.ts'
import { createClock, keepTime } from './clock.ts'
import type { Config } from './config.ts'
import { makeCall } from './connections/make-call.ts'
import type { Context } from './context.ts'
import { createTools } from './assistant/tools/all-tools.ts'
import { createAnswerCustomersDuty } from './daemon/answer-customers.ts'
import { createAskNamesDuty } from './daemon/ask-names.ts'
import { createFetchFilesDuty } from './daemon/fetch-files.ts'
import { createFetchKnowledgeDuty } from './daemon/fetch-knowledge.ts'
import { DUTY_OF } from './daemon/duty-of-work.ts'
import { createDeliverDuty } from './daemon/deliver.ts'
import { untilSendingIsFree } from './daemon/hold-sending.ts'
import { startLoop, type Loop, type WorkingDuty } from './daemon/loop.ts'
import type { Work } from './database/commit-notes.ts'
import { createDashboard } from './dashboard-build/dashboard.ts'
import { PROJECT } from './dashboard-build/places.ts'
import { createWorkSignal } from './database/work-signal.ts'
import { createSendMessagesDuty } from './daemon/send-messages.ts'
import { createCloseConversationsDuty } from './daemon/close-conversations.ts'
import { createShowTypingDuty } from './daemon/show-typing.ts'
import { createSendBroadcastsDuty } from './daemon/send-broadcasts.ts'
import { createResendDuty } from './daemon/resend.ts'
import { createRunFlowsDuty, type RunFlowsDuty } from './daemon/run-flows.ts'
import { createPollChannelsDuty } from './daemon/poll-channels.ts'
import { createMailNoticesDuty } from './daemon/mail-notices.ts'
import { createSweepDuty } from './daemon/sweep.ts'
import { createSyncTemplatesDuty } from './daemon/sync-templates.ts'
import { createWorkContactsDuty } from './daemon/work-contacts.ts'
import { releaseEverything } from './daemon/release-everything.ts'
import { createProcessAll, runUntilIdle } from './daemon/process-all.ts'
import { createRemindDuty } from './daemon/remind.ts'
import { createTellCustomersDuty } from './daemon/tell-customers.ts'
import { createWatchNodesDuty } from './daemon/watch-nodes.ts'
import { makeDay } from './database/missing-day.ts'
import { openDatabase } from './database/open-database.ts'
import { openFileStore } from './files/open-store.ts'
import { createVersionReader } from './flows/design/load-version.ts'
import { createFactDesk } from './inbound/fact-desk.ts'
import { createHookDesk } from './hooks/answer-desk.ts'
import { createAddressLimit } from './http/address-limit.ts'
import { createClientAddress } from './http/client-address.ts'
import { createConnectionShare } from './http/connection-share.ts'
import { createWatchedSessions } from './http/dashboard-api/watched-sessions.ts'
import { closeServer, listen } from './http/listen.ts'
import { createHttpServer } from './http/server.ts'
import { OUTBOUND_SOCKETS } from './limits/outbound.ts'
import { createIds, systemRandom } from './ids.ts'
import type { AddressGuard } from './outbound/guarded-addresses.ts'
import { createOutboundClient } from './outbound/outbound-client.ts'
import { createResolver } from './outbound/resolve.ts'
import { keysSource, loadKeys } from './secrets/load-keys.ts'
import { reportUnreadable } from './secrets/report-unreadable.ts'
import { createLog } from './log.ts'
import { createModelAccess } from './models/model-access.ts'
import { createMailer } from './mail/mailer.ts'
import { createMetrics } from './metrics.ts'
import { addressLedTo, isPublicAddress } from './rules/addresses/public-address.ts'
import { findUnknownVersions } from './events/find-unknown-versions.sql.ts'
import { LIVE_APPOINTMENT } from './appointments/live-appointment.ts'
import { LIVE_DELIVERY } from './deliveries/live-delivery.ts'
import { tellIn } from './http/told-in.ts'
import { liveBroadcast } from './broadcasts/live-broadcast.ts'
import { LIVE_REPLY } from './assistant/live-reply.ts'
import { LIVE_LEAD } from './leads/live-lead.ts'
import { liveNouns } from './inbox/live-nouns.ts'
import { NOTED_NOUNS } from './live/noted-nouns.ts'
import { createVisitorStreams } from './visitors/visitor-streams.ts'
import { createLiveChanges } from './live/watch-changes.ts'
import type { Ports, Service } from './service-types.ts'

export type { Ports, Service } from './service-types.ts'

export async function createService(config: Config, ports: Partial<Ports> = {}): Promise<Service> {
  const log = ports.log ?? createLog(pino, config.logLevel)
  const clock = ports.clock ?? createClock()
  const random = ports.random ?? systemRandom
  const opened = ports.database ?? (await openDatabase(config, log))
  const db = opened.database
  const setClock = async () => {
    const { rows } = await db.pool.query<{ now: Date }>('select now()')
    clock.set?.(rows[0]!.now)
  }
  await setClock()
  await makeDay(db.kysely, clock.now())
  if (opened.isOurs) await releaseEverything(db.kysely, clock.now(), log)

  const ids = createIds(clock, random)
  const context: Context = { db, clock, ids, log }
  const atDoors: Context = { ...context, db: opened.doors }
  let keyRing: KeyRing
  try {
    const ring = createKeyRing(loadKeys(config, random), random)
    await requireKeysInUse(db.kysely, ring, keysSource(config))
    keyRing = reportUnreadable(ring, context)
  } catch (error) {
    await opened.close()
    throw error
  }
  const unknownVersions = await findUnknownVersions(db.kysely)
  if (unknownVersions.length > 0) {
    log.warn({ unknownVersions }, 'endpoints of versions that are told no more get another one')
  }
  const egressAllow = createCidrList(config.egressAllow)
  const egressDeny = createCidrList(config.egressDeny)
  const isPublic = ports.isPublicAddress ?? isPublicAddress
  const addressGuard: AddressGuard = {
    resolve: ports.resolve ?? createResolver(),
    isAllowedAddress: (address) =>
      ![address, addressLedTo(address)].some((one) => egressDeny.has(one)) &&
      (isPublic(address) || egressAllow.has(address)),
  }
  const extraCa = config.extraCaFile ? [readFileSync(config.extraCaFile, 'utf8')] : []
  // Two doors of one kind: endpoints that hang take no connection from calls, nor calls from events.
  const outbound = {
    deliveries: createOutboundClient({ ...addressGuard, extraCa, ...OUTBOUND_SOCKETS.deliveries }),
    calls: createOutboundClient({ ...addressGuard, extraCa, ...OUTBOUND_SOCKETS.calls }),
  }
  const ownModel = config.models.model && { ...config.models.model, isScripted: false }
  const models = createModelAccess({
    guard: addressGuard,
    extraCa,
    operator: ports.operatorModel ?? (() => ownModel),
    tokensPerDay: config.models.tokensPerDay,
    ports: ports.models ?? {},
  })
  const baseUrls = ports.providerBaseUrls ?? realBaseUrls(config)
  const adapters: ChannelAdapters = {
    ...createChannelAdapters({ ids, clock, baseUrls, graphApiVersion: config.whatsApp.apiVersion }),
    ...ports.channelAdapters,
  }
  const knownChannels = createKnownChannels(atDoors, { keyRing, connection: opened.connection })
  const files = ports.fileStore ?? openFileStore(config, clock)
  const fileToSend = createFileToSend(context, files)
  const openChannel = createOpenChannel({ known: knownChannels, adapters, fileToSend })

  const loops = new Map<string, Loop>()
  const stopping = new AbortController()
  /** Until then nothing is sent. */
  let free = Promise.resolve()
  let isStopping = false
  /** The names of workers that were woken, for `processAll`. */
  const woken = new Set<string>()
  const wakeWorker = (name: string) => {
    woken.add(name)
    loops.get(name)?.wake()
  }
  const wake = (work: Work) => wakeWorker(DUTY_OF[work])
  const watchNodes = () => loops.get('watch-nodes')?.wake()
  /** Of another process, or of one that died. */
  const wakeForOthers = () => {
    for (const loop of loops.values()) loop.wake()
  }
  const workElsewhere = createWorkSignal(db.pool, log)
  const nodes = createWatchNodesDuty(context, {
    presentSinceMs: workElsewhere.presentSinceMs,
    onProgress: wakeForOthers,
  })
  const readVersion = createVersionReader()
  const metrics = createMetrics()
  const sendMessages = createSendMessagesDuty(context, {
    openChannel,
    random,
    claimId: nodes.claimId,
    onSettled: (run, of) => {
      if (run) return runFlows.takeOn(run)
      if (of !== 'reply') wake('runs')
      if (of !== 'run') answerCustomers.noteSent()
    },
    onProgress: () => wakeWorker('send-messages'),
  })
  const runFlows: RunFlowsDuty = createRunFlowsDuty(context, {
    readVersion,
    publicUrl: () => publicUrl(),
    claimFor: sendMessages.claimFor,
    handOver: sendMessages.handOver,
    makeCall: (call) => makeCall({ ...context, keyRing, outbound: outbound.calls }, call),
    claimId: nodes.claimId,
    onProgress: () => wake('runs'),
  })
  const showTyping = createShowTypingDuty(context, {
    adapters,
    knownChannels,
    onBegun: () => wakeWorker('show-typing'),
  })
  const answerCustomers = createAnswerCustomersDuty(context, {
    keyRing,
    outbound: outbound.calls,
    models,
    store: files,
    tools: createTools({ keyRing, outbound: outbound.calls }),
    claimFor: sendMessages.claimFor,
    handOver: sendMessages.handOver,
    beginTyping: showTyping.begin,
    guard: { observes: new Set(config.guardObserves), note: metrics.guarded },
    claimId: nodes.claimId,
    onProgress: () => wake('replies'),
  })
  const deliver = createDeliverDuty(context, {
    outbound: outbound.deliveries,
    keyRing,
    meter: metrics.deliveries,
    nodes,
    onProgress: () => wake('deliveries'),
  })
  const resend = createResendDuty(context)
  const closeConversations = createCloseConversationsDuty(context)
  const live = createLiveChanges(context, {
    delivery: LIVE_DELIVERY,
    appointment: LIVE_APPOINTMENT,
    lead: LIVE_LEAD,
    reply: LIVE_REPLY,
    ...liveNouns({ clock, tell: tellIn('en') }),
    broadcast: liveBroadcast({ clock, tell: tellIn('en') }),
    ...NOTED_NOUNS,
  })
  const sessions = createWatchedSessions(opened.connection, log)
  const visitorStreams = createVisitorStreams(context, opened.connection)
  const syncTemplates = createSyncTemplatesDuty(context, { adapters, knownChannels })
  let port = config.port
  // A port that the system chose is known once the server listens.
  const publicUrl = () => config.baseUrl.replace(/:0$/, `:${port}`)
  const sendBroadcasts = createSendBroadcastsDuty(context, { keyRing, publicUrl })
  const mailer = ports.mailer ?? (config.mail ? createMailer(config.mail, { extraCa }) : null)
  const mailing = (of: Work) => ({ mailer, publicUrl, onProgress: () => wake(of) })
  const mailNotices = createMailNoticesDuty(context, mailing('notices'))
  const tellCustomers = createTellCustomersDuty(context, mailing('appointments'))
  const sweep = createSweepDuty(context)
  const fetchFiles = createFetchFilesDuty(context, {
    store: files,
    adapters,
    knownChannels,
    claimId: nodes.claimId,
    onProgress: () => wake('files'),
  })
  const fetchKnowledge = createFetchKnowledgeDuty(context, {
    outbound: outbound.calls,
    claimId: nodes.claimId,
    onProgress: () => wake('knowledge'),
  })
  const askNames = createAskNamesDuty(context, {
    adapters,
    knownChannels,
    onProgress: () => wake('names'),
  })
  const takeInFrequent = createFactDesk({
    ...atDoors,
    hasOperatorModel: () => models.operator() !== null,
  })
  const pollChannels = createPollChannelsDuty(
    { ...context, db: atDoors.db },
    {
      keyRing,
      adapters,
      knownChannels,
      takeInFrequent,
      publicUrl,
      claimId: nodes.claimId,
      mayWait: () => loops.has('poll-channels'),
      onProgress: () => wake('polls'),
    },
  )
  const workContacts = createWorkContactsDuty(context)
  const remind = createRemindDuty(context, { readVersion, publicUrl })
  const aside = [syncTemplates, fetchFiles, fetchKnowledge, askNames, workContacts, sweep, nodes]
  /** Not before it is said that this copy of the database is the one that counts. */
  const held = [
    remind,
    tellCustomers,
    runFlows,
    answerCustomers,
    showTyping,
    sendMessages,
    resend,
    closeConversations,
    sendBroadcasts,
    deliver,
    mailNotices,
    pollChannels,
  ]
  const duties = [...held, ...aside]
  const processAll = createProcessAll(context, {
    workers: duties.filter((duty) => duty !== sweep),
    woken,
  })
  const trustedProxies = createCidrList(config.trustedProxies)
  const dashboard = ports.dashboard ?? createDashboard({ project: PROJECT, log })
  const demonstrationLink = createDemonstrationLink(context)
  const { server, drain } = createHttpServer({
    ...context,
    atDoors,
    keyRing,
    addressGuard,
    outbound: outbound.calls,
    models,
    takeInFrequent,
    adapters,
    knownChannels,
    files,
    dashboard,
    demonstrationLink,
    phonesUrl: () => baseUrls.simulated.phonesUrl ?? null,
    sendMail: mailer && ((mail) => mailer.send(mail)),
    live,
    visitorStreams,
    sessions,
    isStopping: () => isStopping,
    settings: config,
    takesRequests: config.only !== 'daemon',
    publicUrl,
    answerHook: createHookDesk({ ...atDoors, readVersion }, ports.hookDesk),
    addressLimit: ports.addressLimit ?? createAddressLimit(),
    clientAddress: createClientAddress(trustedProxies),
    connectionShare: createConnectionShare(trustedProxies),
    metrics,
    metricsToken: config.metricsToken,
    sources: {
      deliveriesInFlight: () => deliver.inFlight(),
      runsInFlight: () => runFlows.inFlight(),
      outbound: { deliveries: outbound.deliveries.stats, calls: outbound.calls.stats },
    },
  })
  // Without a daemon of its own, the work is another process's.
  db.afterCommit.wake =
    config.only === 'http'
      ? workElsewhere.tell
      : (works) => {
          for (const work of works) wake(work)
          watchNodes()
        }
  const leaveTime = keepTime(clock, setClock)

  return {
    context,
    keyRing,
    demonstrationLink,
    models,
    async listen() {
      port = await listen(server, config.port, config.host)
      return port
    },
    startDaemon() {
      const startLoops = (started: WorkingDuty[]) => {
        for (const duty of started) loops.set(duty.name, startLoop(duty, { clock, log }))
      }
      startLoops(aside)
      free = untilSendingIsFree({ db: db.kysely, log }, stopping.signal).then((isFree) => {
        if (!isFree) return
        startLoops(held)
        // Only now is anybody there to take it on.
        db.afterCommit.handOver = deliver.handOver
        db.afterCommit.handOverRuns = runFlows.handOver
      })
      // With the embedded database there is no other node.
      if (!config.databaseUrl) return
      const connection = { connectionString: config.databaseUrl }
      workElsewhere.hear(connection, { node: nodes.node, onWork: wakeForOthers })
    },
    prepareDashboard: () => dashboard.prepare(),
    processAll,
    sweep: () => runUntilIdle([createSweepDuty(context)]),
    async stop() {
      if (isStopping) return
      isStopping = true
      stopping.abort()
      leaveTime()
      live.stop()
      await dashboard.stop()
      await closeServer(server, { drain, delayMs: config.stopDelayMs })
      await sessions.close()
      await visitorStreams.stop()
      await free
      await Promise.all([...loops.values()].map((loop) => loop.stop()))
      await Promise.all(duties.map((duty) => duty.drain()))
      // Until here others see this node live: what it had under way is its own.
      await workElsewhere.close()
      outbound.deliveries.close()
      outbound.calls.close()
      await models.close()
      metrics.stop()
      await knownChannels.close()
      for (const adapter of Object.values(adapters)) await adapter?.close()
      await files.close()
      await opened.close()
    },
  }
}
