/** Limits on the number of rows: concurrent requests do not exceed them. */
import { expect } from 'vitest'
import { SIGN_IN_LIMITS } from '../../src/core/limits/sign-in.ts'
import { CONTACT_LIMITS } from '../../src/core/limits/contacts.ts'
import { apiRequest, signedIn } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { addAccount } from '../support/records/accounts.ts'
import { createShop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const shop = await createShop(world)
const owner = await signedIn(world, { accountId: shop.accountId })

systemTest('a company has at most as many contact fields as its limit', async () => {
  const answers = await Promise.all(
    Array.from({ length: CONTACT_LIMITS.fields + 5 }, (_each, n) =>
      owner.ask('POST', `/companies/${shop.companyId}/contact-fields`, {
        key: `field_${n}`,
        label: `Field ${n}`,
        kind: 'text',
      }),
    ),
  )
  const made = answers.filter(({ status }) => status === 201)
  const refused = answers.filter(({ body }) => (body as { code?: string }).code === 'limit_reached')
  expect([made.length, refused.length]).toEqual([CONTACT_LIMITS.fields, 5])
})

systemTest('an address is accepted in at most as many accounts as a sign-in checks', async () => {
  const tokens: string[] = []
  for (let n = 0; n < SIGN_IN_LIMITS.peoplePerEmail + 3; n += 1) {
    const inviter = await signedIn(world, { accountId: await addAccount(world) })
    const json = { email: 'somebody@example.com', role: 'agent' }
    const invited = await inviter.ask<{ token: string }>('POST', '/invitations', json)
    tokens.push(invited.body.token)
  }
  const answers = await Promise.all(
    tokens.map((token) => {
      const json = { token, name: 'Somebody', password: 'a password of hers', client: 'program' }
      return apiRequest(world.url, 'POST', '/invitations/accept', { json })
    }),
  )
  const accepted = answers.filter(({ status }) => status === 201)
  expect(accepted).toHaveLength(SIGN_IN_LIMITS.peoplePerEmail - 1)
})
