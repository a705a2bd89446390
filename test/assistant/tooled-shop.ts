/** Shops whose assistant has actions, and one with the tool `look_up`, which each test makes. */
import { afterAll, beforeEach } from 'vitest'
import { actionRequest, ORDER, type ActionInput } from '../connections/action-world.ts'
import { openAssisted } from '../support/assistant.ts'
import { signedIn } from '../support/dashboard.ts'
import { call, say } from '../support/model-turns.ts'
import { deleteActions } from '../support/records/calls.ts'
import { connectApi, json, startShopApi, type ShopApi } from '../support/shop-api.ts'
import type { World } from '../support/world.ts'

/** A request that changes an order in the shop's system. */
export const POST_ORDER = {
  method: 'POST',
  path: '/cancel',
  body: '{"order":"{{args.order}}"}',
} as const

/** Connects a company to a system, by a separate connection. `add` gives its assistant an action there. */
export async function connectActions(
  world: World,
  { accountId, companyId }: { accountId: string; companyId: string },
  { baseUrl }: Pick<ShopApi, 'baseUrl'>,
) {
  const connectionId = world.service.context.ids.uuid()
  await connectApi(world, { id: connectionId, companyId, baseUrl })
  return {
    connectionId,
    async add({ request, ...input }: ActionInput): Promise<void> {
      const owner = await signedIn(world, { accountId })
      const made = await owner.ask('POST', `/companies/${companyId}/actions`, {
        description: 'Sees to an order.',
        parameters: [ORDER],
        ...input,
        request: actionRequest(connectionId, request),
      })
      if (made.status !== 201) throw new Error(JSON.stringify(made.body))
    },
  }
}

export const lookUp = (args: object | string = { order: '7' }) => call('action_look_up', args)
export const ANSWER = say('Let me see.')

/** Opens a shop for all tests of a file, each of which begins without an action. */
export async function openTooledShop() {
  const assisted = await openAssisted()
  const shop = await assisted.openShop()
  const api = await startShopApi(assisted.world)
  const { connectionId, add } = await connectActions(assisted.world, shop, api)
  afterAll(() => api.close())
  beforeEach(async () => {
    api.requests.length = 0
    const order = { status: 'shipped', phone: '+966501234567' }
    api.reply(json(200, { order, inner: 'not shown' }))
    await deleteActions(assisted.world)
  })
  return {
    assisted,
    shop,
    api,
    connectionId,
    urls: () => api.requests.map(({ url }) => url),

    /** Makes the tool `look_up`, which by default needs no agreement. */
    make: (input: ActionInput = {}, how: ActionInput = { needsConfirmation: false }) =>
      add({ toolName: 'look_up', ...how, ...input }),

    /** Returns the results that the tools of the reply gave the model, in their order. */
    toolResults(): string[] {
      return assisted.model.asked
        .at(-1)!
        .body.messages.filter(({ role }) => role === 'tool')
        .map(({ content }) => String(content))
    },

    /** Returns all requests to the model, as one text. */
    wires: () => assisted.model.asked.map(({ wire }) => wire).join('\n'),
  }
}
