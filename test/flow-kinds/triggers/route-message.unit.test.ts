/** Every row of the table in Flows › Order of answers to a message. */
import { expect, test } from 'vitest'
import type { TriggerCandidate } from '../../../src/flow-kinds/triggers/choose-trigger.ts'
import {
  routeMessage,
  type ActiveRun,
  type RoutingInputs,
} from '../../../src/flow-kinds/triggers/route-message.ts'
import { toIncomingMessage } from '../../../src/flow-kinds/triggers/trigger-design.ts'
import { FLOW_LIMITS } from '../../../src/core/limits/flows.ts'
import { foldText } from '../../../src/rules/text/fold-text.ts'
import { KEYWORD } from '../../../src/flow-kinds/triggers/keyword.ts'

const AT = new Date('2026-12-07T09:00:00.000Z')
const later = (seconds: number) => new Date(AT.getTime() + seconds * 1_000)

const run = (id: string, more: Partial<ActiveRun> = {}): ActiveRun => ({
  id,
  mayRunDuringStaffHandling: false,
  listeningSince: null,
  isAtWork: false,
  ...more,
})
const asks = (id: string, since = AT, more: Partial<ActiveRun> = {}) =>
  run(id, { listeningSince: since, ...more })
const beside = { mayRunDuringStaffHandling: true }

const trigger = (flowId: string, more: Partial<TriggerCandidate>): TriggerCandidate => ({
  kind: 'keyword',
  flowId,
  firstPublishedAt: AT,
  activeRuns: [],
  key: '',
  phrase: '',
  isExact: true,
  interrupts: false,
  ...more,
})
const MENU = trigger('menu', { phrase: 'menu' })
const URGENT = trigger('urgent', { phrase: 'menu', interrupts: true })
const BUTTON = trigger('button', { kind: 'template_button', key: 't1', phrase: 'menu' })
const FIRST = trigger('first', { kind: 'conversation_started' })
const ALL = [MENU, BUTTON, FIRST]

type Situation = Partial<Omit<RoutingInputs<TriggerCandidate>, 'message'>> & {
  text?: string
  isFirst?: boolean
}

/** Returns who answers, in one word. A message says "menu" by default. */
function answers({ text = 'menu', isFirst = false, ...more }: Situation = {}): string {
  const said = { type: 'text', text, isFirst, pressedTemplate: 't1' as string | null }
  const route = routeMessage({
    message: toIncomingMessage(said),
    isOptOutWord: false,
    isBurst: false,
    isStaffHandling: false,
    isOptedOut: false,
    hasAutomations: true,
    isAssistantOn: true,
    runs: [],
    meantFor: null,
    candidates: [],
    ...more,
  })
  switch (route.to) {
    case 'run':
      return `run ${route.runId}`
    case 'flow':
      return `flow ${route.candidate.flowId}${route.leaves ? `, ends ${route.leaves}` : ''}`
    case 'staff':
      return `staff: ${route.why}${route.keptOut ? `, not ${route.keptOut.flowId}` : ''}`
    case 'nobody':
    case 'assistant':
      return route.to
  }
}

const HANDLES = { isStaffHandling: true }
const OUT = { isOptedOut: true }
const A = asks('a')
/** A run that began to wait after A. */
const LATER = asks('b', later(1))
const WORKS = run('b', { isAtWork: true })
const BESIDE = asks('a', AT, beside)
/** A situation in which the customer answers a run that has ended. */
const ENDED = { meantFor: 'gone', runs: [A] }
const HELLO = { text: 'hello' }

test.each<[string, Situation, string]>([
  [
    '2 to 4: no handler gets a word that opts out or in, whatever runs',
    { isOptOutWord: true, ...HANDLES, runs: [A], candidates: ALL },
    'nobody',
  ],
  [
    '5: a burst is for staff, and for no run',
    { isBurst: true, runs: [A], meantFor: 'a', candidates: ALL },
    'staff: burst',
  ],
  ['5: of who is opted out too', { isBurst: true, ...OUT }, 'staff: burst'],
  [
    '6: staff handles, and it is meant for a run during staff handling',
    { ...HANDLES, meantFor: 'b', runs: [asks('a', later(9), beside), run('b', beside)] },
    'run b',
  ],
  ['6: not when that run gives way', { ...HANDLES, meantFor: 'a', runs: [A] }, 'staff: handles'],
  [
    '7: the last waiting one of several runs during staff handling',
    { ...HANDLES, runs: [asks('a', later(2), beside), asks('b', later(1), beside)] },
    'run a',
  ],
  ['7: one that gives way to staff gets nothing', { ...HANDLES, runs: [BESIDE, LATER] }, 'run a'],
  ['8: staff handles', { ...HANDLES, candidates: [MENU] }, 'staff: handles, not menu'],
  ['8: in a burst too', { ...HANDLES, isBurst: true }, 'staff: handles'],
  ['8: who is opted out starts none', { ...HANDLES, ...OUT, candidates: [MENU] }, 'staff: handles'],
  [
    '8: nor would a plan without automations',
    { ...HANDLES, hasAutomations: false, candidates: [MENU] },
    'staff: handles',
  ],
  ['9: opted out', { ...OUT, runs: [A], meantFor: 'a', candidates: ALL }, 'assistant'],
  [
    '9: opted out, without an assistant: staff',
    { ...OUT, isAssistantOn: false, candidates: ALL },
    'staff: nobody_else',
  ],
  ['10: it is meant for a run', { meantFor: 'a', runs: [A, LATER], candidates: ALL }, 'run a'],
  ['10: also one that waits for no message', { meantFor: 'a', runs: [run('a'), LATER] }, 'run a'],
  ['11: a button before a run', { runs: [A], candidates: [...ALL, URGENT] }, 'flow button'],
  ['11: and after the run that sent it', { ...ENDED, candidates: [BUTTON] }, 'flow button'],
  [
    '12: an interrupting keyword ends the run that waits',
    { runs: [A], candidates: [URGENT, MENU] },
    'flow urgent, ends a',
  ],
  ['12: but not a run at work', { runs: [WORKS], candidates: [URGENT] }, 'run b'],
  [
    '13: a run that waits keeps its answer from a keyword',
    { runs: [A], candidates: [MENU, FIRST], isFirst: true },
    'run a',
  ],
  ['13: of several the one that waits last', { runs: [A, LATER] }, 'run b'],
  ['13: one that waits before one at work', { runs: [A, WORKS] }, 'run a'],
  ['13: one at work where none waits', { runs: [run('a'), WORKS] }, 'run b'],
  ['13: never what was meant for a run that has ended', ENDED, 'assistant'],
  ['14: a keyword', { candidates: [FIRST, MENU], isFirst: true }, 'flow menu'],
  [
    '14: an exact keyword before a contained one of an earlier flow',
    {
      candidates: [
        { ...MENU, isExact: false },
        { ...URGENT, firstPublishedAt: later(1) },
      ],
    },
    'flow urgent',
  ],
  ['14: also as an answer to such a run', { ...ENDED, candidates: [MENU] }, 'flow menu'],
  [
    '14: not of a flow that has a run here',
    { candidates: [{ ...MENU, activeRuns: ['a'] }], runs: [run('a')] },
    'assistant',
  ],
  ['15: the first message', { ...HELLO, candidates: [FIRST], isFirst: true }, 'flow first'],
  ['16: else the assistant', { ...HELLO, candidates: [MENU] }, 'assistant'],
  ['17: else staff', { ...HELLO, isAssistantOn: false }, 'staff: nobody_else'],
  [
    '11 to 15 fall away without automations',
    { hasAutomations: false, isFirst: true, runs: [A], candidates: [...ALL, URGENT] },
    'assistant',
  ],
  ['10 does not', { hasAutomations: false, meantFor: 'a', runs: [A] }, 'run a'],
])('Each row of the table %s', (_, situation, answer) => expect(answers(situation)).toBe(answer))

test('the order in which runs and triggers were read does not matter', () => {
  const runs = [asks('a'), asks('b'), run('c', { isAtWork: true })]
  const triggers = [MENU, trigger('menu2', { phrase: 'menu', firstPublishedAt: later(1) })]
  expect(answers({ runs })).toBe('run b')
  expect(answers({ runs: runs.toReversed() })).toBe('run b')
  expect(answers({ candidates: triggers })).toBe('flow menu')
  expect(answers({ candidates: triggers.toReversed() })).toBe('flow menu')
})

const { entriesOf, keysOf, fit } = KEYWORD.byMessage

test.each([
  ['the menu please', 'menu'],
  ['where can i track order 5', 'track order'],
  ['order #1, please', '#1'],
  ['👍', '👍'],
  ['yes 👍 ok', '👍'],
  ['yes👍', '👍'],
  ['بيتزا🍕 لو سمحت', '🍕'],
  ['👍👍👍', '👍'],
  ['👍🏽', '👍'],
  ['help!!!', '!!!'],
])('A message %j is looked up by terms that find its keyword %j', (text, word) => {
  const message = { isFirst: false, pressedTemplate: null }
  const seen = toIncomingMessage({ ...message, type: 'text', text })
  const [entry] = entriesOf({
    kind: 'keyword',
    words: [word],
    match: 'contained',
    interrupts: false,
  })
  expect(entry!.phrase).toBe(foldText(word))
  expect(fit(entry!, seen)).not.toBeNull()
  expect(keysOf(seen)).toContain(entry!.key)
})

test('A long message is searched by its first 256 different words', () => {
  const words = Array.from({ length: FLOW_LIMITS.keywordsLookedFor + 1 }, (_, nth) => `w${nth}`)
  const message = { isFirst: false, pressedTemplate: null, type: 'text' }
  const text = [...words.slice(0, 9), ...words].join(' ')
  expect(keysOf(toIncomingMessage({ ...message, text }))).toEqual(words.slice(0, -1))
})
