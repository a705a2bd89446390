import { countKeyUse } from '../../src/accounts/encrypted-columns.ts'
import { createKeyRing } from '../../src/accounts/key-ring.ts'
import { loadKeys } from '../../src/accounts/load-keys.ts'
import { reencryptSecrets as reencryptAll } from '../../src/accounts/reencrypt-secrets.ts'
import type { Config } from '../../src/config.ts'
import type { Context } from '../../src/context.ts'
import { systemRandom } from '../../src/ids.ts'
import { onDatabase } from './command.ts'

export const reencryptSecrets = onDatabase('reencrypt-secrets', reencrypt)

async function reencrypt(context: Context, _words: string[], config: Config): Promise<void> {
  const keyRing = createKeyRing(loadKeys(config, systemRandom), systemRandom)
  const done = await reencryptAll(context, keyRing)
  for (const { table, column, changed, unreadable } of done) {
    const left = unreadable > 0 ? `, ${unreadable} cannot be read and stay as they are` : ''
    console.log(`${table}.${column}: ${changed} encrypted anew${left}`)
  }
  console.log('\nKeys in use now:')
  for (const { table, column, keyId, values } of await countKeyUse(context.db.kysely)) {
    console.log(`${keyId.padEnd(20)}${values} in ${table}.${column}`)
  }
  if (done.some(({ unreadable }) => unreadable > 0)) process.exitCode = 1
}
