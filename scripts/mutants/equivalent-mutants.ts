/** Mutants without an observable effect, each with the reason. They are not tried. */
import type { Mutant } from './find-mutants.ts'

/** A mutant of a line that contains `line`. Without `from` or `to`, every mutant of that line is meant. */
type Equivalent = { file: string; line: string; from?: string; to?: string; why: string }

const EQUIVALENT: Equivalent[] = [
  {
    file: 'src/rules/calls/action-arguments.ts',
    line: 'value[name] = text ?? null',
    why: 'an unreadable value causes a problem, and then no value is returned',
  },
  {
    file: 'src/rules/deliveries/attempt-hint.ts',
    line: 'const status = httpStatus ?? 0',
    why: 'an attempt with http_error always has a status',
  },
  {
    file: 'src/modules/connections/read-answer.ts',
    line: '(status < 200 || status > 299)',
    from: '299',
    to: '300',
    why: 'a 300 is reported as a redirect before that',
  },
  {
    file: 'src/rules/calls/call-body.ts',
    line: "readJson(filled.text).ok ? accept(filled.text) : refuse('body_refused')",
    why: 'a second guard: a checked body stays JSON when escaped strings are inserted',
  },
  {
    file: 'src/rules/calls/call-body.ts',
    line: 'placeholdersOf(body).length > 0',
    from: '>',
    to: '>=',
    why: 'without placeholders the body reads the same as before, and that was no JSON',
  },
  {
    file: 'src/rules/calls/call-placeholders.ts',
    line: "withoutPlaceholders(template, 'x')",
    from: "'x'",
    why: 'any text without braces will do',
  },
  {
    file: 'src/rules/calls/call-placeholders.ts',
    line: "if (text.length > maxChars) return { ok: false, reason: 'too_long' }",
    why: 'bounds the work: the end is measured again',
  },
  {
    file: 'src/rules/flows/flows-within-plan.ts',
    line: 'a.id > b.id ? 1 : 0',
    from: 'a.id > b.id',
    why: 'no two flows have one id: what comes after the smaller may be equal to it',
  },
  {
    file: 'src/rules/flows/flows-within-plan.ts',
    line: 'a.id > b.id ? 1 : 0',
    from: '>',
    why: 'no two flows have one id',
  },
  {
    file: 'src/rules/flows/flows-within-plan.ts',
    line: 'a.id > b.id ? 1 : 0',
    from: '0',
    why: 'no two flows have one id',
  },
  {
    file: 'src/rules/hooks/idempotency-key.ts',
    line: 'while (start < end',
    from: '<',
    to: '<=',
    why: 'past the end of the text there is no space to drop',
  },
  {
    file: 'src/rules/hooks/idempotency-key.ts',
    line: 'String.fromCharCode(0xf700 + byte',
    from: '+',
    to: '-',
    why: 'each byte still has a character of its own that nothing else is decoded to',
  },
  {
    file: 'src/rules/addresses/ip-address.ts',
    line: 'if (text.length < 2 || text.length > 45) return null',
    why: 'bounds the work: a text that short or long has not eight groups either',
  },
  {
    file: 'src/rules/addresses/ip-address.ts',
    line: 'readGroups(halves[',
    from: " ?? ''",
    why: 'for the compiler: splitting gives both halves',
  },
  {
    file: 'src/rules/addresses/ip-address.ts',
    line: 'octet = -1',
    from: '1',
    to: '2',
    why: 'any number below 0 says that no digit has come',
  },
  {
    file: 'src/rules/text/json-text.ts',
    line: 'if (text.length <= count) return text',
    why: 'a short cut: what follows gives the same',
  },
]

/** Returns whether the list of this file names a mutant as one without an observable effect. */
export function isEquivalent(mutant: Mutant, text: string): boolean {
  const from = text.slice(mutant.start, mutant.end)
  const line = text.split('\n')[mutant.line - 1] ?? ''
  return EQUIVALENT.some(
    (known) =>
      known.file === mutant.file &&
      line.includes(known.line) &&
      (known.from === undefined || known.from === from) &&
      (known.to === undefined || known.to === mutant.to),
  )
}
