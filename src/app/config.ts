/**
 * The operator's settings, read from the environment once at the start. The reference's numbers are in `core/limits`.
 * A wrong value ends the start with a message that names it. `.env.example` documents every variable.
 */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { readKeys, type RingKey } from '../infra/secrets/key-ring.ts'
import { DEFAULT_CELL, isCellCode } from '../core/ids.ts'
import { whyNoDatabaseUrl } from '../infra/database/parse-url.ts'
import { isSender, readSmtpUrl, type MailServer } from '../infra/mail/mail-server.ts'
import { readModelSettings, type ModelSettings } from '../modules/models/model-settings.ts'
import type { S3Settings } from '../modules/files/s3-store.ts'
import { OBSERVABLE_FAULTS, type ObservableFault } from '../core/vocabulary/reply-guard.ts'
import {
  createSettingReader,
  type Environment,
  type SettingReader as Reader,
} from './setting-reader.ts'
import type { Setting } from './settings.ts'

/** The configuration of the process. */
export type Config = {
  isProduction: boolean
  host: string
  port: number
  /** Public origin of the service, without a trailing slash; hook URLs begin with it. */
  baseUrl: string
  /** Null for the embedded PostgreSQL in the data folder. */
  databaseUrl: string | null
  databasePool: number
  dataFolder: string
  /** Null when a key ring is generated in the data folder. */
  encryptionKeys: RingKey[] | null
  /** CIDR ranges that deliveries and calls may reach although they are not public. */
  egressAllow: string[]
  /** Public ranges (CIDR) that are never contacted, such as the operator's own. */
  egressDeny: string[]
  /** Lifetime of an idle connection, longer than the proxy keeps it. */
  keepAliveMs: number
  /** Projects of one account, in addition to its own company. */
  projectsPerAccount: number
  /** Time for which the service still serves requests after a stop signal, while `/readyz` reports the stop. */
  stopDelayMs: number
  /** CIDR ranges of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: string[]
  /** PEM certificates that are trusted besides the well-known authorities. */
  extraCaFile: string | null
  whatsApp: { baseUrl: string; apiVersion: string }
  telegram: { baseUrl: string }
  messenger: { baseUrl: string }
  instagram: { baseUrl: string }
  /** Null when numbers cannot be linked by QR code. */
  whatsAppQrBridge: { url: string; secret: string } | null
  /** The sample company with a simulated WhatsApp number and a receiver, created at the first start. */
  demonstration: {
    isOn: boolean
    /** True when the demonstration would be on without `only`. */
    isLeftOut: boolean
    simulatorPort: number
    /** The shop's API listens on the port after it. */
    receiverPort: number
  }
  /** The part that this process runs: the HTTP server or the workers; null for both. */
  only: 'http' | 'daemon' | null
  logLevel: string
  /** Null when notices are not mailed. */
  mail: MailServer | null
  /** Null when files are stored in the data folder. */
  filesS3: S3Settings | null
  /** The bearer token for `/metrics`. Null when no metrics are served. */
  metricsToken: string | null
  /** The code of this installation among several, in every token and address that names an account. */
  cell: string
  /** The operator's language model for accounts without their own, and the daily allowance of each. */
  models: ModelSettings
  /** Faults of a model's text that are only counted: the text is sent nevertheless. */
  guardObserves: ObservableFault[]
}

const FILES_S3 = {
  endpoint: 'FILES_S3_ENDPOINT',
  bucket: 'FILES_S3_BUCKET',
  region: 'FILES_S3_REGION',
  accessKeyId: 'FILES_S3_ACCESS_KEY_ID',
  secretAccessKey: 'FILES_S3_SECRET_ACCESS_KEY',
} as const satisfies Record<keyof S3Settings, Setting>

/** An invalid setting or command-line argument, with a message for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** The embedded server has 60 connections; the rest is for listeners and for the operator's commands. */
const EMBEDDED_POOL_MAX = 40

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/**
 * Returns the configuration that the environment and the command line describe.
 * @throws ConfigError naming every variable that is wrong, what it must be and what it is not.
 */
export function readConfig(
  env: Environment,
  argv: readonly string[],
  projectFolder: string,
): Config {
  const reader = createSettingReader(env)
  const { problems, text, integer, oneOf } = reader
  const isProduction =
    oneOf('NODE_ENV', ['production', 'development', 'test'], 'development') === 'production'
  const host = readHost(reader)
  const port = integer('PORT', 4080, 0, 65_535)
  const only = readOnlyArgument(reader, argv)
  const demonstration = readDemonstration(reader, { isProduction, only, port })
  const config: Config = {
    isProduction,
    host,
    port,
    dataFolder: path.resolve(projectFolder, text('DATA_FOLDER') ?? 'data'),
    only,
    demonstration,
    egressAllow: readEgressAllow(reader, { isProduction, isDemonstration: demonstration.isOn }),
    egressDeny: reader.ranges('EGRESS_DENY'),
    trustedProxies: reader.ranges('TRUSTED_PROXIES'),
    guardObserves: readGuardObserves(reader),
    extraCaFile: readExtraCaFile(reader),
    encryptionKeys: readEncryptionKeys(reader),
    ...readProviders(reader),
    mail: readMail(reader),
    metricsToken: readMetricsToken(reader),
    cell: readCell(reader),
    filesS3: readFilesS3(reader),
    ...readDatabase(reader),
    baseUrl: problems.some((problem) => problem.startsWith('HOST '))
      ? ''
      : readPublicUrl(reader, `http://${host.includes(':') ? `[${host}]` : host}:${port}`),
    keepAliveMs: integer('KEEP_ALIVE_SECONDS', 75, 1, 3_600) * 1_000,
    projectsPerAccount: integer('PROJECTS_PER_ACCOUNT', 20, 0, 10_000),
    stopDelayMs: integer('STOP_DELAY_SECONDS', isProduction ? 5 : 0, 0, 300) * 1_000,
    // With the demonstration on, a newcomer reads the terminal; an operator sets a level.
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, demonstration.isOn ? 'warn' : 'info'),
    models: readModelSettings(reader),
  }
  if (problems.length > 0) {
    throw new ConfigError(
      `Wasla cannot start with these settings:\n${problems.map((line) => `  - ${line}`).join('\n')}`,
    )
  }
  return config
}

function readHost({ text, wrong }: Reader): string {
  const host = text('HOST') ?? '127.0.0.1'
  if (isIP(host) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host)) {
    wrong(
      'HOST',
      `must be an IP address or host name of this machine, without a scheme, port or path, not "${host}"`,
    )
  }
  return host
}

/** Reads `--only=http` or `--only=daemon`, and refuses any other argument. */
function readOnlyArgument({ wrong }: Reader, argv: readonly string[]): Config['only'] {
  const unknown = argv.filter((argument) => !argument.startsWith('--only='))
  if (unknown.length > 0)
    wrong(unknown.join(' '), 'is not an option. Available: --only=http|daemon')
  const only = argv.find((argument) => argument.startsWith('--only='))?.slice(7) ?? null
  if (only === null || only === 'http' || only === 'daemon') return only
  wrong('--only', `must be http or daemon, not "${only}"`)
  return null
}

function readDemonstration(
  { integer, oneOf, wrong }: Reader,
  { isProduction, only, port }: Pick<Config, 'isProduction' | 'only' | 'port'>,
): Config['demonstration'] {
  const isWanted = oneOf('DEMONSTRATION', ['on', 'off'], isProduction ? 'off' : 'on') === 'on'
  // The demonstration needs one process that both serves HTTP and runs the workers.
  const isOn = isWanted && only === null
  // The ports of simulator and receiver follow PORT unless they are set.
  const after = (steps: number) => (port === 0 ? 0 : port + steps)
  const simulatorPort = integer('SIMULATOR_PORT', after(1), 0, 65_535)
  const receiverPort = integer('RECEIVER_PORT', after(2), 0, 65_534)
  if (isOn && Math.max(simulatorPort, receiverPort + 1) > 65_535) {
    wrong(
      'PORT',
      "must be 65532 or less with the demonstration on: its simulator, its receiver and the shop's API take the three ports after it, and the shop's website the fourth if there is one; or set SIMULATOR_PORT and RECEIVER_PORT",
    )
  }
  return { isOn, isLeftOut: isWanted && !isOn, simulatorPort, receiverPort }
}

function readEgressAllow(
  { ranges, text, wrong }: Reader,
  { isProduction, isDemonstration }: { isProduction: boolean; isDemonstration: boolean },
): string[] {
  // The demonstration's receiver is on this machine. Without the demonstration only public addresses are allowed.
  const allowed = ranges('EGRESS_ALLOW', isDemonstration ? ['127.0.0.1/32'] : [])
  if (isProduction && allowed.length > 0 && text('EGRESS_ALLOW_IN_PRODUCTION') !== '1') {
    wrong(
      'EGRESS_ALLOW',
      'lets deliveries and calls reach addresses that are not public; with NODE_ENV=production it also needs EGRESS_ALLOW_IN_PRODUCTION=1',
    )
  }
  return allowed
}

function readGuardObserves({ text, wrong }: Reader): ObservableFault[] {
  const observed = (text('GUARD_OBSERVE') ?? '').split(',').map((fault) => fault.trim())
  for (const fault of observed) {
    if (fault !== '' && !OBSERVABLE_FAULTS.some((one) => one === fault)) {
      wrong('GUARD_OBSERVE', `takes ${OBSERVABLE_FAULTS.join(', ')}, not "${fault}"`)
    }
  }
  return OBSERVABLE_FAULTS.filter((fault) => observed.includes(fault))
}

function readExtraCaFile({ text, wrong }: Reader): string | null {
  const file = text('EXTRA_CA_FILE')
  if (file === null) return null
  try {
    if (!readFileSync(file, 'utf8').includes('-----BEGIN CERTIFICATE-----')) {
      wrong('EXTRA_CA_FILE', `points to a file without a certificate in PEM: "${file}"`)
    }
  } catch {
    wrong('EXTRA_CA_FILE', `points to a file that cannot be read: "${file}"`)
  }
  return file
}

function readEncryptionKeys({ text, wrong }: Reader): RingKey[] | null {
  const keys = text('ENCRYPTION_KEYS')
  try {
    return keys === null ? null : readKeys(keys)
  } catch (error) {
    wrong('ENCRYPTION_KEYS', `cannot be read: ${(error as Error).message}`)
    return null
  }
}

function readProviders(reader: Reader) {
  const { text, wrong } = reader
  const apiVersion = text('WHATSAPP_API_VERSION') ?? 'v25.0'
  if (!/^v\d+\.\d+$/.test(apiVersion)) {
    wrong('WHATSAPP_API_VERSION', `must look like v25.0, not "${apiVersion}"`)
  }
  const url = (name: Setting, real: string) => reader.url(name, real, ['https:', 'http:'])
  return {
    whatsApp: { baseUrl: url('WHATSAPP_BASE_URL', 'https://graph.facebook.com'), apiVersion },
    telegram: { baseUrl: url('TELEGRAM_BASE_URL', 'https://api.telegram.org') },
    messenger: { baseUrl: url('MESSENGER_BASE_URL', 'https://graph.facebook.com') },
    instagram: { baseUrl: url('INSTAGRAM_BASE_URL', 'https://graph.instagram.com') },
    whatsAppQrBridge: readBridge(reader),
  } satisfies Partial<Config>
}

/** Reads the settings of the bridge: both or neither. No message repeats the secret. */
function readBridge({ text, wrong }: Reader): Config['whatsAppQrBridge'] {
  const [url, secret] = [text('WHATSAPP_QR_BRIDGE'), text('WHATSAPP_QR_BRIDGE_SECRET')]
  if (url === null && secret === null) return null
  if (url === null)
    wrong('WHATSAPP_QR_BRIDGE', 'is required too: set both bridge settings or neither')
  else if (!/^unix:\/./.test(url) && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    wrong('WHATSAPP_QR_BRIDGE', `must start with http://, https:// or unix:/, not "${url}"`)
  }
  if (secret === null || secret.length < 32) {
    wrong('WHATSAPP_QR_BRIDGE_SECRET', 'must be at least 32 characters long')
  }
  return { url: url ?? '', secret: secret ?? '' }
}

/** Reads the mail settings: both or neither. No message repeats the URL, which may contain a password. */
function readMail({ text, wrong }: Reader): MailServer | null {
  const [url, from] = [text('SMTP_URL'), text('MAIL_FROM')]
  const server = url === null ? null : readSmtpUrl(url)
  if (url !== null && server === null) {
    wrong(
      'SMTP_URL',
      'must look like smtps://user:password@host:465, with special characters percent-encoded',
    )
  }
  if ((url === null) !== (from === null)) {
    wrong(
      url === null ? 'SMTP_URL' : 'MAIL_FROM',
      'is required too: set both SMTP_URL and MAIL_FROM or neither',
    )
  }
  if (from !== null && !isSender(from)) {
    wrong('MAIL_FROM', 'must be an address, or Name <address>, in ASCII')
  }
  return server && from !== null ? { ...server, from } : null
}

/** Reads the token for `/metrics`. No message repeats it: it is a secret, however short. */
function readMetricsToken({ text, wrong }: Reader): string | null {
  const token = text('METRICS_TOKEN')
  const form = 'must be at least 20 characters long and contain only letters, digits and -._~+/='
  if (token !== null && !/^[\w.~+/=-]{20,}$/.test(token)) wrong('METRICS_TOKEN', form)
  return token
}

function readCell({ text, wrong }: Reader): string {
  const code = text('CELL_CODE') ?? DEFAULT_CELL
  if (!isCellCode(code)) wrong('CELL_CODE', 'must be two lower-case letters or digits')
  return code
}

/** Reads the settings of the object store: all of them or none. Messages repeat no value, because one is a secret. */
function readFilesS3({ text, wrong }: Reader): S3Settings | null {
  const names = Object.values(FILES_S3)
  const missing = names.filter((name) => text(name) === null)
  if (missing.length === names.length) return null
  for (const name of missing) {
    wrong(name, 'is required too: set all five FILES_S3_… settings or none')
  }
  const url = URL.parse(text(FILES_S3.endpoint) ?? 'https://none')
  const isEndpoint =
    url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.username
  if (!isEndpoint) {
    wrong(FILES_S3.endpoint, 'must be an https:// or http:// URL without a path or password')
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text(FILES_S3.bucket) ?? 'none')) {
    wrong(
      FILES_S3.bucket,
      'must be a bucket name: 3 to 63 lower-case letters, digits, dots and hyphens',
    )
  }
  const read = (name: Setting) => text(name) ?? ''
  return {
    endpoint: read(FILES_S3.endpoint).replace(/\/+$/, ''),
    bucket: read(FILES_S3.bucket),
    region: read(FILES_S3.region),
    accessKeyId: read(FILES_S3.accessKeyId),
    secretAccessKey: read(FILES_S3.secretAccessKey),
  }
}

function readDatabase({ text, integer, wrong }: Reader) {
  const databaseUrl = text('DATABASE_URL')
  const whyNot = databaseUrl === null ? null : whyNoDatabaseUrl(databaseUrl)
  if (whyNot !== null) wrong('DATABASE_URL', whyNot)
  const databasePool = integer('DATABASE_POOL', 16, 4, 200)
  if (databaseUrl === null && databasePool > EMBEDDED_POOL_MAX) {
    const why = 'without DATABASE_URL: the embedded PostgreSQL has no more connections'
    wrong('DATABASE_POOL', `must be at most ${EMBEDDED_POOL_MAX} ${why}`)
  }
  return { databaseUrl, databasePool }
}

/** Returns the public origin. All paths below it are the service's own. */
function readPublicUrl({ text, wrong }: Reader, fallback: string): string {
  const parsed = URL.parse(text('BASE_URL') ?? fallback)
  if (parsed && /^https?:\/\/[^/@?#]+\/$/.test(parsed.href)) return parsed.origin
  wrong('BASE_URL', 'must look like https://hooks.example.com, with no path, username or password')
  return ''
}
