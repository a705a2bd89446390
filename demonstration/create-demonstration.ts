/**
 * The rows of the demonstration's company. It has the Business plan, a simulated WhatsApp number in Saudi Arabia,
 * flows with a hook, an API call and keywords, past customers, bookable services, and an endpoint for every event
 * type. The rows are created at the very first start; existing rows stay. If the files with its token and secret are
 * missing, both are replaced, as a merchant would do.
 */
import type { Transaction } from 'kysely'
import type { KeyRing } from '../src/infra/secrets/key-ring.ts'
import { tokenHash } from '../src/infra/secrets/token-hash.ts'
import {
  credentialsContext,
  loadChannel,
  type OpenedChannel,
} from '../src/modules/channels/load-channel.ts'
import type { MetaCredentials } from '../src/modules/channels/meta/form-fields.ts'
import type { Context } from '../src/infra/context.ts'
import { FlowDefinition } from '../src/contract/flow-definition.ts'
import type { DB } from '../src/infra/database/tables.ts'
import { transaction } from '../src/infra/database/transaction.ts'
import type { Ids } from '../src/core/ids.ts'
import { CHANNEL_LIMITS } from '../src/core/limits/messaging.ts'
import { WEEKDAYS, type OpeningHours } from '../src/rules/flows/opening-hours.ts'
import { EVENT_TYPES } from '../src/core/vocabulary/events.ts'
import { createEndpoint } from '../src/modules/endpoints/create-endpoint.ts'
import { removeEndpoint } from '../src/modules/endpoints/delete-endpoint.ts'
import { CONNECTION_ID, createOrderStatus } from './create-order-status.ts'
import { writeKeywordFlows } from './keyword-flows.ts'
import { readLine, writePrivately, type DemonstrationFiles } from './files.ts'
import type { PlainMessage } from '../simulators/index.ts'
import { sampleMessages, writeSamplePeople } from './write-sample-people.ts'
import { writeAssistant } from './write-assistant.ts'
import { writeBookings } from './write-bookings.ts'
import { writeBroadcast } from './write-broadcast.ts'
import { writeFlow, writeHookUrl, type HookedFlowRows } from './write-flow.ts'

/** The ids of the rows, which are fixed, so that a later start finds them. */
const IDS = {
  account: 'de300000-0000-4000-8000-000000000001',
  company: 'de300000-0000-4000-8000-000000000002',
  channel: 'de300000-0000-4000-8000-000000000003',
  flow: 'de300000-0000-4000-8000-000000000004',
  version: 'de300000-0000-4000-8000-000000000005',
  hookUrl: 'de300000-0000-4000-8000-000000000006',
} as const

/** The id of the demonstration's account. */
export const DEMONSTRATION_ACCOUNT: string = IDS.account
/** The id of the demonstration's company. */
export const DEMONSTRATION_COMPANY: string = IDS.company
/** The path identifies the receiver's endpoint among those that a member may have added. */
const RECEIVER_PATH = '/webhooks/wasla'

const ORDER_READY: HookedFlowRows = {
  companyId: IDS.company,
  flowId: IDS.flow,
  versionId: IDS.version,
  hookUrlId: IDS.hookUrl,
  name: 'Order is ready',
}

/** The number of the demonstration's channel, from a range that is reserved for fiction. */
export const DEMONSTRATION_NUMBER = '966500000000'
/** The id of the number at the simulated WhatsApp. */
export const PHONE_NUMBER_ID = '100000000000001'
/** The id of the business account at the simulated WhatsApp. */
export const BUSINESS_ACCOUNT_ID = '200000000000001'
/** The name of the template that the first flow sends. */
export const TEMPLATE_NAME = 'order_ready'

const FLOW: FlowDefinition = FlowDefinition.parse({
  channelId: IDS.channel,
  trigger: {
    kind: 'webhook',
    phonePath: 'customer.phone',
    namePath: 'customer.name',
    languagePath: 'customer.language',
    keep: [{ name: 'order', path: 'order.number' }],
  },
  start: 'tell',
  steps: {
    tell: {
      kind: 'send_template',
      template: TEMPLATE_NAME,
      language: 'ar',
      header: null,
      body: [
        { name: '1', text: '{{contact.name}}' },
        { name: '2', text: '{{vars.order}}' },
      ],
      next: 'ask',
    },
    ask: {
      kind: 'wait_for_reply',
      saveAs: 'answer',
      timeoutMinutes: 24 * 60,
      next: 'finish',
      onTimeout: 'finish',
    },
    finish: { kind: 'end' },
  },
})

/** The data of the rows that the rest of the start needs. */
export type DemonstrationRows = {
  /** Null once a member has deleted it. */
  channel: OpenedChannel | null
  hookToken: string
  /** The token of the flow that calls the shop's API. */
  statusHookToken: string
  /** The slug is null once a member has deleted it. */
  bookingSlug: string | null
  /** Messages of customers before the first start; empty at a later one. */
  earlier: PlainMessage[]
}

/**
 * Creates the demonstration's rows if they do not exist. The receiver's endpoint always gets the current port. If the
 * file with the hook token or the signing secret is missing, both get new values.
 */
export async function createDemonstration(
  { db, ids, clock, keyRing }: Pick<Context, 'db' | 'ids' | 'clock'> & { keyRing: KeyRing },
  files: DemonstrationFiles,
  ports: { receiver: number; merchantApi: number },
): Promise<DemonstrationRows> {
  const now = clock.now()
  const known = { token: readLine(files.tokenFile), secret: readLine(files.secretFile) }
  const isComplete = known.token !== null && known.secret !== null
  const made = await transaction(db, async (tx) => {
    const exists = await tx
      .selectFrom('account')
      .select('id')
      .where('id', '=', IDS.account)
      .executeTakeFirst()
    if (!exists) await writeCompany(tx, now)
    if (!exists || !isComplete) await writeChannel(tx, { ids, keyRing, now })
    if (!exists) {
      await writeFlow(tx, now, ORDER_READY, FLOW)
      const place = { companyId: IDS.company, channelId: IDS.channel }
      await writeKeywordFlows(tx, now, place)
      await writeBookings(tx, { ids, now }, IDS.company)
      await writeBroadcast(tx, now, place)
      await writeSamplePeople(tx, { ids, now }, { ...place, phoneNumberId: PHONE_NUMBER_ID })
    }
    const url = `https://127.0.0.1:${ports.receiver}${RECEIVER_PATH}`
    if (exists && isComplete) {
      await tx
        .updateTable('endpoint')
        .set({ url, updatedAt: now })
        .where('companyId', '=', IDS.company)
        .where('url', 'like', `https://127.0.0.1:%${RECEIVER_PATH}`)
        .where('url', '<>', url)
        .execute()
      return { isNew: false, files: null }
    }
    const hookToken = `hook_${ids.token(32)}`
    await writeHookUrl(tx, now, ORDER_READY, hookToken)
    const { secret } = await replaceEndpoint(tx, { ids, keyRing, now }, url)
    return { isNew: !exists, files: { hookToken, secret } }
  })
  if (made.files) {
    writePrivately(files.tokenFile, made.files.hookToken)
    writePrivately(files.secretFile, made.files.secret)
  }
  const { statusHookToken } = await createOrderStatus({ db, ids, clock, keyRing }, files, {
    companyId: IDS.company,
    channelId: IDS.channel,
    apiPort: ports.merchantApi,
  })
  if (made.isNew) {
    const place = { companyId: IDS.company, connectionId: CONNECTION_ID }
    await transaction(db, (tx) => writeAssistant(tx, { ids, now }, place))
  }
  const channel = await loadChannel(db.kysely, keyRing, IDS.channel)
  const page = await db.kysely
    .selectFrom('bookingPage')
    .select('slug')
    .where('companyId', '=', IDS.company)
    .executeTakeFirst()
  return {
    channel: channel ?? null,
    hookToken: made.files?.hookToken ?? known.token!,
    statusHookToken,
    bookingSlug: page?.slug ?? null,
    earlier: made.isNew ? sampleMessages(now, PHONE_NUMBER_ID) : [],
  }
}

/** Sunday to Thursday, 9:00 to 18:00. */
const OPENING_HOURS: OpeningHours = Object.fromEntries(
  WEEKDAYS.slice(0, 5).map((day) => [day, [{ from: 9 * 60, to: 18 * 60 }]]),
)

async function writeCompany(tx: Transaction<DB>, now: Date): Promise<void> {
  await tx
    .insertInto('account')
    .values({ id: IDS.account, name: 'Demonstration', plan: 'business', createdAt: now })
    .execute()
  await tx
    .insertInto('company')
    .values({
      id: IDS.company,
      accountId: IDS.account,
      name: 'Demonstration shop',
      timeZone: 'Asia/Riyadh',
      openingHours: JSON.stringify(OPENING_HOURS),
      createdAt: now,
    })
    .execute()
}

async function writeChannel(
  tx: Transaction<DB>,
  { ids, keyRing, now }: { ids: Ids; keyRing: KeyRing; now: Date },
): Promise<void> {
  const verifyToken = ids.token(32)
  const verifyTokenHash = tokenHash(verifyToken)
  const made: MetaCredentials = {
    accessToken: ids.token(32),
    appSecret: ids.token(32),
    verifyToken,
  }
  const credentials = keyRing.encrypt(
    JSON.stringify(made),
    credentialsContext(IDS.channel, IDS.company),
  )
  await tx
    .insertInto('channel')
    .values({
      id: IDS.channel,
      companyId: IDS.company,
      type: 'whatsapp',
      name: 'Simulated WhatsApp number',
      providerRoute: PHONE_NUMBER_ID,
      providerAccount: BUSINESS_ACCOUNT_ID,
      displayNumber: DEMONSTRATION_NUMBER,
      country: 'SA',
      credentials,
      verifyTokenHash,
      isConnected: true,
      isSimulated: true,
      templatesDueAt: new Date(now.getTime() + CHANNEL_LIMITS.templatesEveryMs),
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ credentials, verifyTokenHash, isConnected: true, updatedAt: now })
        .where('channel.deletedAt', 'is', null),
    )
    .execute()
}

async function replaceEndpoint(
  tx: Transaction<DB>,
  deps: { ids: Ids; keyRing: KeyRing; now: Date },
  url: string,
): Promise<{ secret: string }> {
  await removeEndpointsAt(tx, deps.now, RECEIVER_PATH)
  return createEndpoint(tx, deps, {
    companyId: IDS.company,
    name: 'Demonstration receiver',
    url,
    eventTypes: EVENT_TYPES,
  })
}

/** Removes the endpoints on this machine with this path. Endpoints of a merchant stay. */
export async function removeEndpointsAt(
  tx: Transaction<DB>,
  now: Date,
  path: string,
): Promise<void> {
  const found = await tx
    .selectFrom('endpoint')
    .select(['id', 'companyId'])
    .where('companyId', '=', IDS.company)
    .where('deletedAt', 'is', null)
    .where('url', 'like', `https://127.0.0.1:%${path}`)
    .execute()
  for (const { id, companyId } of found) {
    await removeEndpoint(tx, now, { companyId, endpointId: id })
  }
}
