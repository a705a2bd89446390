import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { generate } from 'selfsigned'
import { DAY_MS } from '../src/core/limits/units.ts'

const CERTIFICATE_DAYS = 825
/** With less left, another one is made at the start. */
const LEAST_DAYS = 30

/**
 * A certificate for 127.0.0.1 that vouches for itself. The service trusts it beside the well-known
 * authorities, so it is no authority: whoever has its key can play the shop of the demonstration, and
 * nobody else.
 */
export async function makeCertificate(now: Date): Promise<{ certificate: string; key: string }> {
  const made = await generate([{ name: 'commonName', value: 'Wasla demonstration receiver' }], {
    keyType: 'ec',
    curve: 'P-256',
    notBeforeDate: now,
    notAfterDate: new Date(now.getTime() + CERTIFICATE_DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  })
  return { certificate: made.cert, key: made.private }
}

/** Whether the file has one that is good for a while, and no authority, as they once were. */
export function isGoodCertificate(file: string, now: Date): boolean {
  if (!existsSync(file)) return false
  const { ca, validTo } = new X509Certificate(readFileSync(file))
  return !ca && Date.parse(validTo) - now.getTime() > LEAST_DAYS * DAY_MS
}
