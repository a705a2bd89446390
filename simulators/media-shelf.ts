/**
 * Media files in memory: those that customers send, and the business's uploads. The oldest are deleted first, except
 * for the samples.
 */
import { createHash, randomInt } from 'node:crypto'
import { SIMULATOR_LIMITS } from './limits.ts'

/** A stored file. */
export type ShelvedFile = { bytes: Buffer; mimeType: string; sha256: Buffer }
/** A kind of sample file. */
export type SampleFile = 'image' | 'video' | 'document' | 'voice' | 'sticker'

/** The supposed words of the sample voice note, which is too short to contain any. */
export const SAMPLE_VOICE_WORDS = 'How much is delivery?'
/** The bytes of the sample: an Ogg file with only the header of its audio. */
export const SAMPLE_VOICE = Buffer.concat([
  Buffer.from('OggS\0\x02', 'latin1'),
  Buffer.alloc(20),
  Buffer.from('\x01\x13OpusHead\x01\x01\x38\x01\x80\xbb\0\0\0\0\0', 'latin1'),
])

/** The smallest file of each kind that is one. */
const SAMPLES: Record<SampleFile, { mimeType: string; bytes: Buffer }> = {
  image: {
    mimeType: 'image/jpeg',
    bytes: Buffer.from(
      `/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP${'/'.repeat(86)}wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=`,
      'base64',
    ),
  },
  video: {
    mimeType: 'video/mp4',
    bytes: Buffer.from(
      '\0\0\0\x18ftypisom\0\0\x02\0isommp41\0\0\0\x08free\0\0\0\x08mdat',
      'latin1',
    ),
  },
  document: {
    mimeType: 'application/pdf',
    bytes: Buffer.from(
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
    ),
  },
  voice: {
    mimeType: 'audio/ogg; codecs=opus',
    bytes: SAMPLE_VOICE,
  },
  sticker: {
    mimeType: 'image/webp',
    bytes: Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64'),
  },
}

/** The files that customers and businesses have sent. */
export type MediaShelf = ReturnType<typeof createMediaShelf>

/** Creates the store in memory of uploaded and sample files, of which the oldest are dropped when it is full. */
export function createMediaShelf() {
  const files = new Map<string, ShelvedFile>()
  const samples = new Map<string, ShelvedFile>()
  let held = 0

  const shelved = (bytes: Buffer, mimeType: string): ShelvedFile => ({
    bytes,
    mimeType,
    sha256: createHash('sha256').update(bytes).digest(),
  })
  /** Returns the file's description in a webhook. */
  const describeFile = (id: string, { mimeType, sha256 }: ShelvedFile) => ({
    mime_type: mimeType,
    sha256: sha256.toString('base64'),
    id,
  })

  for (const [place, { bytes, mimeType }] of Object.values(SAMPLES).entries()) {
    samples.set(`10000000000000${place}`, shelved(bytes, mimeType))
  }

  return {
    /** Stores a file. Returns its id and its description in a webhook. */
    put(bytes: Buffer, mimeType: string) {
      const id = String(randomInt(11 * 10 ** 13, 2 ** 47))
      const file = shelved(bytes, mimeType)
      files.set(id, file)
      held += bytes.length
      for (const [oldest, { bytes: of }] of files) {
        if (held <= SIMULATOR_LIMITS.mediaHeldBytes || oldest === id) break
        files.delete(oldest)
        held -= of.length
      }
      return describeFile(id, file)
    },
    sample(kind: SampleFile) {
      const place = Object.keys(SAMPLES).indexOf(kind)
      const id = `10000000000000${place}`
      return describeFile(id, samples.get(id)!)
    },
    find: (id: string): ShelvedFile | undefined => files.get(id) ?? samples.get(id),
    /** Deletes a file, which WhatsApp then does not know. */
    forget(id: string): void {
      held -= files.get(id)?.bytes.length ?? 0
      files.delete(id)
    },
  }
}
