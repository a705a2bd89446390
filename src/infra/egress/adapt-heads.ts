import type { Socket } from 'node:net'

const CR = 0x0d
const LF = 0x0a
const SPACE = 0x20
const TAB = 0x09
const ZERO = 0x30
const ONE = 0x31
const TWO = 0x32
/** Position of the status in `HTTP/1.1 100`. */
const STATUS_AT = 9

/**
 * Lets undici's parser accept two forms of response heads that HTTP allows. Bytes are only replaced, none added or
 * removed, so that the parser alone decides where a response begins and ends.
 *
 * An unrequested `100 Continue` would close the connection, but must be ignored like any interim response (RFC 9110
 * §15.2), so it is read as a 102. A header value that continues in the next line would be refused; its line end is
 * replaced by spaces (RFC 9112 §5.2).
 *
 * Returns a function to call before each request: it makes the next bytes count as the head of a response.
 */
export function adaptHeads(socket: Socket): () => void {
  const read = socket.read.bind(socket)
  let place: 'status' | 'headers' | 'body' = 'status'
  let at = 0
  let isInterim = false
  let isContinue = false
  let isLineEmpty = false
  let isStatusLine = true
  /** Position at which the line end that was just read begins, in the current bytes; -1 after anything else. */
  let lineEnd = -1
  /** A line end at the end of the received bytes: the next byte shows whether the line continues. */
  let held: Buffer | null = null

  const isOver = () => place === 'body'

  function lookAtStatus(bytes: Buffer, i: number): void {
    const byte = bytes[i]
    // The parser also skips line breaks before a response.
    if (at === 0 && (byte === CR || byte === LF)) return
    if (at === STATUS_AT) isInterim = byte === ONE
    if (at === STATUS_AT + 1) isContinue = isInterim && byte === ZERO
    if (at === STATUS_AT + 2) {
      if (isContinue && byte === ZERO) bytes[i] = TWO
      place = 'headers'
      isLineEmpty = false
      isStatusLine = true
      lineEnd = -1
    }
    at++
  }

  function lookAtHeaders(bytes: Buffer, i: number): void {
    const byte = bytes[i]
    if (byte === LF && isLineEmpty) {
      lineEnd = -1
      if (isInterim) expectStatus()
      else place = 'body'
    } else if (byte === CR || byte === LF) {
      if (lineEnd === -1) lineEnd = i
      if (byte === CR) return
      isLineEmpty = true
      if (isStatusLine) lineEnd = -1
      isStatusLine = false
    } else {
      if (lineEnd !== -1 && isLineEmpty && (byte === SPACE || byte === TAB)) {
        bytes.fill(SPACE, lineEnd, i)
      }
      lineEnd = -1
      isLineEmpty = false
    }
  }

  function expectStatus(): void {
    place = 'status'
    at = 0
    held = null
  }

  socket.read = (size?: number) => {
    const chunk = read(size) as Buffer | null
    if (chunk === null || place === 'body') return chunk
    const bytes = held ? Buffer.concat([held, chunk]) : chunk
    for (let i = held?.length ?? 0; i < bytes.length && !isOver(); i++) {
      if (place === 'status') lookAtStatus(bytes, i)
      else lookAtHeaders(bytes, i)
    }
    held = null
    if (place !== 'headers' || lineEnd === -1) return bytes
    held = bytes.subarray(lineEnd)
    const known = bytes.subarray(0, lineEnd)
    lineEnd = 0
    return known.length > 0 ? known : null
  }
  return expectStatus
}
