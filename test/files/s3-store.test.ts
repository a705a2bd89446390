/** A bucket as the store of files, at a server that judges each request by Amazon's own signer. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { checkStore } from '../../src/modules/files/check-store.ts'
import { FileNotInStore, storeFault } from '../../src/modules/files/file-store.ts'
import { createS3Store, type S3Settings } from '../../src/modules/files/s3-store.ts'
import { createMovedClock } from '../support/moved-clock.ts'
import { startS3Server } from '../support/s3-server.ts'
import { waitUntil } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'

const CREDENTIALS = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'a/secret+with=signs' }

const server = await startS3Server(CREDENTIALS)
afterAll(() => server.close())

const newKey = () => ({ companyId: randomUUID(), id: randomUUID() })

function openStore(more: Partial<S3Settings> = {}) {
  const store = createS3Store({ ...server.settings, ...more }, createMovedClock())
  onTestFinished(() => store.close())
  return store
}

describe('A bucket', () => {
  systemTest('returns what was stored, whole or in part, and deletes it', async () => {
    const store = openStore()
    const key = newKey()
    const bytes = Buffer.alloc(3_000_000, 'صندوق')
    await store.put(key, bytes)
    expect([...server.objects.keys()]).toEqual([`${key.companyId}/${key.id}`])
    expect(await buffer(await store.read(key))).toEqual(bytes)
    expect(await buffer(await store.read(key, { from: 10, to: 19 }))).toEqual(
      bytes.subarray(10, 20),
    )
    await store.delete(key)
    await store.delete(key)
    await expect(store.read(key)).rejects.toThrow(FileNotInStore)
  })

  test.for([
    ['SignatureDoesNotMatch', { secretAccessKey: 'another' }],
    ['SignatureDoesNotMatch', { region: 'us-east-1' }],
    ['NoSuchBucket', { bucket: 'somebody-elses' }],
  ] as const)(
    'is quoted by the code of a refusal, and keeps nothing: %s',
    async ([code, wrong]) => {
      const store = openStore(wrong)
      const key = newKey()
      const error = await store.put(key, Buffer.from('x')).catch((fault: unknown) => fault)
      expect(storeFault(error)).toBe(code)
      expect(String(error)).not.toContain(CREDENTIALS.secretAccessKey)
      expect(server.objects.has(`${key.companyId}/${key.id}`)).toBe(false)
    },
  )

  test('with an endless refusal is read only up to the size limit', async () => {
    let isGone = false
    const endless = createServer((_, response) => {
      response.on('close', () => (isGone = true))
      const more = () => {
        while (response.write('x'.repeat(65_536)));
      }
      response.writeHead(500).on('drain', more)
      more()
    })
    await new Promise<void>((resolve) => void endless.listen(0, '127.0.0.1', resolve))
    const { port } = endless.address() as AddressInfo
    const store = openStore({ endpoint: `http://127.0.0.1:${port}` })
    const error = await store.put(newKey(), Buffer.from('x')).catch((fault: unknown) => fault)
    expect(storeFault(error)).toBe('status 500')
    await waitUntil('the store is left', () => isGone)
    await new Promise((resolve) => endless.close(resolve))
  })

  test('without a server is reported by the error of the connection', async () => {
    const store = openStore({ endpoint: 'http://127.0.0.1:9' })
    const error = await store.put(newKey(), Buffer.from('x')).catch((fault: unknown) => fault)
    expect(storeFault(error)).toBe('ECONNREFUSED')
  })

  test('is checked by writing, reading and deleting, and nothing of that is left', async () => {
    server.objects.clear()
    await checkStore(openStore(), randomUUID())
    expect(server.objects.size).toBe(0)
    const refused = checkStore(openStore({ secretAccessKey: 'another' }), randomUUID())
    await expect(refused).rejects.toThrow('SignatureDoesNotMatch')
  })
})
