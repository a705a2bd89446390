import { describe, expect, test } from 'vitest'
import { SEARCH_KNOWLEDGE } from '../../../src/modules/assistant/tools/search-knowledge.ts'
import type { ToolContext } from '../../../src/modules/assistant/tools/tool.ts'
import { KNOWLEDGE_SEARCH } from '../../../src/core/limits/knowledge.ts'
import { addText } from '../../support/knowledge.ts'
import { ownedShop } from '../../support/owned-shop.ts'
import { systemTest } from '../../support/system-tests.ts'
import { openWorld } from '../../support/open-world.ts'

const world = await openWorld()
const { shop, owner } = await ownedShop(world)

const TURN: ToolContext = {
  accountId: shop.accountId,
  companyId: shop.companyId,
  conversationId: 'c_1',
  replyId: '',
  channelType: 'whatsapp',
  contactId: null,
  language: 'ar',
  timeZone: 'Asia/Riyadh',
  now: world.clock.now(),
}

const use = (args: unknown) =>
  SEARCH_KNOWLEDGE.use(world.service.context, TURN, 'search_knowledge', args)

describe('Assistant › Knowledge: the tool', () => {
  test('finds by any of its wordings, also in the other language, and numbers the results', async () => {
    await addText(world, owner, shop, {
      title: 'Delivery to the Gulf',
      text: 'We ship to Kuwait within a week for 70 SAR.',
    })
    await addText(world, owner, shop, { title: 'طرق الدفع', text: 'نقبل مدى وأبل باي.' })
    const told = await use({ wordings: ['كم سعر التوصيل', 'delivery price', 'الدفع'] })
    expect(told).toMatchObject({ isDone: true, hasEffect: false })
    expect(told.text).toContain('[1] ')
    expect(told.text).toContain('[2] ')
    expect(told.text).toContain('Delivery to the Gulf\nWe ship to Kuwait within a week for 70 SAR.')
    expect(told.data).toMatchObject({
      wordings: ['كم سعر التوصيل', 'delivery price', 'الدفع'],
      chunks: [{ number: 1 }, { number: 2 }],
    })
    expect(JSON.stringify(told.text)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
  })

  test('returns that nothing was found, and instructions for that case', async () => {
    const told = await use({ wordings: ['zebra crossing'] })
    expect(told.isDone).toBe(true)
    expect(told.text).toMatch(/^Nothing was found\./)
    expect(told.data).toMatchObject({ chunks: [] })
  })

  systemTest('returns at most 6 pieces, of 6,000 characters in all', async () => {
    for (let at = 0; at < 8; at++) {
      const text = `Camel number ${at}. ${`A camel walks far and ${at} is its number. `.repeat(20)}`
      await addText(world, owner, shop, { title: `Camel ${at}`, text })
    }
    const { data, text } = await use({ wordings: ['camel'] })
    const { chunks } = data as { chunks: unknown[] }
    expect(chunks).toHaveLength(KNOWLEDGE_SEARCH.chunks)
    expect(text.length).toBeLessThan(KNOWLEDGE_SEARCH.chars + 500)
  })

  test.each([[null], [{}], [{ wordings: [] }], [{ wordings: [7] }], ['x'], [{ wordings: [' '] }]])(
    '%j is refused with the reason',
    async (args) => {
      expect(await use(args)).toMatchObject({ isDone: false, hasEffect: false })
    },
  )

  test.each([
    ["'; drop table knowledge_chunk; --"],
    ["a'b:A & !c | (d"],
    ['\0\u202e\u200b'],
    ['%_\\'.repeat(100)],
    ['x'.repeat(10_000)],
    ['كلمة '.repeat(2_000)],
    ['\ud800'],
  ])('a hostile wording is treated like any other', async (wording) => {
    expect((await use({ wordings: [wording] })).text).toEqual(expect.any(String))
  })
})
