import type { KeyRing } from '../accounts/key-ring.ts'
import type { Providers } from '../channels/provider-connection.ts'
import type { Context } from '../context.ts'
import type { AnswerHook } from '../hooks/answer-batch.ts'
import type { AddressLimit } from './address-limit.ts'
import type { ClientAddress } from './client-address.ts'

/** What the HTTP server is given, and through it every route. */
export type HttpDeps = Context & {
  keyRing: KeyRing
  answerHook: AnswerHook
  clientAddress: ClientAddress
  addressLimit: AddressLimit
  providers: Providers
  /** Work may be due at once: runs after a hook or a message, deliveries after any event. */
  wake(): void
  isStopping(): boolean
  /** Public origin of the service, without a trailing slash. */
  publicUrl(): string
}
