/** A shop whose assistant has an action: the tool `look_up`, as each test makes it, and what the model is told of it. */
import { SECOND_MS } from '../../src/limits/units.ts'
import { actionRequest, ORDER, type ActionInput } from '../connections/action-world.ts'
import { startAssisted, type Customer } from '../support/assistant.ts'
import { signedIn } from '../support/dashboard.ts'
import { call, say, type Turn } from '../support/model-turns.ts'
import { connectApi, json, startShopApi } from '../support/shop-api.ts'

export type TooledShop = Awaited<ReturnType<typeof startTooledShop>>

export const lookUp = (args: object | string = { order: '7' }) => call('action_look_up', args)
export const ANSWER = say('Let me see.')

export async function startTooledShop() {
  const assisted = await startAssisted()
  const shop = await assisted.openShop()
  const api = await startShopApi(assisted.world)
  const connectionId = assisted.world.service.context.ids.uuid()
  const { accountId, companyId } = shop
  await connectApi(assisted.world, { id: connectionId, companyId, baseUrl: api.baseUrl })
  return {
    assisted,
    shop,
    api,
    connectionId,

    /** The tool `look_up`, which needs no agreement unless told. */
    async make(
      { request, ...input }: ActionInput = {},
      how: ActionInput = { needsConfirmation: false },
    ): Promise<void> {
      const owner = await signedIn(assisted.world, { accountId })
      const made = await owner.ask('POST', `/companies/${companyId}/actions`, {
        toolName: 'look_up',
        description: 'Looks an order up.',
        request: actionRequest(connectionId, request),
        parameters: [ORDER],
        ...how,
        ...input,
      })
      if (made.status !== 201) throw new Error(JSON.stringify(made.body))
    },

    /** The customer writes, the model answers by these turns. */
    async asks(sara: Customer, text: string, ...turns: Turn[]): Promise<void> {
      assisted.model.script(...turns)
      await sara.says(text)
      await assisted.pass(3 * SECOND_MS)
    },

    /** What the tools of the reply told the model, in their order. */
    told(): string[] {
      return assisted.model.asked
        .at(-1)!
        .body.messages.filter(({ role }) => role === 'tool')
        .map(({ content }) => String(content))
    },

    /** As before the first test. */
    async beginAnew(): Promise<void> {
      assisted.model.asked.length = 0
      api.requests.length = 0
      const order = { status: 'shipped', phone: '+966501234567' }
      api.reply(json(200, { order, inner: 'not shown' }))
      await assisted.world.database.db.kysely.deleteFrom('aiAction').execute()
    },

    async close(): Promise<void> {
      await api.close()
      await assisted.close()
    },
  }
}
