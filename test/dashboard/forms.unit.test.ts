/** The forms and lists of the dashboard, and what they show and send while others may change the rest. Spec: Deliveries › Retries; Dashboard › Live updates. */
import { expect, test } from 'vitest'
import { diffValues } from '../../src/dashboard/parts/diff-values.ts'
import { mergeThreeWay } from '../../src/dashboard/parts/three-way-merge.ts'
import { toJson, type SettingsValues } from '../../src/dashboard/assistant/settings-values.ts'
import { inParts } from '../../src/dashboard/inbox/in-parts.ts'
import { isComposing } from '../../src/dashboard/parts/is-composing.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import {
  toChanges,
  toNewContact,
  toValues as contactValues,
} from '../../src/dashboard/contacts/contact-values.ts'
import type { BroadcastView } from '../../src/contract/dashboard/broadcast.ts'
import type { TemplateView } from '../../src/contract/dashboard/template.ts'
import { toDraft, toValues } from '../../src/dashboard/broadcasts/draft-values.ts'
import { type LongList, showMore } from '../../src/dashboard/parts/show-more.ts'
import { oneByOne } from '../../src/dashboard/webhooks/one-by-one.ts'
import type { DeliveryView } from '../../src/contract/dashboard/delivery.ts'
import { readEndpointSearch } from '../../src/dashboard/webhooks/endpoint-search.ts'
import { matchesPhone } from '../../src/dashboard/webhooks/matches-phone.ts'
import {
  type LiveDelivery,
  changesSince,
  withResent,
} from '../../src/dashboard/webhooks/log-changes.ts'
import { readLogSearch } from '../../src/dashboard/webhooks/log-search-params.ts'
import { plannedAttempts } from '../../src/dashboard/webhooks/planned-attempts.ts'

/** The values of a form as they were shown, of which others may change some meanwhile. */
const SHOWN = { name: 'Dar Al Bun', timeZone: 'Asia/Riyadh', intro: null, isOn: false }

test('a form sends only the values that differ from the shown ones, also emptied and hidden ones', () => {
  expect(diffValues(SHOWN, SHOWN)).toEqual({})
  const changes = { name: 'Dar Al Qahwa', isOn: true }
  expect(diffValues(SHOWN, { ...SHOWN, ...changes })).toEqual(changes)
  const emptied = { name: '', key: 'a secret' }
  expect(diffValues(SHOWN, { ...emptied, intro: null })).toEqual(emptied)
})

test('a list or an object differs when it holds something else', () => {
  const shown = { origins: ['https://a.example'], statement: { en: 'Yes?', ar: null } }
  expect(diffValues(shown, structuredClone(shown))).toEqual({})
  expect(diffValues(shown, { ...shown, origins: ['https://b.example'] })).toEqual({
    origins: ['https://b.example'],
  })
})

/** A form combines what is typed in it with what another member stored meanwhile. */
test('a field that was not edited gets the stored value, and an edited field keeps its text', () => {
  const before = { name: 'Orders', path: '/orders', note: null as string | null }
  const typed = { ...before, path: '/orders/{id}' }
  expect(mergeThreeWay(typed, before, { ...before, name: 'All orders', note: 'new' })).toEqual({
    name: 'All orders',
    path: '/orders/{id}',
    note: 'new',
  })
  expect(mergeThreeWay(typed, before, { ...before, path: '/v2/orders' })).toEqual(typed)
})

test('fields within one value are merged separately', () => {
  const before = { hours: { sun: ['09:00'], mon: [] as string[] } }
  const typed = { hours: { sun: ['10:00'], mon: [] } }
  const now = { hours: { sun: ['09:00'], mon: ['08:00'] } }
  expect(mergeThreeWay(typed, before, now)).toEqual({ hours: { sun: ['10:00'], mon: ['08:00'] } })
})

test('a list of words keeps what was added and removed here, and what others added and removed', () => {
  const before = { types: ['a', 'b', 'c'] }
  const typed = { types: ['a', 'c', 'mine'] }
  expect(mergeThreeWay(typed, before, { types: ['a', 'b', 'c', 'theirs'] })).toEqual({
    types: ['a', 'c', 'theirs', 'mine'],
  })
  expect(mergeThreeWay(typed, before, { types: ['b', 'c', 'mine'] })).toEqual({
    types: ['c', 'mine'],
  })
})

test('each row of a list is merged separately, and the typed rows stay where the number of rows changed', () => {
  const row = (name: string, value: string) => ({ name, value })
  const before = { rows: [row('A', '1'), row('B', '2')] }
  const typed = { rows: [row('A', 'mine'), row('B', '2')] }
  const now = { rows: [row('A', '1'), row('B', 'theirs')] }
  expect(mergeThreeWay(typed, before, now)).toEqual({
    rows: [row('A', 'mine'), row('B', 'theirs')],
  })
  expect(mergeThreeWay(typed, before, { rows: [row('A', '1')] })).toEqual(typed)
})

test('a credential that is being typed is one value, whatever kind is stored meanwhile', () => {
  const before = { auth: { kind: 'bearer', token: '' } }
  const typed = { auth: { kind: 'bearer', token: 'secret' } }
  expect(mergeThreeWay(typed, before, { auth: { kind: 'none', token: '' } })).toEqual(typed)
})

/** The changes that the form of a contact requests from the API. Spec: Contacts › Changes. */
const SARA = {
  id: '8a1f',
  name: 'Sara',
  phone: '+966501234567',
  rawPhone: null,
  email: null,
  language: 'fr',
  tags: ['retail'],
  fields: { city: 'Riyadh', size: 'M' },
} as unknown as ContactView

const NOTHING = { addTags: [], removeTags: [], fields: {} }

test('each changed value is named and no other, and an emptied value is removed', () => {
  expect(toChanges(SARA, { ...contactValues(SARA), country: 'SA' })).toEqual(NOTHING)
  const stated = { email: 'sara@example.com', language: 'ar' }
  const fields = { city: '', size: 'L', note: undefined }
  const said = { ...contactValues(SARA), country: null }
  const values = { ...said, ...stated, name: ' ', tags: ['loyal'], fields }
  expect(toChanges(SARA, values)).toEqual({
    ...stated,
    name: null,
    addTags: ['loyal'],
    removeTags: ['retail'],
    fields: { city: null, size: 'L' },
  })
})

test('a new contact names every value that was typed', () => {
  const fields = { city: 'Riyadh', size: undefined }
  const named = { name: 'Sara', fields: { city: 'Riyadh' } }
  const unnamed = { phone: null, email: null, language: null, tags: [] }
  const made = toNewContact({ ...contactValues(null), country: 'SA', name: 'Sara', fields })
  expect(made).toEqual({ ...named, ...unnamed, country: 'SA' })
})

test('a number that was kept without its country changes only when a member chooses the country', () => {
  const before = { ...SARA, phone: null, rawPhone: '0501234567' }
  expect(contactValues(before)).toMatchObject({ phone: '0501234567', country: null })
  expect(contactValues(SARA).country).toBe('company')
  const values = { ...contactValues(before), country: null }
  expect(toChanges(before, values)).toEqual(NOTHING)
  const said = { phone: '0501234567', country: 'AE' } as const
  expect(toChanges(before, { ...values, ...said })).toEqual({ ...NOTHING, ...said })
})

/** A draft of a broadcast, whose form keeps its values. Spec: Broadcasts › Drafts. */
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

test('a changed template keeps the values for which it has a slot', () => {
  const slots = { header: null, body: ['1'], quickReplies: [], urlSuffixes: [], unsupported: null }
  const shown = { slots } as unknown as TemplateView
  expect(toDraft(toValues(DRAFT), shown).template).toMatchObject({
    body: [{ name: '1', text: '{{contact.name}}' }],
    header: null,
    urlSuffixes: [],
  })
})

test('an emptied number is sent as none, and never as 0', () => {
  const emptied = { ...toValues(DRAFT), perSecond: '' }
  const texts = { inHours: '', outOfHours: '' }
  const settings = { name: '', debounceMs: '', qualifyAt: '', texts: { ar: texts, en: texts } }
  const sent = [toDraft(emptied, undefined), toJson(settings as unknown as SettingsValues)]
  expect(JSON.parse(JSON.stringify(sent))).toMatchObject([
    { perSecond: null },
    { debounceMs: null, qualifyAt: null },
  ])
})

test('more selected conversations than one request may name are all resolved', async () => {
  const ids = Array.from({ length: 450 }, (_, at) => `conversation-${at}`)
  const sent: string[][] = []
  const closed = await inParts(ids, 200, async (part) => {
    sent.push(part)
    return part.length
  })
  expect(sent.map(({ length }) => length)).toEqual([200, 200, 50])
  expect(sent.flat()).toEqual(ids)
  expect(closed).toBe(450)
})

const dueAt = '2026-11-22T14:46:31.000Z'
const PENDING = { state: 'pending', kind: 'event', attempts: 3, dueAt } as const

test('the attempts to come are listed with their times: after 2 h, 6 h, 12 h and 24 h of the one before', () => {
  expect(plannedAttempts(PENDING).map(({ number, at }) => [number, at])).toEqual([
    [4, '2026-11-22T14:46:31.000Z'],
    [5, '2026-11-22T16:46:31.000Z'],
    [6, '2026-11-22T22:46:31.000Z'],
    [7, '2026-11-23T10:46:31.000Z'],
    [8, '2026-11-24T10:46:31.000Z'],
  ])
})

test('nothing is planned for tests, ended or held deliveries, or while the first attempt is in flight', () => {
  expect(plannedAttempts({ ...PENDING, kind: 'test' })).toEqual([])
  expect(plannedAttempts({ ...PENDING, state: 'held', dueAt: null })).toEqual([])
  expect(plannedAttempts({ ...PENDING, attempts: 0 })).toEqual([])
})

test('only valid filters are read from an address', () => {
  const from = '2026-11-22T14:00:00.000Z'
  const fine = { view: 'gave_up', type: 'message.received', status: 502, from }
  const none = { to: 'soon', state: 'lost', statusClass: 9, q: '', other: 'x' }
  expect(readLogSearch({ ...fine, ...none })).toEqual(fine)
  expect(readEndpointSearch({ tab: 'secret', hours: 48, test: true, failedSince: 'x' })).toEqual({
    tab: 'secret',
    hours: '48',
    test: true,
  })
})

test.each([
  '+966 50 123 4567',
  '00966-50-123-4567',
  '(966) 501234567',
  '٠٥٠ ١٢٣ ٤٥٦٧',
  '۰۵۰۱۲۳۴۵۶۷',
  '501234567',
])('a phone is found as people type it: %s', (typed) => {
  expect(matchesPhone(typed, '+966501234567')).toBe(true)
})

test.each(['+966501234568', '+501234567', '00501234567', '4567', '050.123.4567', ''])(
  'another phone is not found: %s',
  (typed) => {
    expect(matchesPhone(typed, '+966501234567')).toBe(false)
  },
)

test('a log that was just read keeps only the changes that were reported since', () => {
  const heard = (id: string, reportedAt: number): LiveDelivery => ({
    delivery: { id } as DeliveryView,
    reportedAt,
  })
  const { added, changed, newer } = changesSince(
    {
      added: [heard('new', 20), heard('read', 9)],
      changed: new Map([
        ['changed', heard('changed', 10)],
        ['stale', heard('stale', 9)],
      ]),
      newer: new Map([
        ['counted', 20],
        ['read', 9],
      ]),
    },
    10,
  )
  expect(added.map(({ delivery }) => delivery.id)).toEqual(['new'])
  expect([...changed.keys()]).toEqual(['changed'])
  expect([...newer.keys()]).toEqual(['counted'])
})

/** Deliveries that are selected in the log and sent again. Spec: Deliveries › Tests and resends. */
test('deliveries that were resent before one was refused are not resent again with the rest', async () => {
  const selected = new Set(['d1', 'd2', 'd3', 'd4'])
  const sent: string[] = []
  let maxConcurrent = 2
  const resend = async (id: string) => {
    if (maxConcurrent === 0) throw new Error('Too many at once')
    maxConcurrent -= 1
    sent.push(id)
  }
  const all = () => oneByOne([...selected], resend, (id) => void selected.delete(id))
  await expect(all()).rejects.toThrow('Too many at once')
  expect([...selected]).toEqual(['d3', 'd4'])
  maxConcurrent = 4
  await all()
  expect(sent).toEqual(['d1', 'd2', 'd3', 'd4'])
})

/**
 * Returns a list that reads like the library: of two concurrent reads only one runs, the first unless the second
 * cancels it.
 */
function listOf(pages: string[], underWay: Promise<string[]> | null) {
  const state = { pages, underWay }
  const currentResult = () => ({ data: { pages: state.pages }, hasNextPage: true, isError: false })
  const fetchNextPage: LongList['fetchNextPage'] = async ({ cancelRefetch = true } = {}) => {
    if (state.underWay && !cancelRefetch) {
      state.pages = await state.underWay
      state.underWay = null
    } else state.pages = [...state.pages, 'next']
    return currentResult()
  }
  return { state, list: { data: { pages }, fetchNextPage } }
}

test.each([
  ['a list that is being read again is awaited, and not cancelled,', Promise.resolve(['changed'])],
  ['an idle list is continued', null],
])('%s by the next page', async (_, underWay) => {
  const { list, state } = listOf(['before'], underWay)
  await showMore(list)
  expect(state.pages).toEqual([underWay ? 'changed' : 'before', 'next'])
})

test('Enter that ends a word during composition does not submit, in Safari too', () => {
  const key = (more: object) => isComposing({ isComposing: false, keyCode: 13, ...more })
  expect([key({ isComposing: true }), key({ keyCode: 229 }), key({})]).toEqual([true, true, false])
})

test('the state of a shown delivery changes with its newest resend', () => {
  const delivery = (id: string, more: object = {}) =>
    ({ id, state: 'dead_lettered', resendOf: null, lastResend: null, ...more }) as DeliveryView
  const heard = (one: DeliveryView): LiveDelivery => ({ delivery: one, reportedAt: 1 })
  const resent = heard(delivery('3', { state: 'delivered', resendOf: '1' }))
  const marked = { id: '3', state: 'delivered' }
  const mark = (first: DeliveryView) => withResent([resent], new Map([[first.id, first]]))
  expect(mark(delivery('1'))).toEqual([resent, heard(delivery('1', { lastResend: marked }))])
  expect(mark(delivery('1', { lastResend: { id: '2', state: 'pending' } }))).toHaveLength(2)
  expect(mark(delivery('1', { lastResend: { id: '4', state: 'pending' } }))).toEqual([resent])
  expect(mark(delivery('9'))).toEqual([resent])
})
