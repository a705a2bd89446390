import type { Booking } from '../../src/rules/assistant/booked-time.ts'
import { withoutMarkup } from '../../src/rules/assistant/model-markup.ts'
import { kindsAtRisk } from '../../src/rules/assistant/statements/at-risk.ts'
import {
  guardReply,
  type GuardResult,
  type GuardContext,
} from '../../src/rules/assistant/reply-guard.ts'
import { acceptedBy, runRule, unknownIn, unknownInCase, words } from './cases.ts'
import type { ConformanceCase, Report } from './report.ts'

type Done = string | { tool: string; told: string; hasEffect: boolean }
type Context = {
  channelType: string
  language: string
  attempt: number
  hosts: string[]
  instructions: string
  tools: string[]
  marks: string[]
  ids: string[]
  done: Done[]
  found: number
  proposal?: NonNullable<GuardContext['proposal']> & { title: string }
  handover?: 'made' | 'open'
  said?: string[]
}
type Expected = {
  sent?: string | { contains?: string[]; lacks?: string[] }
  verdict?: string
  reason?: string
  lacks?: string[]
}
type GuardCase = {
  id: string
  reply: string
  context?: Partial<Context>
  expect: Expected
  also_accept?: Expected[]
}

const KNOWN_OF_EXPECTED = words('sent verdict reason lacks')
const KNOWN_OF_CONTEXT = words(
  'channelType language attempt hosts instructions tools marks ids done found proposal handover said',
)

export async function run(cases: ConformanceCase[], report: Report, file: unknown): Promise<void> {
  const { defaults } = file as { defaults: { context: Context } }
  const counts = { wentOut: 0, mustNot: 0, heldBack: 0, harmless: 0 }
  const contextOf = (one: GuardCase) => ({ ...defaults.context, ...one.context })
  await runRule<GuardCase>(cases, report, {
    unknown(one) {
      const { proposal = {}, done } = contextOf(one)
      return [
        ...unknownInCase(one, ['reply', 'context']),
        ...unknownIn(contextOf(one), KNOWN_OF_CONTEXT),
        ...unknownIn(proposal, words('state tool title')),
        ...done.flatMap((tool) =>
          typeof tool === 'string' ? [] : unknownIn(tool, words('tool told hasEffect')),
        ),
        ...acceptedBy(one).flatMap((expected) => unknownIn(expected, KNOWN_OF_EXPECTED)),
      ]
    },
    read(one) {
      const { text } = withoutMarkup(one.reply)
      const guarded = guardReply(text, knownOf(contextOf(one)))
      const met = acceptedBy(one).find((expected) => fits(guarded, expected))
      count(counts, one, met !== undefined, guarded)
      return met ?? guarded
    },
  })
  console.log(
    `reply-guard: ${counts.wentOut} of ${counts.mustNot} that must not go out went out, ` +
      `${counts.heldBack} of ${counts.harmless} harmless ones were held back`,
  )
}

function knownOf(context: Context): GuardContext {
  const { attempt, language: _, proposal = null, handover = 'none', said = [], ...known } = context
  const done = context.done.map((one) =>
    typeof one === 'string'
      ? { name: one, result: '', hasEffect: true }
      : { name: one.tool, result: one.told, hasEffect: one.hasEffect },
  )
  return {
    ...known,
    done,
    proposal: proposal && { state: proposal.state, tool: proposal.tool },
    handover,
    said,
    atRisk: kindsAtRisk(said.slice(-3), done),
    booking: bookingOf(done, said),
    isRepaired: attempt === 2,
  }
}

/** Returns the tools' results about a booking and about the times offered before, or null without a booking. */
function bookingOf(done: GuardContext['done'], said: readonly string[]): Booking | null {
  const toldBy = (...names: string[]) =>
    done.flatMap(({ name, result: told }) => (names.includes(name) ? [told] : []))
  const booked = toldBy('book_appointment').join('\n')
  if (booked === '') return null
  const known = toldBy('search_knowledge').join('\n')
  return { booked, offered: [...toldBy('find_slots'), ...said].join('\n'), known }
}

function count(
  counts: { wentOut: number; mustNot: number; heldBack: number; harmless: number },
  { reply, expect }: GuardCase,
  isMet: boolean,
  { verdict }: GuardResult,
): void {
  if (expect.sent === reply) {
    counts.harmless += 1
    if (!isMet) counts.heldBack += 1
  } else if (expect.sent === undefined) {
    counts.mustNot += 1
    if (!isMet && verdict === 'send') counts.wentOut += 1
  }
}

const VERDICTS: Readonly<Record<GuardResult['verdict'], string>> = {
  send: 'sent',
  repair: 'repaired',
  replace: 'replaced',
  outcome: 'outcome',
}

function fits(guarded: GuardResult, { sent, verdict, reason, lacks }: Expected): boolean {
  if (verdict !== undefined) {
    const isReason = reason === undefined || ('reason' in guarded && guarded.reason === reason)
    // A reply that is replaced is also handed over to staff.
    const is = VERDICTS[guarded.verdict]
    return (is === verdict || (verdict === 'handed_over' && is === 'replaced')) && isReason
  }
  if (guarded.verdict !== 'send') return sent === undefined
  const hasNone = (missing: readonly string[] = []) =>
    missing.every((piece) => !guarded.text.includes(piece))
  if (!hasNone(lacks)) return false
  if (typeof sent === 'string') return evened(guarded.text) === evened(sent)
  return (
    (sent?.contains ?? []).every((piece) => guarded.text.includes(piece)) && hasNone(sent?.lacks)
  )
}

/** Returns a text for comparison: white space is one space, with none before punctuation and at the ends. */
const evened = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .replace(/ (?=[.,:;!?،؛؟])/gu, '')
    .trim()
