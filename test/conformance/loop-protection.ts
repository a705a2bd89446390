import { findLoop, type ExchangedMessage } from '../../src/rules/assistant/loop-protection.ts'
import { runRule, unknownIn, unknownInCase, words } from './cases.ts'
import type { ConformanceCase, Report } from './report.ts'

type Event = { at: number; what: string; text?: string }
type Written = Event & { every?: number; times?: number; repeat?: number; events?: Written[] }
type LoopCase = {
  id: string
  events: Written[]
  expect: { at: number; rule: string } | null
  also_accept?: ({ at: number; rule: string } | null)[]
}

const START = Date.UTC(2026, 9, 5)
const KNOWN_OF_EVENT = words('at what text every times repeat events')

const MESSAGES: Record<string, Pick<ExchangedMessage, 'by' | 'kind'>> = {
  message: { by: 'customer', kind: 'text' },
  image: { by: 'customer', kind: 'media' },
  sticker: { by: 'customer', kind: 'other' },
  button: { by: 'customer', kind: 'button' },
  reply: { by: 'reply', kind: 'text' },
  ours: { by: 'ours', kind: 'text' },
}
/** Events after which the count begins again. */
const BEGINS = ['give_back', 'resolve']
/** Events that are no messages. */
const SIGNS = ['reaction', 'receipt', 'typing']

export const run = (cases: ConformanceCase[], report: Report): Promise<void> =>
  runRule<LoopCase>(cases, report, {
    unknown: (one) => [
      ...unknownInCase(one, ['events']),
      ...one.events.flatMap(withGroups).flatMap(unknownInEvent),
    ],
    read: ({ events }) => firstTrip(events.flatMap(expanded)),
  })

const withGroups = (event: Written): Written[] => [
  event,
  ...(event.events ?? []).flatMap(withGroups),
]

function unknownInEvent(event: Written): string[] {
  const { what } = event
  const known = [...Object.keys(MESSAGES), ...BEGINS, ...SIGNS]
  const isKnown = what === undefined || known.includes(what)
  return [...unknownIn(event, KNOWN_OF_EVENT), ...(isKnown ? [] : [what])]
}

/** Repeats one event, or a group of events. */
function expanded({ at, every = 0, times, repeat, events, ...event }: Written): Event[] {
  const often = times ?? repeat ?? 1
  return Array.from({ length: often }, (_, turn) => at + turn * every).flatMap((start) =>
    events
      ? events.flatMap(expanded).map((one) => ({ ...one, at: start + one.at }))
      : [{ ...event, at: start }],
  )
}

function firstTrip(events: readonly Event[]): { at: number; rule: string } | null {
  let history: ExchangedMessage[] = []
  const ordered = events.toSorted((a, b) => a.at - b.at)
  for (const [place, { at, what, text }] of ordered.entries()) {
    if (BEGINS.includes(what)) history = []
    const message = MESSAGES[what]
    if (!message) continue
    const hasText = message.kind !== 'media' && message.kind !== 'other'
    history.push({
      ...message,
      at: new Date(START + at * 1_000),
      text: text ?? (hasText ? `a text of its own, ${place}` : null),
    })
    const rule = message.by === 'customer' ? findLoop(history) : null
    if (rule) return { at: place + 1, rule }
  }
  return null
}
