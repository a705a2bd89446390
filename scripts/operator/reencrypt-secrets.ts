import { countKeyUse } from '../../src/infra/secrets/encrypted-columns.ts'
import { createKeyRing } from '../../src/infra/secrets/key-ring.ts'
import { loadKeys } from '../../src/infra/secrets/load-keys.ts'
import { reencryptSecrets as reencryptAll } from '../../src/infra/secrets/reencrypt-secrets.ts'
import type { Context } from '../../src/infra/context.ts'
import { systemRandom } from '../../src/core/ids.ts'
import { onDatabase, type Outcome, type Setting } from './command.ts'

/** The command that encrypts every secret with the first key. It fails when one cannot be decrypted. */
export const reencryptSecrets = onDatabase('reencrypt-secrets', reencrypt)

async function reencrypt(
  context: Context,
  _: string[],
  { config, print }: Setting,
): Promise<Outcome> {
  const keyRing = createKeyRing(loadKeys(config, systemRandom), systemRandom)
  const done = await reencryptAll(context, keyRing)
  for (const { table, column, changed, unreadable } of done) {
    const left = unreadable > 0 ? `, ${unreadable} unreadable and left unchanged` : ''
    print(`${table}.${column}: ${changed} re-encrypted${left}`)
  }
  print('\nKeys in use now:')
  for (const { table, column, keyId, values } of await countKeyUse(context.db.kysely)) {
    print(`${keyId.padEnd(20)}${values} in ${table}.${column}`)
  }
  return done.some(({ unreadable }) => unreadable > 0) ? 'failed' : 'done'
}
