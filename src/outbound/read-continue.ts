import type { Socket } from 'node:net'

const CR = 0x0d
const LF = 0x0a
const ZERO = 0x30
const ONE = 0x31
const TWO = 0x32
/** Where the three digits of the status begin in `HTTP/1.1 100`. */
const STATUS_AT = 9

/**
 * Lets undici pass over a `100 Continue`. It ends the connection at one that it did not ask for, while
 * every other interim answer is read over, as HTTP wants of all of them (RFC 9110 §15.2). So a 100 is
 * read as a 102: its last digit is changed as the bytes leave the socket. Nothing is added and nothing
 * left out, so where an answer begins and ends is the parser's to say, whatever the server sends.
 *
 * Returns what is to be called before each request: from there on to the status line of the final
 * answer the bytes are looked at.
 */
export function readContinueAsProcessing(socket: Socket): () => void {
  const read = socket.read.bind(socket)
  let place: 'status' | 'headers' | 'final' = 'status'
  let at = 0
  let isContinue = false
  let isLineEmpty = false

  function look(bytes: Buffer): void {
    for (let i = 0; i < bytes.length && place !== 'final'; i++) {
      const byte = bytes[i]
      if (place === 'headers') {
        // An interim answer has no body: its empty line is its end.
        if (byte === LF && isLineEmpty) expectStatus()
        else if (byte !== CR) isLineEmpty = byte === LF
        continue
      }
      // The parser passes over line breaks before an answer too.
      if (at === 0 && (byte === CR || byte === LF)) continue
      if (at === STATUS_AT && byte !== ONE) place = 'final'
      if (at === STATUS_AT + 1) isContinue = byte === ZERO
      if (at === STATUS_AT + 2) {
        if (isContinue && byte === ZERO) bytes[i] = TWO
        place = 'headers'
        isLineEmpty = false
      }
      at++
    }
  }

  function expectStatus(): void {
    place = 'status'
    at = 0
  }

  socket.read = (size?: number) => {
    const chunk = read(size) as Buffer | null
    if (chunk !== null && place !== 'final') look(chunk)
    return chunk
  }
  return expectStatus
}
