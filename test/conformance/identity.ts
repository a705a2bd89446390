import { randomBytes } from 'node:crypto'
import { startSimulators } from '../../simulators/index.ts'
import { createWorldOn, type World } from '../support/world.ts'
import { ACTS } from './identity-acts.ts'
import { checkAlways, nobodyOptedIn } from './identity-always.ts'
import { acceptedBy, expressible } from './cases.ts'
import type { IdentityCase, IdentityFile, Step } from './identity-case.ts'
import { whyNotExpressed } from './identity-case.ts'
import { elsewhere, openCompany, type Standing } from './identity-company.ts'
import { issuesOf } from './identity-look.ts'
import { beginPlay, postAgain, type Play } from './identity-play.ts'
import { startProvider } from './identity-provider.ts'
import { PROVIDER_POSTS } from './identity-posts.ts'
import { startPrivateDatabase } from './private-database.ts'
import type { ConformanceCase, Report } from './report.ts'

const MINUTE_MS = 60_000
/** A company is opened this long before its case begins, so that its channels have no work left. */
const BEFORE_MS = 30 * MINUTE_MS
/** A case with concurrent steps is played this often, each time in another order. */
const TIMES_AT_ONCE = 10

/**
 * Plays each case in a separate company, against a service in process with a clock that the case moves. It uses the
 * webhooks of providers and the routes of merchants, members and unauthenticated clients.
 */
export async function run(cases: ConformanceCase[], report: Report, file: unknown): Promise<void> {
  const { defaults } = file as IdentityFile
  const chosen = expressible<IdentityCase>(cases, report, whyNotExpressed)
  if (chosen.length === 0) return
  const { standing, close } = await openStanding(chosen.some(hasStepsAtOnce))
  try {
    for (const one of chosen) {
      await report.check(one.id, () => playCase(standing, one, defaults), ['as expected'])
    }
  } finally {
    await close()
  }
}

/** Opens what all cases share. @param needsOther whether a second process is needed, for concurrent steps. */
async function openStanding(
  needsOther: boolean,
): Promise<{ standing: Standing; close(): Promise<void> }> {
  const database = await startPrivateDatabase()
  const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`
  const options = { encryptionKeys, trustedProxies: '127.0.0.0/8' }
  const world = await createWorldOn(database, options)
  const shared = { ...options, clock: world.clock, providerBaseUrls: world.baseUrls }
  const other = needsOther
    ? await createWorldOn({ ...database, drop: () => Promise.resolve() }, shared)
    : null
  const provider = await startProvider()
  const play = { whatsAppQr: {} }
  const { whatsAppQr: qr, close } = await startSimulators({ clock: world.clock }, play)
  // The simulated bridge refuses some numbers by their last digits. Here it accepts every send.
  qr.bridge.send = (account, { id, to, text }) => {
    qr.bridge.sent.push({ id, account, to, text, file: null, at: world.clock.now().getTime() })
    return 'sent'
  }
  world.baseUrls.qrBridge = { url: qr.baseUrl, secret: qr.secret }
  for (const name of ['whatsApp', 'telegram', 'messenger', 'instagram'] as const) {
    world.baseUrls[name] = provider.url
  }
  world.baseUrls.simulated.whatsApp = provider.url
  return {
    standing: { world, other, provider, qr },
    async close() {
      await close()
      await other?.close()
      await world.close()
      await provider.close()
    },
  }
}

const hasStepsAtOnce = ({ steps }: IdentityCase) => steps.some((step) => step.do === 'atOnce')

/** Returns "as expected", or all faults of the case. */
async function playCase(
  standing: Standing,
  one: IdentityCase,
  defaults: IdentityFile['defaults'],
): Promise<string> {
  for (let nth = 0; nth < (hasStepsAtOnce(one) ? TIMES_AT_ONCE : 1); nth += 1) {
    const faults = await playOnce(standing, one, defaults, nth)
    if (faults.length > 0) return faults.join('; ')
  }
  return 'as expected'
}

async function playOnce(
  standing: Standing,
  one: IdentityCase,
  defaults: IdentityFile['defaults'],
  nth: number,
): Promise<string[]> {
  const { clock } = standing.world
  clock.moveTo(new Date(Date.parse(defaults.start) - BEFORE_MS).toISOString())
  const around = { ...standing, other: hasStepsAtOnce(one) ? standing.other : null }
  const company = await openCompany(around, one.channels ?? defaults.channels, defaults.company)
  try {
    clock.moveTo(defaults.start)
    const play = await beginPlay(company)
    const opted = nobodyOptedIn()
    const moments = createMoments(standing.world, defaults.start)
    for (const [index, step] of one.steps.entries()) {
      const named = withLabels(step, `#${index + 1}`)
      const at = moments.next(named)
      const optedIn = await playStep(play, named, at, nth)
      await company.settle()
      standing.provider.answerAsUsual()
      await checkAlways(play, named, opted, optedIn)
      nameMessages(play, named)
    }
    const ends = await Promise.all(acceptedBy(one).map((expected) => issuesOf(play, expected)))
    await postAgain(play)
    const met = ends.find((faults) => faults.length === 0) ?? ends[0]!
    return [...play.faults, ...met]
  } finally {
    standing.provider.answerAsUsual()
    await company.close()
  }
}

/** Steps whose answer does not name the message that they make. */
const UNNAMED = ['form', 'visitor', 'call']

/** Gives the label of such a step to the newest message of its channel. */
function nameMessages(play: Play, step: Step): void {
  for (const one of step.steps ?? []) nameMessages(play, one)
  if (!UNNAMED.includes(step.do)) return
  const channelId = play.company.channels.get(step.on ?? '')?.id
  const newest = play.moment.messages.findLast(
    (message) => message.channelId === channelId && message.direction === 'in',
  )
  if (newest) play.made.set(step.label!, { kind: 'message', messageId: newest.id })
}

/** Returns a step with a label, so that its results can be named. */
const withLabels = (step: Step, label: string): Step => ({
  label,
  ...step,
  ...(step.steps && {
    steps: step.steps.map((inner, index) => withLabels(inner, `${label}.${index + 1}`)),
  }),
})

/** Moves the clock to each step, and never back. Returns the provider's time of it. */
function createMoments(world: World, start: string) {
  let next = Date.parse(start)
  return {
    next({ at, arrives }: Step): Date {
      const timeOf = (time: string) => Date.parse(`${start.slice(0, 10)}T${time}:00Z`)
      const sentAt = at === undefined ? next : timeOf(at)
      const comes = Math.max(sentAt, arrives === undefined ? 0 : timeOf(arrives))
      const now = world.clock.now().getTime()
      if (comes > now) world.clock.moveTo(new Date(comes).toISOString())
      next = Math.max(comes, now) + MINUTE_MS
      return new Date(sentAt)
    },
  }
}

/** Plays a step. Returns the contact that a member has opted in by it, or null. */
async function playStep(play: Play, step: Step, at: Date, nth: number): Promise<string | null> {
  if (step.do === 'atOnce') {
    const steps = inOrder(step.steps ?? [], nth)
    const there = { ...play, company: elsewhere(play.company) }
    const ends = await Promise.allSettled(
      steps.map((one, index) => playStep(index % 2 === 0 ? play : there, one, at, nth)),
    )
    // All steps have ended, so that none runs on in the next case.
    const failed = ends.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    return null
  }
  await PROVIDER_POSTS[step.do]?.(play, step, at)
  const optedIn = await ACTS[step.do]?.(play, step)
  return optedIn ?? null
}

/** Returns the items in another order for each number: rotated, and every second time reversed. */
function inOrder<Item>(items: readonly Item[], nth: number): Item[] {
  const turned = items.map((_, index) => items[(index + nth) % items.length]!)
  return nth % 2 === 0 ? turned : turned.toReversed()
}
