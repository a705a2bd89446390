import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { requireFree, requireSpace } from '../../scripts/operator/move/require-space.ts'

const EXABYTE = 2 ** 60
const content = (bytes: number) => ({ count: 1, bytes, sha256: '' })
const table = (bytes: number) => ({ name: 'message', columns: [], rows: 1, ...content(bytes) })

test('a disk with less than what is needed is refused, with both numbers', async () => {
  await expect(requireFree(tmpdir(), EXABYTE)).rejects.toThrow(
    /MB free, and about \d+ MB are needed/,
  )
  await expect(requireFree(tmpdir(), 1)).resolves.toBeUndefined()
})

test('an import needs room for files and rows only where they are on the disk of the data folder', async () => {
  const files = { tables: [], stored: content(EXABYTE) }
  const rows = { tables: [table(EXABYTE)], stored: null }
  const elsewhere = { hasFiles: false, hasRows: false }
  await expect(requireSpace(tmpdir(), files, { ...elsewhere, hasFiles: true })).rejects.toThrow(
    'are needed',
  )
  await expect(requireSpace(tmpdir(), rows, { ...elsewhere, hasRows: true })).rejects.toThrow(
    'are needed',
  )
  await expect(requireSpace(tmpdir(), files, elsewhere)).resolves.toBeUndefined()
  await expect(requireSpace(tmpdir(), rows, elsewhere)).resolves.toBeUndefined()
})
