import { foldText } from '../../src/rules/text/fold-text.ts'
import { searchForm } from '../../src/rules/text/search-form.ts'
import type { ConformanceCase, Report } from './report.ts'

type FoldCase = {
  id: string
  group: string
  text?: string
  expect?: string
  same?: [string, string]
  differ?: [string, string]
  ascii?: string
  also_accept?: string[]
}

/** Runs cases of the form in which texts are compared, and of the form in which they are searched. */
export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  for (const { id, ...one } of cases as FoldCase[]) {
    const more = one.also_accept ?? []
    const pair = one.same ?? one.differ
    if (one.group === 'fold') {
      await report.check(id, () => foldText(one.text!), [one.expect, ...more])
    } else if (one.ascii !== undefined) {
      const isAscii = () => /^\p{ASCII}*$/u.test(searchForm(one.ascii!))
      await report.check(id, isAscii, [true])
    } else if (pair) {
      const [a, b] = pair.map(searchForm)
      await report.check(id, () => (a === b ? 'same' : 'differ'), [
        one.same ? 'same' : 'differ',
        ...more,
      ])
    }
  }
}
