/** Shops whose flow calls their own system, and the effects of such a run. */
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

/** Returns what the customer of the order reads of a template with this text in its first placeholder. */
export const orderTexts = (text: string): string[] => [`Hello ${text}, your order 1043 is ready.`]

/** Returns a call, then a template that says which exit the call took. */
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

/** Opens a world in which a merchant's system also runs. It answers 200 unless a test sets another answer. */
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
    /** Opens a shop whose flow calls its system by this connection. */
    async openShop(makeSteps: MakeSteps, connection: Connection = {}): Promise<CallingShop> {
      const id = world.service.context.ids.uuid()
      const steps = makeSteps((request, paths) => callStep(id, request, paths))
      const shop = await whatsApp.openShop({ steps, start: Object.keys(steps)[0]! })
      const { companyId } = shop
      await connectApi(world, { id, companyId, baseUrl: api.baseUrl, ...connection })
      return { ...shop, connectionId: id }
    },
    /** Starts a run and lets it advance until it waits or ends. Returns its id. */
    async run(shop: ConnectedShop): Promise<string> {
      const runId = await shop.order(newPhone())
      await whatsApp.settle()
      return runId
    },
    runOf: (runId: string) => runOf(world, runId),
    variablesOf: async (runId: string) =>
      JSON.parse((await runOf(world, runId)).variables) as Record<string, string | null>,
    stepsOf: (runId: string) => runStepsOf(world, runId),
    /** Returns the texts that were sent to the customer. */
    textsOf: (runId: string) => textsOf(world, { runId }),
  }
}
