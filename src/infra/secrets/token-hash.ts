import { createHash } from 'node:crypto'

/** Returns the stored form of a token: its SHA-256, so that a leak of the database opens nothing. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
