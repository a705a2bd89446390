import { isDeepStrictEqual } from 'node:util'

/** Collects the results of the cases of one file: a line for each failed case, and the two counts. */
export type Report = {
  /** Passes when the result of `read` is one of the `accepted` answers, by value. A case whose `read` throws fails. */
  check(id: string, read: () => unknown, accepted: readonly unknown[]): Promise<void>
  /** Fails a case that the runner cannot express. */
  fail(id: string, reason: string): void
  /** The cases that have been reported. */
  ids: Set<string>
  passed: number
  failed: number
}

/**
 * The exports of the file of one kind. `run` reports each of its cases once. `file` is the whole file, which its cases
 * share, and `folder` is the folder of that file.
 */
export type ConformanceKind = {
  run(cases: ConformanceCase[], report: Report, file: unknown, folder: string): Promise<void>
}

export type ConformanceCase = { id: string } & Record<string, unknown>

export function createReport(file: string, print: (line: string) => void): Report {
  const report: Report = {
    ids: new Set(),
    passed: 0,
    failed: 0,
    async check(id, read, accepted) {
      let actual: unknown
      try {
        actual = await read()
      } catch (error) {
        return report.fail(id, `expected ${show(accepted[0])} got ${String(error)}`)
      }
      if (!accepted.some((answer) => isDeepStrictEqual(actual, answer))) {
        return report.fail(id, `expected ${accepted.map(show).join(' or ')} got ${show(actual)}`)
      }
      report.ids.add(id)
      report.passed++
    },
    fail(id, reason) {
      report.ids.add(id)
      report.failed++
      print(`FAIL ${file} ${id}: ${reason}`)
    },
  }
  return report
}

const show = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 300)
