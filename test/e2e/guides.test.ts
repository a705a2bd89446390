/**
 * The command that the start prints, the README's and every guide's, pasted as they stand: each guide alone on a
 * demonstration that nobody has signed in to, and all of them in a row in one shell.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeBanner } from '../../src/banner.ts'
import { commandsOf, createGuideWalk, type Guide, type GuideWalk } from '../support/guide-walk.ts'

const GUIDES = [
  'README',
  'setting-up-a-flow',
  'starting-a-flow',
  'calling-your-api',
  'receiving-webhooks',
] as const
const NAMES = ['BASE', 'TOKEN', 'RUN', 'FLOW', 'ENDPOINT', 'SECRET', 'API_KEY', 'HOOK_ID']
const NOURA = '12025550145'
/** Her run stays open, so that no event of hers comes between the log's. */
const MAHA = '12025550148'
const WITHIN = { timeout: 30_000 }

let walk: GuideWalk
async function beginWalk(): Promise<void> {
  walk = await createGuideWalk()
  onTestFinished(() => walk.close())
  for (const from of [NOURA, MAHA]) walk.simulator.answerByHand({ from, isByHand: true })
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

  async 'setting-up-a-flow'({ printed, shell }) {
    expect(printed).toContain('"isSimulated":true')
    expect(printed).toContain('{"templates":4}')
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

  async 'receiving-webhooks'({ printed, shell }) {
    expect(shell.SECRET).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/)
    expect(walk.received).toContain('test event flow.completed, not worked on')
    expect(printed).toContain('"httpStatus":204')
    expect(printed).toContain('"isOn":true')
    expect(printed).toContain('"kind":"held"')
    expect(printed).toContain('"kind":"test"')
    // The one delivery in the log is the test, which is not resent.
    expect(printed.match(/"code":"\w+"/g)).toEqual(['"code":"conflict"'])
    const secrets = readFileSync(
      path.join(walk.folder, 'data/demonstration/receiver-secret'),
      'utf8',
    )
    expect(secrets.trim().split('\n')).toHaveLength(3)
  },
}

/** Nothing was refused but what a guide says will be, and no name was missing from an answer. */
function expectNoErrors(guide: Guide, printed: string) {
  const codes = (printed.match(/"code":"\w+"/g) ?? []).filter(
    (code) => !code.includes('"conflict"'),
  )
  expect([guide, codes]).toEqual([guide, []])
}

test.for(GUIDES)('%s, alone on a fresh demonstration', { timeout: 90_000 }, async (guide) => {
  await beginWalk()
  const { parts, stderr } = await walk.paste([{ guide, commands: commandsOf(guide) }], NAMES)
  expect(stderr).toBe('')
  expectNoErrors(guide, parts[0]!.printed)
  await CHECKS[guide](parts[0]!)
})

test('the command that the start prints, then all guides in a row, in one shell, twice', async () => {
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
}, 180_000)

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
  const heads = (['setting-up-a-flow', 'calling-your-api', 'receiving-webhooks'] as const).map(
    (guide) => {
      const commands = commandsOf(guide)
      const at = commands.findIndex((block) => block.startsWith('SERVICE='))
      return commands.slice(at, at + 2)
    },
  )
  expect(heads[0]![1]).toContain('pick()')
  expect(heads[1]).toEqual(heads[0])
  expect(heads[2]).toEqual(heads[0])
})
