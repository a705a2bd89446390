import { asksForPerson } from '../../src/rules/assistant/person-request.ts'
import { unknownField } from './known-fields.ts'
import type { ConformanceCase, Report } from './report.ts'

const KNOWN = ['text', 'language', 'dialect', 'expect', 'also_accept']

export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  for (const one of cases) {
    const unknown = unknownField(one, KNOWN)
    if (unknown !== null) report.fail(one.id, `the runner has no word for "${unknown}"`)
    else {
      const accepted = [one['expect'], ...((one['also_accept'] as boolean[] | undefined) ?? [])]
      await report.check(one.id, () => asksForPerson(one['text'] as string), accepted)
    }
  }
}
