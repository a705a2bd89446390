/** Opens the dependencies of all workers and routes: database, keys, outbound clients, channels. */
import { readFileSync } from 'node:fs'
import { pino, type Logger } from 'pino'
import { createFileLoader } from '../../modules/channels/file-to-send.ts'
import { createChannelCache } from '../../modules/channels/channel-cache.ts'
import { createChannelOpener } from '../../modules/channels/open-channel.ts'
import { realBaseUrls } from '../../modules/channels/base-urls.ts'
import { createChannelAdapters, type ChannelAdapters } from '../../modules/channels/registry.ts'
import { createCidrList } from '../../core/cidr.ts'
import { createClock } from '../../core/clock.ts'
import type { Config } from '../config.ts'
import type { Context } from '../../infra/context.ts'
import { releaseEverything } from '../../workers/release-all-leases.ts'
import { createPartitionsOfDay } from '../../infra/database/missing-partition.ts'
import { openDatabase, type OpenedDatabase } from '../../infra/database/open-database.ts'
import { findUnknownVersions } from '../../modules/events/find-unknown-versions.sql.ts'
import { openFileStore } from '../../modules/files/open-store.ts'
import { createVersionReader } from '../../modules/flows/design/load-version.ts'
import { createIds, systemRandom, type Random } from '../../core/ids.ts'
import { createIngestBatcher } from '../../modules/inbound/ingest-batcher.ts'
import { OUTBOUND_SOCKETS } from '../../core/limits/outbound.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { createLog } from '../../infra/log.ts'
import { createMailer } from '../../infra/mail/mailer.ts'
import { createMetrics } from '../../infra/metrics.ts'
import { createModelAccess } from '../../modules/models/model-access.ts'
import type { AddressGuard } from '../../infra/egress/guarded-addresses.ts'
import { createOutboundClient } from '../../infra/egress/outbound-client.ts'
import { createResolver } from '../../infra/egress/resolve.ts'
import { addressLedTo, isPublicAddress } from '../../rules/addresses/public-address.ts'
import { requireKeysInUse } from '../../infra/secrets/find-unreadable-keys.ts'
import { createKeyRing, type KeyRing } from '../../infra/secrets/key-ring.ts'
import { keysSource, loadKeys } from '../../infra/secrets/load-keys.ts'
import { reportUnreadable } from '../../infra/secrets/report-unreadable.ts'
import type { Ports } from '../service-types.ts'

/** The address on which the service listens, and the one by which others reach it. */
type PublicAddress = {
  /** Returns the public origin, without a trailing slash. */
  publicUrl(): string
  /** Sets the port on which the server listens. */
  listensOn(port: number): void
}

/** Creates the public address. A port that the system chose is known once the server listens. */
function createPublicAddress({ baseUrl, port }: Config): PublicAddress {
  let listening = port
  return {
    publicUrl: () => baseUrl.replace(/:0$/, `:${listening}`),
    listensOn(chosen) {
      listening = chosen
    },
  }
}

/** Difference between two times of the database from which it counts as a jump. */
const CLOCK_JUMP_MS = MINUTE_MS

/** The dependencies of all workers and routes. */
export type Base = Awaited<ReturnType<typeof openBase>>

/**
 * Opens the dependencies, sets the clock by the database, and creates today's partitions.
 * @throws when one cannot be opened; the database is then closed
 */
export async function openBase(config: Config, ports: Partial<Ports>) {
  const log = ports.log ?? createLog(pino, config.logLevel)
  const opened = ports.database ?? (await openDatabase(config, log))
  try {
    return await openOn(opened, { config, ports, log })
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function openOn(
  opened: OpenedDatabase,
  { config, ports, log }: { config: Config; ports: Partial<Ports>; log: Logger },
) {
  const clock = ports.clock ?? createClock()
  const random = ports.random ?? systemRandom
  const db = opened.database
  let isSet = false
  const setClock = async () => {
    const { rows } = await db.pool.query<{ now: Date }>('select now()')
    const byMs = clock.set?.(rows[0]!.now) ?? 0
    // Another server may have taken over. This process cannot know which of the two times is right.
    if (isSet && Math.abs(byMs) > CLOCK_JUMP_MS) {
      log.warn({ byMs }, 'database time has jumped: check the clock of its server')
    }
    isSet = true
  }
  await setClock()
  await createPartitionsOfDay(db.kysely, clock.now())
  if (opened.isExclusive) await releaseEverything(db.kysely, clock.now(), log)
  const context: Context = { db, clock, ids: createIds(clock, random, config.cell), log }
  const requestContext: Context = { ...context, db: opened.requestDatabase }
  const keyRing = await openKeyRing(context, config, random)
  await warnOfUnknownVersions(context, log)
  const egress = createEgress(config, ports)
  const { publicUrl, listensOn } = createPublicAddress(config)
  const { extraCa, models } = egress
  return {
    config,
    clock,
    setClock,
    random,
    opened,
    context,
    requestContext,
    keyRing,
    publicUrl,
    listensOn,
    ...egress,
    ...createChannels({ config, ports, context, requestContext, keyRing, opened }),
    readVersion: createVersionReader(),
    metrics: createMetrics(),
    mailer: ports.mailer ?? (config.mail ? createMailer(config.mail, { extraCa }) : null),
    ingestBatched: createIngestBatcher({
      ...requestContext,
      hasOperatorModel: () => models.operator() !== null,
    }),
  }
}

async function openKeyRing(context: Context, config: Config, random: Random): Promise<KeyRing> {
  const ring = createKeyRing(loadKeys(config, random), random)
  await requireKeysInUse(context.db.kysely, ring, keysSource(config))
  return reportUnreadable(ring, context)
}

async function warnOfUnknownVersions({ db }: Context, log: Logger): Promise<void> {
  const unknownVersions = await findUnknownVersions(db.kysely)
  if (unknownVersions.length === 0) return
  log.warn({ unknownVersions }, 'endpoints of an unsupported event version receive another one')
}

/** Creates the clients of merchants' servers and of language models. */
function createEgress(config: Config, ports: Partial<Ports>) {
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
  // Deliveries and calls have separate clients, so that slow endpoints take no connections from calls.
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
  return { addressGuard, extraCa, outbound, models }
}

type ChannelDeps = {
  config: Config
  ports: Partial<Ports>
  context: Context
  requestContext: Context
  keyRing: KeyRing
  opened: OpenedDatabase
}

/** Creates the cache of channels, the adapters of their providers, and the store of files. */
function createChannels({ config, ports, context, requestContext, keyRing, opened }: ChannelDeps) {
  const { ids, clock } = context
  const baseUrls = ports.providerBaseUrls ?? realBaseUrls(config)
  const graphApiVersion = config.whatsApp.apiVersion
  const adapters: ChannelAdapters = {
    ...createChannelAdapters({ ids, clock, baseUrls, graphApiVersion }),
    ...ports.channelAdapters,
  }
  const knownChannels = createChannelCache(requestContext, {
    keyRing,
    connection: opened.connection,
  })
  const files = ports.fileStore ?? openFileStore(config, clock)
  const fileToSend = createFileLoader(context, files)
  const openChannel = createChannelOpener({ known: knownChannels, adapters, fileToSend })
  return { baseUrls, adapters, knownChannels, files, openChannel }
}
