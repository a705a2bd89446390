import { redactorOf, type Credential } from '../../src/modules/connections/credential.ts'
import { compactJson, type JsonValue } from '../../src/rules/text/json-text.ts'
import type { ConnectionAuthKind } from '../../src/core/vocabulary/calls.ts'
import { startCpuWatch } from '../support/stopwatch.ts'
import { acceptedBy, runRule, unknownIn, unknownInCase, words } from './cases.ts'
import type { ConformanceCase, Report } from './report.ts'

type Expected = { lacks?: string[]; keeps?: string[]; kept?: boolean }
type RedactionCase = {
  id: string
  auth: { kind: ConnectionAuthKind; name?: string }
  credential: Credential | null
  /** One of these three fields is the answer. */
  answer?: string
  json?: JsonValue
  pieces?: (string | { repeat: string; times: number })[]
  expect: Expected
  also_accept?: Expected[]
}

const KNOWN = words('auth credential answer json pieces')
const KNOWN_OF_EXPECTED = words('lacks keeps kept')

/** Removes the credential from answers as a call does. Prints the longest time that one answer took. */
export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  let longest = { ms: 0, id: '' }
  await runRule<RedactionCase>(cases, report, {
    unknown: (one) => [
      ...unknownInCase(one, KNOWN),
      ...unknownIn(one.auth, words('kind name')),
      ...acceptedBy(one).flatMap((expected) => unknownIn(expected, KNOWN_OF_EXPECTED)),
    ],
    read(one) {
      const tookMs = startCpuWatch()
      const left = leftOf(one)
      const met = acceptedBy(one).find((expected) => fits(left, expected))
      const ms = tookMs()
      if (ms > longest.ms) longest = { ms, id: one.id }
      return met ?? left.after
    },
  })
  console.log(`redaction: at most ${Math.ceil(longest.ms)} ms for one answer (${longest.id})`)
}

/** Returns the answer before and after as texts, and JSON as compact JSON. */
function leftOf({ auth, credential, answer, json, pieces }: RedactionCase) {
  const redactor = redactorOf({ auth: { name: null, ...auth }, headers: [] }, credential)
  if (json !== undefined) {
    const before = compactJson(json)
    return { before, after: compactJson(redactor.json(json)) }
  }
  const text = (piece: string | { repeat: string; times: number }) =>
    typeof piece === 'string' ? piece : piece.repeat.repeat(piece.times)
  const before = answer ?? (pieces ?? []).map(text).join('')
  return { before, after: redactor.text(before) }
}

function fits(
  { before, after }: ReturnType<typeof leftOf>,
  { lacks, keeps, kept }: Expected,
): boolean {
  const asWritten = (piece: string) => [piece, JSON.stringify(piece).slice(1, -1)]
  return (
    (lacks ?? []).every((piece) => !asWritten(piece).some((form) => after.includes(form))) &&
    (keeps ?? []).every((piece) => after.includes(piece)) &&
    (kept !== true || after === before)
  )
}
