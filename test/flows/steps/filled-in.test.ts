/** What steps leave of values that are empty, or longer than what takes them. Flows › Steps; reading F35. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONTACT_LIMITS } from '../../../src/limits/contacts.ts'
import { createWorld, type World } from '../../support/service.ts'
import { simulateWhatsApp, type SimulatedWhatsApp } from '../../support/simulator.ts'
import { uploadFile } from '../../support/upload-file.ts'
import { tellStory } from '../triggers/trigger-stories.ts'
import { systemTest } from '../../support/system-tests.ts'

let world: World
let whatsApp: SimulatedWhatsApp
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

test('A field keeps as much of a text as it has room for; an empty note leaves no line', async () => {
  const story = await tellStory(world, whatsApp)
  const { companyId } = story.shop
  const field = { key: 'wish', label: 'Wish', kind: 'text' }
  const fields = `/companies/${companyId}/contact-fields`
  expect((await story.owner.ask('POST', fields, field)).status).toBe(201)
  await story.publish({
    trigger: { kind: 'keyword', words: ['order'] },
    steps: {
      hello: {
        kind: 'wait_for_reply',
        saveAs: 'wish',
        timeoutMinutes: 60,
        next: 'keep',
        onTimeout: null,
      },
      keep: { kind: 'set_field', key: 'wish', text: '{{vars.wish}}', next: 'none' },
      none: { kind: 'note', text: ' {{vars.nothing}} ', next: null },
    },
  })
  const text = `A sofa ${'😀'.repeat(CONTACT_LIMITS.fieldValueChars)}`
  for (const said of ['order', text]) {
    await story.write({ text: said })
    await whatsApp.settle()
  }
  const wish = [...text].slice(0, CONTACT_LIMITS.fieldValueChars).join('')
  expect(story.shop.events('contact.updated')).toMatchObject([
    { data: { contact: { fields: { wish } } } },
  ])
  const { kysely } = world.database.db
  const entries = kysely.selectFrom('conversationEntry').select('kind')
  expect(await entries.where('companyId', '=', companyId).execute()).toEqual([])
})

systemTest(
  'A field keeps a value as its kind has it; what it does not take changes nothing, and the history says so',
  async () => {
    const story = await tellStory(world, whatsApp)
    const { companyId } = story.shop
    for (const field of [
      { key: 'age', label: 'Age', kind: 'number' },
      { key: 'size', label: 'Size', kind: 'choice', choices: ['Small', 'Large'] },
    ]) {
      const made = await story.owner.ask('POST', `/companies/${companyId}/contact-fields`, field)
      expect(made.status).toBe(201)
    }
    const set = (key: string, text: string, next: string) => {
      return { kind: 'set_field', key, text, next }
    }
    const is = (key: string, value: string) => ({ of: 'field', key, is: 'equal', value })
    const kept = { match: 'all', conditions: [is('age', '25'), is('size', 'Large')], next: 'tag' }
    await story.publish({
      trigger: { kind: 'keyword', words: ['order'] },
      steps: {
        hello: set('age', '٢٥', 'size'),
        size: set('size', ' large ', 'none'),
        none: set('age', 'twenty', 'huge'),
        huge: set('size', 'Huge', 'which'),
        which: { kind: 'branch', branches: [kept], otherwise: null },
        tag: { kind: 'tag', add: ['kept'], next: null },
      },
    })
    await story.write({ text: 'order' })
    await whatsApp.settle()
    expect(story.shop.events('contact.updated')).toMatchObject([
      { data: { contact: { tags: ['kept'], fields: { age: '25', size: 'Large' } } } },
    ])
    const [run] = await story.runs()
    expect(run).toMatchObject({ status: 'completed' })
    const path = `/companies/${companyId}/runs/${run!.id}`
    const { body } = await story.owner.ask<{ steps: object[] }>('GET', path)
    const left = (key: string) => ({
      status: 'failed',
      detail: { code: 'field_not_set', params: { key } },
    })
    const done = { status: 'done', detail: null }
    expect(body.steps.slice(0, 4)).toMatchObject([done, done, left('age'), left('size')])
  },
)

systemTest(
  'A message that is empty once it is filled in is not sent: the run fails and says so',
  async () => {
    const story = await tellStory(world, whatsApp)
    const hello = { kind: 'send_message', text: ' {{vars.nothing}} ', next: null }
    await story.publish({ trigger: { kind: 'keyword', words: ['order'] }, steps: { hello } })
    await story.write({ text: 'order' })
    await whatsApp.settle()
    expect(story.shop.events('flow.failed')).toHaveLength(1)
    const theirs = whatsApp.simulator.messages().filter(({ to }) => `+${to}` === story.phone)
    expect(theirs).toEqual([])
    const [run] = await story.runs()
    const path = `/companies/${story.shop.companyId}/runs/${run!.id}`
    const { body } = await story.owner.ask<{ endDetail: object }>('GET', path)
    expect(body.endDetail).toMatchObject({ code: 'text_empty' })
  },
)

systemTest('A handover whose reason is empty once it is filled in has none', async () => {
  const story = await tellStory(world, whatsApp)
  const hello = { kind: 'handover', text: ' {{vars.nothing}} ' }
  await story.publish({ trigger: { kind: 'keyword', words: ['order'] }, steps: { hello } })
  await story.write({ text: 'order' })
  await whatsApp.settle()
  expect(story.shop.events('conversation.handover')).toMatchObject([{ data: { reasonText: null } }])
})

systemTest('A file is kept with its words, as the customer reads them', async () => {
  const story = await tellStory(world, whatsApp)
  const { companyId } = story.shop
  const asked = { query: { purpose: 'flow', name: 'menu.png' } }
  const fileId = await uploadFile(world, story.owner, companyId, asked)
  const hello = { kind: 'send_media', fileId, caption: 'For {{contact.phone}}', next: null }
  await story.publish({ trigger: { kind: 'keyword', words: ['order'] }, steps: { hello } })
  await story.write({ text: 'order' })
  await whatsApp.settle()
  const [run] = await story.runs()
  const { kysely } = world.database.db
  const kept = kysely.selectFrom('message').select(['type', 'text']).where('runId', '=', run!.id)
  expect(await kept.execute()).toEqual([{ type: 'image', text: `For ${story.phone}` }])
})
