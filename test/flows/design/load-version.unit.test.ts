import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import type { DB } from '../../../src/infra/database/tables.ts'
import { createVersionReader } from '../../../src/modules/flows/design/load-version.ts'
import { say } from '../../support/engine.ts'

const FLOW = JSON.stringify({
  channelId: 'c',
  trigger: { kind: 'manual' },
  start: 'a',
  steps: { a: say(null) },
})

/** Returns a database whose versions are all the same definition, and the ids of those that were read. */
function versions(definition: string) {
  const read: string[] = []
  const query = {
    select: () => query,
    where: (_column: string, _is: string, id: string) => {
      read.push(id)
      return query
    },
    executeTakeFirstOrThrow: () => Promise.resolve({ id: read.at(-1), definition }),
  }
  return { db: { selectFrom: () => query } as unknown as Kysely<DB>, read }
}

test('a version is read once while it is in the cache', async () => {
  const { db, read } = versions(FLOW)
  const readVersion = createVersionReader()
  const first = await readVersion(db, 'a')
  expect(first.definition.start).toBe('a')
  expect(await readVersion(db, 'a')).toBe(first)
  expect(read).toEqual(['a'])
})

test('the cache is bounded by the length of definitions, and keeps those that were used last', async () => {
  const { db, read } = versions(FLOW + ' '.repeat(1_000_000))
  const readVersion = createVersionReader()
  for (let number = 0; number < 31; number += 1) await readVersion(db, `${number}`)
  await readVersion(db, '0')
  expect(read).toHaveLength(31)
  await readVersion(db, 'more')
  await readVersion(db, '0')
  expect(read).toHaveLength(32)
  await readVersion(db, '1')
  expect(read).toHaveLength(33)
})
