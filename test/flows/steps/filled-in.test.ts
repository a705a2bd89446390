/**
 * What steps leave of values that are empty, or longer than what takes them, and what a branch asks of the
 * service window. Flows › Steps; Concepts › Channel capabilities; readings F35, N6.
 */
import { expect, test } from 'vitest'
import { CONTACT_LIMITS } from '../../../src/core/limits/contacts.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/core/limits/units.ts'
import { entriesOf } from '../../support/records/handovers.ts'
import { moveToChannelType } from '../../support/records/moved-conversations.ts'
import { saying, tellStory, type Story } from '../triggers/trigger-stories.ts'
import { systemTest } from '../../support/system-tests.ts'
import { openWhatsApp } from '../../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp()

const story = () => tellStory(world, whatsApp)
const WAITS = { kind: 'wait_for_reply', timeoutMinutes: 60, onTimeout: null }
const EMPTY = ' {{vars.nothing}} '

async function addField({ owner, shop }: Pick<Story, 'owner' | 'shop'>, field: object) {
  const made = await owner.ask('POST', `/companies/${shop.companyId}/contact-fields`, field)
  expect(made.status).toBe(201)
}

test('A field keeps as much of a text as it has room for; an empty note leaves no line', async () => {
  const { publishOrder, say, conversation, ...told } = await story()
  await addField(told, { key: 'wish', label: 'Wish', kind: 'text' })
  await publishOrder({
    hello: { ...WAITS, saveAs: 'wish', next: 'keep' },
    keep: { kind: 'set_field', key: 'wish', text: '{{vars.wish}}', next: 'none' },
    none: { kind: 'note', text: EMPTY, next: null },
  })
  const text = `A sofa ${'😀'.repeat(CONTACT_LIMITS.fieldValueChars)}`
  for (const said of ['order', text]) await say(said)
  const wish = [...text].slice(0, CONTACT_LIMITS.fieldValueChars).join('')
  expect(told.shop.events('contact.updated')).toMatchObject([
    { data: { contact: { fields: { wish } } } },
  ])
  expect(await entriesOf(world, (await conversation()).id)).toEqual([])
})

systemTest(
  'A field keeps a value as its kind has it; what it does not take changes nothing, and the history says so',
  async () => {
    const { publishOrder, say, lastRun, ...told } = await story()
    await addField(told, { key: 'age', label: 'Age', kind: 'number' })
    const choices = ['Small', 'Large']
    await addField(told, { key: 'size', label: 'Size', kind: 'choice', choices })
    const set = (key: string, text: string, next: string) => {
      return { kind: 'set_field', key, text, next }
    }
    const is = (key: string, value: string) => ({ of: 'field', key, is: 'equal', value })
    const kept = { match: 'all', conditions: [is('age', '25'), is('size', 'Large')], next: 'tag' }
    await publishOrder({
      hello: set('age', '٢٥', 'size'),
      size: set('size', ' large ', 'none'),
      none: set('age', 'twenty', 'huge'),
      huge: set('size', 'Huge', 'which'),
      which: { kind: 'branch', branches: [kept], otherwise: null },
      tag: { kind: 'tag', add: ['kept'], next: null },
    })
    await say('order')
    expect(told.shop.events('contact.updated')).toMatchObject([
      { data: { contact: { tags: ['kept'], fields: { age: '25', size: 'Large' } } } },
    ])
    const { status, steps } = await lastRun()
    expect(status).toBe('completed')
    const done = { status: 'done', detail: null }
    const left = (key: string) => ({
      status: 'failed',
      detail: { code: 'field_not_set', params: { key } },
    })
    expect(steps.slice(0, 4)).toMatchObject([done, done, left('age'), left('size')])
  },
)

systemTest(
  'A message that is empty once it is filled in is not sent: the run fails and says so',
  async () => {
    const { publishOrder, say, shop, sent, lastRun } = await story()
    await publishOrder({ hello: saying(EMPTY) })
    await say('order')
    expect(shop.events('flow.failed')).toHaveLength(1)
    expect(sent()).toEqual([])
    expect((await lastRun()).endDetail).toMatchObject({ code: 'text_empty' })
  },
)

systemTest('A handover whose reason is empty once it is filled in has none', async () => {
  const { publishOrder, say, shop } = await story()
  await publishOrder({ hello: { kind: 'handover', text: EMPTY } })
  await say('order')
  expect(shop.events('conversation.handover')).toMatchObject([{ data: { reasonText: null } }])
})

test.each([
  ['a text of 4,096 characters, emoji counted as one, goes out', '😀'.repeat(2_048), null],
  ['a longer one does not: the run fails and says by how much', 'x'.repeat(2_049), 4_098],
])('Filled in for WhatsApp, %s', async (_, said, tooLong) => {
  const { publishOrder, say, sent, lastRun } = await story()
  await publishOrder({
    hello: { ...WAITS, saveAs: 'answer', next: 'echo' },
    echo: saying('{{vars.answer}}{{vars.answer}}'),
  })
  await say('order')
  await say(said)
  expect(await lastRun()).toMatchObject(
    tooLong === null
      ? { status: 'completed' }
      : {
          status: 'failed',
          endReason: 'error',
          endDetail: {
            code: 'text_too_long',
            params: { length: tooLong, most: 4_096, unit: 'code_points' },
          },
        },
  )
  expect(sent()).toHaveLength(tooLong === null ? 1 : 0)
})

systemTest.each([
  ['whatsapp', DAY_MS - MINUTE_MS, 'open'],
  ['whatsapp', DAY_MS, 'closed'],
  ['whatsapp', 2 * DAY_MS - MINUTE_MS, 'closed'],
  ['whatsapp_qr', 3 * DAY_MS - MINUTE_MS, 'open'],
  ['whatsapp_qr', 3 * DAY_MS, 'closed'],
  ['telegram', 10 * DAY_MS, 'open'],
])('To a branch, on %s %d ms after the customer wrote, the window is %s', async (type, ms, tag) => {
  const { publishOrder, say, shop, contact } = await story()
  const tagged = (name: string) => ({ kind: 'tag', add: [name], remove: [], next: null })
  const branch = (isOpen: boolean, next: string) => {
    return { match: 'all', conditions: [{ of: 'window', isOpen }], next }
  }
  await publishOrder({
    hello: { kind: 'wait', until: { kind: 'minutes', minutes: ms / MINUTE_MS }, next: 'which' },
    which: {
      kind: 'branch',
      branches: [branch(true, 'open'), branch(false, 'closed')],
      otherwise: null,
    },
    open: tagged('open'),
    closed: tagged('closed'),
  })
  await say('order')
  await moveToChannelType(world, shop, type)
  world.clock.advance(ms)
  await whatsApp.settle()
  expect((await contact())?.tags).toEqual([tag])
})
