/** A refusal of a request, with a code that Wasla knows. */
export class Refusal extends Error {
  constructor(status, code, message) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Reads the body of a request, at most `mostBytes`. */
export async function readBytes(request, mostBytes) {
  const chunks = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new Refusal(413, 'too_large', 'This request is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads the body of a request as a JSON object. */
export async function readJson(request, mostBytes) {
  const text = (await readBytes(request, mostBytes)).toString('utf8')
  try {
    const value = JSON.parse(text || '{}')
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // The refusal below covers this case.
  }
  throw new Refusal(400, 'bad_request', 'The body is a JSON object')
}
