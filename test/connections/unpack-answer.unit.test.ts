/** Decompression of responses. Spec: Calls › Answers; reading C4. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { CALL_LIMITS } from '../../src/core/limits/calls.ts'
import type { OutboundAnswer } from '../../src/infra/egress/outbound-client.ts'
import { remainingEncoding, unpackAnswer } from '../../src/modules/connections/unpack-answer.ts'

const TEXT = Buffer.from('{"order":7}')
const answer = (encoding: string, head: Buffer) =>
  ({
    kind: 'answer',
    status: 200,
    headers: [
      ['Content-Type', 'application/json'],
      ['CONTENT-ENCODING', encoding],
    ],
    head,
    truncated: false,
  }) as unknown as Extract<OutboundAnswer, { kind: 'answer' }>

test.each([
  ['gzip', gzipSync(TEXT)],
  ['X-GZIP', gzipSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['deflate', deflateRawSync(TEXT)],
  ['identity, gzip', gzipSync(TEXT)],
])('a response in %s is read, and no longer names its encoding', async (encoding, head) => {
  const unpacked = await unpackAnswer(answer(encoding, head))
  const headers = [['Content-Type', 'application/json']]
  expect(unpacked).toMatchObject({ head: TEXT, headers, truncated: false })
  expect(remainingEncoding(unpacked)).toBeNull()
})

test.each([
  ['in an unknown encoding', answer('zstd', TEXT)],
  ['in two encodings', answer('gzip, br', gzipSync(TEXT))],
  ['that is not compressed as it says', answer('gzip', TEXT)],
  ['that is truncated', { ...answer('gzip', gzipSync(TEXT)), truncated: true }],
])('a response %s stays as it is', async (_, packed) => {
  expect(await unpackAnswer(packed)).toBe(packed)
})

test.each([
  [CALL_LIMITS.answerBytes, false],
  [CALL_LIMITS.answerBytes + 1, true],
])('a response that unpacks to %i bytes is too large: %s', async (bytes, truncated) => {
  const unpacked = await unpackAnswer(answer('gzip', gzipSync(Buffer.alloc(bytes))))
  expect(unpacked).toMatchObject({ truncated })
  expect(unpacked).toHaveProperty('head.length', truncated ? 0 : bytes)
})

test.each([
  ['zstd', { encoding: 'zstd' }],
  ['gzip, br,GZIP', { encoding: 'gzip, br, gzip' }],
  ['gzip, br, gzip, br', { encoding: null }],
  ['a'.repeat(20), { encoding: 'a'.repeat(20) }],
  ['a'.repeat(21), { encoding: null }],
  ['<b>', { encoding: null }],
  ['identity', null],
  ['', null],
])('the encoding %j remains: %j', (encoding, remaining) => {
  expect(remainingEncoding(answer(encoding, TEXT))).toEqual(remaining)
})

test('a response without a body has no encoding', () => {
  expect(remainingEncoding(answer('gzip', Buffer.alloc(0)))).toBeNull()
})
