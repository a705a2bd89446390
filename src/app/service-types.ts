/** The ports that `createService` accepts, and the service that it returns. */
import type { Logger } from 'pino'
import type { DemonstrationLink } from '../modules/accounts/demonstration-link.ts'
import type { ProviderBaseUrls } from '../modules/channels/base-urls.ts'
import type { ChannelAdapters } from '../modules/channels/registry.ts'
import type { Clock, SyncedClock } from '../core/clock.ts'
import type { Context } from '../infra/context.ts'
import type { Dashboard } from '../dashboard-build/dashboard.ts'
import type { OpenedDatabase } from '../infra/database/open-database.ts'
import type { FileStore } from '../modules/files/file-store.ts'
import type { HookBatcherOptions } from '../modules/hooks/hook-batcher.ts'
import type { AddressLimit } from '../http/ip-rate-limiter.ts'
import type { Random } from '../core/ids.ts'
import type { Mailer } from '../infra/mail/mailer.ts'
import type { ModelAccess, ModelPorts, OperatorModel } from '../modules/models/model-access.ts'
import type { Resolve } from '../infra/egress/resolve.ts'
import type { KeyRing } from '../infra/secrets/key-ring.ts'

/** The parts of a service that tests and the demonstration replace. */
export type Ports = {
  clock: Clock & Partial<SyncedClock>
  /** A database that is migrated already; without it the service opens the one of its configuration. */
  database: OpenedDatabase
  random: Random
  resolve: Resolve
  isPublicAddress(address: string): boolean
  providerBaseUrls: ProviderBaseUrls
  /** Adapters that are added to those of the registry, or replace them. */
  channelAdapters: Partial<ChannelAdapters>
  fileStore: FileStore
  addressLimit: AddressLimit
  hookBatcher: HookBatcherOptions
  /** The members' pages; by default those of this project's folder. */
  dashboard: Dashboard
  /** The client of the mail server. Without it, and without a mail server in the configuration, no e-mail is sent. */
  mailer: Mailer
  /** The model for accounts without their own; by default the configuration's. */
  operatorModel(): OperatorModel | null
  models: ModelPorts
  log: Logger
}

/** A wired service. */
export type Service = {
  context: Context
  keyRing: KeyRing
  demonstrationLink: DemonstrationLink
  models: ModelAccess
  /** Prepares connections and plans, so that the first requests need not wait for them. */
  warmUp(): Promise<void>
  /** Serves HTTP. Returns the port on which it listens. */
  listen(): Promise<number>
  /**
   * Starts the workers. Resolves when they have looked for due work, after five seconds at the latest; until then the
   * service does not report that it is ready.
   */
  startDaemon(): Promise<void>
  /** Builds the dashboard if its build is stale, concurrently with all other work. */
  prepareDashboard(): Promise<void>
  /**
   * Does all due work except the retention sweep. Returns whether there was any. For tests: the daemon is not
   * started.
   */
  processAll(): Promise<boolean>
  /** Deletes all expired rows, as the daemon does once an hour. For tests. */
  sweep(): Promise<boolean>
  /** Stops accepting requests, waits for the work in progress, and releases the rest. */
  stop(): Promise<void>
}
