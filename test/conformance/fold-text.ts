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

/** One text as it is compared, and as it is searched. */
export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  for (const one of cases as FoldCase[]) {
    const more = one.also_accept ?? []
    if (one.group === 'fold') {
      await report.check(one.id, () => foldText(one.text!), [one.expect, ...more])
    } else if (one.ascii !== undefined) {
      const form = searchForm(one.ascii)
      // oxlint-disable-next-line no-control-regex
      await report.check(one.id, () => /^[\x00-\x7f]*$/.test(form), [true])
    } else if (one.same ?? one.differ) {
      const [a, b] = (one.same ?? one.differ)!
      const wanted = one.same ? 'same' : 'differ'
      await report.check(one.id, () => (searchForm(a) === searchForm(b) ? 'same' : 'differ'), [
        wanted,
        ...more,
      ])
    }
  }
}
