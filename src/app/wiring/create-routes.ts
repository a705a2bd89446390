/** The HTTP server, and the live updates for browsers. */
import { createDemonstrationLink } from '../../modules/accounts/demonstration-link.ts'
import { LIVE_APPOINTMENT } from '../../modules/appointments/live-appointment.ts'
import { LIVE_REPLY } from '../../modules/assistant/live-reply.ts'
import { liveBroadcast } from '../../modules/broadcasts/live-broadcast.ts'
import { createCidrList } from '../../core/cidr.ts'
import { createDashboard } from '../../dashboard-build/dashboard.ts'
import { PROJECT } from '../../dashboard-build/places.ts'
import { LIVE_DELIVERY } from '../../modules/deliveries/live-delivery.ts'
import { createHookBatcher } from '../../modules/hooks/hook-batcher.ts'
import { createAddressLimit } from '../../http/ip-rate-limiter.ts'
import { createClientAddress } from '../../http/client-address.ts'
import { createConnectionShare } from '../../http/connection-limit.ts'
import { createSessionRevocations } from '../../http/session-revocations.ts'
import { closeServer, listen } from '../../http/listen.ts'
import { createHttpServer } from '../../http/server.ts'
import { formatterFor } from '../../http/localize.ts'
import { liveEntities } from '../../modules/inbox/live-entities.ts'
import { LIVE_LEAD } from '../../modules/leads/live-lead.ts'
import { RECORDED_ENTITIES } from '../../modules/live-updates/live-entities.ts'
import { createLiveChanges } from '../../modules/live-updates/change-stream.ts'
import type { Ports } from '../service-types.ts'
import { createVisitorStreams } from '../../modules/visitors/visitor-streams.ts'
import type { Workers } from './create-workers.ts'
import type { Base } from './open-base.ts'

/** Creates the HTTP server with all routes, which does not listen yet. */
export function createRoutes(
  base: Base,
  ports: Partial<Ports>,
  { deliver, runFlows, isStarting }: Workers & { isStarting(): boolean },
) {
  const { config, context, requestContext, opened, clock, outbound, baseUrls, mailer } = base
  const { connection } = opened
  let isStopping = false
  const viewDeps = { clock, formatFact: formatterFor('en') }
  const live = createLiveChanges(context, {
    delivery: LIVE_DELIVERY,
    appointment: LIVE_APPOINTMENT,
    lead: LIVE_LEAD,
    reply: LIVE_REPLY,
    ...liveEntities(viewDeps),
    broadcast: liveBroadcast(viewDeps),
    ...RECORDED_ENTITIES,
  })
  const sessions = createSessionRevocations(connection, context.log)
  const visitorStreams = createVisitorStreams(context, connection)
  const trustedProxies = createCidrList(config.trustedProxies)
  const dashboard = ports.dashboard ?? createDashboard({ project: PROJECT, log: context.log })
  const demonstrationLink = createDemonstrationLink(context)
  const { server, draining } = createHttpServer({
    ...context,
    ...base,
    outbound: outbound.calls,
    dashboard,
    demonstrationLink,
    phonesUrl: () => baseUrls.simulated.phonesUrl ?? null,
    sendMail: mailer && ((mail) => mailer.send(mail)),
    live,
    visitorStreams,
    sessions,
    isStarting,
    isStopping: () => isStopping,
    settings: config,
    takesRequests: config.only !== 'daemon',
    answerHook: createHookBatcher(
      { ...requestContext, readVersion: base.readVersion },
      ports.hookBatcher,
    ),
    addressLimit: ports.addressLimit ?? createAddressLimit(),
    clientAddress: createClientAddress(trustedProxies),
    connectionShare: createConnectionShare(trustedProxies),
    metricsToken: config.metricsToken,
    sources: {
      deliveriesInFlight: () => deliver.inFlight(),
      runsInFlight: () => runFlows.inFlight(),
      outbound: { deliveries: outbound.deliveries.stats, calls: outbound.calls.stats },
    },
  })
  return {
    dashboard,
    demonstrationLink,
    listen: () => listen(server, config.port, config.host),
    /** Refuses new requests, and waits for those in progress. */
    async close() {
      isStopping = true
      live.stop()
      await dashboard.stop()
      await closeServer(server, { draining, delayMs: config.stopDelayMs })
      await sessions.close()
      await visitorStreams.stop()
    },
  }
}
