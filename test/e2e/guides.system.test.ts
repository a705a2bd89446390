/**
 * The command that the start prints, the README's and every guide's, pasted as they stand: each guide alone on a
 * demonstration that nobody has signed in to, and all of them in a row in one shell.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeBanner } from '../../src/banner.ts'
import { commandsOf, createGuideWalk, type Guide, type GuideWalk } from '../support/guide-walk.ts'
import { PROBLEM_STATUS } from '../../src/http/errors.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

const GUIDES = [
  'README',
  'setting-up-a-flow',
  'starting-a-flow',
  'flows',
  'calling-your-api',
  'contacts',
  'receiving-webhooks',
  'inbox',
  'leads',
  'broadcasts',
  'bookings',
] as const
const NAMES = ['BASE', 'TOKEN', 'RUN', 'FLOW', 'ENDPOINT', 'SECRET', 'API_KEY', 'HOOK_ID']
const NOURA = '12025550145'
/** Her run stays open, so that no event of hers comes between the log's. */
const MAHA = '12025550148'
/** Writes a word of a flow. */
const RIMA = '12025550151'
/** Books a time. */
const DINA = '12025550169'
const WITHIN = { timeout: 30_000 * TIMEOUT_FACTOR }

let walk: GuideWalk
async function beginWalk(): Promise<void> {
  walk = await createGuideWalk()
  onTestFinished(() => walk.close())
  for (const from of [NOURA, MAHA, RIMA, DINA])
    walk.simulator.answerByHand({ from, isByHand: true })
}

/** The `curl` command of the banner that starts the flow, which the README sends the reader to. */
function commandsOfBanner({ config, started }: GuideWalk): string[] {
  const [command] = /^ *curl -i [^]*?'\n(?=\n)/m.exec(writeBanner(config, started))!
  return [command]
}

type Part = { printed: string; shell: Record<string, string> }

const CHECKS: Record<Guide, (part: Part) => Promise<void>> = {
  async README({ printed }) {
    expect(printed).toContain('"status":"accepted"')
    const told = () => walk.simulator.messages().map(({ text }) => text)
    await expect.poll(told, WITHIN).toContain('Hello Sara, your order 1043 is shipped. Thank you.')
  },

  async flows({ printed, shell }) {
    expect(printed).toContain('"timeZone":"Asia/Riyadh"')
    expect(printed).toContain('{"canBePublished":true,"problems":[]}')
    const said = () => walk.simulator.messages().filter(({ to }) => to === RIMA)
    const texts = () => said().map(({ text }) => text)
    walk.simulator.sendText({ from: RIMA, text: 'I need a repair' })
    await expect.poll(texts, WITHIN).toHaveLength(1)
    walk.simulator.sendText({ from: RIMA, text: 'soon' })
    await expect.poll(() => texts().at(-1), WITHIN).toMatch(/such as 5 March/)
    walk.simulator.sendText({ from: RIMA, text: '5 March 2027' })
    await expect.poll(() => texts().at(-1), WITHIN).toBe('What shall we repair?')
    await expect.poll(() => said().at(-1)!.status, WITHIN).toBe('delivered')
    walk.simulator.tapButton({ from: RIMA, buttonIndex: 1 })
    await expect.poll(() => texts().at(-1), WITHIN).toMatch(/confirm 2027-03-05/)
    const told = () => walk.received.join('\n')
    await expect.poll(told, WITHIN).toContain('conversation.handover')
    expect(shell.FLOW).toBeTruthy()

    const visitor = () => walk.simulator.messages().filter(({ to }) => to === DINA)
    const last = () => visitor().at(-1)
    walk.simulator.sendText({ from: DINA, text: 'a visit please' })
    await expect.poll(() => last()?.content.text, WITHIN).toMatch(/^When shall we see you/)
    await expect.poll(() => last()!.status, WITHIN).toBe('delivered')
    walk.simulator.tapButton({ from: DINA, buttonIndex: 0 })
    await expect.poll(() => last()?.text, WITHIN).toMatch(/^Until .* https?:\/\/.*\/a\/apt_/)
  },

  async 'setting-up-a-flow'({ printed, shell }) {
    expect(printed).toContain('"isSimulated":true')
    expect(printed).toContain('{"templates":6}')
    expect(printed).toContain('{"ok":true,"value":"+966501234567"}')
    expect(printed).toContain('{"canBePublished":true,"problems":[]}')
    expect(printed).toContain('"status":"accepted"')
    expect(printed).toContain('"answerStatus":"accepted"')
    const [, omar] = /\{"id":"([0-9a-f-]{36})","status":"accepted"/.exec(printed)!
    const run = () => walk.readRun(shell, omar!)
    await expect.poll(async () => (await run()).status, WITHIN).toBe('completed')
    expect(await run()).toMatchObject({
      flow: { name: 'Order is paid' },
      steps: [
        { stepId: 'tell', message: { text: expect.stringContaining('Hello Omar') } },
        { stepId: 'ask' },
        { stepId: 'which' },
        { stepId: 'which_in_arabic' },
        { stepId: 'today', message: { text: expect.stringContaining('See you, Omar!') } },
      ],
    })

    // The reader is the customer on the phones page, and nobody answers before them.
    const noura = () => walk.readRun(shell, shell.RUN!)
    const template = () => walk.simulator.messages().find(({ to }) => to === NOURA)
    await expect.poll(() => template()?.status, WITHIN).toBe('delivered')
    await walk.simulator.idle()
    expect((await noura()).status).toBe('waiting')
    walk.simulator.tapButton({ from: NOURA, buttonIndex: 1 })
    await expect.poll(async () => (await noura()).status, WITHIN).toBe('completed')
    expect((await noura()).steps).toMatchObject([
      { stepId: 'tell', message: { text: expect.stringContaining('مرحباً نورة') } },
      { stepId: 'ask' },
      { stepId: 'which' },
      { stepId: 'which_in_arabic' },
      { stepId: 'later', message: { text: expect.stringContaining('نحفظ طلبك') } },
    ])
  },

  async inbox({ printed }) {
    expect(printed).toContain('"isUnread":true')
    expect(printed).toContain('"handledBy":"staff"')
    expect(printed).toContain('"filledText":"Thank you, Dana!"')
    expect(printed).toContain('"entry":"note"')
    expect(printed).toContain('"status":"resolved"')
    expect(problemsIn(printed)).toEqual([])
    const told = () => walk.simulator.messages().map(({ text }) => text)
    await expect.poll(told, WITHIN).toContain('It is on its way, Dana.')
  },

  async bookings({ printed }) {
    expect(printed).toContain('"canBeBooked":true')
    expect(printed).toMatch(/\/a\/apt_[^\n]+booked=1&lang=ar/)
    expect(printed).toContain('BEGIN:VCALENDAR')
    expect(printed).toMatch(/"body":.*appointment\.booked.*هند/)
    expect(printed).toContain('303\n303\n')
    expect(printed).toMatch(/"body":.*appointment\.cancelled.*هند/)
    expect(printed).toContain('"cancellationReason":"اتصل واعتذر"')
    expect(problemsIn(printed)).toEqual([])
    const told = () => walk.received.filter((line) => line.includes('اتصل واعتذر'))
    await expect.poll(told, WITHIN).not.toEqual([])
  },

  async broadcasts({ printed }) {
    expect(printed).toContain('{"count":3}')
    expect(printed).toContain('"problems":[]')
    expect(printed).toMatch(/"state":"done","reason":null,.*"total":3/)
    expect(printed).toContain('"skipReason":"opted_out"')
    expect(printed).toContain('200\n303\n')
    expect(printed).toContain('"how":"link"')
    expect(printed).toMatch(/"body":.*contact\.opted_out.*عبير/)
    expect(problemsIn(printed)).toEqual([])
    const told = () => walk.simulator.messages().map(({ text }) => text)
    await expect
      .poll(told, WITHIN)
      .toContainEqual(expect.stringMatching(/^مرحباً عبير، خصم 20٪.*\/o\//))
  },

  async leads({ printed, shell }) {
    expect(printed).toContain('"summary":"يريد: طقم كامل"')
    expect(printed).toMatch(/"body":.*lead\.qualified.*رامي/)
    expect(printed).toContain('"status":"won"')
    expect(printed).toContain('"lostReason":"اشترت من غيرنا"')
    expect(problemsIn(printed)).toEqual([])
    const told = () => walk.received.filter((line) => line.includes('lead.qualified'))
    await expect.poll(told, WITHIN).not.toEqual([])
    expect(shell.FLOW).toBeTruthy()
  },

  async 'starting-a-flow'({ printed }) {
    expect(printed).toMatch(/^(accepted|duplicate) [0-9a-f-]{36}\naccepted [0-9a-f-]{36}\n/)
  },

  async 'calling-your-api'({ printed, shell }) {
    expect(printed).toMatch(/"url":"https:\/\/127\.0\.0\.1:\d+\/api\/orders\/1044"/)
    expect(printed).toContain('"kept":{"status":"being packed"}')
    expect(printed).toContain('"failure":"path_value_refused"')
    expect(printed).toContain('"warnings":[]')
    expect(printed).not.toContain(shell.API_KEY)
    const run = () => walk.readRun(shell, shell.RUN!)
    await expect.poll(async () => (await run()).status, WITHIN).toBe('completed')
    expect((await run()).steps).toMatchObject([
      { stepId: 'look', call: { path: '/api/orders/1044', httpStatus: 200, kept: ['status'] } },
      { stepId: 'tell', message: { text: expect.stringContaining('1044 is being packed') } },
      { stepId: 'note', call: { path: '/api/orders/1044/notes', httpStatus: 201 } },
    ])
    const get = 'GET /api/orders/1044  200'
    await expect
      .poll(() => walk.asked.filter((line) => line.includes('1044')), WITHIN)
      .toEqual([get, get, get, 'POST /api/orders/1044/notes  201'])
  },

  contacts({ printed }) {
    expect(printed).toContain('"tags":["vip"]')
    expect(printed.match(/\{"items":\[.*"name":"Huda Salem"/g)).toHaveLength(3)
    expect(printed).toContain('"how":"member"')
    expect(printed).toContain('3,left_out,Mobile,import_phone_rounded,')
    expect(printed).toMatch(/"state":"done".*"leftOut":1/)
    expect(printed).toMatch(/Rana,\+12025550188,,,vip; new,no,/)
    return Promise.resolve()
  },

  async 'receiving-webhooks'({ printed, shell }) {
    expect(shell.SECRET).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/)
    expect(walk.received).toContain('test event flow.completed, not worked on')
    expect(printed).toContain('"httpStatus":204')
    expect(printed).toContain('"isOn":true')
    expect(printed).toContain('"kind":"held"')
    expect(printed).toContain('"kind":"test"')
    // The one delivery in the log is the test, which is not resent.
    expect(problemsIn(printed)).toEqual(['conflict'])
    const secrets = readFileSync(
      path.join(walk.folder, 'data/demonstration/receiver-secret'),
      'utf8',
    )
    expect(secrets.trim().split('\n')).toHaveLength(3)
  },
}

/** The codes of problems; what a screen is told has codes of its own. */
function problemsIn(printed: string): string[] {
  return [...printed.matchAll(/"code":"(\w+)"/g)]
    .map(([, code]) => code!)
    .filter((code) => Object.hasOwn(PROBLEM_STATUS, code))
}

/** Nothing was refused but what a guide says will be, and no name was missing from an answer. */
function expectNoErrors(guide: Guide, printed: string) {
  const codes = problemsIn(printed).filter((code) => code !== 'conflict')
  expect([guide, codes]).toEqual([guide, []])
}

test.for(GUIDES)(
  '%s, alone on a fresh demonstration',
  { timeout: 90_000 * TIMEOUT_FACTOR },
  async (guide) => {
    await beginWalk()
    const { parts, stderr } = await walk.paste([{ guide, commands: commandsOf(guide) }], NAMES)
    expect(stderr).toBe('')
    expectNoErrors(guide, parts[0]!.printed)
    await CHECKS[guide](parts[0]!)
  },
)

test(
  'the command that the start prints, then all guides in a row, in one shell, twice',
  async () => {
    await beginWalk()
    const banner = { guide: 'banner', commands: commandsOfBanner(walk) }
    const guides = GUIDES.map((guide) => ({ guide, commands: commandsOf(guide) }))
    const { parts, stderr } = await walk.paste([banner, ...guides], NAMES)
    expect(parts[0]!.printed).toMatch(/^HTTP\/1\.1 202[^]*"status":"accepted"/)
    // curl's meter, which is only shown where its output is no terminal, is of the banner's command.
    expect(stderr.replaceAll(/^.*(% Total|Dload|--:--:--).*$/gm, '').trim()).toBe('')
    for (const [at, guide] of GUIDES.entries()) {
      const part = parts[at + 1]!
      expectNoErrors(guide, part.printed)
      if (guide !== 'receiving-webhooks') await CHECKS[guide](part)
    }
    // Events that others raised went to the new endpoint too, so its newest delivery need be no test.
    expect(walk.received).toContain('test event flow.completed, not worked on')
    expect(walk.received.join('\n')).toContain('came again, dropped')
    expect(walk.received).not.toContain('refused: no valid signature')

    const again = await walk.paste(guides, NAMES)
    for (const [at, guide] of GUIDES.entries()) expectNoErrors(guide, again.parts[at]!.printed)
  },
  180_000 * TIMEOUT_FACTOR,
)

test('what is refused is shown: pick prints the answer and ends with 1', async () => {
  await beginWalk()
  const [signIn, , ...rest] = commandsOf('setting-up-a-flow')
  expect(rest.length).toBeGreaterThan(5)
  const [, helpers] = commandsOf('setting-up-a-flow')
  const wrong = signIn!.replace('the-token-that-the-start-printed', 'wrong')
  const failed = await walk
    .paste([{ guide: 'wrong', commands: [wrong, helpers!] }], [])
    .catch((error: { stderr: string; code: number }) => error)
  expect(failed).toMatchObject({ code: 1 })
  expect(failed.stderr).toMatch(/^No "token" in the answer: \{.*"code":"\w+"/)
})

test('every guide that signs in does so by the same words', () => {
  const signingIn = [
    'setting-up-a-flow',
    'calling-your-api',
    'receiving-webhooks',
    'inbox',
  ] as const
  const heads = signingIn.map((guide) => {
    const commands = commandsOf(guide)
    const at = commands.findIndex((block) => block.startsWith('SERVICE='))
    return commands.slice(at, at + 2)
  })
  expect(heads[0]![1]).toContain('pick()')
  for (const head of heads) expect(head).toEqual(heads[0])
})
