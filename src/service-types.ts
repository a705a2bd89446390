/** What `createService` may be given, and what it gives. */
import type { Logger } from 'pino'
import type { DemonstrationLink } from './accounts/demonstration-link.ts'
import type { ProviderBaseUrls } from './channels/base-urls.ts'
import type { ChannelAdapters } from './channels/registry.ts'
import type { Clock, KeptClock } from './clock.ts'
import type { Context } from './context.ts'
import type { Dashboard } from './dashboard-build/dashboard.ts'
import type { OpenedDatabase } from './database/open-database.ts'
import type { FileStore } from './files/file-store.ts'
import type { DeskOptions } from './hooks/answer-desk.ts'
import type { AddressLimit } from './http/address-limit.ts'
import type { Random } from './ids.ts'
import type { Mailer } from './mail/mailer.ts'
import type { ModelAccess, ModelPorts, OperatorModel } from './models/model-access.ts'
import type { Resolve } from './outbound/resolve.ts'
import type { KeyRing } from './secrets/key-ring.ts'

export type Ports = {
  clock: Clock & Partial<KeptClock>
  /** A database that is migrated already; without it the service opens the one of its configuration. */
  database: OpenedDatabase
  random: Random
  resolve: Resolve
  isPublicAddress(address: string): boolean
  providerBaseUrls: ProviderBaseUrls
  /** Adapters beside those of the registry, or instead of them. */
  channelAdapters: Partial<ChannelAdapters>
  fileStore: FileStore
  addressLimit: AddressLimit
  hookDesk: DeskOptions
  /** The pages of members; those of this project's folder unless told. */
  dashboard: Dashboard
  /** Who hands e-mails to a server; without it, and without one in the configuration, none are sent. */
  mailer: Mailer
  /** The model for accounts that have set up none; the configuration's unless told. */
  operatorModel(): OperatorModel | null
  models: ModelPorts
  log: Logger
}

export type Service = {
  context: Context
  keyRing: KeyRing
  demonstrationLink: DemonstrationLink
  models: ModelAccess
  /** Makes ready what would keep the first to come waiting. */
  warmUp(): Promise<void>
  /** Serves HTTP; resolves to the port it listens on. */
  listen(): Promise<number>
  startDaemon(): void
  /** Builds the dashboard where it is stale, beside all else. */
  prepareDashboard(): Promise<void>
  /**
   * Does all that has become due by what was asked of the service or by the clock, but for the retention sweep.
   * Returns whether there was anything. For tests: the daemon is not started.
   */
  processAll(): Promise<boolean>
  /** Deletes all that is kept no longer, as the daemon does once an hour. For tests. */
  sweep(): Promise<boolean>
  /** Stops taking requests, lets what is under way end, gives back the rest. */
  stop(): Promise<void>
}
