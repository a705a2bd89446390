/**
 * Where something is at stake: the customer has asked for a deed and none bears on it. A claim that was missed there
 * costs them an order or their money.
 *
 * Spec: Assistant › What is never sent.
 */
import { DENIALS as DENIALS_AR } from '../../../core/vocabulary/statements/arabic.ts'
import { DENIALS } from '../../../core/vocabulary/statements/english.ts'
import type { RequestKind } from '../../../core/vocabulary/statements/requests.ts'
import { readSentences } from './clauses.ts'
import { isTold, kindsOfDeed, namesKind, type Deed } from './deeds.ts'
import { readRequests } from './read-requests.ts'

/** Of a customer and of leads the assistant notes by itself what it learns: that is nothing that they asked for. */
const NOTES = new Set(['set_customer', 'record_lead'])

/** Returns what the customer's messages ask for and nothing that was done, or told by a system of the shop, is of. */
export function kindsAtRisk(asked: readonly string[], done: readonly Deed[]): RequestKind[] {
  const kinds = new Set(asked.flatMap(readRequests))
  return [...kinds].filter((kind) => !done.some((deed) => bearsOn(deed, kind)))
}

function bearsOn(deed: Deed, kind: RequestKind): boolean {
  if (NOTES.has(deed.name)) return false
  if (kindsOfDeed(deed).includes(kind)) return true
  return deed.name.startsWith('action_') && isTold(deed.told, { kinds: [kind], word: '' })
}

/** Whether a text says by itself that something of these kinds was not done, or cannot be. */
export function saysNotDone(text: string, kinds: readonly RequestKind[]): boolean {
  return readSentences(text).some(({ clauses }) =>
    clauses.some(
      ({ words }) =>
        words.some((word) => DENIALS.has(word) || DENIALS_AR.has(word)) &&
        words.some((word) => kinds.some((kind) => namesKind(word, kind))),
    ),
  )
}
