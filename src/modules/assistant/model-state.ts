/** State that models need back within a reply, stored encrypted and bound to the reply and its account. */
import { readCarried, writeCarried } from '../models/carried.ts'
import type { CarriedBySteps } from '../models/carried-forms.ts'
import { SecretUnreadable, type KeyRing } from '../../infra/secrets/key-ring.ts'

type Owner = { replyId: string; accountId: string }

/** Encrypts the data that models require back for the column of a reply; returns null without any. */
export function encryptModelState(
  keyRing: KeyRing,
  owner: Owner,
  kept: CarriedBySteps,
): string | null {
  if (Object.keys(kept).length === 0) return null
  return keyRing.encrypt(writeCarried(kept), modelStateKeyContext(owner))
}

/**
 * Decrypts the data that models require back from the column of a reply. Returns no state when its key is gone: a model
 * that needs it refuses the request.
 */
export function decryptModelState(
  keyRing: KeyRing,
  owner: Owner,
  sealed: string | null,
): CarriedBySteps {
  if (sealed === null) return {}
  try {
    return readCarried(keyRing.decrypt(sealed, modelStateKeyContext(owner)))
  } catch (error) {
    if (error instanceof SecretUnreadable) return {}
    throw error
  }
}

/** Returns the encryption context of the column `carried`, which binds the ciphertext to its reply. */
export function modelStateKeyContext({ replyId, accountId }: Owner) {
  return { table: 'assistant_reply', column: 'carried', rowId: replyId, accountId }
}
