/**
 * The command that the start prints and those of the README and of every guide, pasted unchanged. Each guide runs
 * alone on a demonstration without a member, and all of them in a row in one shell.
 */
import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { writeBanner } from '../../src/banner.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { RunDetail, RunStepView } from '../../src/contract/dashboard/run.ts'
import type { ShownRun } from '../support/shown-run.ts'
import { demonstrationConfig } from '../support/demonstration.ts'
import { PROBLEM_STATUS } from '../../src/http/errors.ts'
import { start } from '../../src/start.ts'
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
type Guide = (typeof GUIDES)[number]
const NAMES = ['BASE', 'TOKEN', 'RUN', 'FLOW', 'ENDPOINT', 'SECRET', 'API_KEY', 'HOOK_ID']
const NOURA = '12025550145'
/** The customer whose run stays open, so that none of her events is between those of the log. */
const MAHA = '12025550148'
/** The customer who writes a keyword of a flow. */
const RIMA = '12025550151'
/** The customer who books a time. */
const DINA = '12025550169'
const WITHIN = { timeout: 30_000 * TIMEOUT_FACTOR }
const PROJECT = path.join(import.meta.dirname, '../..')
const MARK = '=== '

/** Returns the commands of a guide unchanged: its blocks for a shell, except whole programs. */
function commandsOf(guide: Guide): string[] {
  const file = guide === 'README' ? 'README.md' : `docs/guides/${guide}.md`
  const text = readFileSync(path.join(PROJECT, file), 'utf8')
  return [...text.matchAll(/^( *)```sh\n(.*?)^ *```$/gms)]
    .map(([, indent, block]) => block!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
    .filter((block) => !block.startsWith('#!'))
}

/**
 * Starts a demonstration on separate ports, and a reader who pastes guides into one shell in a clone. The pasted
 * text differs only in the ports, and in the set-up token that every reader must insert.
 */
async function createGuideWalk() {
  const { config, folder } = await demonstrationConfig()
  for (const name of ['examples', 'docs']) {
    symlinkSync(path.join(PROJECT, name), path.join(folder, name))
  }
  const [received, asked]: [string[], string[]] = [[], []]
  const started = await start(
    config,
    (line) => received.push(line),
    (line) => asked.push(line),
  )
  const { receiver, merchantApi, simulators } = started.demonstration!
  const replacements: Record<string, string> = {
    '127.0.0.1:4080': `127.0.0.1:${started.port}`,
    'http://127.0.0.1:4081': simulators.url,
    '127.0.0.1:4082': `127.0.0.1:${receiver.port}`,
    '127.0.0.1:4083': `127.0.0.1:${merchantApi.port}`,
    'the-token-that-the-start-printed': started.setupToken!,
  }
  // One pass: a port that was filled in may begin like another address, as 40821 does.
  const examples = new RegExp(Object.keys(replacements).join('|'), 'g')
  const forHere = (text: string) => text.replaceAll(examples, (found) => replacements[found]!)
  return {
    folder,
    config,
    started,
    simulator: simulators.whatsApp,
    /** The lines that the receiver and the shop's API printed. */
    received,
    asked,
    /** Pastes the guides one after the other. Returns what each printed, and the shell's variables after it. */
    async paste(guides: { guide: string; commands: string[] }[], names: readonly string[]) {
      const script = guides.flatMap(({ guide, commands }) => [
        ...commands,
        `echo; echo '${MARK}${guide}'`,
        ...names.map((name) => `echo "${MARK}${name} \${${name}:-}"`),
        `echo '${MARK}end'`,
      ])
      const { stdout, stderr } = await promisify(execFile)(
        'bash',
        ['--norc', '-eu', '-o', 'pipefail', '-c', forHere(script.join('\n'))],
        { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } },
      )
      const told = stdout.split(`${MARK}end\n`).slice(0, -1)
      return {
        stderr,
        parts: told.map((part) => {
          const [printed = '', , ...lines] = part.split(MARK)
          const variables = lines.map((line) => line.trimEnd().split(' '))
          return {
            printed,
            shell: Object.fromEntries(
              variables.map(([name, ...value]) => [name!, value.join(' ')]),
            ),
          }
        }),
      }
    },
    async readRun({ BASE, TOKEN }: Record<string, string>, run: string): Promise<ShownRun> {
      const headers = { authorization: `Bearer ${TOKEN}` }
      const answer = await fetch(`${BASE}/runs/${run}`, { headers })
      const steps = await fetch(`${BASE}/runs/${run}/steps`, { headers })
      const { items } = (await steps.json()) as Page<RunStepView>
      return { ...((await answer.json()) as RunDetail), steps: items }
    },
    close: () => started.stop(),
  }
}
type GuideWalk = Awaited<ReturnType<typeof createGuideWalk>>

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

const expectAll = (printed: string, ...pieces: string[]) => {
  for (const piece of pieces) expect(printed).toContain(piece)
}

type Part = { printed: string; shell: Record<string, string> }

const CHECKS: Record<Guide, (part: Part) => Promise<void>> = {
  async README({ printed }) {
    expect(printed).toContain('"status":"accepted"')
    const sentTexts = () => walk.simulator.messages().map(({ text }) => text)
    await expect
      .poll(sentTexts, WITHIN)
      .toContain('Hello Sara, your order 1043 is shipped. Thank you.')
  },

  async flows({ printed, shell }) {
    expectAll(printed, '"timeZone":"Asia/Riyadh"', '{"canBePublished":true,"problems":[]}')
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
    const receivedText = () => walk.received.join('\n')
    await expect.poll(receivedText, WITHIN).toContain('conversation.handover')
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
    expectAll(
      printed,
      '"isSimulated":true',
      '{"templates":6}',
      '{"ok":true,"value":"+966501234567"}',
      '{"canBePublished":true,"problems":[]}',
      '"status":"accepted"',
      '"answerStatus":"accepted"',
    )
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

    // The reader is the customer on the phones page, and no simulated customer answers before them.
    const noura = () => walk.readRun(shell, shell.RUN!)
    const template = () => walk.simulator.messages().find(({ to }) => to === NOURA)
    await expect.poll(() => template()?.status, WITHIN).toBe('delivered')
    await walk.simulator.idle()
    expect((await noura()).status).toBe('waiting')
    walk.simulator.tapButton({ from: NOURA, buttonIndex: 1 })
    await expect.poll(async () => (await noura()).status, WITHIN).toBe('completed')
    expect((await noura()).steps).toMatchObject([
      { stepId: 'tell', message: { text: expect.stringContaining('مرحبًا نورة') } },
      { stepId: 'ask' },
      { stepId: 'which' },
      { stepId: 'which_in_arabic' },
      { stepId: 'later', message: { text: expect.stringContaining('نحفظ طلبك') } },
    ])
  },

  async inbox({ printed }) {
    expectAll(
      printed,
      '"isUnread":true',
      '"handledBy":"staff"',
      '"filledText":"Thank you, Dana!"',
      '"entry":"note"',
      '"status":"resolved"',
    )
    expect(problemsIn(printed)).toEqual([])
    const sentTexts = () => walk.simulator.messages().map(({ text }) => text)
    await expect.poll(sentTexts, WITHIN).toContain('It is on its way, Dana.')
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
    const receivedLines = () => walk.received.filter((line) => line.includes('اتصل واعتذر'))
    await expect.poll(receivedLines, WITHIN).not.toEqual([])
  },

  async broadcasts({ printed }) {
    expectAll(printed, '{"count":3}', '"problems":[]')
    expect(printed).toMatch(/"state":"done","reason":null,.*"total":3/)
    expectAll(printed, '"skipReason":"opted_out"', '200\n303\n', '"how":"link"')
    expect(printed).toMatch(/"body":.*contact\.opted_out.*عبير/)
    expect(problemsIn(printed)).toEqual([])
    const sentTexts = () => walk.simulator.messages().map(({ text }) => text)
    await expect
      .poll(sentTexts, WITHIN)
      .toContainEqual(expect.stringMatching(/^مرحبًا عبير، خصم 20%.*\/o\//))
  },

  async leads({ printed, shell }) {
    expect(printed).toContain('"summary":"يريد: طقم كامل"')
    expect(printed).toMatch(/"body":.*lead\.qualified.*رامي/)
    expectAll(printed, '"status":"won"', '"lostReason":"اشترت من غيرنا"')
    expect(problemsIn(printed)).toEqual([])
    const receivedLines = () => walk.received.filter((line) => line.includes('lead.qualified'))
    await expect.poll(receivedLines, WITHIN).not.toEqual([])
    expect(shell.FLOW).toBeTruthy()
  },

  async 'starting-a-flow'({ printed }) {
    expect(printed).toMatch(/^(accepted|duplicate) [0-9a-f-]{36}\naccepted [0-9a-f-]{36}\n/)
  },

  async 'calling-your-api'({ printed, shell }) {
    expect(printed).toMatch(/"url":"https:\/\/127\.0\.0\.1:\d+\/api\/orders\/1044"/)
    expectAll(
      printed,
      '"kept":{"status":"being packed"}',
      '"failure":"path_value_refused"',
      '"warnings":[]',
    )
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
    expectAll(printed, '"how":"member"', '3,left_out,Mobile,import_phone_rounded,')
    expect(printed).toMatch(/"state":"done".*"leftOut":1/)
    expect(printed).toMatch(/Rana,\+12025550188,,,vip; new,no,/)
    return Promise.resolve()
  },

  async 'receiving-webhooks'({ printed, shell }) {
    expect(shell.SECRET).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/)
    expect(walk.received).toContain('test event flow.completed, not worked on')
    expectAll(printed, '"httpStatus":204', '"isOn":true', '"kind":"held"', '"kind":"test"')
    // The one delivery in the log is the test, which is not resent.
    expect(problemsIn(printed)).toEqual(['conflict'])
    const secrets = readFileSync(
      path.join(walk.folder, 'data/demonstration/receiver-secret'),
      'utf8',
    )
    expect(secrets.trim().split('\n')).toHaveLength(3)
  },
}

/** Returns the codes of problems; messages on a screen have other codes. */
function problemsIn(printed: string): string[] {
  return [...printed.matchAll(/"code":"(\w+)"/g)]
    .map(([, code]) => code!)
    .filter((code) => Object.hasOwn(PROBLEM_STATUS, code))
}

/** Expects no refusal except those that a guide names, and no name missing from an answer. */
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
    // curl shows its meter only if its output is no terminal, as for the banner's command.
    expect(stderr.replaceAll(/^.*(% Total|Dload|--:--:--).*$/gm, '').trim()).toBe('')
    for (const [at, guide] of GUIDES.entries()) {
      const part = parts[at + 1]!
      expectNoErrors(guide, part.printed)
      if (guide !== 'receiving-webhooks') await CHECKS[guide](part)
    }
    // Events of other runs went to the new endpoint too, so its newest delivery may be no test.
    expect(walk.received).toContain('test event flow.completed, not worked on')
    expect(walk.received.join('\n')).toContain('came again, dropped')
    expect(walk.received).not.toContain('refused: no valid signature')

    const again = await walk.paste(guides, NAMES)
    for (const [at, guide] of GUIDES.entries()) expectNoErrors(guide, again.parts[at]!.printed)
  },
  180_000 * TIMEOUT_FACTOR,
)

test('a refusal is shown: pick prints the answer and ends with 1', async () => {
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

test('every guide that signs in uses the same words', () => {
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
