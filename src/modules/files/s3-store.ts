import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, request, type Dispatcher } from 'undici'
import type { Clock } from '../../core/clock.ts'
import { STORE_LIMITS } from '../../core/limits/files.ts'
import {
  FileNotInStore,
  objectKey,
  type ByteRange,
  type FileKey,
  type FileStore,
} from './file-store.ts'

/** The settings of a bucket of an object store. */
export type S3Settings = {
  /** The URL without the bucket, e.g. `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** An error response of the store, with its `code`. */
class StoreRefused extends Error {
  override name = 'StoreRefused'
  readonly code: string
  constructor(code: string, method: string) {
    super(`the store answered ${method} with ${code}`)
    this.code = code
  }
}

type Answer = Dispatcher.ResponseData

/**
 * Creates a store in a bucket with the S3 protocol and path-style URLs, at Amazon or any compatible provider. Each
 * request is signed (Signature Version 4). An upload has its checksum, so that the store refuses corrupted data.
 */
export function createS3Store(
  { endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Settings,
  clock: Clock,
): FileStore {
  const dispatcher = new Agent({
    allowH2: false,
    connections: STORE_LIMITS.connections,
    connect: { timeout: STORE_LIMITS.connectMs },
  })

  async function sendRequest(
    method: 'GET' | 'PUT' | 'DELETE',
    key: FileKey,
    { body, range }: { body?: Buffer; range?: ByteRange | undefined } = {},
  ): Promise<Answer> {
    const url = `${endpoint}/${bucket}/${objectKey(key)}`
    const sum = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const signer = new AwsV4Signer({
      method,
      url,
      headers: { 'x-amz-content-sha256': sum },
      accessKeyId,
      secretAccessKey,
      service: 's3',
      region,
      datetime: clock
        .now()
        .toISOString()
        .replaceAll(/[:-]|\.\d{3}/g, ''),
    })
    const { headers } = await signer.sign()
    return request(url, {
      dispatcher,
      method,
      headers: {
        ...Object.fromEntries(headers),
        ...(range ? { range: `bytes=${range.from}-${range.to}` } : {}),
      },
      ...(body ? { body } : {}),
      headersTimeout: STORE_LIMITS.answerMs,
      bodyTimeout: STORE_LIMITS.answerMs,
    })
  }

  /** Sends a request that needs no response body. @throws StoreRefused; the deletion of a missing file is no error */
  async function write(method: 'PUT' | 'DELETE', key: FileKey, body?: Buffer): Promise<void> {
    const answer = await sendRequest(method, key, body ? { body } : {})
    if (answer.statusCode >= 300 && !(method === 'DELETE' && answer.statusCode === 404)) {
      throw await refused(method, answer)
    }
    await answer.body.dump()
  }

  return {
    put: (key, bytes) => write('PUT', key, bytes),
    async read(key, range): Promise<Readable> {
      const answer = await sendRequest('GET', key, { range })
      if (answer.statusCode === 404) {
        await answer.body.dump()
        throw new FileNotInStore(key)
      }
      if (answer.statusCode !== (range ? 206 : 200)) throw await refused('GET', answer)
      return answer.body
    },
    delete: (key) => write('DELETE', key),
    close: () => dispatcher.close(),
  }
}

/** Returns the error of a response that is no success, with the code of its XML or else its status, and no other text. */
async function refused(method: string, { statusCode, body }: Answer): Promise<StoreRefused> {
  let text = ''
  try {
    for await (const part of body.iterator({ destroyOnReturn: true }) as AsyncIterable<Buffer>) {
      text += part.toString('latin1')
      if (text.length >= STORE_LIMITS.answerBytes) break
    }
  } catch {
    // If the connection breaks, the part that arrived is used.
  }
  const code = /<Code>(\w{1,64})<\/Code>/.exec(text.slice(0, STORE_LIMITS.answerBytes))?.[1]
  return new StoreRefused(code ?? `status ${statusCode}`, method)
}
