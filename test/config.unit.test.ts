/** The operator's choices: defaults, every wrong value named, and what production is strict about. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../src/app/config.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'wasla-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (env: Record<string, string> = {}, argv: string[] = []) =>
  readConfig(env, argv, folder)
function problemsOf(env: Record<string, string>, argv: string[] = []): string {
  try {
    read(env, argv)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
  return ''
}

describe('the configuration', () => {
  test('needs nothing to be set: embedded database, loopback, demonstration', () => {
    expect(read()).toMatchObject({
      isProduction: false,
      host: '127.0.0.1',
      port: 4080,
      baseUrl: 'http://127.0.0.1:4080',
      databaseUrl: null,
      databasePool: 16,
      dataFolder: path.join(folder, 'data'),
      encryptionKeys: null,
      egressAllow: ['127.0.0.1/32'],
      egressDeny: [],
      extraCaFile: null,
      whatsApp: { baseUrl: 'https://graph.facebook.com', apiVersion: 'v25.0' },
      demonstration: { isOn: true, simulatorPort: 4081, receiverPort: 4082 },
      only: null,
      logLevel: 'warn',
    })
  })

  test('treats an empty value as none, and ignores spaces around a value', () => {
    expect(read({ PORT: '', DATABASE_URL: '  ', HOST: ' 0.0.0.0 ' })).toMatchObject({
      port: 4080,
      databaseUrl: null,
      host: '0.0.0.0',
    })
  })

  test('shows hook URLs with BASE_URL, without a slash at its end; an IPv6 host in brackets', () => {
    expect(read({ BASE_URL: 'https://hooks.example.com/' }).baseUrl).toBe(
      'https://hooks.example.com',
    )
    expect(read({ HOST: '::1', PORT: '80' }).baseUrl).toBe('http://[::1]')
  })

  test('moves the ports of the demonstration with PORT; one that is set stays where it is', () => {
    const ports = (env: Record<string, string>) => {
      const { port, demonstration } = read(env)
      return [port, demonstration.simulatorPort, demonstration.receiverPort]
    }
    expect(ports({ PORT: '5000' })).toEqual([5000, 5001, 5002])
    expect(ports({ PORT: '5000', RECEIVER_PORT: '4443' })).toEqual([5000, 5001, 4443])
    expect(ports({ PORT: '5000', SIMULATOR_PORT: '7000' })).toEqual([5000, 7000, 5002])
    expect(ports({ PORT: '0' })).toEqual([0, 0, 0])
    expect(ports({ PORT: '65532' })).toEqual([65_532, 65_533, 65_534])
    expect(problemsOf({ PORT: '65533' })).toContain('PORT must be 65532 or less')
    expect(read({ PORT: '65533', DEMONSTRATION: 'off' }).port).toBe(65_533)
  })

  test('logs only warnings in the demonstration, and more in operation or when LOG_LEVEL says so', () => {
    expect(read({ DEMONSTRATION: 'off' }).logLevel).toBe('info')
    expect(read({ NODE_ENV: 'production' }).logLevel).toBe('info')
    expect(read({ LOG_LEVEL: 'debug' }).logLevel).toBe('debug')
  })

  test('knows that --only leaves the demonstration out, where it would be on', () => {
    const leftOut = (env: Record<string, string>, argv: string[]) =>
      read(env, argv).demonstration.isLeftOut
    expect(leftOut({}, ['--only=http'])).toBe(true)
    expect(leftOut({}, [])).toBe(false)
    expect(leftOut({ DEMONSTRATION: 'off' }, ['--only=http'])).toBe(false)
    expect(leftOut({ NODE_ENV: 'production' }, ['--only=daemon'])).toBe(false)
  })

  test.each<[string, string]>([
    ['HOST', 'http://127.0.0.1'],
    ['HOST', '127.0.0.1:4080'],
    ['HOST', 'two words'],
    ['HOST', 'متجر'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['DATABASE_POOL', '3'],
    ['DATABASE_POOL', '201'],
    ['SIMULATOR_PORT', '-1'],
    ['RECEIVER_PORT', 'many'],
    ['RECEIVER_PORT', '65535'],
    ['BASE_URL', 'ftp://example.com'],
    ['BASE_URL', 'example.com'],
    ['BASE_URL', 'https://example.com/wasla'],
    ['BASE_URL', 'https://owner:password@example.com'],
    ['BASE_URL', 'https://example.com/?shop=1'],
    ['WHATSAPP_BASE_URL', 'graph'],
    ['WHATSAPP_API_VERSION', '25'],
    ['MESSENGER_BASE_URL', 'graph'],
    ['INSTAGRAM_BASE_URL', 'graph'],
    ['DATABASE_URL', 'mysql://localhost/wasla'],
    ['EGRESS_ALLOW', '10.0.0.1'],
    ['EGRESS_DENY', '203.0.113.7'],
    ['GUARD_OBSERVE', 'not_done,others_data'],
    ['EGRESS_ALLOW', '10.0.0.0/8,10.0.0.0/33'],
    ['EXTRA_CA_FILE', '/no/such/file.pem'],
    ['EXTRA_CA_FILE', path.join(import.meta.dirname, '../package.json')],
    ['ENCRYPTION_KEYS', 'not-a-key'],
    ['DEMONSTRATION', 'maybe'],
    ['LOG_LEVEL', 'loud'],
  ])('names the variable that is wrong: %s=%s', (name, value) => {
    const lines = problemsOf({ [name]: value })
      .split('\n')
      .slice(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(new RegExp(`^ {2}- ${name} `))
  })

  test('has no more connections of the embedded database than that has', () => {
    const databaseUrl = 'postgres://db.example.com/wasla'
    expect(read({ DATABASE_POOL: '40' }).databasePool).toBe(40)
    expect(problemsOf({ DATABASE_POOL: '41' })).toContain(
      '- DATABASE_POOL must be at most 40 without DATABASE_URL: the embedded PostgreSQL has no more',
    )
    expect(read({ DATABASE_POOL: '200', DATABASE_URL: databaseUrl }).databasePool).toBe(200)
  })

  test('names everything that is wrong in one message', () => {
    const message = problemsOf({ PORT: 'x', LOG_LEVEL: 'y', DATABASE_URL: 'z' }, ['--only=web'])
    for (const name of ['PORT', 'LOG_LEVEL', 'DATABASE_URL', '--only']) {
      expect(message).toContain(`- ${name} `)
    }
  })

  test('never repeats the keys or the database’s address in its message', () => {
    const message = problemsOf({ ENCRYPTION_KEYS: 'k1:c2VjcmV0', DATABASE_URL: 'x://u:hush@h/d' })
    expect(message).not.toMatch(/c2VjcmV0|hush/)
  })

  test('knows --only=http and --only=daemon, and no other option', () => {
    expect(read({}, ['--only=http']).only).toBe('http')
    expect(read({}, ['--only=daemon']).only).toBe('daemon')
    expect(problemsOf({}, ['--verbose'])).toContain('--verbose')
  })

  test('reads the keys and the file of additional certificate authorities', () => {
    const key = Buffer.alloc(32, 7).toString('base64')
    const file = path.join(folder, 'ca.pem')
    writeFileSync(file, '-----BEGIN CERTIFICATE-----\n')
    const config = read({ ENCRYPTION_KEYS: `k1:${key}`, EXTRA_CA_FILE: file })
    expect(config.encryptionKeys).toHaveLength(1)
    expect(config.extraCaFile).toBe(file)
  })
})

describe('production', () => {
  const production = { NODE_ENV: 'production' }

  test('has no demonstration and lets deliveries reach public addresses only', () => {
    expect(read(production)).toMatchObject({
      isProduction: true,
      demonstration: { isOn: false },
      egressAllow: [],
    })
  })

  test('opens no private range without a second switch', () => {
    const open = { ...production, EGRESS_ALLOW: '10.0.0.0/8, fd00::/8' }
    expect(problemsOf(open)).toContain('EGRESS_ALLOW_IN_PRODUCTION=1')
    expect(problemsOf({ ...open, EGRESS_ALLOW_IN_PRODUCTION: 'yes' })).not.toBe('')
    expect(read({ ...open, EGRESS_ALLOW_IN_PRODUCTION: '1' }).egressAllow).toEqual([
      '10.0.0.0/8',
      'fd00::/8',
    ])
  })

  test('opens none for the demonstration’s own receiver either', () => {
    expect(problemsOf({ ...production, DEMONSTRATION: 'on' })).toContain('EGRESS_ALLOW')
  })
})

test('EGRESS_ALLOW opens nothing on this machine without the demonstration', () => {
  expect(read({ DEMONSTRATION: 'off' }).egressAllow).toEqual([])
})

test('a bucket for files takes all its settings or none, and none is repeated', () => {
  expect(read().filesS3).toBe(null)
  const settings = {
    FILES_S3_ENDPOINT: 'https://s3.example.com/',
    FILES_S3_BUCKET: 'wasla-files',
    FILES_S3_REGION: 'eu-1',
    FILES_S3_ACCESS_KEY_ID: 'the-id',
    FILES_S3_SECRET_ACCESS_KEY: 'the-secret',
  }
  expect(read(settings).filesS3).toEqual({
    endpoint: 'https://s3.example.com',
    bucket: 'wasla-files',
    region: 'eu-1',
    accessKeyId: 'the-id',
    secretAccessKey: 'the-secret',
  })
  const { FILES_S3_REGION: _, ...without } = settings
  expect(problemsOf(without)).toMatch(/FILES_S3_REGION is required too/)
  const wrong = {
    FILES_S3_ENDPOINT: 'https://u:the-secret@s3.example.com',
    FILES_S3_BUCKET: 'A b',
  }
  const problems = problemsOf({ ...settings, ...wrong })
  expect(problems).toMatch(/FILES_S3_ENDPOINT must be/)
  expect(problems).toMatch(/FILES_S3_BUCKET must be/)
  expect(problems).not.toContain('the-secret')
})

test('the operator’s model transcribes and reads images only when the settings say so', () => {
  const model = { MODEL_NAME: 'small', MODEL_API_KEY: 'k' }
  expect(read(model).models.model).toMatchObject({ transcriptionModel: null, readsImages: false })
  const able = { ...model, MODEL_TRANSCRIPTION_NAME: 'whisper-1', MODEL_READS_IMAGES: 'true' }
  expect(read(able).models.model).toMatchObject({
    transcriptionModel: 'whisper-1',
    readsImages: true,
  })
  expect(problemsOf({ ...able, MODEL_KIND: 'anthropic' })).toMatch(/MODEL_TRANSCRIPTION_NAME must/)
  expect(problemsOf({ ...model, MODEL_READS_IMAGES: 'yes' })).toMatch(/MODEL_READS_IMAGES must be/)
  expect(problemsOf({ MODEL_TRANSCRIPTION_NAME: 'whisper-1' })).toMatch(/MODEL_NAME is needed too/)
})

describe('NODE_ENV', () => {
  test.each(['production', 'development', 'test', '', ' production '])('may be "%s"', (word) => {
    expect(read({ NODE_ENV: word }).isProduction).toBe(word.trim() === 'production')
  })

  const NOT_ONE = ['prod', 'Production', 'staging', 'live', 'production;', 'dev']
  test.each(NOT_ONE)('%j ends the start: a demonstration would run in its place', (word) => {
    expect(problemsOf({ NODE_ENV: word })).toContain(
      `NODE_ENV must be one of production, development, test, not "${word}"`,
    )
  })
})

describe('DATABASE_URL', () => {
  test.each([
    'postgres://wasla:hush@db.example.com:5432/wasla?sslmode=verify-full&sslrootcert=/path/ca.pem',
    'postgresql://wasla@localhost/wasla',
    'postgres://wasla:h%23u%40s%2Fh@db.example.com/wasla',
    'postgres://wasla@/wasla?host=/var/run/postgresql',
    'postgres:///wasla?host=/var/run/postgresql',
    'postgres://wasla@localhost/wasla?host=%2Ftmp%2Fa&port=5433',
    'postgres://u:p@[::1]:5432/wasla',
    'postgres://%2Fvar%2Frun/wasla',
  ])('may be %s', (url) => {
    expect(read({ DATABASE_URL: url }).databaseUrl).toBe(url)
  })

  test.each([
    'postgres://wasla:hu#sh@db.example.com/wasla',
    'postgres://wasla:hu@sh@db.example.com/wasla',
    'postgres://wasla:hu/sh@db.example.com/wasla',
    'postgres://wasla:hu?sh@db.example.com/wasla',
    'postgres://wasla:hu%sh@db.example.com/wasla',
    'postgres://wasla:hush@db.example.com:54a/wasla',
  ])('explains how to write a password that ends too early, without repeating it: %s', (url) => {
    const told = problemsOf({ DATABASE_URL: url })
    expect(told).toContain('DATABASE_URL ')
    expect(told).toContain('# is %23, @ is %40')
    expect(told).not.toMatch(/hu\W?sh|sh@db/)
  })

  test.each([
    'postgres://wasla:hush@one:5432,two:5432/wasla',
    'postgres://wasla:hush@one,two/wasla?target_session_attrs=read-write',
    'postgres://wasla:hush@/wasla?host=one,two',
    'postgres://wasla:hush@one/wasla?target_session_attrs=primary',
  ])('asks for a single host when it names several: %s', (url) => {
    const told = problemsOf({ DATABASE_URL: url })
    expect(told).toContain('DATABASE_URL names several hosts')
    expect(told).toContain('an address that leads to the primary')
    expect(told).not.toContain('hush')
  })
})
