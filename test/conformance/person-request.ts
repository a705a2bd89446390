import { asksForPerson } from '../../src/rules/assistant/person-request.ts'
import { runRule, unknownInCase, words } from './cases.ts'
import type { ConformanceCase, Report } from './report.ts'

type PersonCase = { id: string; text: string; expect: boolean; also_accept?: boolean[] }

const KNOWN = words('text language dialect')

export const run = (cases: ConformanceCase[], report: Report): Promise<void> =>
  runRule<PersonCase>(cases, report, {
    unknown: (one) => unknownInCase(one, KNOWN),
    read: ({ text }) => asksForPerson(text),
  })
