import type { KeyRing, EncryptionContext } from './key-ring.ts'

/**
 * Returns a ring that caches what it decrypted last, so that a secret that signs repeatedly is decrypted once.
 * Callers read the stored value each time: another text, or the same at another place, is another secret.
 *
 * @param limit the number of cached secrets.
 */
export function rememberSecrets(
  keyRing: Pick<KeyRing, 'decrypt'>,
  limit: number,
): Pick<KeyRing, 'decrypt'> {
  const known = new Map<string, string>()
  return {
    decrypt(text, place) {
      const key = keyOf(text, place)
      const remembered = known.get(key)
      if (remembered !== undefined) return remembered
      const plain = keyRing.decrypt(text, place)
      if (known.size >= limit) known.clear()
      known.set(key, plain)
      return plain
    },
  }
}

const keyOf = (text: string, place: EncryptionContext) =>
  `${text} ${Object.values(place).join(' ')}`
