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

/** The dependencies of the HTTP server and of every route. */
export type HttpDeps = Context &
  MetricsDeps & {
    /** A context for provider webhooks, with a separate connection pool that no other work can exhaust. */
    requestContext: Context
    keyRing: KeyRing
    /** Checks the host of a merchant's URL when it is saved. */
    addressGuard: AddressGuard
    /** The client for calls and events that a member tests. */
    outbound: OutboundClient
    models: ModelAccess
    answerHook: AnswerHook
    clientAddress: ClientAddress
    connectionShare: ConnectionShare
    addressLimit: AddressLimit
    /** The batcher that stores events of channels: `inbound/ingest` uses it for all providers' routes. */
    ingestBatched: IngestBatcher
    adapters: ChannelAdapters
    knownChannels: ChannelCache
    files: FileStore
    dashboard: Pick<Dashboard, 'state'>
    demonstrationLink: Pick<DemonstrationLink, 'isOpen' | 'enter' | 'setLanguage'>
    /** Returns the address of the simulator of customers' phones; null where no simulator runs. */
    phonesUrl(): string | null
    /** Hands an e-mail to the operator's mail server; null when none is configured. */
    sendMail: Mailer['send'] | null
    live: LiveChanges
    visitorStreams: VisitorStreams
    sessions: SessionRevocations
    /** Returns whether the workers of this process have yet to look for due work for the first time. */
    isStarting(): boolean
    isStopping(): boolean
    /** Makes a stop wait, for a limited time, for work that goes on after its response. Logs its failure. */
    finishBeforeStop(work: Promise<unknown>): void
    settings: {
      /** The time after which an idle connection is closed, in ms. */
      keepAliveMs: number
      /** Maximum number of companies in an account, besides its first one. */
      projectsPerAccount: number
    }
    /** False in a process that only runs workers: it serves just its health and metrics. */
    takesRequests: boolean
    /** Public origin of the service, without a trailing slash. */
    publicUrl(): string
  }
