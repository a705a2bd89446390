/** The Owners of a large account get the e-mail of a notice in parts, as one e-mail has a limited number of recipients. */
import { beforeEach, expect, test } from 'vitest'
import { MAIL_LIMITS } from '../../src/core/limits/accounts.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { MailFailed } from '../../src/infra/mail/mailer.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { addMember, addPerson } from '../support/records/members.ts'
import { addNotice, noticeOf } from '../support/records/notices.ts'
import type { Shop } from '../support/shop.ts'

const MAX = MAIL_LIMITS.recipients

/** The recipients of each accepted e-mail. */
const sent: (readonly string[])[] = []
/** The errors of the next e-mails, or null for an accepted one. */
let faults: (MailFailed | null)[] = []
let shop: Shop
/** The e-mail addresses of all Owners, in the order in which they joined. */
let owners: string[]

const world = await openWorld({
  mailer: {
    send({ to }) {
      const fault = faults.shift()
      if (fault) return Promise.reject(fault)
      sent.push(to)
      return Promise.resolve([])
    },
  },
})

beforeEach(async () => {
  sent.length = 0
  faults = []
  const owned = await ownedShop(world)
  shop = owned.shop
  owners = [owned.owner.email]
  for (let nth = 1; nth < MAX + 6; nth += 1) {
    const personId = await addPerson(world)
    await addMember(world, shop, { personId })
    owners.push(`${personId}@example.com`)
  }
})

/** Mails a notice. Returns what reads it. */
async function mailed() {
  const mailDueAt = world.clock.now()
  const about = { kind: 'endpoint_switched_off', subjectId: shop.endpointId }
  const id = await addNotice(world, shop, { ...about, mailDueAt })
  // The clock makes it due, as no worker is notified of this row.
  world.clock.advance(1)
  await world.service.processAll()
  return () => noticeOf(world, id)
}

test('Each Owner gets one e-mail', async () => {
  const stored = await mailed()
  expect(sent).toEqual([owners.slice(0, MAX), owners.slice(MAX)])
  expect(await stored()).toMatchObject({ mailDueAt: null, mailedAt: world.clock.now() })
})

test('Owners get theirs although the addresses of the first ones are unknown', async () => {
  faults = [new MailFailed('no such users', true)]
  const stored = await mailed()
  expect(sent).toEqual([owners.slice(MAX)])
  expect(await stored()).toMatchObject({ mailDueAt: null, mailedAt: world.clock.now() })
})

test('A later part that fails is retried as the first one is, for its recipients alone', async () => {
  faults = [null, new MailFailed('try again later', false)]
  const stored = await mailed()
  const mailDueAt = new Date(world.clock.now().getTime() + MAIL_LIMITS.retryDelaysMs[0]!)
  expect(await stored()).toMatchObject({ mailDueAt, mailAttempts: 1 })
  world.clock.advance(MINUTE_MS)
  await world.service.processAll()
  expect(sent).toEqual([owners.slice(0, MAX), owners.slice(MAX)])
})
