import { randomUUID } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { FileNotInStore } from '../../src/modules/files/file-store.ts'
import { createFolderStore } from '../../src/modules/files/folder-store.ts'
import { temporaryFolder } from '../support/data-folder.ts'

async function openStore() {
  const folder = path.join(await temporaryFolder(), 'files')
  const key = { companyId: randomUUID(), id: randomUUID() }
  const place = path.join(folder, key.companyId, key.id.slice(-2), key.id)
  return { folder, store: createFolderStore(folder), key, place }
}

describe('The folder of files', () => {
  test('returns what was stored, whole or in part, and the latest version of a key', async () => {
    const { store, key } = await openStore()
    await store.put(key, Buffer.from('first'))
    await store.put(key, Buffer.from('0123456789'))
    expect((await buffer(await store.read(key))).toString()).toBe('0123456789')
    expect((await buffer(await store.read(key, { from: 2, to: 4 }))).toString()).toBe('234')
  })

  test('has no unfinished files, and only its owner may read it', async () => {
    const { store, key, place } = await openStore()
    await writeFile(path.join(await temporaryFolder(), 'of-somebody-else'), '')
    await store.put(key, Buffer.from('whole'))
    expect(await readdir(path.dirname(place))).toEqual([key.id])
    expect((await stat(place)).mode & 0o777).toBe(0o600)
    expect(await readFile(place, 'utf8')).toBe('whole')
  })

  test('deletes files; deleting a missing one is no error, but reading it is', async () => {
    const { store, key } = await openStore()
    await store.put(key, Buffer.from('gone soon'))
    await store.delete(key)
    await store.delete(key)
    await expect(store.read(key)).rejects.toThrow(FileNotInStore)
  })

  test('accepts only ids as names', async () => {
    const { store, key } = await openStore()
    for (const id of ['../../../etc/passwd', '', `${key.id}/..`, key.id.toUpperCase() + '/x']) {
      await expect(store.put({ ...key, id }, Buffer.from('x'))).rejects.toThrow('ids alone')
      await expect(store.read({ companyId: id, id: key.id })).rejects.toThrow('ids alone')
    }
  })
})
