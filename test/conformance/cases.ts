/** Helpers for the runner's files: the fields of a case that they know, and how a pure rule is run. */
import type { ConformanceCase, Report } from './report.ts'

export const words = (text: string): string[] => text.trim().split(/\s+/)

const OF_EVERY_CASE = words('id group why line ambiguous reading decides expect also_accept')

/** Returns the fields of a value that are not among the known ones. */
export const unknownIn = (value: object, known: readonly string[]): string[] =>
  Object.keys(value).filter((field) => !known.includes(field))

/** Returns the unknown fields of a case, besides those that every case may have. */
export const unknownInCase = (one: object, known: readonly string[]): string[] =>
  unknownIn(one, [...OF_EVERY_CASE, ...known])

/** Returns why a case with these unknown fields cannot be run, or null when there are none. */
export const whyUnknown = ([word]: readonly string[]): string | null =>
  word === undefined ? null : `the runner has no word for "${word}"`

type Asked<Answer> = { id: string; expect: Answer; also_accept?: Answer[] }

/** Returns the answers with which a case passes. */
export const acceptedBy = <Answer>({ expect, also_accept: more = [] }: Asked<Answer>): Answer[] => [
  expect,
  ...more,
]

/** Returns the cases that the runner can express, and reports each of the others as a failure. */
export const expressible = <Case extends { id: string }>(
  cases: readonly ConformanceCase[],
  report: Report,
  whyNot: (one: Case) => string | null,
): Case[] =>
  (cases as unknown as Case[]).filter((one) => {
    const why = whyNot(one)
    if (why !== null) report.fail(one.id, why)
    return why === null
  })

/**
 * Runs cases of a pure rule. A case with unknown fields fails. Any other passes when the result of `read` is among its
 * accepted answers, each converted by `answer`.
 */
export async function runRule<Case extends Asked<unknown>>(
  cases: readonly ConformanceCase[],
  report: Report,
  {
    unknown = () => [],
    read,
    answer = (value) => value,
  }: {
    unknown?: (one: Case) => string[]
    read: (one: Case) => unknown
    answer?: (value: Case['expect']) => unknown
  },
): Promise<void> {
  for (const one of cases as unknown as Case[]) {
    const why = whyUnknown(unknown(one))
    if (why !== null) report.fail(one.id, why)
    else await report.check(one.id, () => read(one), acceptedBy<Case['expect']>(one).map(answer))
  }
}
