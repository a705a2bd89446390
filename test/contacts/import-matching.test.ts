/** The contact that each row of a file matches, and the result of each row. Spec: Contacts › Import. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { ContactImportView } from '../../src/contract/dashboard/contact-import.ts'
import { CONTACT_JOBS, IMPORT_LIMITS } from '../../src/core/limits/contacts.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { type Member, itemsOf } from '../support/dashboard.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { newPhone } from '../support/simulator.ts'
import type { Shop } from '../support/shop.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'
import { importsOf } from '../support/upload-contacts.ts'

let shop: Shop
let owner: Member
let at: string
let imports: ReturnType<typeof importsOf>
const world = await openWorld()
beforeEach(async () => {
  ;({ shop, owner } = await ownedShop(world))
  at = `/companies/${shop.companyId}`
  imports = importsOf(world, { shop, owner })
})

const countsOf = ({ created, updated, unchanged, combined, leftOut }: ContactImportView) => ({
  ...(created > 0 && { created }),
  ...(updated > 0 && { updated }),
  ...(unchanged > 0 && { unchanged }),
  ...(combined > 0 && { combined }),
  ...(leftOut > 0 && { leftOut }),
})

/** Checks a file and imports it. Returns the counts, which are the same after the check and after the import. */
async function importPage(rows: string, more?: object, head?: string) {
  const id = await imports.begin(rows, more, head)
  const checked = countsOf(await imports.settle(id))
  const done = await imports.start(id)
  expect(countsOf(done)).toEqual(checked)
  return { id, counts: countsOf(done) }
}

const optOut = (id: string) => owner.ask('POST', `${at}/contacts/${id}/opt-out`)

describe('A row with a number', () => {
  systemTest.each(['fill', 'overwrite', 'skip'])(
    'matches by that number alone, whatever e-mail address it shares, in mode %s',
    async (mode) => {
      const phones = [1, 2, 3, 4, 5].map(() => newPhone())
      const rows = phones.map(
        (phone, nth) => `N${nth},${phone},noemail@shop.sa,,${nth === 3 ? 'yes' : 'no'}`,
      )
      const { counts, id } = await importPage(rows.join('\n'), { mode })
      expect(counts).toEqual({ created: 5 })
      expect(await imports.listed(id)).toEqual({})
      const expected = phones.map((phone, nth) => ({ name: `N${nth}`, phone, optedOut: nth === 3 }))
      expect(await imports.contacts()).toMatchObject(expected)
      const again = await importPage(rows.join('\n'), { mode })
      expect(again.counts).toEqual({ unchanged: 5 })
    },
  )

  test('matching no contact updates the only contact with its e-mail address, if that has no number', async () => {
    const known = await imports.make({ name: 'Sara', email: 'Sara@Example.com' })
    const phone = newPhone()
    const { counts } = await importPage(`,${phone},sara@example.com,,\n`)
    expect(counts).toEqual({ updated: 1 })
    expect(await imports.contacts()).toMatchObject([{ id: known.id, phone }])
    const found = await itemsOf<ContactView>(owner, `${at}/contacts?q=${phone.slice(1)}`)
    expect(found.map(({ id }) => id)).toEqual([known.id])
  })

  test('makes a new contact if other rows have its e-mail address with other numbers', async () => {
    await imports.make({ name: 'Huda', email: 'h@x.example' })
    const [one, two] = [newPhone(), newPhone()]
    const { counts } = await importPage(`Huda,${one},h@x.example,,\nHadi,${two},H@x.example,,\n`)
    expect(counts).toEqual({ created: 2 })
    expect(await imports.contacts()).toMatchObject([
      { phone: null },
      { phone: one },
      { phone: two },
    ])
  })
})

describe('A row without a number', () => {
  test('is left out and listed if it matches several contacts', async () => {
    for (const name of ['Huda', 'Hadi']) await imports.make({ name, email: 'h@x.example' })
    const { counts, id } = await importPage('Noor,,h@x.example,,\n')
    expect(counts).toEqual({ leftOut: 1 })
    expect(await imports.listed(id)).toEqual({ 2: ['email_of_several'] })
  })

  test('finds the contact that a row of the same file makes, before or after it', async () => {
    const [one, two] = [newPhone(), newPhone()]
    const { counts } = await importPage(
      [
        `Huda,${one},h@x.example,,`,
        'Omar,,h@x.example,,',
        'Sara,,s@x.example,,',
        `,${two},s@x.example,,`,
      ].join('\n'),
    )
    expect(counts).toEqual({ created: 2, updated: 1, unchanged: 1 })
    expect(await imports.contacts()).toMatchObject([
      { name: 'Huda', phone: one },
      { name: 'Sara', phone: two },
    ])
  })
})

describe('A number without its country', () => {
  systemTest('has no country, matches no contact, and is stored as written', async () => {
    await imports.make({ name: 'Saudi', phone: '+966508630778' })
    const { counts } = await importPage('Emirati,0508630778,e@x.example,,\n')
    expect(counts).toEqual({ created: 1 })
    expect(await imports.contacts()).toMatchObject([
      { name: 'Saudi', email: null },
      { name: 'Emirati', phone: null, rawPhone: '0508630778' },
    ])
    // A second import of the file matches the same contact.
    expect((await importPage('Emirati,0508630778,e@x.example,,\n')).counts).toEqual({
      unchanged: 1,
    })
  })

  test('gets the country that the member chose', async () => {
    const saudi = await imports.make({ name: 'Saudi', phone: '+966508630778' })
    const { id, counts } = await importPage('Sara,0508630778,,,\nNoor,0508630779,,,\n', {
      country: 'SA',
      mode: 'overwrite',
    })
    expect(counts).toEqual({ created: 1, updated: 1 })
    expect(await imports.show(id)).toMatchObject({ country: 'SA' })
    expect(await imports.contacts()).toMatchObject([
      { id: saudi.id, name: 'Sara' },
      { name: 'Noor', phone: '+966508630779' },
    ])
  })

  test('is refused with an unknown country', async () => {
    const { body } = await imports.upload(`${imports.HEAD}\nSara,,,,\n`)
    const refused = await imports.ask(body.id, 'check', { columns: imports.COLUMNS, country: 'XX' })
    expect(refused.body.errors).toMatchObject([{ field: 'country', code: 'wrong_country' }])
  })
})

describe('Rows of one contact', () => {
  test('are combined: the last filled cell of each column, all tags, and an opt-out if any row has one', async () => {
    const phone = newPhone()
    const { counts, id } = await importPage(
      [
        `Huda,${phone},h@x.example,vip,yes`,
        `Noor,${newPhone()},,,`,
        `Huda A.,${phone},,"new,VIP",no`,
      ].join('\n'),
    )
    expect(counts).toEqual({ created: 2, combined: 1 })
    expect(await imports.listed(id)).toEqual({ 4: ['import_double'] })
    const [first] = await imports.contacts()
    expect(first).toMatchObject({
      name: 'Huda A.',
      email: 'h@x.example',
      tags: ['vip', 'new'],
      optedOut: true,
    })
    const types = await eventTypesOf(world, { contactId: first!.id })
    expect(types).toEqual(['contact.created', 'contact.opted_out'])
  })

  test('without a number are combined by their e-mail address, but not with rows of other numbers', async () => {
    const { counts } = await importPage(
      [
        'Sara,,s@x.example,,',
        'Sara S.,,S@x.example,,',
        'A,0501110001,n@x.example,,',
        'B,0501110002,n@x.example,,',
        'A again,050-111-0001,n@x.example,,',
      ].join('\n'),
    )
    expect(counts).toEqual({ created: 3, combined: 2 })
    const names = (await imports.contacts()).map(({ name }) => name)
    expect(names).toEqual(['Sara S.', 'A again', 'B'])
  })

  test('with more tags than a contact may have are imported with as many as fit', async () => {
    const phone = newPhone()
    const tags = (from: number) =>
      Array.from({ length: 40 }, (_, nth) => `t${from + nth}`).join(';')
    const { id } = await importPage(`Sara,${phone},,${tags(0)},\nSara,${phone},,${tags(40)},\n`)
    const [contact] = await imports.contacts()
    expect(contact?.tags).toHaveLength(50)
    expect(await imports.listed(id)).toEqual({ 2: ['too_many_tags'], 3: ['import_double'] })
  })

  systemTest('are combined across pages of the check and of the import', async () => {
    const phone = newPhone()
    const between = Math.max(IMPORT_LIMITS.checkPage, CONTACT_JOBS.page)
    const many = Array.from({ length: between }, (_, nth) => `n${nth},,,,`)
    const rows = [`First,${phone},,,`, ...many, `Last,${phone},,,yes`]
    const checked = await imports.settle(await imports.begin(rows.join('\n')))
    expect(countsOf(checked)).toEqual({ created: between + 1, combined: 1 })
    await imports.ask(checked.id, 'start')
    await world.service.processAll()
    const found = await itemsOf<ContactView>(owner, `${at}/contacts?q=${phone.slice(1)}`)
    expect(found).toMatchObject([{ name: 'Last', optedOut: true }])
  })
})

describe('An opt-out in a file', () => {
  test.each(['fill', 'overwrite', 'skip'])('is never lost, in mode %s', async (mode) => {
    const phone = newPhone()
    await imports.make({ name: 'Sara', phone })
    const { counts } = await importPage(`Sara,${phone},,,yes\n`, { mode })
    expect(counts).toEqual({ updated: 1 })
    expect(await imports.contacts()).toMatchObject([{ name: 'Sara', optedOut: true }])
  })

  systemTest('applies even if another cell of its row has an error', async () => {
    const [known, made] = [newPhone(), newPhone()]
    await imports.make({ name: 'Sara', phone: known })
    const rows = `X,${known},no address,,yes\nY,${made},no address,,yes\nHuda,${made},,,\n`
    const { counts } = await importPage(rows)
    expect(counts).toEqual({ created: 1, leftOut: 2 })
    expect(await imports.contacts()).toMatchObject([
      { name: 'Sara', optedOut: true },
      { name: 'Huda', optedOut: true },
    ])
  })

  systemTest('changes nothing for a contact who is opted out already', async () => {
    const phone = newPhone()
    const { id } = await imports.make({ name: 'Sara', phone })
    await optOut(id)
    expect((await importPage(`Sara,${phone},,,yes\n`)).counts).toEqual({ unchanged: 1 })
  })
})

systemDescribe('The check of an import', () => {
  test('predicts the result of each row, also for rows that match contacts of earlier pages', async () => {
    const between = Array.from({ length: IMPORT_LIMITS.checkPage }, (_, nth) => `n${nth},,,,`)
    const [phone, known] = [newPhone(), newPhone()]
    await imports.make({ name: 'Known', phone: known })
    const rows = [
      `Huda,${phone},h@x.example,,`,
      `,${known},k@x.example,,`,
      ...between,
      'Omar,,h@x.example,,',
      'Known,,k@x.example,,',
    ]
    const { counts } = await importPage(rows.join('\n'))
    expect(counts).toEqual({ created: between.length + 1, updated: 1, unchanged: 2 })
  })
})
