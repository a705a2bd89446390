import { describe, expect, test } from 'vitest'
import type { AuditView, AuditWords } from '../../src/contract/dashboard/account.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { auditKindWords } from '../../src/dashboard/account/words-audit-kinds.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { itemsOf, signedIn } from '../support/dashboard.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'
import { addAudit } from '../support/records/audit.ts'
import { addContact } from '../support/records/contacts.ts'

const world = await openWorld()
const shop = await createShop(world)
const owner = await signedIn(world, { accountId: shop.accountId })
const admin = await signedIn(world, { accountId: shop.accountId, role: 'admin' })
const other = await createShop(world, { phoneNumberId: '2', businessAccountId: '2' })
await write(owner.personId, 'flow.created', 'flow', 'f1')
await write(admin.personId, 'flow.deleted', 'flow', 'f1', { name: '=cmd|"a"!B1' })
world.clock.advance(MINUTE_MS)
const middle = world.clock.now().toISOString()
await write(admin.personId, 'channel.edited', 'channel', 'c1')
await write(null, 'password.reset', 'person', 'p1')
await write(null, 'password.reset', 'person', 'p2', undefined, other)

function write(
  personId: string | null,
  action: string,
  subjectKind: string,
  subjectId: string,
  detail?: Record<string, unknown>,
  of: Shop = shop,
) {
  const done = { personId, action, subjectKind, subjectId, ...(detail && { detail }) }
  return addAudit(world, of, done)
}

const list = async (query: string) =>
  (await owner.ask<Page<AuditView>>('GET', `/audit?${query}`)).body.items.map(
    ({ action, subjectId }) => `${action} ${subjectId}`,
  )
const exported = (json: unknown, by = owner) => by.ask<string>('POST', '/audit/exports', json)

const ALL = ['password.reset p1', 'channel.edited c1', 'flow.deleted f1', 'flow.created f1']

describe('The audit', () => {
  test('lists who did what to what, when and where, and filters by each', async () => {
    expect(await list('')).toEqual(ALL)
    expect(await list(`by=${admin.personId}`)).toEqual([ALL[1], ALL[2]])
    expect(await list('by=service')).toEqual([ALL[0]])
    expect(await list('action=flow.deleted')).toEqual([ALL[2]])
    expect(await list('subjectKind=flow')).toEqual([ALL[2], ALL[3]])
    expect(await list('subjectId=c1')).toEqual([ALL[1]])
    expect(await list(`from=${middle}`)).toEqual([ALL[0], ALL[1]])
    expect(await list(`to=${middle}`)).toEqual([ALL[2], ALL[3]])
    expect(await list(`subjectKind=flow&by=${admin.personId}&to=${middle}`)).toEqual([ALL[2]])
    expect(await list(`companyId=${shop.companyId}&limit=1`)).toEqual([ALL[0]])
    expect(await list('action=nothing')).toEqual([])
  })

  const wrong = ['by=x', 'from=yesterday', 'to=0000-01-01T00:00:00Z', `action=${'x'.repeat(101)}`]
  test.each(wrong)('refuses %s', async (query) => {
    expect((await owner.ask('GET', `/audit?${query}`)).status).toBe(422)
  })

  test('lists the actions and the kinds of subjects that this account can filter by', async () => {
    expect((await owner.ask<AuditWords>('GET', '/audit/words')).body).toEqual({
      actions: ['channel.edited', 'flow.created', 'flow.deleted', 'password.reset'],
      subjectKinds: ['channel', 'flow', 'person'],
    })
  })

  test('exports a file in which no cell is a formula, and records who exported it', async () => {
    const answer = await exported({ by: admin.personId, subjectKind: 'flow' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"')
    const [head, first, ...more] = answer.body.replace('\ufeff', '').split('\r\n')
    expect(head).toBe(
      'time_utc,person_email,person_name,action,subject_kind,subject_id,company_id,detail,subject_name',
    )
    expect(first).toContain(`${admin.email},The admin,flow.deleted,flow,f1,${shop.companyId},`)
    expect(more).toEqual([''])
    await write(null, '=1+1', 'flow', '@x')
    expect((await exported({ action: '=1+1' })).body).toContain(`,'=1+1,flow,'@x,`)
    expect((await list('action=audit.exported')).length).toBe(2)
  })

  test('names a subject as it is called now, or was when deleted, and a contact until it is erased', async () => {
    const at = `/companies/${shop.companyId}`
    const made = async (path: string, json: unknown) =>
      (await owner.ask<{ id: string }>('POST', `${at}/${path}`, json)).body.id
    const names = async (subjectId: string) =>
      itemsOf<AuditView>(owner, `/audit?subjectId=${subjectId}`).then((items) =>
        items.map(({ action, subjectName }) => `${action} ${subjectName}`),
      )
    const segment = await made('segments', { name: 'VIP', filter: {} })
    await owner.ask('PATCH', `${at}/segments/${segment}`, { name: 'Regulars' })
    expect(await names(segment)).toEqual(['segment.edited Regulars', 'segment.created Regulars'])
    await owner.ask('DELETE', `${at}/segments/${segment}`)
    expect((await names(segment))[0]).toBe('segment.deleted Regulars')
    const contact = await made('contacts', { name: 'Sara', phone: '+966501234567' })
    await write(owner.personId, 'contact.edited', 'contact', contact)
    expect(await names(contact)).toContain('contact.edited Sara')
    expect((await exported({ subjectId: contact })).body).toContain(',Sara\r\n')
    await owner.ask('POST', `${at}/contacts/${contact}/erase`, { confirm: true })
    expect(await names(contact)).toContain('contact.edited null')
    expect(await names('f1')).toEqual(['flow.deleted =cmd|"a"!B1', 'flow.created null'])
    for (const kind of Object.keys(auditKindWords.en)) {
      await write(null, 'kind.asked', kind, '01890000-0000-7000-8000-000000000000')
    }
    const kinds = await itemsOf<AuditView>(owner, '/audit?action=kind.asked&limit=100')
    expect(kinds.map(({ subjectName }) => subjectName)).toEqual(kinds.map(() => null))
    // The audit names no subject of another account, even if an entry refers to one.
    const theirs = await addContact(world, other, { name: 'Theirs' })
    await write(owner.personId, 'contact.edited', 'contact', theirs)
    expect(await names(theirs)).toEqual(['contact.edited null'])
  })

  systemTest('exports every entry of a long audit', async () => {
    for (let n = 0; n < 2_100; n++) await write(null, 'many.made', 'thing', `t${n}`)
    const lines = (await exported({ action: 'many.made' })).body.trim().split('\r\n').slice(1)
    expect(new Set(lines.map((line) => line.split(',')[5])).size).toBe(2_100)
  })

  test('is closed to Agents', async () => {
    const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    expect((await agent.ask('GET', '/audit/words')).status).toBe(403)
    expect((await exported({}, agent)).status).toBe(403)
  })
})
