import { createHash } from 'node:crypto'

/** Spec: Hooks › Request; reading H1. Anything else is not looked up. */
const TOKEN = /^hook_[A-Za-z0-9_-]{37,95}$/

export const isToken = (text: string): boolean => TOKEN.test(text)

/** A token as it is stored: its SHA-256, so that a leak of the database opens no hook. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
