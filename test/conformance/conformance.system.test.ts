import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { words } from './cases.ts'
import { inFolder, run, WITHIN_MS } from './runner.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
const CASES = join(PROJECT, '..', 'shared', 'conformance', 'cases')
/** Each situation is built by many requests. */
const SLOW = { timeout: WITHIN_MS }
const KINDS = words(
  `addresses agreement answers fold-text hooks keywords languages loop-protection may-send opt-out paths
  person-request phones reply-guard search-terms signatures slots split-text urls`,
)

describe('the conformance runner', () => {
  const passing = [{ id: 'L1', input: 'ar-SA', expect: 'ar' }]
  const languages = {
    cases: [
      { id: 'L1', input: 'ar-SA', expect: 'ar' },
      { id: 'L2', input: 'fr', expect: 'en' },
      { id: 'L3', input: 'fr', expect: 'en', also_accept: ['fallback'] },
    ],
  }

  test('prints each failed case and one line per file, and exits 1', async () => {
    expect(await inFolder({ 'languages.json': languages })).toEqual([
      1,
      'FAIL languages.json L2: expected ["en"] got ["fallback"]',
      'languages.json: 2 passed, 1 failed',
    ])
  })

  test('runs only the files and the case that are named', async () => {
    const files = { 'languages.json': languages, 'phones.json': { cases: [{ id: 'broken' }] } }
    expect(await inFolder(files, '--only', 'languages,urls', '--case', 'L1')).toEqual([
      0,
      'languages.json: 1 passed, 0 failed',
    ])
  })

  test('fails every case of a named kind that it does not know', async () => {
    const files = { 'poems.json': { cases: [{ id: 'P1' }, { id: 'P2' }] } }
    const why = 'the runner does not know the kind "poems", so it was not run'
    expect(await inFolder(files, '--only', 'poems')).toEqual([
      1,
      `FAIL poems.json P1: ${why}`,
      `FAIL poems.json P2: ${why}`,
      'poems.json: 0 passed, 2 failed',
    ])
  })

  test.each([
    ['a kind that is neither known nor there', ['--only', 'languages,poems'], /^FAIL poems: /],
    ['files of which none is there', ['--only', 'phones'], /^FAIL: there is nothing to run/],
    ['a case that is in none of them', ['--case', 'L9'], /^FAIL: there is no case L9/],
  ])('fails when it is asked for %s', async (_, asked, line) => {
    const [code, ...lines] = await inFolder({ 'languages.json': { cases: passing } }, ...asked)
    expect(lines).toContainEqual(expect.stringMatching(line))
    expect(code).toBe(1)
  })

  test('lists the files of unknown kinds when it is asked for all', async () => {
    const cases = [{ id: '1' }]
    const files = { 'languages.json': { cases: passing }, 'poems.json': { cases } }
    expect(await inFolder({ ...files, 'events.json': { cases } })).toEqual([
      0,
      'languages.json: 1 passed, 0 failed',
      'NOT RUN events.json: scenarios in words',
      'NOT RUN poems.json: the runner does not know this kind',
    ])
  })

  test('says what the service cannot do for an opt-out case', async () => {
    const at = '2026-12-07T10:00:00Z'
    const row = { type: 'text', text: 'STOP', at, arrivesAt: at }
    const one = { channelType: 'whatsapp', before: 'unknown', messages: [row], expect: {} }
    const out = { optedOut: true, events: ['contact.created', 'contact.opted_out'], received: 1 }
    const late = { ...row, text: 'START', at: '2026-12-07T09:59:00Z', arrivesAt: at }
    const before = { optedOut: false, changedAt: null }
    const known = { ...one, channelType: 'telegram', before }
    const outAgain = { ...out, events: ['contact.opted_out'], received: 2 }
    const cases = [
      { id: 'O1', ...one, channelType: 'fax' },
      { id: 'O2', ...one, weather: 'fine' },
      { id: 'O3', ...one, messages: [{ ...row, type: 'poll' }] },
      { id: 'O4', ...one, channelType: 'messenger', expect: out },
      { id: 'O5', ...known, messages: [row, late], expect: outAgain },
    ]
    expect(await inFolder({ 'opt-out.json': { cases } })).toEqual([
      1,
      'FAIL opt-out.json O1: the service cannot connect a channel "fax"',
      'FAIL opt-out.json O2: the runner does not know the field "weather"',
      'FAIL opt-out.json O3: the service has nothing that is a "poll"',
      'opt-out.json: 2 passed, 3 failed',
    ])
  })

  test("computes slots by the rule, whatever the machine's time zone", async () => {
    const one = {
      zone: 'Asia/Riyadh',
      now: '2026-12-01T06:00:00Z',
      service: { minutes: 60, beforeMin: 0, afterMin: 0, stepMin: 60 },
      resources: [{ id: 'r1', openings: [{ weekday: 'mon', fromMin: 540, toMin: 660 }], busy: [] }],
      changes: [],
      page: { minNoticeMin: 0, maxDays: 60 },
      from: '2026-12-06T21:00:00Z',
      to: '2026-12-07T21:00:00Z',
    }
    const starts = [{ startsAt: '2026-12-07T06:00:00Z' }, { startsAt: '2026-12-07T07:00:00Z' }]
    const cases = [
      { ...one, id: 'S1', expect: starts },
      { ...one, id: 'S2', at: starts[1]!.startsAt, expect: { resourceIds: ['r1'] } },
      { ...one, id: 'S3', at: '2026-12-07T06:30:00Z', expect: { code: 'slot_taken' } },
      { ...one, id: 'S4', page: { ...one.page, weather: 'fair' }, expect: starts },
    ]
    expect(await inFolder({ 'slots.json': { cases } }, '--only', 'slots')).toEqual([
      1,
      'FAIL slots.json S4: the runner has no word for "weather"',
      'slots.json: 3 passed, 1 failed',
    ])
  })

  test('reads answers and chooses keywords by the rules', async () => {
    const flows = [
      { words: ['menu'], match: 'contained', live: false },
      { words: ['menu'], match: 'exact' },
      { words: ['the menu'], match: 'contained', onChannel: true },
    ]
    const keywords = [
      { id: 'K1', text: 'MENU', flows, expect: 1 },
      { id: 'K2', text: 'show me the menu', flows, expect: 2 },
      { id: 'K3', text: 'the menu', type: 'image', flows, expect: null },
      { id: 'K4', text: 'menu', flows, weather: 'fine', expect: 1 },
    ]
    const options = ['Small', 'Medium'].map((label) => ({ value: label[0], label }))
    const choice = { kind: 'choice', options }
    const answers = [
      { id: 'A1', ...choice, tap: { of: 'this', option: 2, label: '?' }, expect: 'M' },
      { id: 'A2', ...choice, tap: { of: 'older', option: 2, label: 'Small' }, expect: 'S' },
      { id: 'A3', kind: 'media', type: 'video', expect: 'A3' },
      { id: 'A4', kind: 'number', text: 'x', expect: '1', also_accept: ['2'] },
    ]
    const files = { 'keywords.json': { cases: keywords }, 'answers.json': { cases: answers } }
    expect(await inFolder(files, '--only', 'keywords,answers')).toEqual([
      1,
      'FAIL keywords.json K4: the runner has no word for "weather"',
      'keywords.json: 3 passed, 1 failed',
      'FAIL answers.json A4: expected "1" or "2" got null',
      'answers.json: 3 passed, 1 failed',
    ])
  })

  test('builds situations of routing, and names those that it cannot build', SLOW, async () => {
    const menu = { name: 'menu', trigger: 'keyword', words: ['menu'], match: 'exact' }
    const asking = { name: 'a', trigger: 'manual' }
    const runs = [{ flow: 'a', state: 'asks' }]
    const message = { type: 'text', text: 'Menu' }
    const received = ['message.received']
    const cases = [
      {
        id: 'R1',
        situation: { flows: [menu] },
        expect: { answeredBy: 'flow:menu', starts: 'menu', wakes: null, raises: received },
      },
      {
        id: 'R2',
        situation: { flows: [menu, asking], runs },
        expect: { answeredBy: 'run:a', starts: null, wakes: 'a', ends: {}, staffNeeded: false },
      },
      {
        id: 'R3',
        situation: { flows: [{ ...menu, interrupts: true }, asking], runs },
        expect: { ends: { a: 'customer_exited' }, raises: [...received, 'flow.completed'] },
      },
      {
        id: 'R4',
        situation: { staff: 'take_over', flows: [menu] },
        expect: { answeredBy: 'staff', starts: null, entry: 'menu' },
      },
      {
        id: 'R5',
        situation: { assistant: false, plan: 'starter', flows: [menu] },
        expect: { answeredBy: 'staff', staffNeeded: true },
      },
      { id: 'R6', situation: { channelType: 'fax' }, expect: { answeredBy: 'staff' } },
      {
        id: 'R7',
        situation: { channelType: 'telegram', flows: [menu] },
        expect: { answeredBy: 'flow:menu', starts: 'menu', raises: received },
      },
      {
        id: 'R8',
        situation: { flows: [{ ...menu, onChannel: false }] },
        expect: { answeredBy: 'assistant', starts: null },
      },
      {
        id: 'R9',
        situation: {
          flows: [asking, { ...asking, name: 'b' }],
          runs: [...runs, { flow: 'b', state: 'asks', startedFirst: true }],
        },
        expect: { answeredBy: 'run:b', wakes: 'b' },
      },
      {
        id: 'R10',
        situation: { contact: 'opted_out', conversation: 'none', flows: [menu] },
        expect: { answeredBy: 'assistant', raises: ['conversation.started', ...received] },
      },
    ].map((one) => ({ ...one, message }))
    expect(await inFolder({ 'routing.json': { cases } })).toEqual([
      1,
      'FAIL routing.json R6: the service cannot connect a channel "fax"',
      'routing.json: 9 passed, 1 failed',
    ])
  })

  test('counts a case that it cannot express as a failure, and goes on', async () => {
    const header = 't=1,v1=3f5b3f0f7ab52f5cfa7eb5d80d8e2ad9a0bb4a0f4c2c4b0a8a1e6f8e5b0a8c11'
    const strange = { id: 'S1', secrets: ['x'], t: 1, header, body_generator: 'a poem' }
    const usual = { id: 'V1', now: 1, header, body_hex: '', secrets: ['x'], valid: false }
    const files = { 'signatures.json': { sign: [strange], verify: [usual] } }
    const [code, ...lines] = await inFolder(files)
    expect(code).toBe(1)
    expect(lines.at(-1)).toBe('signatures.json: 1 passed, 1 failed')
  })
})

test('the rule itself decides whether a message may be sent, and an unknown field of the case fails', async () => {
  const usual = {
    channelType: 'whatsapp',
    kind: 'text',
    by: 'member',
    text: { repeat: 'a', times: 5 },
    lastCustomerMessageAt: '2026-12-06T12:00:00.001Z',
    now: '2026-12-07T12:00:00.000Z',
    optedOut: null,
    connected: true,
    conversationStartedBy: 'customer',
    expect: { ok: true },
  }
  const cases = [
    { id: 'M1', ...usual },
    { id: 'M2', ...usual, now: '2026-12-07T12:00:00.001Z' },
    { id: 'M3', ...usual, expect: { ok: false, code: 'opted_out' }, also_accept: [{ ok: true }] },
    { id: 'M4', ...usual, weather: 'fine' },
    { id: 'M5', ...usual, by: 'nobody' },
  ]
  expect(await inFolder({ 'may-send.json': { cases } })).toEqual([
    1,
    expect.stringMatching(/^FAIL may-send.json M2: .*outside_service_window/),
    'FAIL may-send.json M4: the runner has no word for "weather"',
    'FAIL may-send.json M5: the runner has no word for "nobody"',
    'may-send.json: 2 passed, 3 failed',
  ])
})

/** A text of three characters does not count as a loop, unlike the case expects: `docs/decisions/0081`. */
const WANTED_DIFFERENCES = /^FAIL loop-protection.json LP-075: /

const isGiven = existsSync(CASES)

test(
  `the external cases pass${isGiven ? '' : ' (there are none here)'}`,
  async () => {
    const { lines } = isGiven ? await run(CASES, '--only', KINDS.join()) : { lines: [] }
    const failed = lines.filter((line) => line.startsWith('FAIL '))
    expect(failed.filter((line) => !WANTED_DIFFERENCES.test(line))).toEqual([])
    const ends = lines.filter((line) => /^[\w-]+\.json: /.test(line))
    expect(ends).toHaveLength(isGiven ? KINDS.length : 0)
    const unlike = ends.filter((line) => !line.endsWith(' 0 failed'))
    expect(unlike).toEqual(
      isGiven ? [expect.stringMatching(/^loop-protection.json: \d+ passed, 1 failed$/)] : [],
    )
    if (isGiven) expect(lines).toContain('agreement: 0 read as agrees that should not be')
  },
  WITHIN_MS,
)

test(
  `the external cases of identity pass${isGiven ? '' : ' (there are none here)'}`,
  async () => {
    const { lines } = isGiven ? await run(CASES, '--only', 'identity') : { lines: [] }
    expect(lines.filter((line) => line.startsWith('FAIL '))).toEqual([])
    if (isGiven) expect(lines.at(-1)).toMatch(/^identity\.json: \d+ passed, 0 failed$/)
  },
  WITHIN_MS,
)

/** These tests measure: they print the counts of each group, and fail below the target. */
test.each([
  ['those of the project, written before the search was tuned', join(PROJECT, 'evaluation')],
  ['the external ones', CASES],
])(
  'enough questions to the knowledge search are answered: %s',
  async (_which, folder) => {
    if (!existsSync(folder)) return
    const { code, lines } = await run(folder, '--only', 'retrieval')
    expect(lines[0]).toMatch(/^retrieval: \d+ of \d+ found, \d+ of \d+ hard, \d+ of \d+ empty$/)
    expect(lines.at(-1)).toMatch(/ 0 failed$/)
    expect(code).toBe(0)
  },
  WITHIN_MS,
)

const CHANNELS = join(PROJECT, '..', 'shared', 'channels')
const isRecorded = existsSync(join(CHANNELS, 'payloads', 'index.json'))

test(`a recorded payload is run${isRecorded ? '' : ' (there are none here)'}`, async () => {
  const asked = [CHANNELS, '--only', 'payloads', '--case', 'wa-text.json']
  const { code, lines } = isRecorded ? await run(...asked) : { code: 0, lines: [] }
  expect(lines).toEqual(isRecorded ? ['payloads/index.json: 1 passed, 0 failed'] : [])
  expect(code).toBe(0)
})
