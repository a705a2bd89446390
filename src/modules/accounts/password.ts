import { hash, verify } from '@node-rs/argon2'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'

/** The cost of an argon2id hash: 19 MiB, two passes, one lane. */
export const PASSWORD_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

let cost = PASSWORD_COST

/** Sets the cost of every later hash. Only tests may call it, and the linter refuses it elsewhere in `src`. @internal */
export function setPasswordCost(given: typeof PASSWORD_COST): void {
  cost = given
  unknownHash = undefined
}

/** Hashes a password for storage. @throws service_unavailable when too many hashes are waiting. */
export async function hashPassword(password: string): Promise<string> {
  return withinHashLimit(() => hash(readPassword(password), cost))
}

/**
 * Returns whether the password matches the hash. For a person who does not exist, or has no password yet, the check
 * takes as long and returns false, so that the time does not reveal who is a member.
 * @throws service_unavailable when too many hashes are waiting.
 */
export async function isPassword(storedHash: string | null, password: string): Promise<boolean> {
  if (Buffer.byteLength(password) > SIGN_IN_LIMITS.passwordBytes) return false
  const against = storedHash ?? (await readUnknownHash())
  const isRight = await withinHashLimit(() => verify(against, readPassword(password)))
  return isRight && storedHash !== null
}

/** Normalises a password: keyboards produce one character in several ways. */
function readPassword(password: string): string {
  return password.normalize('NFKC')
}

let unknownHash: Promise<string> | undefined
function readUnknownHash(): Promise<string> {
  unknownHash ??= hash('a password that nobody has', cost)
  return unknownHash
}

let running = 0
const waiting: (() => void)[] = []

/** Runs at most three hashes concurrently: each takes a processor and 19 MiB. */
async function withinHashLimit<Value>(work: () => Promise<Value>): Promise<Value> {
  if (running >= SIGN_IN_LIMITS.maxConcurrentHashes) {
    if (waiting.length >= SIGN_IN_LIMITS.hashesWaiting) {
      throw new ServiceError('service_unavailable', fact('too_many_sign_ins'))
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    // The longest waiting call takes over the slot; otherwise it becomes free.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
