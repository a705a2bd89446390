import { unknownIn, unknownInCase, whyUnknown, words } from './cases.ts'
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
  case: words('situation message'),
  situation: words(
    'channelType plan planBefore assistant contact conversation staff wasAssigned flows runs',
  ),
  message: words('type text presses quotes repeat everyMs vary'),
  flow: words('name trigger words match interrupts template button live onChannel'),
  run: words('flow state afterTakeOver startedFirst template'),
  expect: words('answeredBy starts wakes ends raises staffNeeded entry'),
}

/** Returns why the runner cannot express a case, or null when it can. */
export function whyNotExpressed(one: RoutingCase): string | null {
  const { situation, message, expect } = one
  return whyUnknown([
    ...unknownInCase(one, FIELDS.case),
    ...unknownIn(situation, FIELDS.situation),
    ...unknownIn(message, FIELDS.message),
    ...unknownIn(expect, FIELDS.expect),
    ...(situation.flows ?? []).flatMap((flow) => unknownIn(flow, FIELDS.flow)),
    ...(situation.runs ?? []).flatMap((ofRun) => unknownIn(ofRun, FIELDS.run)),
  ])
}
