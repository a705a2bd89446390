/** What the form of a broadcast keeps. Spec: Broadcasts › Drafts. */
import { expect, test } from 'vitest'
import type { BroadcastView } from '../../src/contract/dashboard/broadcast.ts'
import type { TemplateView } from '../../src/contract/dashboard/template.ts'
import { toDraft, toValues } from '../../src/dashboard/broadcasts/draft-values.ts'

const TEMPLATE = {
  name: 'offer',
  language: 'en',
  body: [
    { name: '1', text: '{{contact.name}}' },
    { name: '2', text: 'our shop' },
  ],
  header: 'Sale',
  urlSuffixes: [{ index: 0, text: 'spring' }],
}
const DRAFT = {
  name: 'Spring',
  channelId: '7b0c',
  template: TEMPLATE,
  audience: { kind: 'filter', filter: {} },
  perSecond: 5,
} as unknown as BroadcastView

test.each(['not read yet', 'not approved for now'])(
  'a template that is %s keeps its values',
  () => {
    expect(toDraft(toValues(DRAFT), undefined).template).toEqual(TEMPLATE)
  },
)

test('of the values of another template those are kept that this one has a place for', () => {
  const slots = { header: null, body: ['1'], quickReplies: [], urlSuffixes: [], unsupported: null }
  const shown = { slots } as unknown as TemplateView
  expect(toDraft(toValues(DRAFT), shown).template).toMatchObject({
    body: [{ name: '1', text: '{{contact.name}}' }],
    header: null,
    urlSuffixes: [],
  })
})
