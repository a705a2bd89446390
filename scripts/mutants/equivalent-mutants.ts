/** Mutants without an observable effect, each with the reason. They are not tried. */
import type { Mutant } from './find-mutants.ts'

/** A mutant of a line that contains `line`. Without `from` or `to`, every mutant of that line is meant. */
type Equivalent = { file: string; line: string; from?: string; to?: string; why: string }

/** The list of exceptions. Each of them must still fit a mutant of its file. */
export const EQUIVALENT: readonly Equivalent[] = [
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
  {
    file: 'src/modules/hooks/accept-batch.ts',
    line: 'toSorted((a, b) => (a < b ? -1 : 1))',
    from: '1',
    why: 'any other number above or below 0 will do',
  },
  {
    file: 'src/modules/hooks/accept-batch.ts',
    line: 'toSorted((a, b) => (a < b ? -1 : 1))',
    from: '<',
    why: 'no two keys of a set are equal',
  },
  {
    file: 'src/modules/hooks/accept-batch.ts',
    line: "(error as { code?: string }).code ?? ''",
    from: " ?? ''",
    why: 'for the compiler: no code is not in the list either',
  },
  {
    file: 'src/modules/hooks/accept-batch.ts',
    line: 'refusal || !hook.channel',
    from: '||',
    why: 'spares a look-up: a refused request starts nothing, and one without a channel is refused',
  },
  {
    file: 'src/modules/hooks/check-request.ts',
    line: 'const json = body.ok ? body.value : null',
    from: 'body.ok',
    to: 'true',
    why: 'for the compiler: `refused` makes an absent value null',
  },
  {
    file: 'src/modules/hooks/check-request.ts',
    line: "channel?.country ?? ''",
    from: " ?? ''",
    why: 'for the compiler: no country is no home country either',
  },
  {
    file: 'src/modules/hooks/plan-batch.ts',
    line: 'scopedKey === null ? undefined',
    from: 'scopedKey === null',
    to: 'false',
    why: 'for the compiler: no run is kept for null',
  },
  {
    file: 'src/modules/hooks/plan-batch.ts',
    line: 'if (scopedKey !== null)',
    from: 'scopedKey !== null',
    to: 'true',
    why: 'for the compiler: what is kept for null is not read',
  },
  {
    file: 'src/modules/connections/read-answer.ts',
    line: '/^(?:utf-16|iso-2022|x-user-defined)/',
    from: '^',
    why: 'no encoding has such a name in its middle',
  },
  {
    file: 'src/modules/connections/read-answer.ts',
    line: 'if (text !== undefined) return',
    from: 'text !== undefined',
    to: 'true',
    why: 'without a decoder the conversion of its text throws, which is caught',
  },
  {
    file: 'src/modules/connections/read-answer.ts',
    line: 'decoder === utf8 ? head',
    from: 'decoder === utf8',
    to: 'false',
    why: 'spares a copy: both have the same bytes, but for a byte order mark',
  },
  {
    file: 'src/modules/connections/read-answer.ts',
    line: "?.[1] ?? ''",
    from: " ?? ''",
    why: 'for the compiler: the text `undefined` names no charset',
  },
  {
    file: 'src/rules/addresses/public-address.ts',
    line: 'const [g4 = 0, g5 = 0, g6 = 0, g7 = 0]',
    from: '0',
    to: '1',
    why: 'for the compiler: an address has eight groups',
  },
  {
    file: 'src/rules/appointments/slots.ts',
    line: 'if (closes <= span.from || opens >= span.to) continue',
    from: '>=',
    to: '>',
    why: 'bounds the work: no start of such hours is before the end of the span',
  },
  {
    file: 'src/rules/appointments/slots.ts',
    line: 'if (from >= closes || from >= span.to) break',
    from: '>=',
    to: '>',
    why: 'bounds the work: without a difference no start is yielded',
  },
  {
    file: 'src/rules/appointments/slots.ts',
    line: 'if (at >= to) break',
    from: '>=',
    to: '>',
    why: 'bounds the work: the caller leaves out a start at the end',
  },
  {
    file: 'src/rules/knowledge/robots.ts',
    line: "line.split('#', 1)",
    from: '1',
    why: 'bounds the work: only the first part is read',
  },
  {
    file: 'src/rules/messaging/channel-capabilities.ts',
    line: 'maxBytes: 25 * MEGABYTE',
    from: '25',
    why: 'no file has more than 16 MB, whatever the provider accepts',
  },
  {
    file: 'src/rules/messaging/channel-capabilities.ts',
    line: 'maxBytes: 50 * MEGABYTE',
    from: '50',
    why: 'no file has more than 16 MB, whatever the provider accepts',
  },
  {
    file: 'src/rules/messaging/channel-capabilities.ts',
    line: 'maxBytes: 100 * MEGABYTE',
    from: '100',
    why: 'no file has more than 16 MB, whatever the provider accepts',
  },
  {
    file: 'src/rules/pages/palette.ts',
    line: 'return dark >= light ? DARK : LIGHT',
    from: '>=',
    why: 'none of the 16,777,216 colours has the same contrast to both',
  },
  {
    file: 'src/rules/text/written-numbers.ts',
    line: 'for (let at = 0; at < into.length; at++)',
    from: '<',
    to: '<=',
    why: 'an absent value stays absent',
  },
]

/** Returns whether the list of this file names a mutant as one without an observable effect. */
export function isEquivalent(mutant: Mutant, text: string): boolean {
  return EQUIVALENT.some((known) => fitsMutant(known, mutant, text))
}

/** Returns whether an exception means a mutant of a source with this text. */
export function fitsMutant(known: Equivalent, mutant: Mutant, text: string): boolean {
  const line = text.split('\n')[mutant.line - 1] ?? ''
  return (
    known.file === mutant.file &&
    line.includes(known.line) &&
    (known.from === undefined || known.from === text.slice(mutant.start, mutant.end)) &&
    (known.to === undefined || known.to === mutant.to)
  )
}
