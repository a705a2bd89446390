import { request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'

export type RawResponse = {
  http: number
  hasBody: boolean
  text: string
  contentType: string
  id: string | null
  status: string | null
}

/** Sends exactly these headers and bytes. */
export function askRaw(input: {
  url: string
  method: string
  headers: Record<string, string | string[]>
  body: Buffer | null
}): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const headers = { ...input.headers }
    if (input.body && !('transfer-encoding' in headers)) {
      headers['content-length'] = String(input.body.length)
    }
    const request = httpRequest(input.url, { method: input.method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8')
        const json = readAnswer(text)
        resolve({
          http: response.statusCode ?? 0,
          hasBody: text !== '',
          text,
          contentType: response.headers['content-type'] ?? '',
          id: json?.id ?? null,
          status: json?.status ?? null,
        })
      })
    })
    request.on('error', reject)
    request.end(input.body ?? undefined)
  })
}

/** Reads a HookResponse, which has exactly three fields. Any other text has neither id nor status. */
function readAnswer(text: string): { id: string | null; status: string } | null {
  try {
    const json = JSON.parse(text) as Record<string, unknown>
    const fields = Object.keys(json).toSorted().join(',')
    return fields === 'detail,id,status' ? (json as { id: string | null; status: string }) : null
  } catch {
    return null
  }
}

/** Returns the bytes of a case's body, in any of its written forms. */
export function readRequestBody(body: unknown): Buffer | null {
  if (body === null || body === undefined) return null
  const form = body as Record<string, unknown>
  if ('json' in form) return Buffer.from(JSON.stringify(form.json))
  if ('raw' in form) return Buffer.from(form.raw as string)
  if ('base64' in form) return Buffer.from(form.base64 as string, 'base64')
  if ('gzipOf' in form) return gzipSync(JSON.stringify(form.gzipOf))
  if ('jsonPaddedToBytes' in form) return padded(form.jsonPaddedToBytes as number)
  throw new Error(`the runner has no word for a body of ${Object.keys(form).join(', ')}`)
}

const VALID = {
  customer: { phone: '+966501234567', name: 'سارة', lang: 'ar' },
  order: { id: 'A-1', total: 125.5 },
}

function padded(bytes: number): Buffer {
  const bare = Buffer.byteLength(JSON.stringify({ ...VALID, filler: '' }))
  return Buffer.from(JSON.stringify({ ...VALID, filler: 'x'.repeat(bytes - bare) }))
}
