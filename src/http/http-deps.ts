import type { DemonstrationLink } from '../accounts/demonstration-link.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import type { KnownChannels } from '../channels/known-channels.ts'
import type { ChannelAdapters } from '../channels/registry.ts'
import type { Context } from '../context.ts'
import type { Dashboard } from '../dashboard-build/dashboard.ts'
import type { FileStore } from '../files/file-store.ts'
import type { AnswerHook } from '../hooks/answer-desk.ts'
import type { FactDesk } from '../inbound/fact-desk.ts'
import type { AddressGuard } from '../outbound/guarded-addresses.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { ModelAccess } from '../models/model-access.ts'
import type { OutboundClient } from '../outbound/outbound-client.ts'
import type { LiveChanges } from '../live/watch-changes.ts'
import type { VisitorStreams } from '../visitors/visitor-streams.ts'
import type { WatchedSessions } from './watched-sessions.ts'
import type { AddressLimit } from './address-limit.ts'
import type { ClientAddress } from './client-address.ts'
import type { ConnectionShare } from './connection-share.ts'
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
    takeInFrequent: FactDesk
    adapters: ChannelAdapters
    knownChannels: KnownChannels
    files: FileStore
    dashboard: Pick<Dashboard, 'state'>
    demonstrationLink: Pick<DemonstrationLink, 'isOpen' | 'enter' | 'follow'>
    /** Where a person is the customers of simulated channels; null where no simulator runs. */
    phonesUrl(): string | null
    /** Hands an e-mail to the operator's mail server; null where none is named. */
    sendMail: Mailer['send'] | null
    live: LiveChanges
    visitorStreams: VisitorStreams
    sessions: WatchedSessions
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
