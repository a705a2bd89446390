import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { generate } from 'selfsigned'
import { DAY_MS } from '../src/core/limits/units.ts'

const CERTIFICATE_DAYS = 825
/** A certificate with fewer days left is replaced at the start. */
const MIN_DAYS = 30

/**
 * Creates a self-signed certificate for 127.0.0.1. The service trusts it besides the well-known authorities, so it is
 * no authority itself: its key can only impersonate the demonstration's shop.
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

/**
 * Returns true if the file has a certificate that is valid for a while and is no authority. Earlier versions created
 * authorities.
 */
export function isGoodCertificate(file: string, now: Date): boolean {
  if (!existsSync(file)) return false
  const { ca, validTo } = new X509Certificate(readFileSync(file))
  return !ca && Date.parse(validTo) - now.getTime() > MIN_DAYS * DAY_MS
}
