/** A merchant's server that answers with the request that it got. Spec: Calls › Credentials; reading C2. */
import { expect, test } from 'vitest'
import { CREDENTIALS, giveRequestBack } from '../support/credential-kinds.ts'
import { call } from '../support/model-turns.ts'
import { setAuth } from '../support/records/calls.ts'
import { shownOf } from '../support/shown-of-secret.ts'
import { ANSWER, lookUp, openTooledShop } from './tooled-shop.ts'

const { assisted, shop, api, connectionId, make, toolResults, wires } = await openTooledShop()
const { companyId } = shop

test.each(CREDENTIALS)(
  'a credential (%s) that an answer repeats reaches neither the model nor staff nor the customer',
  async (_kind, auth, secrets) => {
    await setAuth(assisted.world, { companyId, connectionId }, auth)
    api.reply(giveRequestBack)
    await make()
    const shown = ['debug', 'request'].map((path) => ({ label: path, path }))
    await make({ toolName: 'look_at', shown })
    const looksAt = call('action_look_at', { order: '7' })
    const customer = await shop.asked('Where is it?', lookUp(), looksAt, ANSWER)
    expect(toolResults()).toHaveLength(2)
    expect(toolResults().join()).toContain('[removed]')
    const trace = JSON.stringify(await customer.trace())
    const got = (await customer.got()).join('\n')
    for (const secret of secrets) {
      for (const seen of [
        toolResults().join('\n'),
        wires(),
        trace,
        got,
        assisted.world.logged.join('\n'),
      ]) {
        expect(shownOf(secret, seen)).toBeNull()
      }
    }
  },
)
