import type { TriggerCandidate } from '../../src/flow-kinds/triggers/choose-trigger.ts'
import { chooseTrigger } from '../../src/flow-kinds/triggers/choose-trigger.ts'
import { asTriggersSee } from '../../src/flow-kinds/triggers/trigger-design.ts'
import { Trigger, TRIGGERS } from '../../src/flow-kinds/triggers/triggers.ts'
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

const KNOWN = [
  'id',
  'text',
  'type',
  'flows',
  'listening',
  'expect',
  'also_accept',
  'why',
  'ambiguous',
  'reading',
  'group',
]
const KNOWN_OF_FLOW = ['words', 'match', 'interrupts', 'live', 'onChannel', 'active']

export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  for (const one of cases) {
    const { flows, expect, also_accept: others = [] } = one as unknown as KeywordCase
    const unknown = [
      ...Object.keys(one).filter((field) => !KNOWN.includes(field)),
      ...flows.flatMap((flow) => Object.keys(flow)).filter((key) => !KNOWN_OF_FLOW.includes(key)),
    ][0]
    if (unknown !== undefined) report.fail(one.id, `the runner has no word for "${unknown}"`)
    else
      await report.check(one.id, () => choose(one as unknown as KeywordCase), [expect, ...others])
  }
}

const START = Date.UTC(2026, 0, 1)

function choose({ text, type = 'text', flows, listening = false }: KeywordCase): number | null {
  const message = asTriggersSee({
    // A tapped button is a text with its label.
    type: type === 'tap' ? 'text' : type,
    text,
    isFirst: false,
    pressedTemplate: null,
  })
  const keys = TRIGGERS.keyword.byMessage!.keysOf(message)
  const candidates = flows.flatMap(({ words, match, interrupts = false, ...flow }, index) => {
    // What a message finds are the triggers of its channel whose flows are published and on.
    if (flow.live === false || flow.onChannel === false) return []
    const trigger = Trigger.parse({ kind: 'keyword', words, match, interrupts })
    return TRIGGERS.keyword
      .byMessage!.entriesOf(trigger)
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
