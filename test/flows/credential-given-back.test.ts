/** A merchant's server that answers a flow with the request that it got. Spec: Calls › Credentials; reading C2. */
import { expect, test } from 'vitest'
import type { RunDetail } from '../../src/contract/dashboard/run.ts'
import { signedIn } from '../support/dashboard.ts'
import { CREDENTIALS, giveRequestBack } from '../support/credential-kinds.ts'
import { callsOf, setAuth } from '../support/records/calls.ts'
import { envelopesOf } from '../support/records/events.ts'
import { shownOf } from '../support/shown-of-secret.ts'
import { callThenTell, openCalls } from './calling-shops.ts'

const calls = await openCalls()
const { world, api } = calls
const KEPT = [
  { name: 'status', path: 'status' },
  { name: 'debug', path: 'debug' },
  { name: 'request', path: 'request.headers' },
]

test.each(CREDENTIALS)(
  'Nothing of a credential (%s) that an answer wraps is kept, told, sent or logged',
  async (_kind, auth, secrets) => {
    const shop = await calls.openShop(callThenTell({}, KEPT, { success: '{{vars.debug}}' }))
    await setAuth(world, shop, auth)
    api.reply(giveRequestBack)
    const runId = await calls.run(shop)
    expect(api.requests).toHaveLength(1)
    const variables = await calls.variablesOf(runId)
    expect(variables).toMatchObject({ status: 'shipped', debug: '[removed]' })
    const admin = await signedIn(world, { accountId: shop.accountId, role: 'admin' })
    const run = await admin.ask<RunDetail>('GET', `/companies/${shop.companyId}/runs/${runId}`)
    expect(run.status).toBe(200)
    const seen = [
      variables,
      run.body,
      await calls.stepsOf(runId),
      await envelopesOf(world, { companyId: shop.companyId }),
      await calls.textsOf(runId),
      await callsOf(world, shop),
      world.logged,
    ]
    for (const secret of secrets) {
      for (const one of seen) expect(shownOf(secret, JSON.stringify(one))).toBeNull()
    }
  },
)
