/** The certificate of the demonstration's programs, which is trusted for this machine alone. */
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { prepareDemonstrationFiles } from '../../demonstration/files.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { createOutboundClient } from '../../src/infra/egress/outbound-client.ts'
import { createAuthority, createCertificate, type KeyPair } from '../egress/support/certificates.ts'
import { createReceiver } from '../egress/support/receiver.ts'
import { createMovedClock } from '../support/moved-clock.ts'

const clock = createMovedClock()

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const readPair = (): KeyPair => ({
  cert: readFileSync(files.certificateFile, 'utf8'),
  key: readFileSync(files.keyFile, 'utf8'),
})

// TLS checks the certificate's validity by the machine's clock.
clock.moveTo(new Date().toISOString())
const folder = mkdtempSync(path.join(tmpdir(), 'wasla-certificate-'))
const files = await prepareDemonstrationFiles(folder, clock)
const own = readPair()

/** Posts to a receiver with this certificate, and trusts only the demonstration's. */
async function postTo(pair: KeyPair, host: string): Promise<string> {
  const receiver = await createReceiver(pair, {
    '/': (socket) => void socket.end('HTTP/1.1 204 No Content\r\n\r\n'),
  })
  onTestFinished(() => receiver.close())
  const client = createOutboundClient({
    resolve: () => Promise.resolve(['127.0.0.1']),
    isAllowedAddress: () => true,
    extraCa: [own.cert],
  })
  onTestFinished(() => client.close())
  const url = new URL(receiver.url('/'))
  url.hostname = host
  const answer = await client.send({
    method: 'POST',
    url: url.href,
    headers: [],
    body: Buffer.from('{}'),
    deadlineMs: 5_000,
    connectMs: 3_000,
    answerBytes: 2_048,
    readWholeAnswer: false,
  })
  return answer.kind === 'answer' ? `answered ${answer.status}` : answer.error
}

describe("The demonstration's certificate", () => {
  test('is trusted for 127.0.0.1, by that address alone', async () => {
    expect(await postTo(own, '127.0.0.1')).toBe('answered 204')
    expect(await postTo(own, 'shop.example')).toBe('tls_failed')
  })

  test('is no authority: what its key signs for another name is not trusted', async () => {
    const forged = await createCertificate(['shop.example'], { authority: own })
    expect(await postTo({ ...forged, cert: `${forged.cert}\n${own.cert}` }, 'shop.example')).toBe(
      'tls_failed',
    )
    const { ca, subjectAltName } = new X509Certificate(own.cert)
    expect({ ca, subjectAltName }).toEqual({ ca: false, subjectAltName: 'IP Address:127.0.0.1' })
  })

  test('stays the same from start to start, until it expires', async () => {
    await prepareDemonstrationFiles(folder, clock)
    expect(readPair()).toEqual(own)
    const { validTo } = new X509Certificate(own.cert)
    const later = createMovedClock(new Date(Date.parse(validTo) - DAY_MS).toISOString())
    await prepareDemonstrationFiles(folder, later)
    expect(readPair().cert).not.toBe(own.cert)
  })

  test('replaces an authority that an earlier version made', async () => {
    const authority = await createAuthority()
    writeFileSync(files.certificateFile, authority.cert)
    writeFileSync(files.keyFile, authority.key)
    await prepareDemonstrationFiles(folder, clock)
    const made = readPair()
    expect(new X509Certificate(made.cert).ca).toBe(false)
    expect(made.key).not.toBe(authority.key)
  })
})
