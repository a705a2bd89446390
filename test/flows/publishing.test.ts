/** A flow can be published if all that it names exists in its company. Flows › Publishing; reading F3. */
import { expect, test } from 'vitest'
import type { FlowDetail } from '../../src/contract/dashboard/flow.ts'
import type { Problem } from '../../src/contract/dashboard/problem.ts'
import { bookableShop } from '../support/bookable.ts'
import { deleteChannel, restoreChannel } from '../support/records/channels.ts'
import { uploadFile } from '../support/upload-file.ts'
import { keyword, SAYING, tellStory, type Story } from './triggers/trigger-stories.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWhatsApp } from '../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp()
const story = await tellStory(world, whatsApp)
const stranger = await tellStory(world, whatsApp)

const KEYWORD = keyword('order')
/** Returns a new file of a company, which its flows may send. */
const fileOf = ({ owner, shop }: Story) =>
  uploadFile(world, owner, shop.companyId, { query: { purpose: 'flow', name: 'menu.png' } })
/** Returns the reasons why a flow of one step is not published. */
async function issuesOf(step: object): Promise<string[]> {
  const { answer } = await story.tryToPublish({ trigger: KEYWORD, steps: { hello: step } })
  expect(answer.status).toBe(422)
  const { errors } = answer.body as unknown as Problem
  return errors!.map(({ field, code }) => `${field} ${code}`)
}
async function addField({ owner, shop }: Story, key: string): Promise<string> {
  const path = `/companies/${shop.companyId}/contact-fields`
  const made = await owner.ask<{ id: string }>('POST', path, { key, label: key, kind: 'text' })
  expect(made.status).toBe(201)
  return `${path}/${made.body.id}`
}

test('a field of another company or an archived one is refused', async () => {
  const sets = (key: string) => ({ kind: 'set_field', key, text: 'L', next: null })
  await addField(stranger, 'theirs')
  expect(await issuesOf(sets('theirs'))).toEqual(['steps.hello.key field_exists'])
  const size = await addField(story, 'size')
  await story.publishOrder({ hello: sets('size') })
  expect((await story.owner.ask('PATCH', size, { isArchived: true })).status).toBe(200)
  expect(await issuesOf(sets('size'))).toEqual(['steps.hello.key field_exists'])
})

test('a member or a file of another company is refused', async () => {
  const assigns = { kind: 'assign', personId: stranger.owner.personId, next: null }
  expect(await issuesOf(assigns)).toEqual(['steps.hello.personId member_exists'])
  const shows = { kind: 'send_media', fileId: await fileOf(stranger), caption: null, next: null }
  expect(await issuesOf(shows)).toEqual(['steps.hello.fileId file_exists'])
})

test('a caption that is too long for the channel is refused with its field', async () => {
  const fileId = await fileOf(story)
  const shows = { kind: 'send_media', fileId, caption: 'x'.repeat(1_025), next: null }
  const [fault, ...more] = await issuesOf(shows)
  expect([fault, more]).toEqual([expect.stringMatching(/^steps\.hello\.caption /), []])
})

const ASK = { kind: 'ask', text: 'How many?', saveAs: null, timeoutMinutes: 60, next: null }
const asks = (more: object) => ({ ...ASK, onTimeout: null, ...more })
test.each<[string, object, string[]]>([
  [
    'bounds that leave nothing',
    asks({ answer: 'number', min: 2, max: 1 }),
    ['max bounds_in_order'],
  ],
  [
    'options of one value',
    asks({ answer: 'choice', options: ['A', 'B'].map((label) => ({ label, value: 'x' })) }),
    ['options[1].label options_differ'],
  ],
  [
    'options of one label, in other letters',
    asks({ answer: 'choice', options: ['a', 'A'].map((label) => ({ label, value: label })) }),
    ['options[1].label options_differ'],
  ],
  ['no tag at all', { kind: 'tag', add: [], remove: [], next: null }, ['add tags_given']],
])('%s: refused', async (_, step, faults) => {
  expect(await issuesOf(step)).toEqual(faults.map((fault) => `steps.hello.${fault}`))
})

test.each<[string, object]>([
  ['bounds that leave one number', asks({ answer: 'number', min: 2, max: 2 })],
  [
    'labels of twenty signs, however many bytes they are',
    asks({ answer: 'choice', options: [{ label: '😀'.repeat(20), value: 'x' }] }),
  ],
  ['one tag', { kind: 'tag', add: [], remove: ['new'], next: null }],
])('%s: published', async (_, step) => {
  const { answer } = await story.tryToPublish({ trigger: KEYWORD, steps: { hello: step } })
  expect(answer.status).toBe(200)
})

test('a resource that does not provide the service is refused for it', async () => {
  const bookable = await bookableShop(world, story.shop.companyId)
  const [keeps, other] = [await bookable.resource(), await bookable.resource()]
  const serviceId = await bookable.service([{ id: keeps }])
  const books = { kind: 'book', serviceId, text: 'When?', timeoutMinutes: 60, next: null }
  const wants = (resourceId: string) => ({ ...books, resourceId, onTimeout: null })
  expect(await issuesOf(wants(other))).toEqual(['steps.hello.resourceId service_needs_resource'])
  const steps = { hello: wants(keeps) }
  expect((await story.tryToPublish({ trigger: KEYWORD, steps })).answer.status).toBe(200)
})

test('opening hours must be set before a flow waits for them', async () => {
  const waits = { kind: 'wait', until: { kind: 'open' }, next: null }
  expect(await issuesOf(waits)).toEqual(['steps.hello.until opening_hours_set'])
})

test('a channel that was deleted since it was chosen is missing', async () => {
  const { owner, shop, tryToPublish } = await tellStory(world, whatsApp)
  const flows = `/companies/${shop.companyId}/flows`
  const draft = { channelId: shop.channelId, trigger: KEYWORD, start: 'hello', steps: SAYING }
  const { body } = await owner.ask<FlowDetail>('POST', flows, { name: 'Order', draft })
  await deleteChannel(world, shop)
  const refused = await owner.ask('POST', `${flows}/${body.id}/publish`)
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'channelId', code: 'channel_gone' }] },
  })
  await restoreChannel(world, shop)
  expect((await tryToPublish({ trigger: KEYWORD })).answer.status).toBe(200)
})

systemTest('the older flow of a keyword has precedence, also republished', async () => {
  const { publish, publishAgain, write, started } = await tellStory(world, whatsApp)
  const first = await publish({ trigger: KEYWORD, name: 'first' })
  await publish({ trigger: KEYWORD, name: 'second' })
  world.clock.advance(1_000)
  expect((await publishAgain(first, { trigger: KEYWORD })).status).toBe(200)
  await write({ text: 'order' })
  expect(await started()).toEqual(['first'])
})
