/** Pairs of contacts that may be one customer, for a member to judge. Contacts › Merging. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ContactView, DuplicateView } from '../../src/contract/dashboard/contact.ts'
import { DAY_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { signedIn, walkPages, itemsOf, auditOf } from '../support/dashboard.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { addIdentities } from '../support/records/identifiers.ts'
import { messagesOf } from '../support/records/messages.ts'
import { importsOf } from '../support/upload-contacts.ts'
import { customerWrites, type Written } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

const { world, whatsApp } = await openWhatsApp()
let shop: Awaited<ReturnType<typeof whatsApp.openShop>>
let owner: Awaited<ReturnType<typeof signedIn>>
let at: string
beforeEach(async () => {
  shop = await whatsApp.openShop()
  owner = await signedIn(world, { accountId: shop.accountId })
  at = `/companies/${shop.companyId}`
})

const [N1, N2, N3] = ['+966501110001', '+966501110002', '+966501110003']

async function writes(...messages: Written[]): Promise<void> {
  for (const message of messages) {
    world.clock.advance(MINUTE_MS)
    await customerWrites(world, shop, { at: world.clock.now(), ...message })
    await whatsApp.settle()
  }
}
const make = async (input: object) => {
  world.clock.advance(1)
  return (await owner.ask<ContactView>('POST', `${at}/contacts`, input)).body.id
}
const suggested = async () => await itemsOf<DuplicateView>(owner, `${at}/contact-duplicates`)
const pairs = async () =>
  (await suggested()).map(({ by, value, contacts }) => [by, value, ...contacts.map(({ id }) => id)])
const notSame = (...contactIds: string[]) =>
  owner.ask('POST', `${at}/contact-duplicates/not-same`, { contactIds })
const join = (verb: 'merge' | 'unmerge', into: string, fromId: string) =>
  owner.ask('POST', `${at}/contacts/${into}/${verb}`, { fromId })

describe('Contacts that may be one customer', () => {
  test('are suggested in pairs, the strongest reason first, with the value that they share', async () => {
    const ids = [
      await make({ name: 'خالد', email: 'Sara@X.example' }),
      await make({ name: 'Sara', email: 'sara@x.example' }),
      await make({ name: 'خالِد', phone: '0501112233' }),
      await make({ name: 'Omar', phone: '+966501112233' }),
    ]
    expect(await pairs()).toEqual([
      ['email', 'Sara@X.example', ids[0], ids[1]],
      ['raw_phone', '0501112233', ids[2], ids[3]],
      ['name', 'خالد', ids[0], ids[2]],
    ])
  })

  test('are suggested in every pair that shares a value, and a pair comes once for all its reasons', async () => {
    const input = { name: 'Huda', email: 'h@x.example' }
    const [a, b, c] = [await make(input), await make(input), await make({ name: 'Huda' })]
    expect(await pairs()).toEqual([
      ['email', 'h@x.example', a, b],
      ['name', 'Huda', b, c],
      ['name', 'Huda', a, c],
    ])
  })

  test('are shown with their phone, e-mail address, channels and last message', async () => {
    await make({ name: 'Huda', email: 'h@x.example' })
    await writes({ from: N1, name: 'Huda' })
    const [pair] = await suggested()
    expect(pair!.contacts).toMatchObject([
      { name: 'Huda', phone: null, email: 'h@x.example', channels: [], lastSeenAt: null },
      { name: 'Huda', phone: N1, email: null, channels: ['whatsapp'] },
    ])
    const second = world.clock.now().toISOString().slice(0, 19)
    expect(pair!.contacts[1].lastSeenAt).toBe(`${second}.000Z`)
  })

  systemTest(
    'include for 90 days the owners of a number that moved to another account',
    async () => {
      const [first, second, third] = ['SA.A1', 'SA.A2', 'SA.A3']
      await writes({ userId: third, name: 'C' })
      await writes({ from: N1, userId: first, name: 'A' }, { from: N1, userId: second, name: 'B' })
      const seen = async () =>
        (await suggested()).map(({ by, value, contacts }) => {
          return [by, value, ...contacts.map(({ name }) => name)]
        })
      expect(await seen()).toEqual([['account_again', N1, 'A', 'B']])
      await writes({ from: N1, userId: third })
      expect(await seen()).toEqual([
        ['number_moved', N1, 'C', 'B'],
        ['number_moved', N1, 'C', 'A'],
      ])
      world.clock.advance(90 * DAY_MS)
      owner = await signedIn(world, { accountId: shop.accountId })
      expect(await pairs()).toEqual([])
    },
  )

  systemTest(
    'include two that the provider shows as one but whose merge would have more than 50 accounts',
    async () => {
      await writes({ from: N1, name: 'A', text: 'first' }, { userId: 'SA.A1', name: 'B' })
      const [one, other] = await contactsOf(world, shop)
      await addIdentities(world, shop, one!.id, 49)
      const both = { from: N1, userId: 'SA.A1' }
      await writes({ ...both, text: 'again' }, { ...both, text: 'and again' })
      expect(await pairs()).toEqual([['shown_as_one', 'SA.A1', one!.id, other!.id]])
      expect(
        (await contactsOf(world, shop)).map(({ phone, whatsappId }) => [phone, whatsappId]),
      ).toEqual([
        [N1, null],
        [null, 'SA.A1'],
      ])
      const { id } = await conversationWith(world, shop, 'SA.A1')
      const said = (await messagesOf(world, { conversationId: id })).map(({ text }) => text)
      expect(said.slice(-2)).toEqual(['again', 'and again'])
      const logged = world.logged.filter((line) =>
        line.includes('shows too many accounts as one customer'),
      )
      expect(logged).toHaveLength(1)
      expect(logged[0]).not.toMatch(/96650111|SA\.A1/)
      await join('merge', one!.id, other!.id)
      expect(await pairs()).toEqual([])
    },
  )

  systemTest('include such contacts also if earlier merges brought the many accounts', async () => {
    await writes({ from: N1, name: 'A' }, { userId: 'SA.A1', name: 'B' })
    await writes({ from: N1, userId: 'SA.A1' }, { from: N2, name: 'C' })
    const [one, other] = await contactsOf(world, shop)
    await addIdentities(world, shop, one!.id, 48)
    await writes({ from: N2, userId: 'SA.A1' })
    expect((await pairs())[0]).toEqual(['shown_as_one', N2, one!.id, other!.id])
  })

  systemTest(
    'include those that the number and the e-mail address of one imported row match',
    async () => {
      const one = await make({ name: 'X', phone: N1, email: 'x@x.example' })
      const other = await make({ name: 'Y', phone: N2, email: 'y@x.example' })
      const imports = importsOf(world, { owner, shop })
      await imports.start(await imports.check(`X,${N1},y@x.example,,`, { mode: 'fill' }))
      expect(await pairs()).toEqual([['email', 'y@x.example', one, other]])
    },
  )

  systemTest('are listed page by page', async () => {
    for (let nth = 0; nth < 5; nth += 1) {
      await make({ name: `Name ${nth}`, email: `${nth}@x.example` })
      await make({ name: `Name ${nth}`, email: `${nth}${nth % 2}@x.example` })
      await make({ name: 'Other', email: `${nth}${nth % 2}@x.example` })
    }
    const list = `${at}/contact-duplicates`
    const all = await itemsOf<DuplicateView>(owner, `${list}?limit=100`)
    expect(all.length).toBeGreaterThan(10)
    expect(await walkPages<DuplicateView>(owner, list, { limit: '4' })).toEqual(all)
    for (const cursor of ['x', Buffer.from('["9","a"]').toString('base64url')]) {
      expect((await owner.ask('GET', `${list}?cursor=${cursor}`)).status).toBe(422)
    }
  })
})

describe('A pair that is not one customer', () => {
  test('is no longer suggested for any of its reasons once a member has said so, and other pairs are', async () => {
    const input = { name: 'Huda', email: 'h@x.example' }
    const [a, b, c] = [await make(input), await make(input), await make(input)]
    expect((await notSame(b, a)).status).toBe(204)
    expect((await notSame(a, b)).status).toBe(204)
    expect((await pairs()).map(([, , ...ids]) => ids)).toEqual([
      [b, c],
      [a, c],
    ])
    const audit = await auditOf(owner, shop)
    expect(audit[0]).toMatchObject({
      action: 'contact.not_same',
      subjectId: a,
      detail: { otherId: b },
    })
  })

  test('stays unsuggested when one contact is merged with a third and unmerged again', async () => {
    const input = { name: 'Huda' }
    const [a, b, c] = [await make(input), await make(input), await make(input)]
    await notSame(a, b)
    await join('merge', c, b)
    expect(await pairs()).toEqual([])
    await join('unmerge', c, b)
    expect((await pairs()).map(([, , ...ids]) => ids)).toEqual([[a, c]])
  })

  test('results from an unmerge', async () => {
    const [a, b] = [await make({ name: 'Huda' }), await make({ name: 'Huda', phone: N3 })]
    await join('merge', a, b)
    await join('unmerge', a, b)
    expect(await pairs()).toEqual([])
    expect((await join('merge', a, b)).status).toBe(200)
  })

  test('is marked by an Owner or Admin, for two contacts of the company', async () => {
    const a = await make({ name: 'Huda' })
    expect((await notSame(a, a)).status).toBe(422)
    expect((await notSame(a)).status).toBe(422)
    expect((await notSame(a, shop.companyId)).status).toBe(404)
    const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    const path = `${at}/contact-duplicates/not-same`
    expect((await agent.ask('POST', path, { contactIds: [a, a] })).status).toBe(403)
  })
})
