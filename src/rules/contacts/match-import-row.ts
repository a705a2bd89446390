import { fact, type Fact } from '../../core/facts/fact.ts'
import { digitsOfRawPhone } from './import-phone.ts'
import type { ImportRow } from './import-row.ts'

/** The part of a contact that decides whether a row belongs to it. */
export type Candidate = {
  /** The digits of every number that identifies the contact. */
  numbers: readonly string[]
  rawPhone: string | null
}

/** The contacts to which a row may belong. */
export type Candidates<C extends Candidate> = {
  /** The contact of the row's number. */
  byNumber: C | undefined
  /** Contacts with the row's e-mail address; a query for two suffices, because two stand for any number. */
  byEmail: readonly C[]
  /** True when another row of the file has the e-mail address with another number. */
  isEmailShared: boolean
}

/** The contact of a row (null is a new one) with an optional note, or why the row is refused. */
export type Match<C extends Candidate> =
  | { ok: true; contact: C | null; note: Fact | null }
  | { ok: false; fault: Fact }

/**
 * Returns the contact to which an imported row belongs (null is a new one), or why the row is refused. A number takes
 * precedence over an e-mail address. An unknown number is never added to a contact that has another number. Pure.
 *
 * Spec: Contacts › Import.
 */
export function matchImportRow<C extends Candidate>(
  row: Pick<ImportRow, 'phone' | 'rawPhone'>,
  { byNumber, byEmail, isEmailShared }: Candidates<C>,
): Match<C> {
  const [only] = byEmail
  if (row.phone !== null) {
    if (byNumber) {
      const isOfAnother = byEmail.length === 1 && only !== byNumber
      return { ok: true, contact: byNumber, note: isOfAnother ? fact('email_of_another') : null }
    }
    const isFree = byEmail.length === 1 && only!.numbers.length === 0 && only!.rawPhone === null
    return { ok: true, contact: isFree && !isEmailShared ? only! : null, note: null }
  }
  if (byEmail.length > 1) return { ok: false, fault: fact('email_of_several') }
  const isOther = row.rawPhone !== null && only !== undefined && contradicts(row.rawPhone, only)
  return { ok: true, contact: isOther ? null : (only ?? null), note: null }
}

/** Returns whether a contact has numbers, but none that ends in the digits of a number of unknown country. */
export function contradicts(rawPhone: string, { numbers, rawPhone: kept }: Candidate): boolean {
  const digits = digitsOfRawPhone(rawPhone)
  const known = kept === null ? numbers : [...numbers, digitsOfRawPhone(kept)]
  return known.length > 0 && !known.some((number) => number.endsWith(digits))
}
