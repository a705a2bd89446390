import { generate } from 'selfsigned'

export type KeyPair = { key: string; cert: string }

/** Creates a certificate authority, trusted only where a test says so. */
export async function createAuthority(): Promise<KeyPair> {
  const pems = await generate([{ name: 'commonName', value: 'Test authority' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true, critical: true },
    ],
  })
  return { key: pems.private, cert: pems.cert }
}

/** Creates a server certificate for these names, signed by the authority, or self-signed without one. */
export async function createCertificate(
  names: string[],
  { authority, validUntil }: { authority?: KeyPair; validUntil?: Date } = {},
): Promise<KeyPair> {
  const pems = await generate([{ name: 'commonName', value: names[0] ?? 'none' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ...(authority && { ca: authority }),
    ...(validUntil && {
      notBeforeDate: new Date(validUntil.getTime() - 86_400_000),
      notAfterDate: validUntil,
    }),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: names.map((name) =>
          /^[\d.]+$/.test(name)
            ? { type: 7 as const, ip: name }
            : { type: 2 as const, value: name },
        ),
      },
    ],
  })
  return { key: pems.private, cert: pems.cert }
}
