/** Lists of leads, and who watches them. Leads › Lists. */
import { describe, expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { LeadCounts, LeadView } from '../../src/contract/dashboard/lead.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { LIVE_LEAD } from '../../src/modules/leads/live-lead.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { createLiveChanges } from '../../src/modules/live-updates/change-stream.ts'
import { openWorld } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { followLive, lookUntil } from '../support/live.ts'
import { createShop } from '../support/shop.ts'

const world = await openWorld()
const shop = await createShop(world)
const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
const at = `/companies/${shop.companyId}`
const scores = [50, null, 90, 0, 50]
const leads: LeadView[] = []
for (const [place, score] of scores.entries()) {
  world.clock.advance(MINUTE_MS)
  const owner = place === 0 ? { ownerId: agent.personId } : {}
  const temperature = place === 4 ? 'hot' : null
  leads.push(await make(`Customer ${place}`, { score, temperature, ...owner }))
}
await agent.ask('POST', `${at}/leads/${leads[1]!.id}/qualify`)
await agent.ask('POST', `${at}/leads/${leads[2]!.id}/win`)

async function make(name: string, values: object) {
  const phone = `+96650123456${name.at(-1)!}`
  const contact = await agent.ask<ContactView>('POST', `${at}/contacts`, { name, phone })
  const input = { contactId: contact.body.id, ...values }
  return (await agent.ask<LeadView>('POST', `${at}/leads`, input)).body
}
const NOBODY = '01a1fd55-7a80-7278-823e-2ce24018e90d'
const list = (query: string) => agent.ask<Page<LeadView>>('GET', `${at}/leads?${query}`)
/** The last letters of the customers' names. */
const found = async (query: string) =>
  (await list(query)).body.items.map(({ customerName }) => customerName!.slice(-1)).join('')

describe('The list', () => {
  test.each([
    ['newest first', '', '43210'],
    ['best first, those without a score last', 'sort=best', '24031'],
    ['open ones', 'status=open', '430'],
    ['qualified ones', 'status=qualified', '1'],
    ['won ones', 'status=won&sort=best', '2'],
    ['hot ones', 'temperature=hot', '4'],
    ['those of nobody', 'ownerId=none&status=open', '43'],
    ['those of a customer’s name', 'q=customer%203', '3'],
  ])('finds %s', async (_, query, names) => {
    expect(await found(query)).toBe(names)
  })

  test('finds those of a member, of a number and of a contact', async () => {
    const first = leads[0]!
    expect(await found(`ownerId=${agent.personId}`)).toBe('0')
    expect(await found(`q=${encodeURIComponent(first.contact!.phone!)}`)).toBe('0')
    expect(await found(`contactId=${first.contact!.id}`)).toBe('0')
  })

  test.each([
    ['newest', 'best'],
    ['best', 'newest'],
  ])('continues page by page only in its own order: %s', async (sort, other) => {
    const seen: string[] = []
    let cursor = ''
    for (const expected of [2, 2, 1]) {
      const { body } = await list(`sort=${sort}&limit=2${cursor}`)
      expect(body.items).toHaveLength(expected)
      seen.push(...body.items.map(({ id }) => id))
      cursor = `&cursor=${body.nextCursor}`
      if (expected === 1) expect(body.nextCursor).toBeNull()
      else expect((await list(`sort=${other}${cursor}`)).status).toBe(422)
    }
    expect(new Set(seen)).toEqual(new Set(leads.map(({ id }) => id)))
  })

  test.each([
    ['sort=best', ['50', 'x']],
    ['sort=newest', ['2026-01-01T00:00:00Z', 'x']],
    ['sort=newest', ['2026-02-30T00:00:00Z', NOBODY]],
    ['sort=best', ['50.5', NOBODY]],
    ['sort=best', [50, NOBODY]],
  ])('refuses a cursor of another list: %s, %j', async (query, place) => {
    const cursor = Buffer.from(JSON.stringify(place)).toString('base64url')
    expect(await list(`${query}&cursor=${cursor}`)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'cursor', code: 'wrong_cursor' }] },
    })
  })

  test('refuses a search of two letters, and counts the leads of each status', async () => {
    expect(await list('q=cu')).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'q', code: 'search_too_short' }] },
    })
    expect((await agent.ask<LeadCounts>('GET', `${at}/leads/counts`)).body).toEqual({
      open: 3,
      qualified: 1,
      won: 1,
      lost: 0,
      max: 1_000,
    })
  })
})

test('A stream of the company reports leads as they change', async () => {
  const live = createLiveChanges(world.service.context, { lead: LIVE_LEAD })
  const { changed, stop } = await followLive<LeadView>(live, shop, 'agent')
  try {
    const lead = await make('Customer 9', {})
    await lookUntil('the lead is there', live, () => changed().length > 0)
    await agent.ask('POST', `${at}/leads/${lead.id}/win`)
    await lookUntil('the lead is won', live, () => changed().some(({ status }) => status === 'won'))
    expect(changed().at(-1)).toMatchObject({ id: lead.id, status: 'won' })
  } finally {
    stop()
    live.stop()
  }
})
