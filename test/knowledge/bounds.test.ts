/** How much a company writes down, and how it is shown. Spec: Assistant › Knowledge. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ChunkView } from '../../src/contract/dashboard/knowledge.ts'
import { KNOWLEDGE_LIMITS } from '../../src/limits/knowledge.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { addText, findsBy, knowledgeOf } from '../support/knowledge.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { createRandom } from '../support/random.ts'

const random = createRandom('bounds')

let world: World
let shop: Shop
let owner: Member
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  shop = await createShop(world, { phoneNumberId: String(random()).slice(2) })
  owner = await signedIn(world, shop)
})

test('the pieces of a source are listed in their order, page by page', async () => {
  const text = Array.from({ length: 56 }, (_, nth) => `Piece ${nth}. ${'x'.repeat(590)}`)
  const { id } = await addText(world, owner, shop, { title: 'Long', text: text.join('\n\n') })
  const page = (query: string) =>
    owner.ask<{ items: ChunkView[]; next: number }>(
      'GET',
      `${knowledgeOf(shop)}/sources/${id}/chunks${query}`,
    )
  const { body: first } = await page('')
  const { body: second } = await page(`?after=${first.next}`)
  expect([...first.items, ...second.items].map(({ body }) => body)).toEqual(text)
  expect([first.items.length, second.next]).toEqual([50, null])
})

test('a company has at most 500 synonyms, each of which may be changed', async () => {
  const rows = Array.from({ length: KNOWLEDGE_LIMITS.synonyms - 1 }, (_, nth) => {
    return {
      companyId: shop.companyId,
      word: `w${nth}`,
      means: ['x'],
      term: `w${nth}`,
      meanTerms: ['x'],
    }
  })
  await world.service.context.db.kysely.insertInto('synonym').values(rows).execute()
  const set = (word: string) =>
    owner.ask('PUT', `${knowledgeOf(shop)}/synonyms`, { word, means: ['tea'] })
  const answers = [await set('karak'), await set('karak'), await set('adeni')]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 409])
})

test('what a word means to one company it means to no other', async () => {
  await addText(world, owner, shop, { title: 'Karak', text: 'Tea with milk and cardamom.' })
  const other = await createShop(world, { phoneNumberId: String(random()).slice(2) })
  const stranger = await signedIn(world, other)
  const synonym = { word: 'عدني', means: ['karak'] }
  const set = await stranger.ask('PUT', `${knowledgeOf(other)}/synonyms`, synonym)
  expect(set.status).toBe(200)
  expect(await findsBy(owner, shop, 'فيه عدني؟')).toEqual([])
})
