/** The manifest of an exported account. Its form differs from that of a backup, so that neither is taken for the other. */
import { z } from 'zod'
import { Manifest } from '../backup/manifest.ts'

export const ACCOUNT_FORMAT = 'account-1'

export const AccountManifest = Manifest.omit({ format: true, files: true }).extend({
  format: z.literal(ACCOUNT_FORMAT),
  /** Files of the data folder: none. */
  files: z.tuple([]),
  account: z.object({ id: z.uuid(), name: z.string().nullable() }),
  companyIds: z.array(z.uuid()),
  /** The salt of the key that the passphrase makes, and a value that only the right key decrypts. */
  transfer: z.object({ salt: z.string(), proof: z.string() }),
})
export type AccountManifest = z.output<typeof AccountManifest>
