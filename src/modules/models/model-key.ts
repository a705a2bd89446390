/** The stored key of a model: encrypted, bound to its row and account. */
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import { SecretUnreadable, type KeyRing } from '../../infra/secrets/key-ring.ts'

type Owner = { id: string; accountId: string }

/** Returns the columns of a key: the encrypted key, and its last four characters where it is long enough. */
export function sealModelKey(keyRing: KeyRing, owner: Owner, key: string | null) {
  if (key === null) return { credential: null, lastFour: null }
  const isLong = [...key].length >= MODEL_LIMITS.lastFourFromChars
  return {
    credential: keyRing.encrypt(key, keyContext(owner)),
    lastFour: isLong ? [...key].slice(-4).join('') : null,
  }
}

/** Decrypts a stored key; it is null where none is stored, and where the encryption key is gone (`isLost`). */
export function openModelKey(
  keyRing: KeyRing,
  owner: Owner,
  sealed: string | null,
): { key: string | null; isLost: boolean } {
  if (sealed === null) return { key: null, isLost: false }
  try {
    return { key: keyRing.decrypt(sealed, keyContext(owner)), isLost: false }
  } catch (error) {
    if (error instanceof SecretUnreadable) return { key: null, isLost: true }
    throw error
  }
}

function keyContext({ id, accountId }: Owner) {
  return { table: 'model', column: 'credential', rowId: id, accountId }
}
