/** Routing cases as they are written. */
import type { Situation } from './routing-setup.ts'

type Pointed = { run?: string; template?: string }
export type Message = {
  type: string
  text: string | null
  presses?: Pointed
  quotes?: Pointed
  repeat?: number
  everyMs?: number
  vary?: boolean
}

export type Expected = {
  answeredBy?: string
  starts?: string | null
  wakes?: string | null
  ends?: Record<string, string>
  raises?: string[]
  staffNeeded?: boolean | null
  entry?: string
}

export type RoutingCase = {
  id: string
  situation: Situation
  message: Message
  expect: Expected
  also_accept?: Expected[]
}

const FIELDS = {
  case: [
    'id',
    'line',
    'situation',
    'message',
    'expect',
    'also_accept',
    'ambiguous',
    'reading',
    'why',
    'group',
  ],
  situation: [
    'channelType',
    'plan',
    'planBefore',
    'assistant',
    'contact',
    'conversation',
    'staff',
    'wasAssigned',
    'flows',
    'runs',
  ],
  message: ['type', 'text', 'presses', 'quotes', 'repeat', 'everyMs', 'vary'],
  flow: ['name', 'trigger', 'words', 'match', 'interrupts', 'template', 'button', 'live'],
  run: ['flow', 'state', 'afterTakeOver', 'template'],
  expect: ['answeredBy', 'starts', 'wakes', 'ends', 'raises', 'staffNeeded', 'entry'],
}

/** What of a case the runner has no word for; null when it knows all of it. */
export function whyNotExpressed({
  situation,
  message,
  expect,
  ...one
}: RoutingCase): string | null {
  const strange = [
    ...unknown(one, FIELDS.case),
    ...unknown(situation, FIELDS.situation),
    ...unknown(message, FIELDS.message),
    ...unknown(expect, FIELDS.expect),
    ...(situation.flows ?? []).flatMap((flow) => unknown(flow, FIELDS.flow)),
    ...(situation.runs ?? []).flatMap((ofRun) => unknown(ofRun, FIELDS.run)),
  ][0]
  return strange === undefined ? null : `the runner has no word for "${strange}"`
}

const unknown = (what: object, fields: readonly string[]) =>
  Object.keys(what).filter((field) => !fields.includes(field))
