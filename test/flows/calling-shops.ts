/** Shops whose flow calls their own system, and what such a run did. */
import { afterAll, afterEach } from 'vitest'
import { openWhatsApp } from '../support/open-world.ts'
import { runOf, runStepsOf } from '../support/records/runs.ts'
import { textsOf } from '../support/records/messages.ts'
import { templateStep } from '../support/shop.ts'
import { callStep, connectApi, json, startShopApi } from '../support/shop-api.ts'
import { newPhone, type ConnectedShop } from '../support/simulator.ts'

type Paths = { next: string | null; onFailure: string | null; keep?: object[] }
type MakeSteps = (call: (request: object, paths: Paths) => object) => Record<string, unknown>
type Connection = { timeoutMs?: number; isOn?: boolean; baseUrl?: string }

export type CallingShop = ConnectedShop & { connectionId: string }

/** What the customer of the order reads of a template whose first place has this text. */
export const told = (text: string): string[] => [`Hello ${text}, your order 1043 is ready.`]

/** A call, then a template that says on which path it is. */
export const callThenTell =
  (
    request: object = {},
    keep: object[] = [],
    { success = 'success', failed = 'failed' }: { success?: string; failed?: string } = {},
  ): MakeSteps =>
  (call) => ({
    call: call(request, { next: 'success', onFailure: 'failed', keep }),
    success: templateStep(success),
    failed: templateStep(failed),
  })

/** Opens a world beside which a merchant's system runs, which answers 200 unless a test says how. */
export async function openCalls(options?: Parameters<typeof openWhatsApp>[0]) {
  const { world, whatsApp } = await openWhatsApp(options)
  const api = await startShopApi(world)
  afterAll(() => api.close())
  afterEach(() => {
    api.reply(json(200))
    api.requests.length = 0
  })
  return {
    world,
    whatsApp,
    api,
    /** A shop whose flow calls its system, connected as told. */
    async openShop(makeSteps: MakeSteps, connection: Connection = {}): Promise<CallingShop> {
      const id = world.service.context.ids.uuid()
      const steps = makeSteps((request, paths) => callStep(id, request, paths))
      const shop = await whatsApp.openShop({ steps, start: Object.keys(steps)[0]! })
      const { companyId } = shop
      await connectApi(world, { id, companyId, baseUrl: api.baseUrl, ...connection })
      return { ...shop, connectionId: id }
    },
    /** Starts a run and lets it come to rest. Returns its id. */
    async run(shop: ConnectedShop): Promise<string> {
      const runId = await shop.order(newPhone())
      await whatsApp.settle()
      return runId
    },
    runOf: (runId: string) => runOf(world, runId),
    variablesOf: async (runId: string) =>
      JSON.parse((await runOf(world, runId)).variables) as Record<string, string | null>,
    stepsOf: (runId: string) => runStepsOf(world, runId),
    /** What was sent to the customer, in words. */
    textsOf: (runId: string) => textsOf(world, { runId }),
  }
}
