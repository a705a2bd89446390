/**
 * A bucket at a server of the S3 protocol that others have written: s3rver, as npm installs it. It knows keys, and does
 * not verify signatures of version 4: `test/files/s3-store.test.ts` does that by Amazon's signer.
 */
import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createClock } from '../../../src/core/clock.ts'
import { checkStore } from '../../../src/modules/files/check-store.ts'
import { FileNotInStore, storeFault } from '../../../src/modules/files/file-store.ts'
import { createS3Store, type S3Settings } from '../../../src/modules/files/s3-store.ts'
import { freePort } from '../../support/free-port.ts'
import { openFolder, startProgram } from '../../support/installed-program.ts'

const BUCKET = 'wasla-files'
const port = await freePort()
const folder = openFolder()
const stop = await startProgram(
  's3rver',
  ['-d', folder, '-a', '127.0.0.1', '-p', String(port), '--configure-bucket', BUCKET],
  { port },
)
afterAll(stop)

const newKey = () => ({ companyId: randomUUID(), id: randomUUID() })

function openStore(more: Partial<S3Settings> = {}) {
  const settings = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: BUCKET,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  }
  const store = createS3Store({ ...settings, ...more }, createClock())
  onTestFinished(() => store.close())
  return store
}

test('A bucket returns what was stored, whole or in part, until it is deleted', async () => {
  const store = openStore()
  const key = newKey()
  const bytes = Buffer.alloc(3_000_000, 'صندوق')
  await store.put(key, bytes)
  expect(await buffer(await store.read(key))).toEqual(bytes)
  expect(await buffer(await store.read(key, { from: 10, to: 19 }))).toEqual(bytes.subarray(10, 20))
  await store.put(key, Buffer.from('other'))
  expect(String(await buffer(await store.read(key)))).toBe('other')
  await store.delete(key)
  await store.delete(key)
  await expect(store.read(key)).rejects.toThrow(FileNotInStore)
})

test.for([
  ['InvalidAccessKeyId', { accessKeyId: 'another' }],
  ['NoSuchBucket', { bucket: 'somebody-elses' }],
] as const)('A bucket is quoted by the code of a refusal: %s', async ([code, wrong]) => {
  const error = await openStore(wrong)
    .put(newKey(), Buffer.from('x'))
    .catch((fault: unknown) => fault)
  expect(storeFault(error)).toBe(code)
})

test('A bucket passes the check of the operator, and fails it with an unknown key', async () => {
  await checkStore(openStore(), randomUUID())
  const refused = checkStore(openStore({ accessKeyId: 'another' }), randomUUID())
  await expect(refused).rejects.toThrow('InvalidAccessKeyId')
})
