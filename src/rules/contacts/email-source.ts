import type { ContactSource } from '../../core/vocabulary/contacts.ts'

const BELIEVED: readonly ContactSource[] = ['hook', 'member', 'import']

/**
 * Returns whether an e-mail address that this source gave is the customer's: the shop says so. Whoever fills in a form or
 * books may be anybody, and give the address of somebody else. Pure.
 *
 * Spec: Contacts › E-mail addresses.
 */
export function isEmailBelieved(source: string | null): boolean {
  return BELIEVED.some((believed) => believed === source)
}
