import { buttonPayload } from '../../src/rules/flows/button-payload.ts'
import { readAnswer, type Option, type Question } from '../../src/rules/flows/read-answer.ts'
import { runRule, unknownInCase, words } from './cases.ts'
import type { ConformanceCase, Report } from './report.ts'

type AnswerCase = {
  id: string
  kind: Question['kind']
  text?: string | null
  type?: string
  tap?: { of: 'this' | 'older' | 'other'; option: number; label: string; value?: string }
  options?: Option[]
  country?: string | null
  min?: number
  max?: number
  now?: string
  zone?: string
  expect: string | null
  also_accept?: (string | null)[]
}

const KNOWN = words('kind text type tap options country min max now zone')

/** Runs cases of answers. A case with media uses its id as the id of the message, which is the stored answer. */
export const run = (cases: ConformanceCase[], report: Report): Promise<void> =>
  runRule<AnswerCase>(cases, report, { unknown: (one) => unknownInCase(one, KNOWN), read })

const RUN = '01a1fd55-7a80-7278-823e-2ce24018e90d'
const ANOTHER_RUN = '01a1fd55-7a80-7278-823e-2ce24018e90e'

function read(one: AnswerCase): string | null {
  const { kind, min = null, max = null, options = [] } = one
  const question = { kind, min, max, options } as Question
  const message = {
    id: one.id,
    type: one.type ?? 'text',
    text: one.tap?.label ?? one.text ?? null,
    buttonPayload: one.tap ? payloadOf(one.tap) : null,
  }
  return readAnswer(question, message, {
    runId: RUN,
    stepId: 'asks',
    country: one.country ?? null,
    now: new Date(one.now ?? '2026-12-07T09:00:00Z'),
    zone: one.zone ?? 'UTC',
  })
}

function payloadOf({ of, option }: NonNullable<AnswerCase['tap']>): string {
  const stepId = of === 'this' ? 'asks' : 'asked_before'
  return buttonPayload({ runId: of === 'other' ? ANOTHER_RUN : RUN, stepId, option: option - 1 })
}
