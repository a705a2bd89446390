/** Which message counts as an answer to what was stated. Spec: Calls › Confirmation; reading C13; reading C15. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SECOND_MS } from '../../src/limits/units.ts'
import { json } from '../support/shop-api.ts'
import { createActionWorld, idOf, type ActionWorld } from './action-world.ts'
import { DONE, propose } from './propose.ts'

let w: ActionWorld
beforeAll(async () => {
  w = await createActionWorld()
})
afterAll(() => w.close())
beforeEach(async () => {
  await w.clear()
  w.api.reply(json(200, { order: { status: 'cancelled' } }))
})

const after = (ms: number) => w.world.clock.advance(ms)
const change = (columns: { status?: string; isImported?: boolean }, text: string) =>
  w.deps.db.kysely.updateTable('message').set(columns).where('text', '=', text).execute()

test('What was brought over from the history of a phone agrees to nothing', async () => {
  const { talk, drafted } = await propose(w)
  await talk.write('yes')
  await change({ isImported: true }, 'yes')
  expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
  expect(w.api.requests).toEqual([])
})

test.each(['sending', 'unknown'])(
  'Words may answer what else was said, also while its send is %s: only the button agrees',
  async (status) => {
    const { talk, drafted, statement } = await propose(w)
    const sale = `A sale, ${status}! Answer yes to hear more.`
    await talk.say('broadcast', sale)
    await change({ status }, sale)
    after(SECOND_MS)
    await talk.write('yes')
    expect(await talk.answer()).toEqual({ kind: 'ask_again', proposalId: idOf(drafted) })
    expect(w.api.requests).toEqual([])
    await talk.press(statement.buttons[0]!)
    expect(await talk.confirm(drafted)).toEqual(DONE)
  },
)

test.each(['failed', 'cancelled'])(
  'What else was written and is %s nobody has read: words agree',
  async (status) => {
    const { talk } = await propose(w)
    const sale = `A sale, ${status}! Answer yes to hear more.`
    await talk.say('broadcast', sale)
    await change({ status }, sale)
    after(SECOND_MS)
    await talk.write('yes')
    expect(await talk.answer()).toMatchObject({ kind: 'agreed', told: DONE })
  },
)

test('What was said after the customer’s words takes nothing from them', async () => {
  const { talk } = await propose(w)
  await talk.write('yes')
  after(SECOND_MS)
  await talk.say('broadcast', 'A sale! Answer yes to hear more.')
  expect(await talk.answer()).toMatchObject({ kind: 'agreed', told: DONE })
})
