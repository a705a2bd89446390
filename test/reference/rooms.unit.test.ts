/** The plan of the house names every folder of the source, and no other. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const PROJECT = path.join(import.meta.dirname, '../..')

test('every room stands in ARCHITECTURE.md', () => {
  const plan = /^src\/\n(.*?)^test\//ms.exec(
    readFileSync(path.join(PROJECT, 'ARCHITECTURE.md'), 'utf8'),
  )![1]!
  const named = [...plan.matchAll(/^  ([a-z-]+)\/ /gm)].map(([, room]) => room!)
  const rooms = readdirSync(path.join(PROJECT, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  expect(named.toSorted()).toEqual(rooms.toSorted())
})
