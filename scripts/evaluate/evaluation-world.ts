/** The environment of cases: a whole service, simulated WhatsApp, and the shop's API. */
import { connectDatabase, type Connection } from '../../src/infra/database/connect.ts'
import type { OperatorModel } from '../../src/modules/models/model-access.ts'
import { bookableShop } from '../../test/support/bookable.ts'
import { signedIn, type Member } from '../../test/support/dashboard.ts'
import { connectApi, json, startShopApi, type ShopApi } from '../../test/support/shop-api.ts'
import {
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../../test/support/simulator.ts'
import { createWorldOn, type World } from '../../test/support/world.ts'
import type { Case, EvaluationShop } from './case-form.ts'

/** A running service with its simulated WhatsApp and the shop's API. */
export type EvaluationWorld = {
  world: World
  whatsApp: SimulatedWhatsApp
  api: ShopApi
  close(): Promise<void>
}

/** Creates the service in which cases are played, on an empty or migrated database; `drop` removes it. */
export async function createEvaluationWorld(
  database: { connection: Connection; drop(): Promise<void> },
  model: OperatorModel,
): Promise<EvaluationWorld> {
  const db = connectDatabase({ ...database.connection, applicationName: 'evaluation' })
  const world = await createWorldOn(
    {
      ...database,
      db,
      async drop() {
        await db.close()
        await database.drop()
      },
    },
    { operatorModel: () => model, modelTokensPerDay: '2000000000' },
  )
  const whatsApp = await simulateWhatsApp(world)
  const api = await startShopApi(world)
  return {
    world,
    whatsApp,
    api,
    async close() {
      await api.close()
      await whatsApp.close()
      await world.close()
    },
  }
}

/** A connected shop that a case has set up. */
export type OpenedShop = ConnectedShop & {
  /** Returns the instant of a wall time in Riyadh, `inDays` days from today. */
  at(inDays: number, wall: string): Date
}

const ZONE_AHEAD_MS = 3 * 3_600_000

/**
 * Opens the shop of a case, set up through the dashboard's API as a merchant would. `customer` is the customer's
 * number, with its plus.
 */
export async function openEvaluationShop(
  { world, whatsApp, api }: EvaluationWorld,
  shop: EvaluationShop,
  { shop: own = {} }: Pick<Case, 'shop'>,
  customer: string,
): Promise<OpenedShop> {
  const opened = await whatsApp.openShop()
  const { companyId, accountId } = opened
  const owner = await signedIn(world, { accountId })
  const path = `/companies/${companyId}`
  await world.database.db.kysely
    .updateTable('company')
    .set({ name: shop.name })
    .where('id', '=', companyId)
    .execute()
  await send(owner, 'PATCH', `${path}/assistant`, {
    isOn: true,
    profile: shop.profile,
    guidance: own.guidance ?? shop.guidance,
    leadCriteria: own.leadCriteria ?? shop.leadCriteria,
    tags: shop.tags,
    revision: 0,
  })
  for (const known of [...shop.knowledge, ...(own.knowledge ?? [])]) {
    await send(owner, 'POST', `${path}/knowledge/sources`, { kind: 'faq', ...known })
  }
  const connectionId = world.service.context.ids.uuid()
  await connectApi(world, { id: connectionId, companyId, baseUrl: api.baseUrl })
  for (const { method, path: requestPath, body, ...action } of shop.actions) {
    const request = { connectionId, method, path: requestPath, query: [], headers: [], body }
    await send(owner, 'POST', `${path}/actions`, { ...action, request })
  }
  const at = (inDays: number, wall: string) => {
    const here = new Date(world.clock.now().getTime() + ZONE_AHEAD_MS)
    const day = new Date(here.getTime() + inDays * 86_400_000).toISOString().slice(0, 10)
    return new Date(Date.parse(`${day}T${wall}:00Z`) - ZONE_AHEAD_MS)
  }
  await openBookings(world, shop, own.booked ?? [], { companyId, customer, at })
  answerAsCase(api, { ...shop.api, ...own.api }, customer)
  // Sources are read and indexed first.
  await whatsApp.settle()
  return { ...opened, at }
}

async function send(owner: Member, method: string, path: string, body: object): Promise<void> {
  const answer = await owner.ask(method, path, body)
  if (answer.status < 300) return
  throw new Error(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
}

async function openBookings(
  world: World,
  { services }: EvaluationShop,
  booked: NonNullable<NonNullable<Case['shop']>['booked']>,
  { companyId, customer, at }: { companyId: string; customer: string; at: OpenedShop['at'] },
): Promise<void> {
  const bookable = await bookableShop(world, companyId)
  const resource = await bookable.resource()
  const ids = new Map<string, string>()
  for (const { name, nameAr, minutes } of services) {
    ids.set(name, await bookable.service([{ id: resource }], { name, nameAr, minutes }))
  }
  for (const { service, inDays, at: wall } of booked) {
    const serviceId = ids.get(service)
    if (serviceId === undefined) throw new Error(`the shop has no service "${service}"`)
    const who = {
      contactId: null,
      conversationId: null,
      name: 'Sara',
      phone: customer,
      email: null,
    }
    const startsAt = at(inDays, wall)
    const outcome = await bookable.book({ serviceId, startsAt, customer: who })
    if (outcome.outcome !== 'booked')
      throw new Error(`${wall} cannot be booked: ${outcome.outcome}`)
  }
}

/** Makes the shop's API respond as the case says, and with 404 to everything else. */
function answerAsCase(api: ShopApi, answers: EvaluationShop['api'], customer: string): void {
  api.requests.length = 0
  api.reply((request, response) => {
    const known = answers[requestOf(request, customer)]
    const { status, body } = known ?? { status: 404, body: { error: 'not found' } }
    const filled: unknown = JSON.parse(JSON.stringify(body).replaceAll('{{customer}}', customer))
    json(status, filled)(request, response)
  })
}

/**
 * Returns a request in the form in which cases expect it: method and path, with the customer's number as
 * `{{customer}}`.
 */
export function requestOf(
  { method, url }: { method: string; url: string },
  customer: string,
): string {
  const path = decodeURIComponent(url.replace(/^\/api/, ''))
  return `${method} ${path.replaceAll(customer, '{{customer}}').replaceAll(customer.slice(1), '{{customer}}')}`
}
