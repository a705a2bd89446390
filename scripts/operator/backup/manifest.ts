/** The manifest of a backup. It is the last entry, so that an incomplete archive has none. */
import { z } from 'zod'

/** The path of the manifest in the archive. */
export const MANIFEST_NAME = 'manifest.json'
/** Maximum size of a manifest. */
export const MANIFEST_BYTES = 1_048_576
/** The version of the archive's format. */
export const BACKUP_FORMAT = 1

/** Files of the data folder that a backup contains, by their path there. */
export const DATA_FILE = /^(?:encryption-keys|demonstration\/\w[\w.-]*)$/

const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)
const content = {
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
}

export const Manifest = z.object({
  format: z.literal(BACKUP_FORMAT),
  /** The instant as of which the rows were read. */
  madeAt: z.iso.datetime(),
  program: z.string(),
  server: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** Days of the partitioned tables. */
  days: z.array(z.iso.date()),
  tables: z.array(
    z.object({ name, columns: z.array(name), rows: z.int().nonnegative(), ...content }),
  ),
  /** Files of the data folder, by their path in it. */
  files: z.array(
    z.object({
      path: z.string().regex(DATA_FILE),
      ...content,
    }),
  ),
  /**
   * Files of customers and members. Null when they are in a bucket, which is backed up separately, or when there are
   * none.
   */
  stored: z.object({ count: z.int().nonnegative(), ...content }).nullable(),
  /** Ids of the keys that stored secrets were encrypted with. */
  keyIds: z.array(z.string()),
})
export type Manifest = z.output<typeof Manifest>

/** Returns the path in the archive of one part of a table. */
export const tableEntry = (table: string, part: number) =>
  `tables/${table}/${String(part).padStart(6, '0')}`
/** The folder in the archive of all files of customers and members. The manifest has one checksum of them together. */
export const STORED = 'stored/'
/** Returns the path in the archive of a file of the data folder. */
export const fileEntry = (path: string) => `files/${path}`
