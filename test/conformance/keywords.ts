import {
  chooseTrigger,
  type TriggerCandidate,
} from '../../src/flow-kinds/triggers/choose-trigger.ts'
import { toIncomingMessage } from '../../src/flow-kinds/triggers/trigger-design.ts'
import { TRIGGERS } from '../../src/flow-kinds/triggers/triggers.ts'
import { runRule, unknownIn, unknownInCase, words } from './cases.ts'
import type { ConformanceCase, Report } from './report.ts'

type KeywordCase = {
  id: string
  text: string | null
  type?: string
  flows: {
    words: string[]
    match: 'exact' | 'contained'
    interrupts?: boolean
    live?: boolean
    onChannel?: boolean
    active?: boolean
  }[]
  listening?: boolean
  expect: number | null
  also_accept?: (number | null)[]
}

const KNOWN = words('text type flows listening')
const KNOWN_OF_FLOW = words('words match interrupts live onChannel active')

export const run = (cases: ConformanceCase[], report: Report): Promise<void> =>
  runRule<KeywordCase>(cases, report, {
    unknown: (one) => [
      ...unknownInCase(one, KNOWN),
      ...one.flows.flatMap((flow) => unknownIn(flow, KNOWN_OF_FLOW)),
    ],
    read: choose,
  })

const START = Date.UTC(2026, 0, 1)

function choose({ text, type = 'text', flows, listening = false }: KeywordCase): number | null {
  const message = toIncomingMessage({
    // A tapped button is stored as a text with its label.
    type: type === 'tap' ? 'text' : type,
    text,
    isFirst: false,
    pressedTemplate: null,
  })
  const keys = TRIGGERS.keyword.byMessage!.keysOf(message)
  const candidates = flows.flatMap(({ interrupts = false, ...flow }, index) => {
    // A message can match only triggers of its channel whose flows are published and on.
    if (flow.live === false || flow.onChannel === false) return []
    // The schema refuses empty words; a case may have them all the same.
    const { words: phrases, match } = flow
    return TRIGGERS.keyword
      .byMessage!.entriesOf({ kind: 'keyword', words: phrases, match, interrupts })
      .filter(({ key }) => keys.includes(key))
      .map((entry): TriggerCandidate => ({
        ...entry,
        kind: 'keyword',
        flowId: String(index).padStart(4, '0'),
        firstPublishedAt: new Date(START + index),
        activeRuns: flow.active ? [`run-${index}`] : [],
      }))
  })
  const waiting = listening ? { id: 'listening', mayEnd: true } : null
  const chosen = chooseTrigger(message, candidates, waiting)
  return chosen ? Number(chosen.candidate.flowId) : null
}
