/** The form in which a recording is sent to a server that transcribes. */
import { expect, test } from 'vitest'
import type {
  ModelHttpClient,
  ModelHttpRequest,
} from '../../src/modules/models/model-http-client.ts'
import { transcribeBy } from '../../src/modules/models/transcription-client.ts'

const SERVER = { url: 'https://models.example/v1', key: null, modelName: 'whisper-1' }

test('A recording with the boundaries of other forms is sent whole, without a search for an unused one', async () => {
  let sent: ModelHttpRequest | undefined
  const client: ModelHttpClient = {
    post: (request) => {
      sent = request
      return Promise.resolve({ ok: true, body: Buffer.from('{"text":"Hello."}') })
    },
    close: () => Promise.resolve(),
  }
  const hear = transcribeBy(SERVER, client)
  const { signal } = new AbortController()
  const boundaryOf = (request: ModelHttpRequest) =>
    request.headers['content-type']!.split('boundary=')[1]!
  await hear({ bytes: Buffer.from('OggS'), mediaType: 'audio/ogg' }, signal)
  const bytes = Buffer.from(`OggS\r\n--${boundaryOf(sent!)}--\r\n`)
  let searches = 0
  bytes.includes = (...of) => {
    searches += 1
    return Buffer.prototype.includes.apply(bytes, of)
  }
  await hear({ bytes, mediaType: 'audio/ogg' }, signal)
  expect(bytes.toString()).not.toContain(boundaryOf(sent!))
  expect((sent!.body as Buffer).indexOf(bytes)).toBeGreaterThan(0)
  expect(searches).toBe(0)
})
