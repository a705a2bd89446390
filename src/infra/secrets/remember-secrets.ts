import type { KeyRing, EncryptionContext } from './key-ring.ts'

/**
 * Decrypts as the ring does, and remembers what it decrypted last: a secret that signs again and again is
 * opened once. What is stored is read by whoever asks, each time: another text, or one at another place,
 * is another secret.
 *
 * @param most how many are remembered.
 */
export function rememberSecrets(
  keyRing: Pick<KeyRing, 'decrypt'>,
  most: number,
): Pick<KeyRing, 'decrypt'> {
  const known = new Map<string, string>()
  return {
    decrypt(text, place) {
      const key = keyOf(text, place)
      const remembered = known.get(key)
      if (remembered !== undefined) return remembered
      const plain = keyRing.decrypt(text, place)
      if (known.size >= most) known.clear()
      known.set(key, plain)
      return plain
    },
  }
}

const keyOf = (text: string, place: EncryptionContext) =>
  `${text} ${Object.values(place).join(' ')}`
