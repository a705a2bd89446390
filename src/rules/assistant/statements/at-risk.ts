/**
 * Detects replies in which something is at stake: the customer has asked for an act, and no act of that kind was done.
 * A missed false claim there costs them an order or their money.
 *
 * Spec: Assistant › Texts that are never sent.
 */
import { DENIALS as DENIALS_AR } from '../../../core/vocabulary/statements/arabic.ts'
import { DENIALS } from '../../../core/vocabulary/statements/english.ts'
import type { RequestKind } from '../../../core/vocabulary/statements/requests.ts'
import { readSentences } from './clauses.ts'
import { isStatedIn, kindsOfDeed, namesKind, type Deed } from './deeds.ts'
import { readRequests } from './read-requests.ts'

/** Tools with which the assistant records what it learns. The customer did not ask for these records. */
const NOTES = new Set(['set_customer', 'record_lead'])

/**
 * Returns the kinds of acts that the customer asked for and that no tool has done or reported, so that a reply may
 * wrongly claim them.
 */
export function kindsAtRisk(requests: readonly string[], done: readonly Deed[]): RequestKind[] {
  const kinds = new Set(requests.flatMap(readRequests))
  return [...kinds].filter((kind) => !done.some((deed) => concerns(deed, kind)))
}

function concerns(deed: Deed, kind: RequestKind): boolean {
  if (NOTES.has(deed.name)) return false
  if (kindsOfDeed(deed).includes(kind)) return true
  return deed.name.startsWith('action_') && isStatedIn(deed.result, { kinds: [kind], word: '' })
}

/** Returns whether a text states that an act of these kinds was not done, or cannot be done. */
export function saysNotDone(text: string, kinds: readonly RequestKind[]): boolean {
  return readSentences(text).some(({ clauses }) =>
    clauses.some(
      ({ words }) =>
        words.some((word) => DENIALS.has(word) || DENIALS_AR.has(word)) &&
        words.some((word) => kinds.some((kind) => namesKind(word, kind))),
    ),
  )
}
