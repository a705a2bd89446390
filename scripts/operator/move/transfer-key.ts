/**
 * The key that encrypts the secrets of an account in its export. It is derived from a passphrase that the operator
 * enters on both sides, so that neither installation learns the other's keys. No command line contains it.
 */
import { randomBytes, scryptSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { systemRandom } from '../../../src/core/ids.ts'
import {
  createKeyRing,
  SecretUnreadable,
  type KeyRing,
} from '../../../src/infra/secrets/key-ring.ts'
import type { Setting } from '../command.ts'
import type { AccountManifest } from './manifest.ts'

const SALT_BYTES = 16
const KEY_BYTES = 32
/** Parameters of scrypt. One guess needs 64 MB and about a quarter of a second. */
const WORK = { N: 65_536, r: 8, p: 1, maxmem: 128 * 1_048_576 }
const SHORTEST_CHARS = 16

const PROOF_CONTEXT = { table: 'account', column: 'proof', rowId: 'transfer' }
const PROOF_TEXT = 'wasla'

/** Removes `--key-file FILE` from a command's arguments, and returns both. @throws when there is no file name */
export function takeKeyFile(words: readonly string[]): { keyFile: string | null; rest: string[] } {
  const at = words.indexOf('--key-file')
  if (at < 0) return { keyFile: null, rest: [...words] }
  const keyFile = words[at + 1]
  if (keyFile === undefined) throw new Error('--key-file needs the name of a file.')
  return { keyFile, rest: words.toSpliced(at, 2) }
}

/** Reads the passphrase from a file, or else from standard input. @throws when it is too short */
export async function readPassphrase(
  { folder, input, print }: Pick<Setting, 'folder' | 'input' | 'print'>,
  keyFile: string | null,
): Promise<string> {
  if (keyFile === null && input.isTTY) {
    print('Enter the passphrase for the secrets of the account, then Ctrl-D:')
  }
  const given =
    keyFile === null ? await text(input) : await readFile(path.resolve(folder, keyFile), 'utf8')
  const passphrase = given.trim()
  if (passphrase.length < SHORTEST_CHARS) {
    throw new Error(
      `The passphrase has ${passphrase.length} characters, at least ${SHORTEST_CHARS} are needed: give it on standard input, or in a file by --key-file. "openssl rand -base64 24" makes one.`,
    )
  }
  return passphrase
}

/** Creates the key of a new export, and the salt and proof that the import needs besides the passphrase. */
export function createTransferKey(
  accountId: string,
  passphrase: string,
): { keyRing: KeyRing; transfer: AccountManifest['transfer'] } {
  const salt = randomBytes(SALT_BYTES)
  const keyRing = keyRingOf(passphrase, salt)
  const proof = keyRing.encrypt(PROOF_TEXT, { ...PROOF_CONTEXT, accountId })
  return { keyRing, transfer: { salt: salt.toString('base64url'), proof } }
}

/** Derives the key of an export from its passphrase. @throws when the passphrase is wrong */
export function openTransferKey(
  { account, transfer }: Pick<AccountManifest, 'account' | 'transfer'>,
  passphrase: string,
): KeyRing {
  const keyRing = keyRingOf(passphrase, Buffer.from(transfer.salt, 'base64url'))
  try {
    keyRing.decrypt(transfer.proof, { ...PROOF_CONTEXT, accountId: account.id })
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    throw new Error('This is not the passphrase of the export. Nothing was changed.', {
      cause: error,
    })
  }
  return keyRing
}

function keyRingOf(passphrase: string, salt: Buffer): KeyRing {
  const key = scryptSync(passphrase, salt, KEY_BYTES, WORK)
  return createKeyRing([{ id: 'transfer', key }], systemRandom)
}
