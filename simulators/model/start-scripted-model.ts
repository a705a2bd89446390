/**
 * A substitute for a language model on loopback, for the demonstration. It has the protocol of `/v1/chat/completions`
 * and answers by script. It transcribes one voice note, the sample of the simulated phones, and reads no images. Its
 * requests do not leave this machine.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isLoopback } from '../loopback.ts'
import { SAMPLE_VOICE, SAMPLE_VOICE_WORDS } from '../media-shelf.ts'
import { answerByScript, type ScriptedAnswer } from './answer-by-script.ts'
import { readChatRequest } from './read-chat-request.ts'

/** The name in traces and on pages, so that no reader takes the script for a language model. */
export const SCRIPTED_MODEL_NAME = 'scripted (no language model)'

/** A running server with the scripted model. */
export type ScriptedModel = {
  /** The URL, including `/v1`. */
  baseUrl: string
  close(): Promise<void>
}

/** Starts an HTTP server with a scripted language model, on a port of 127.0.0.1 that the system chooses. */
export async function startScriptedModel(): Promise<ScriptedModel> {
  let answered = 0
  const server = createServer((request, response) => {
    void handle(request, () => `${++answered}`).then(
      ({ status, body }) => send(response, status, body),
      () => send(response, 400, { error: { message: 'This could not be read.' } }),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const MAX_BYTES = 6 * 1_048_576

async function handle(
  request: IncomingMessage,
  number: () => string,
): Promise<{ status: number; body: object }> {
  const host = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? ''
  if (!isLoopback(host)) return { status: 403, body: { error: { message: 'Not from here.' } } }
  const isRecording = request.url === '/v1/audio/transcriptions'
  if (request.method !== 'POST' || !(isRecording || request.url === '/v1/chat/completions')) {
    return { status: 404, body: { error: { message: NO_SUCH_PATH } } }
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) return { status: 413, body: { error: { message: 'Too long.' } } }
    chunks.push(chunk)
  }
  if (isRecording) return hear(Buffer.concat(chunks))
  const asked: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  return { status: 200, body: completion(answerByScript(readChatRequest(asked)), number(), bytes) }
}

const NO_SUCH_PATH = 'There are POST /v1/chat/completions and POST /v1/audio/transcriptions.'

/** Answers a request for a transcription. The script recognizes one recording by its bytes, and transcribes no other. */
function hear(form: Buffer): { status: number; body: object } {
  if (form.includes(SAMPLE_VOICE)) return { status: 200, body: { text: SAMPLE_VOICE_WORDS } }
  return {
    status: 400,
    body: { error: { message: 'This script transcribes only the sample recording.' } },
  }
}

/** Approximate number of bytes in a token. */
const BYTES_A_TOKEN = 4

function completion({ text, call }: ScriptedAnswer, number: string, bytes: number): object {
  const calls = call && [
    {
      id: `call_${number}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.input) },
    },
  ]
  const prompt_tokens = Math.ceil(bytes / BYTES_A_TOKEN)
  const completion_tokens = Math.ceil(
    (text.length + JSON.stringify(call ?? '').length) / BYTES_A_TOKEN,
  )
  return {
    id: `scripted-${number}`,
    object: 'chat.completion',
    model: SCRIPTED_MODEL_NAME,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text || null, ...(calls && { tool_calls: calls }) },
        finish_reason: calls ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
