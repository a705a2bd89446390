/** What the shop of the first start has: customers of before, of whom nothing is told, and a flow that makes leads. */
import { expect, test } from 'vitest'
import type { BroadcastView } from '../../src/contract/dashboard/broadcast.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { ServiceView } from '../../src/contract/dashboard/booking-setup.ts'
import type { ConversationView } from '../../src/contract/dashboard/conversation.ts'
import type { LeadView } from '../../src/contract/dashboard/lead.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { DEMONSTRATION_COMPANY } from '../../src/demonstration/create-demonstration.ts'
import { SAMPLE_PEOPLE } from '../../src/demonstration/sample-people.ts'
import { start } from '../../src/start.ts'
import { demonstrationConfig } from '../support/demonstration.ts'
import { signedIn } from '../support/dashboard.ts'
import { PATIENCE } from '../support/patience.ts'

const WITHIN = { timeout: 30_000 * PATIENCE }
const NEW_CUSTOMER = '12025550175'

test('The first start has sample people to work with; a later one has the same', async () => {
  const { config, database } = await demonstrationConfig()
  const received: string[] = []
  const first = await start(config, (line) => received.push(line))
  const { simulator } = first.demonstration!
  const { accountId } = await database.db.kysely
    .selectFrom('company')
    .select('accountId')
    .where('id', '=', DEMONSTRATION_COMPANY)
    .executeTakeFirstOrThrow()
  const world = { service: first.service, url: `http://127.0.0.1:${first.port}` }
  const agent = await signedIn(world, { accountId, role: 'agent' })
  const at = `/companies/${DEMONSTRATION_COMPANY}`
  const get = async <Item>(query: string) =>
    (await agent.ask<Page<Item>>('GET', `${at}/${query}`)).body.items

  const people = await get<ContactView>('contacts')
  expect(people.map(({ name }) => name)).toEqual(SAMPLE_PEOPLE.map(({ name }) => name).toReversed())
  expect(people.filter(({ optedOut }) => optedOut)).toHaveLength(1)
  const waiting = await get<ConversationView>('conversations?tab=unassigned')
  expect(waiting.map(({ handover }) => handover?.reason)).toEqual([
    'flow_handover',
    'flow_handover',
  ])
  expect(await get<LeadView>('leads?sort=best')).toMatchObject([
    { status: 'qualified', source: 'flow' },
    { status: 'open', source: 'flow' },
  ])
  const services = await get<ServiceView>('services')
  expect(services.map(({ canBeBooked }) => canBeBooked)).toEqual([true, true])
  const owner = await signedIn(world, { accountId })
  const drafts = await owner.ask<Page<BroadcastView>>('GET', `${at}/broadcasts`)
  const [draft] = drafts.body.items
  const check = await owner.ask('POST', `${at}/broadcasts/${draft!.id}/check`)
  expect(check.body).toMatchObject({ problems: [], contacts: 2 })
  expect(received).toEqual([])

  // The simulator knows that they have written: a reply reaches them.
  const text = 'نعتذر، القطع الناقصة تصلك غدًا.'
  const { id } = waiting.at(-1)!
  await agent.ask('POST', `${at}/conversations/${id}/messages`, { key: 'k', text })
  const reply = () => simulator.messages().find((message) => message.text === text)?.status
  await expect.poll(reply, WITHIN).toBe('read')

  simulator.answerByHand({ from: NEW_CUSTOMER, isByHand: true })
  const said = () => simulator.messages().findLast(({ to }) => to === NEW_CUSTOMER)?.text
  simulator.sendText({ from: NEW_CUSTOMER, text: 'أريد عرض سعر' })
  await expect.poll(said, WITHIN).toMatch(/ماذا تريد/)
  simulator.sendText({ from: NEW_CUSTOMER, text: '١' })
  const told = () => received.some((line) => line.includes('lead.qualified'))
  await expect.poll(told, WITHIN).toBe(true)
  await first.stop()

  const second = await start(config, () => {})
  const { rows } = await database.db.pool.query<{ count: number }>(
    'select count(*)::int as count from contact',
  )
  expect(rows).toEqual([{ count: SAMPLE_PEOPLE.length + 1 }])
  await second.stop()
})
