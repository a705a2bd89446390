import type { KeyRing, EncryptionContext } from './key-ring.ts'

/**
 * Returns a ring that caches decrypted secrets, so that a secret that signs repeatedly is decrypted once. A value that
 * has changed, or that belongs to another row, is decrypted again.
 *
 * @param limit the number of cached secrets. The cache is emptied when it is reached.
 */
export function rememberSecrets(
  keyRing: Pick<KeyRing, 'decrypt'>,
  limit: number,
): Pick<KeyRing, 'decrypt'> {
  const known = new Map<string, string>()
  return {
    decrypt(text, context) {
      const key = keyOf(text, context)
      const remembered = known.get(key)
      if (remembered !== undefined) return remembered
      const plain = keyRing.decrypt(text, context)
      if (known.size >= limit) known.clear()
      known.set(key, plain)
      return plain
    },
  }
}

const keyOf = (text: string, context: EncryptionContext) =>
  `${text} ${Object.values(context).join(' ')}`
