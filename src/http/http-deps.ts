import type { DemonstrationLink } from '../modules/accounts/demonstration-link.ts'
import type { KeyRing } from '../infra/secrets/key-ring.ts'
import type { ChannelCache } from '../modules/channels/channel-cache.ts'
import type { ChannelAdapters } from '../modules/channels/registry.ts'
import type { Context } from '../infra/context.ts'
import type { Dashboard } from '../dashboard-build/dashboard.ts'
import type { FileStore } from '../modules/files/file-store.ts'
import type { AnswerHook } from '../modules/hooks/hook-batcher.ts'
import type { IngestBatcher } from '../modules/inbound/ingest-batcher.ts'
import type { AddressGuard } from '../infra/egress/guarded-addresses.ts'
import type { Mailer } from '../infra/mail/mailer.ts'
import type { ModelAccess } from '../modules/models/model-access.ts'
import type { OutboundClient } from '../infra/egress/outbound-client.ts'
import type { LiveChanges } from '../modules/live-updates/change-stream.ts'
import type { VisitorStreams } from '../modules/visitors/visitor-streams.ts'
import type { SessionRevocations } from './session-revocations.ts'
import type { AddressLimit } from './ip-rate-limiter.ts'
import type { ClientAddress } from './client-address.ts'
import type { ConnectionShare } from './connection-limit.ts'
import type { MetricsDeps } from './metrics.ts'

/** What the HTTP server is given, and through it every route. */
export type HttpDeps = Context &
  MetricsDeps & {
    /** For what providers post: no work behind the doors takes its connections. */
    atDoors: Context
    keyRing: KeyRing
    /** Judges the host of a merchant's URL when it is saved. */
    addressGuard: AddressGuard
    /** For the calls and events that a member tests. */
    outbound: OutboundClient
    models: ModelAccess
    answerHook: AnswerHook
    clientAddress: ClientAddress
    connectionShare: ConnectionShare
    addressLimit: AddressLimit
    /** Where what is told of channels is taken in: with it, `inbound/take-in-facts` takes in the facts of any door. */
    ingestBatched: IngestBatcher
    adapters: ChannelAdapters
    knownChannels: ChannelCache
    files: FileStore
    dashboard: Pick<Dashboard, 'state'>
    demonstrationLink: Pick<DemonstrationLink, 'isOpen' | 'enter' | 'follow'>
    /** Where a person is the customers of simulated channels; null where no simulator runs. */
    phonesUrl(): string | null
    /** Hands an e-mail to the operator's mail server; null where none is named. */
    sendMail: Mailer['send'] | null
    live: LiveChanges
    visitorStreams: VisitorStreams
    sessions: SessionRevocations
    isStopping(): boolean
    settings: {
      /** How long a connection without a request stays open. */
      keepAliveMs: number
      /** Of one account, beside its own company. */
      projectsPerAccount: number
    }
    /** False in a process that only works: it answers for its own health and metrics alone. */
    takesRequests: boolean
    /** Public origin of the service, without a trailing slash. */
    publicUrl(): string
  }
