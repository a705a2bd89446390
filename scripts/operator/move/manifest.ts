/** The manifest of an exported account. Its format differs from a backup's, so that neither command accepts the other's. */
import { z } from 'zod'
import { Manifest } from '../backup/manifest.ts'

/** The version of the format. */
export const ACCOUNT_FORMAT = 'account-1'

export const AccountManifest = Manifest.omit({ format: true, files: true }).extend({
  format: z.literal(ACCOUNT_FORMAT),
  /** Always empty: files of the data folder belong to the installation. */
  files: z.tuple([]),
  account: z.object({ id: z.uuid(), name: z.string().nullable() }),
  companyIds: z.array(z.uuid()),
  /** The salt with which the passphrase becomes the transfer key, and a value that only the right key decrypts. */
  transfer: z.object({ salt: z.string(), proof: z.string() }),
})
export type AccountManifest = z.output<typeof AccountManifest>
