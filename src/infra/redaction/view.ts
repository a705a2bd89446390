/** Maximum depth of nested encodings that is searched: three of a server, and the JSON of the answer. */
export const DEPTH = 4

/**
 * Texts as bytes, several of them in one array: all values of an answer, or everything that one encoding gave. They
 * are searched and decoded together, so that many short values cost no more than one long one.
 */
export type View = {
  bytes: Uint8Array
  /** The start of each segment. `SEPARATOR` is between two segments, and may also occur in a decoded segment. */
  starts: readonly number[]
  /** The owner of each segment: the number of a value, or of a run of letters in it. */
  origins: readonly number[]
  /** True for each segment that is the whole of its value, and not a run within it. */
  wholes: readonly boolean[]
  /**
   * Source positions, in a view with one segment: the start of each byte's unit, and the end of the last one. Null where
   * the whole segment stands for one run of the source.
   */
  positions: Int32Array | null
  /** A table by byte, and for the end: 1 where the last encoding had a unit. Null where none was decoded. */
  made: Uint8Array | null
  /** The number of encodings that were decoded to get here. */
  depth: number
}

/** A byte that is never in UTF-8 text, so that no finding extends across it. */
export const SEPARATOR = 0xff

/** Returns the position after the last byte of a segment, where its separator or the end of the view is. */
export function endOf({ bytes, starts }: View, index: number): number {
  const next = starts[index + 1]
  return next === undefined ? bytes.length : next - 1
}

/** Returns the bytes as a text of one character each, for the fast searches of strings. */
export function asByteText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/**
 * Creates a writer of views whose segments are in `bytes`, which must have room for all of them and their separators.
 * It ends a view once that has `VIEW_BYTES`. The caller fills `made`, which is as long as `bytes`, and each view gets
 * its part of it.
 */
export function createViewWriter(bytes: Uint8Array, depth: number, made: Uint8Array | null = null) {
  const views: View[] = []
  let [starts, origins, wholes]: [number[], number[], boolean[]] = [[], [], []]
  let [from, length] = [0, 0]

  const writer = {
    /** The position of the next segment. */
    next: 0,
    /** Copies bytes to `next` without ending the segment. Returns the position after them. */
    copy(segment: Uint8Array, first: number, end: number): number {
      bytes.set(segment.subarray(first, end), writer.next)
      return writer.next + end - first
    },
    /** Ends the segment that was written from `next` to `to`. */
    end(to: number, origin: number, isWhole: boolean): void {
      starts.push(writer.next - from)
      origins.push(origin)
      wholes.push(isWhole)
      length = to
      bytes[to] = SEPARATOR
      writer.next = to + 1
      if (to - from >= VIEW_BYTES) writer.finish()
    },
    /** Ends the last view and returns all of them. */
    finish(): View[] {
      if (starts.length > 0) {
        views.push({
          bytes: bytes.subarray(from, length),
          starts,
          origins,
          wholes,
          positions: null,
          made: made && made.subarray(from, length + 1),
          depth,
        })
      }
      ;[starts, origins, wholes] = [[], [], []]
      from = writer.next
      return views
    },
  }
  return writer
}

/** The size at which a view is ended, in bytes: a larger one would block the thread for too long. */
const VIEW_BYTES = 65_536

/**
 * Returns a plain `Uint8Array` over the same memory. The loops over bytes take half the time when all arrays are of
 * one class.
 */
function plain({ buffer, byteOffset, length }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length)
}

/** Converts texts to a view, in which each text is a segment whose origin is the index of the text. */
export function viewOfTexts(texts: readonly string[]): View {
  const maxBytes = texts.reduce((sum, text) => sum + text.length * 3 + 1, 0)
  const bytes = Buffer.allocUnsafe(maxBytes)
  const starts: number[] = []
  let at = 0
  for (const text of texts) {
    starts.push(at)
    at += bytes.write(text, at)
    bytes[at++] = SEPARATOR
  }
  const origins = texts.map((_, index) => index)
  const wholes = texts.map(() => true)
  return {
    bytes: plain(bytes.subarray(0, Math.max(0, at - 1))),
    starts,
    origins,
    wholes,
    positions: null,
    made: null,
    depth: 0,
  }
}

/** Converts one text to a view with the position of each byte in the UTF-8 form of the text. */
export function viewWithPositions(text: string): View {
  const bytes = plain(Buffer.from(text))
  const positions = new Int32Array(bytes.length + 1)
  for (let at = 0; at < positions.length; at++) positions[at] = at
  return { bytes, starts: [0], origins: [0], wholes: [true], positions, made: null, depth: 0 }
}
