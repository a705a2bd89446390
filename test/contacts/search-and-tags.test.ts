/** Members find contacts by what they know of them, and change a tag on all contacts that have it. */
import { describe, expect, test } from 'vitest'
import type { ContactView, TagJobView } from '../../src/contract/dashboard/contact.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { SegmentView } from '../../src/contract/dashboard/segment.ts'
import { CONTACT_JOBS } from '../../src/core/limits/contacts.ts'
import { holdLock } from '../support/records/locks.ts'
import { eventsOf } from '../support/records/events.ts'
import { addContacts, addTag } from '../support/records/contacts.ts'
import { openWorld } from '../support/open-world.ts'
import { postHook } from '../support/post-hook.ts'
import { signedIn, itemsOf } from '../support/dashboard.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { importsOf } from '../support/upload-contacts.ts'
import { createShop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const shop = await createShop(world)
const owner = await signedIn(world, { accountId: shop.accountId })
const at = `/companies/${shop.companyId}`

const make = async (input: object) =>
  (await owner.ask<ContactView>('POST', `${at}/contacts`, input)).body
const find = (query: string) => owner.ask<Page<ContactView>>('GET', `${at}/contacts?${query}`)
const search = async (q: string) =>
  (await find(`q=${encodeURIComponent(q)}`)).body.items.map(({ name }) => name)

await make({ name: 'سارة أحمد الحربي', phone: '+966501234567', email: 'Sara@Example.com' })
await make({ name: 'José Hernández', phone: '+34612345678' })
await make({ name: 'Иван Петров' })
const other = await ownedShop(world)
await importsOf(world, other).make({ name: 'سارة الأخرى' })

describe('A search', () => {
  systemTest.each([
    ['by the middle of the name, in other letter forms', 'حمد'],
    ['without hamza, vowel marks and ta marbuta', 'سَاره احمد'],
    ['by parts in any order', 'حربي ساره'],
    ['by an international number', '+966501234567'],
    ['by a number that begins with 00', '00966501234567'],
    ['by the number as it is dialled at home', '050 123 4567'],
    ['in Arabic digits', '٠٥٠١٢٣٤٥٦٧'],
    ['by digits alone', '966501234567'],
    ['by its last digits', '4567'],
    ['by its last digits, as they are written', '٢٣ ٤٥-٦٧'],
    ['by two parts of the name written as one', 'احمدالحربي'],
    ['by the e-mail address, in any case', 'SARA@example.COM'],
  ])('finds a contact %s', async (_, q) => {
    expect(await search(q)).toEqual(['سارة أحمد الحربي'])
  })

  systemTest('finds a name whether its parts are written as one word or as two', async () => {
    await make({ name: 'عبد الرحمن القحطاني' })
    await make({ name: 'عبدالرحمن الدوسري' })
    await make({ name: 'Abu Bakr Al Amri' })
    const both = ['عبدالرحمن الدوسري', 'عبد الرحمن القحطاني']
    for (const q of ['عبدالرحمن', 'عبد الرحمن']) expect(await search(q)).toEqual(both)
    expect(await search('abubakr alamri')).toEqual(['Abu Bakr Al Amri'])
    // Letters on both sides of a space between two names match no name.
    expect(await search('kral')).toEqual([])
    expect(await search('901')).toEqual([])
  })

  test('finds names of other scripts and with diacritics', async () => {
    expect(await search('jose hernan')).toEqual(['José Hernández'])
    expect(await search('петров')).toEqual(['Иван Петров'])
  })

  test('finds a contact by its id, and no contact of another company', async () => {
    const { body } = await find('q=petrov&limit=1')
    expect(body.items).toEqual([])
    const made = await make({ name: 'By id' })
    expect(await search(made.id)).toEqual(['By id'])
    expect(await search('الأخرى')).toEqual([])
  })

  test('with fewer than 3 letters is refused with the reason', async () => {
    const refused = await owner.ask('GET', `${at}/contacts?q=ab`)
    expect(refused.body).toMatchObject({
      code: 'invalid',
      errors: [{ field: 'q', code: 'search_too_short', params: { min: 3 } }],
    })
  })

  systemTest('is refused if it takes longer than half a second', async () => {
    await using _ = await holdLock(world, 'the contacts')
    const refused = await owner.ask('GET', `${at}/contacts?q=sara`)
    expect(refused.body.errors).toMatchObject([{ field: 'q', code: 'search_too_wide' }])
  })
})

systemTest(
  'the list is paged, newest first, and can be limited to a tag or to opted-out contacts',
  async () => {
    const made = []
    for (let nth = 0; nth < 5; nth += 1) {
      made.push(await make({ name: `Page ${nth}`, tags: [nth % 2 ? 'Paged' : 'paged'] }))
    }
    await owner.ask('POST', `${at}/contacts/${made[2]!.id}/opt-out`)
    const names: (string | null)[] = []
    let cursor: string | null = null
    for (const _ of [1, 2, 3]) {
      const next: string = cursor === null ? '' : `&cursor=${cursor}`
      const page = (await find(`tag=PAGED&limit=2${next}`)).body
      names.push(...page.items.map(({ name }) => name))
      cursor = page.nextCursor
    }
    expect(cursor).toBeNull()
    expect(names).toEqual(['Page 4', 'Page 3', 'Page 2', 'Page 1', 'Page 0'])
    const out = await find('tag=paged&optedOut=true')
    expect(out.body.items.map(({ name }) => name)).toEqual(['Page 2'])
    expect((await find('tag=paged&optedOut=false')).body.items).toHaveLength(4)
  },
)

describe('A tag', () => {
  const tags = async () =>
    (await owner.ask<{ items: { tag: string }[] }>('GET', `${at}/tags`)).body.items.map(
      ({ tag }) => tag,
    )
  const tagsOf = async (id: string) =>
    (await owner.ask<ContactView>('GET', `${at}/contacts/${id}`)).body.tags
  /** Requests a change of a tag, and runs its first page. */
  const change = async (what: 'rename' | 'delete', asked: object) => {
    await owner.ask('POST', `${at}/tags/${what}`, asked)
    await world.service.processAll()
  }
  const jobs = async () => await itemsOf<TagJobView>(owner, `${at}/tags/jobs`)
  const updatesOf = async (ids: string[]) => {
    const updates = (await eventsOf(world, { companyId: shop.companyId })).filter(
      ({ type, contactId }) => type === 'contact.updated' && ids.includes(contactId!),
    )
    return updates.length
  }
  const addMany = async (count: number, tag: string) => {
    for (const known of [tag, 'other']) await addTag(world, shop, known)
    const tagged = Array.from({ length: count }, () => ({ tags: ['other', tag] }))
    return addContacts(world, shop, tagged)
  }

  systemTest(
    'is renamed on all contacts that have it, page by page, with an event each',
    async () => {
      const ids = [
        ...(await addMany(CONTACT_JOBS.page + 20, 'customer')),
        ...(await addMany(3, 'Customer')),
      ]
      const asked = { tag: 'CUSTOMER', newTag: 'client' }
      const job = await owner.ask<TagJobView>('POST', `${at}/tags/rename`, asked)
      expect([job.status, job.body.isDone]).toEqual([202, false])
      const second = await owner.ask('POST', `${at}/tags/delete`, { tag: 'other' })
      expect(second.body.code).toBe('conflict')
      await world.service.processAll()
      expect(await jobs()).toMatchObject([{ changed: CONTACT_JOBS.page, isDone: false }])
      expect(await updatesOf(ids)).toBe(CONTACT_JOBS.page)
      world.clock.advance(CONTACT_JOBS.pageEveryMs)
      await world.service.processAll()
      expect(await jobs()).toMatchObject([{ changed: CONTACT_JOBS.page + 23, isDone: true }])
      expect(await updatesOf(ids)).toBe(ids.length)
      expect(await tags()).toContain('client')
      expect((await tags()).map((tag) => tag.toLowerCase())).not.toContain('customer')
    },
  )

  systemTest('is renamed in segments too, which exclude the same contacts throughout', async () => {
    await addMany(CONTACT_JOBS.page + 5, 'no ads')
    const create = async (name: string, filter: object) =>
      (await owner.ask<SegmentView>('POST', `${at}/segments`, { name, filter })).body
    const [left, kept] = [
      await create('To be told', { tags: ['other'], withoutTags: ['vip', 'No ads'] }),
      await create('Not to be told', { tags: ['no ads'] }),
    ]
    const filters = async () => {
      const { body } = await owner.ask<{ items: SegmentView[] }>('GET', `${at}/segments`)
      return [left, kept].map(({ id }) => body.items.find((one) => one.id === id)!.filter)
    }
    const count = async (filter: object) =>
      (await owner.ask<{ count: number }>('POST', `${at}/segments/count`, { filter })).body.count
    const before = await count(left.filter)
    await change('rename', { tag: 'no ads', newTag: 'quiet' })
    // The first page of contacts has the new name, the rest the old one.
    expect(await count((await filters())[0]!)).toBe(before)
    world.clock.advance(CONTACT_JOBS.pageEveryMs)
    await world.service.processAll()
    const expected = [{ tags: ['other'], withoutTags: ['vip', 'quiet'] }, { tags: ['quiet'] }]
    expect(await filters()).toEqual(expected)
    expect(await count((await filters())[0]!)).toBe(before)
    expect(await count({ tags: ['quiet'] })).toBe(CONTACT_JOBS.page + 5)
  })

  systemTest('can be renamed to another case', async () => {
    const [id] = await addMany(1, 'riyadh')
    await change('rename', { tag: 'riyadh', newTag: 'Riyadh' })
    expect(await tagsOf(id!)).toEqual(['other', 'Riyadh'])
    expect((await jobs())[0]).toMatchObject({ changed: 1, isDone: true })
  })

  test('is removed from all contacts, and an unknown one is refused', async () => {
    const [id] = await addMany(1, 'summer')
    await change('delete', { tag: 'Summer' })
    expect(await tagsOf(id!)).toEqual(['other'])
    const refused = await owner.ask('POST', `${at}/tags/delete`, { tag: 'Summer' })
    expect(refused.body.errors).toMatchObject([{ field: 'tag', code: 'no_such_tag' }])
  })

  test('with a letter that lower-cases differently by language is found and renamed', async () => {
    const [id] = await addMany(1, 'İzmir')
    const found = await find(`tag=${encodeURIComponent('İzmir')}`)
    expect(found.body.items.map((one) => one.id)).toEqual([id])
    await change('rename', { tag: 'İzmir', newTag: 'Smyrna' })
    expect(await tagsOf(id!)).toEqual(['other', 'Smyrna'])
    expect(await tags()).not.toContain('İzmir')
  })

  test('is listed once with all that differ from it in case alone', async () => {
    for (const tag of ['Wholesale', 'wholesale', 'WHOLESALE'])
      await make({ name: tag, tags: [tag] })
    expect((await tags()).filter((tag) => tag.toLowerCase() === 'wholesale')).toHaveLength(1)
  })

  test('is stored as written, with any characters', async () => {
    const written = ['a "quoted" one', String.raw`back\slash`, '{braces, and a comma}', 'NULL']
    const { id } = await make({ name: 'Signs', tags: written.slice(0, 2) })
    await owner.ask('PATCH', `${at}/contacts/${id}`, { addTags: written.slice(2) })
    expect(await tagsOf(id)).toEqual(written)
  })

  test('from a hook is listed too', async () => {
    await postHook(shop.hookUrl)
    expect(await tags()).toContain('webhook')
  })
})
