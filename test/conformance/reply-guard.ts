import { guardReply, type Guarded } from '../../src/rules/assistant/reply-guard.ts'
import { unknownField } from './known-fields.ts'
import type { ConformanceCase, Report } from './report.ts'

type Context = {
  channelType: string
  language: string
  attempt: number
  hosts: string[]
  instructions: string
  tools: string[]
  marks: string[]
  ids: string[]
  done: string[]
  found: number
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

const KNOWN = ['reply', 'context', 'expect', 'also_accept']
const KNOWN_OF_EXPECTED = ['sent', 'verdict', 'reason', 'lacks']
const KNOWN_OF_CONTEXT = [
  'channelType',
  'language',
  'attempt',
  'hosts',
  'instructions',
  'tools',
  'marks',
  'ids',
  'done',
  'found',
]

export async function run(cases: ConformanceCase[], report: Report, file: unknown): Promise<void> {
  const { defaults } = file as { defaults: { context: Context } }
  for (const one of cases as GuardCase[]) {
    const context = { ...defaults.context, ...one.context }
    const accepted = [one.expect, ...(one.also_accept ?? [])]
    const unknown = [
      unknownField(one, KNOWN),
      unknownField(context, KNOWN_OF_CONTEXT),
      ...accepted.map((expected) => unknownField(expected, KNOWN_OF_EXPECTED)),
    ].find((field) => field !== null)
    if (unknown !== undefined) {
      report.fail(one.id, `the runner has no word for "${unknown}"`)
      continue
    }
    const { attempt, language: _, ...known } = context
    const done = context.done.map((name) => ({ name, told: '', hasEffect: true }))
    const guard = () => {
      const guarded = guardReply(one.reply, { ...known, done, isRepaired: attempt === 2 })
      return accepted.some((expected) => fits(guarded, expected)) ? accepted[0] : guarded
    }
    await report.check(one.id, guard, [accepted[0]])
  }
}

const VERDICTS = { send: 'sent', repair: 'repaired', replace: 'replaced' }

function fits(guarded: Guarded, { sent, verdict, reason, lacks }: Expected): boolean {
  if (verdict !== undefined) {
    const isReason = reason === undefined || ('reason' in guarded && guarded.reason === reason)
    return VERDICTS[guarded.verdict] === verdict && isReason
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

/** As two texts are compared: white space is one space, and none before marks and at the ends. */
const evened = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .replace(/ (?=[.,:;!?،؛؟])/gu, '')
    .trim()
