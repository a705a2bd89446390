import type { ContactSource } from '../../core/vocabulary/contacts.ts'

const TRUSTED: readonly ContactSource[] = ['hook', 'member', 'import']

/**
 * Returns whether the source of an e-mail address proves that it is the customer's: only the merchant does. A person
 * who fills in a form or books may give another person's address. Pure.
 *
 * Spec: Contacts › E-mail addresses.
 */
export function isEmailTrusted(source: string | null): boolean {
  return TRUSTED.some((trusted) => trusted === source)
}
