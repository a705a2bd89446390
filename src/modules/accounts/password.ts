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
  nobodys = undefined
}

/** Hashes a password for keeping. @throws service_unavailable when too many wait for theirs. */
export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(readPassword(password), cost))
}

/**
 * Whether the password is the one that was hashed. For a person who does not exist, or has no
 * password yet, it takes as long and is false: the time tells nobody who is a member.
 * @throws service_unavailable when too many wait for theirs.
 */
export async function isPassword(kept: string | null, password: string): Promise<boolean> {
  if (Buffer.byteLength(password) > SIGN_IN_LIMITS.passwordBytes) return false
  const against = kept ?? (await nobodysHash())
  const isRight = await inTurn(() => verify(against, readPassword(password)))
  return isRight && kept !== null
}

/** Keyboards write one character in several ways: all of them are the same password. */
function readPassword(password: string): string {
  return password.normalize('NFKC')
}

let nobodys: Promise<string> | undefined
function nobodysHash(): Promise<string> {
  nobodys ??= hash('a password that nobody has', cost)
  return nobodys
}

let running = 0
const waiting: (() => void)[] = []

/** At most three at once: each takes a processor and 19 MiB. */
async function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
  if (running >= SIGN_IN_LIMITS.hashesAtOnce) {
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
    // Whoever waits longest takes over the place; else it is free.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
