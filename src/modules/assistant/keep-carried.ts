/** State that models need back within a reply, stored encrypted and bound to the reply and its account. */
import { readCarried, writeCarried } from '../models/carried.ts'
import type { CarriedBySteps } from '../models/carried-forms.ts'
import { SecretUnreadable, type KeyRing } from '../../infra/secrets/key-ring.ts'

type Owner = { replyId: string; accountId: string }

/** Returns the value of the column, or null without any state. */
export function sealCarried(keyRing: KeyRing, owner: Owner, kept: CarriedBySteps): string | null {
  if (Object.keys(kept).length === 0) return null
  return keyRing.encrypt(writeCarried(kept), carriedContext(owner))
}

/** Decrypts the column. Returns no state when its key is gone: a model that needs it refuses the request. */
export function openCarried(keyRing: KeyRing, owner: Owner, sealed: string | null): CarriedBySteps {
  if (sealed === null) return {}
  try {
    return readCarried(keyRing.decrypt(sealed, carriedContext(owner)))
  } catch (error) {
    if (error instanceof SecretUnreadable) return {}
    throw error
  }
}

/** Returns the place of a reply's value, to which its ciphertext is bound. */
export function carriedContext({ replyId, accountId }: Owner) {
  return { table: 'assistant_reply', column: 'carried', rowId: replyId, accountId }
}
