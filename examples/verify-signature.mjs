// Checks that a webhook really comes from Wasla. Copy this file; it needs nothing but Node.
//
//   const body = await readRawBody(request)            // the bytes as received, never re-serialised
//   const isGenuine = verifySignature({
//     header: request.headers['x-service-signature'],
//     body,
//     secrets: [process.env.WASLA_SIGNING_SECRET],     // two while a secret is being rotated
//   })

import { createHmac, timingSafeEqual } from 'node:crypto'

/** The service sends at most this many signatures. Trying more would let an attacker cause unlimited work. */
const MOST_SIGNATURES = 8

/**
 * Returns true when the header signs exactly this body, with one of your secrets, at most `toleranceSeconds` away from
 * your clock. Never throws, whatever an unauthenticated client sends.
 */
export function verifySignature({
  header,
  body,
  secrets,
  now = new Date(),
  toleranceSeconds = 300,
}) {
  const parts = readHeader(header)
  if (parts === null) return false
  if (Math.abs(now.getTime() / 1000 - Number(parts.t)) > toleranceSeconds) return false

  let isGenuine = false
  for (const secret of secrets) {
    // Anyone can sign with an empty secret, for instance one missing from the environment.
    if (typeof secret !== 'string' || secret === '') continue
    const expected = createHmac('sha256', secret).update(`${parts.t}.`).update(body).digest('hex')
    for (const signature of parts.signatures) {
      if (timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) isGenuine = true
    }
  }
  return isGenuine
}

/** `t=<unix seconds>,v1=<hex>[,v1=<hex>]` in any order; other schemes are ignored. */
function readHeader(header) {
  if (typeof header !== 'string') return null
  let t = null
  const signatures = []
  for (const part of header.split(',', 32)) {
    const equals = part.indexOf('=')
    const name = part.slice(0, equals)
    const value = part.slice(equals + 1)
    // Spaces come from two headers joined by a proxy; the service writes none.
    if (equals < 1 || /\s/.test(part)) return null
    if (name === 't') {
      if (t !== null || !/^(0|[1-9][0-9]{0,11})$/.test(value)) return null
      t = value
    } else if (name === 'v1' && /^[0-9a-f]{64}$/.test(value)) {
      signatures.push(value)
    }
  }
  if (t === null || signatures.length === 0 || signatures.length > MOST_SIGNATURES) return null
  return { t, signatures }
}
