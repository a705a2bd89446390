/** What a backup says of itself: its last entry, so that a torn one has none. */
import { z } from 'zod'

export const MANIFEST_NAME = 'manifest.json'
export const MANIFEST_BYTES = 1_048_576
export const BACKUP_FORMAT = 1

/** Of the data folder, what a backup takes along, by its path there. */
export const KEPT_FILE = /^(?:encryption-keys|demonstration\/\w[\w.-]*)$/

const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)
const content = {
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
}

export const Manifest = z.object({
  format: z.literal(BACKUP_FORMAT),
  /** The instant of the database that the backup shows. */
  madeAt: z.iso.datetime(),
  program: z.string(),
  server: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** Of the tables that are partitioned by day. */
  days: z.array(z.iso.date()),
  tables: z.array(
    z.object({ name, columns: z.array(name), rows: z.int().nonnegative(), ...content }),
  ),
  /** Of the data folder, by their path in it. */
  files: z.array(
    z.object({
      path: z.string().regex(KEPT_FILE),
      ...content,
    }),
  ),
  /** Files of customers and members; null where they are in a bucket, which is backed up by itself, or there are none yet. */
  stored: z.object({ count: z.int().nonnegative(), ...content }).nullable(),
  /** Ids of the keys that stored secrets were encrypted with. */
  keyIds: z.array(z.string()),
})
export type Manifest = z.output<typeof Manifest>

/** Where in the archive a part of a table, or of a file, lies. */
export const tableEntry = (table: string, part: number) =>
  `tables/${table}/${String(part).padStart(6, '0')}`
/** All of them together are one content, in their order. */
export const STORED = 'stored/'
export const fileEntry = (path: string) => `files/${path}`
