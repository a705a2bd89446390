/**
 * A store that speaks S3 over real HTTP. Amazon's own signer (`@smithy/signature-v4`), which is not part of
 * this code base, checks the signature of each request.
 */
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { SignatureV4 } from '@smithy/signature-v4'
import { serveLocally } from './local-server.ts'
import type { S3Settings } from '../../src/modules/files/s3-store.ts'

class Sha256 {
  readonly #hash: Hash | Hmac
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    const key =
      typeof secret === 'string' ? secret : secret && new Uint8Array(secret as ArrayBuffer)
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', key)
  }
  update(data: string | Uint8Array) {
    this.#hash.update(data)
  }
  digest() {
    return Promise.resolve(new Uint8Array(this.#hash.digest()))
  }
  reset() {}
}

export async function startS3Server(credentials: { accessKeyId: string; secretAccessKey: string }) {
  const objects = new Map<string, Buffer>()
  const [region, bucket] = ['eu-test-1', 'wasla-files']
  const signer = new SignatureV4({
    credentials,
    region,
    service: 's3',
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  })

  /** Returns the code of the refusal, or null when the holder of the secret has signed the request. */
  async function whyRefused(request: IncomingMessage, body: Buffer): Promise<string | null> {
    const { authorization = '', host = '' } = request.headers
    const date = String(request.headers['x-amz-date'])
    const sum = String(request.headers['x-amz-content-sha256'])
    const [, named = ''] = /SignedHeaders=([^,]+)/.exec(authorization) ?? []
    const headers = Object.fromEntries(
      named.split(';').map((name) => [name, String(request.headers[name])]),
    )
    const signed = await signer.sign(
      {
        method: request.method!,
        protocol: 'http:',
        hostname: host,
        path: new URL(request.url!, `http://${host}`).pathname,
        query: {},
        headers,
      },
      {
        signingDate: new Date(date.replace(/^(....)(..)(..T..)(..)(..)Z$/, '$1-$2-$3:$4:$5Z')),
        signableHeaders: new Set(named.split(';')),
      },
    )
    if (!named.includes('x-amz-content-sha256')) return 'AccessDenied'
    if (signed.headers.authorization !== authorization) return 'SignatureDoesNotMatch'
    const isWhole = createHash('sha256').update(body).digest('hex') === sum
    return isWhole ? null : 'XAmzContentSHA256Mismatch'
  }

  function answer(request: IncomingMessage, response: ServerResponse, body: Buffer): unknown {
    const [, of, ...parts] = request.url!.split('/')
    const key = parts.join('/')
    if (of !== bucket) return refuse(response, 404, 'NoSuchBucket')
    if (request.method === 'PUT') {
      objects.set(key, body)
      return response.end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    const object = objects.get(key)
    if (!object) return refuse(response, 404, 'NoSuchKey')
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    if (from === undefined) return response.end(object)
    return response.writeHead(206).end(object.subarray(Number(from), Number(to) + 1))
  }

  const { url: endpoint, close } = await serveLocally(async (request, response, body) => {
    const refusal = await whyRefused(request, body)
    if (refusal) refuse(response, 403, refusal)
    else answer(request, response, body)
  })
  const settings: S3Settings = { endpoint, bucket, region, ...credentials }
  return { settings, objects, close }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`)
}
