/** The results of an evaluation in figures: of each group, how many cases pass once, and how many every time. */
import { GROUPS, type Case, type Group } from './case-form.ts'

/** A case with the results of its runs. */
export type CaseResult = Pick<Case, 'id' | 'group' | 'language' | 'about'> & {
  /** The unmet expectations of each run. */
  unmet: string[][]
}

/** The score of a group, or of all cases. */
export type Score = {
  /** The name of the group, or `all`. */
  of: string
  cases: number
  /** Share of the times that passed, over all cases alike. */
  passAt1: number
  /** Share of the cases that passed every time. */
  passAll: number
}

/** Returns the scores of the played groups in their order, then of all together. */
export function scoresOf(results: readonly CaseResult[]): Score[] {
  const groups: readonly Group[] = GROUPS
  return [
    ...groups
      .map((group) =>
        scoreOf(
          group,
          results.filter((one) => one.group === group),
        ),
      )
      .filter(({ cases }) => cases > 0),
    scoreOf('all', results),
  ]
}

function scoreOf(of: string, results: readonly CaseResult[]): Score {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const isPassed = (unmet: readonly string[]) => unmet.length === 0
  return {
    of,
    cases: results.length,
    passAt1: mean(results.map(({ unmet }) => unmet.filter(isPassed).length / unmet.length)),
    passAll: mean(results.map(({ unmet }) => (unmet.every(isPassed) ? 1 : 0))),
  }
}

/** Formats the table of scores, and below it every case that failed at least once, with its reasons. */
export function formatResults(results: readonly CaseResult[], times: number): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  const rows = [
    ['group', 'cases', 'pass@1', `pass^${times}`],
    ...scoresOf(results).map(({ of, cases, passAt1, passAll }) => [
      of,
      String(cases),
      percent(passAt1),
      percent(passAll),
    ]),
  ]
  const table = rows.map(([of, ...figures]) =>
    [of!.padEnd(10), ...figures.map((figure) => figure.padStart(8))].join(' '),
  )
  const failed = results
    .filter(({ unmet }) => unmet.some((why) => why.length > 0))
    .map(({ id, language, about, unmet }) => {
      const passed = unmet.filter((why) => why.length === 0).length
      const whys = [...new Set(unmet.flat())].map((why) => `    ${why}`)
      return [`${id} (${language}) passed ${passed} of ${unmet.length}: ${about}`, ...whys].join(
        '\n',
      )
    })
  return [...table, ...(failed.length > 0 ? ['', 'Not passed every time:', ...failed] : [])].join(
    '\n',
  )
}
