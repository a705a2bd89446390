import type { KeyRing } from '../accounts/key-ring.ts'
import type { Providers } from '../channels/provider-connection.ts'
import type { Context } from '../context.ts'
import type { AnswerHook } from '../hooks/answer-batch.ts'
import type { AddressGuard } from '../outbound/guarded-addresses.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { OutboundClient } from '../outbound/outbound-client.ts'
import type { LiveDeliveries } from '../webhooks/watch-deliveries.ts'
import type { WatchedSessions } from './dashboard-api/watched-sessions.ts'
import type { AddressLimit } from './address-limit.ts'
import type { ClientAddress } from './client-address.ts'
import type { MetricsDeps } from './metrics.ts'

/** What the HTTP server is given, and through it every route. */
export type HttpDeps = Context &
  MetricsDeps & {
    keyRing: KeyRing
    /** Judges the host of a merchant's URL when it is saved. */
    addressGuard: AddressGuard
    /** For the calls and events that a member tests. */
    outbound: OutboundClient
    answerHook: AnswerHook
    clientAddress: ClientAddress
    addressLimit: AddressLimit
    providers: Providers
    /** Hands an e-mail to the operator's mail server; null where none is named. */
    sendMail: Mailer['send'] | null
    /** Work may be due at once: runs after a hook or a message, deliveries after any event. */
    wake(): void
    /** A job of resends may be due at once. */
    wakeResends(): void
    live: LiveDeliveries
    sessions: WatchedSessions
    isStopping(): boolean
    /** False in a process that only works: it answers for its own health and metrics alone. */
    takesRequests: boolean
    /** Public origin of the service, without a trailing slash. */
    publicUrl(): string
  }
