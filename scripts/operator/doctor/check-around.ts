/** The doctor's checks of the environment: this machine, the mail server, the public address. */
import { lookup } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { getCACertificates } from 'node:tls'
import type { Config } from '../../../src/app/config.ts'
import { createClock } from '../../../src/core/clock.ts'
import { checkStore } from '../../../src/modules/files/check-store.ts'
import { openFileStore } from '../../../src/modules/files/open-store.ts'
import { checkMailServer } from '../../../src/infra/mail/mailer.ts'
import { fault, ok, messageOf, warning, type Finding } from './finding.ts'
import { DOCTOR } from './thresholds.ts'

const NODE_MAJOR = 24

/** Checks the version of Node that runs this command. */
export function checkNode(): Promise<Finding> {
  const { node } = process.versions
  return Promise.resolve(
    Number.parseInt(node, 10) >= NODE_MAJOR
      ? ok('node', `${node} on ${process.platform}-${process.arch}`)
      : fault(
          'node',
          `${node}, but Node ${NODE_MAJOR} is required`,
          'Start with "npm start", or update Node',
        ),
  )
}

/** Checks the mail server by a connection and a sign-in, without sending. */
export async function checkMail({ mail, extraCaFile, isProduction }: Config): Promise<Finding> {
  if (mail === null) {
    return isProduction
      ? warning('mail', 'SMTP_URL is not set: notices stay in the dashboard', 'Set SMTP_URL')
      : ok('mail', 'SMTP_URL is not set: notices stay in the dashboard')
  }
  const extraCa = extraCaFile ? [readFileSync(extraCaFile, 'utf8')] : []
  try {
    await checkMailServer(mail, { extraCa, sendMs: DOCTOR.checkMs })
  } catch (error) {
    return fault(
      'mail',
      `${mail.host}:${mail.port}: ${messageOf(error)}`,
      'Check SMTP_URL against your mail provider: host, port, smtp or smtps, username and password',
    )
  }
  const how = mail.isTls ? 'over TLS' : mail.login ? 'over STARTTLS' : 'without a password'
  return ok('mail', `signed in to ${mail.host}:${mail.port} ${how}`)
}

/**
 * Checks the operator's public address, as merchants reach it. It may lead to this machine: no address guard applies,
 * because only the operator sets it.
 */
export async function checkAddress({
  baseUrl,
  isProduction,
  extraCaFile,
}: Config): Promise<Finding> {
  const url = URL.parse(`${baseUrl}/healthz`)!
  const blame = isProduction ? fault : warning
  if (url.protocol !== 'https:' && isProduction) {
    return fault(
      'address',
      `${baseUrl} is not https`,
      'Set BASE_URL to the public https:// address',
    )
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  try {
    await lookup(host)
  } catch (error) {
    return blame(
      'address',
      `${host} does not resolve (${messageOf(error)})`,
      'Check BASE_URL and its DNS records',
    )
  }
  const ca = extraCaFile
    ? [...getCACertificates('default'), readFileSync(extraCaFile, 'utf8')]
    : undefined
  const remedy = `Check that the service is running and that the proxy for ${baseUrl} forwards to it`
  try {
    const { status, isOurs } = await ask(url, ca)
    if (isOurs) return ok('address', `${url.href} is answered by this service`)
    return blame('address', `${url.href} returned ${status}, but not from this service`, remedy)
  } catch (error) {
    return blame('address', `${url.href}: ${messageOf(error)}`, remedy)
  }
}

/** Checks that trusted proxies are set where BASE_URL is https, because a proxy that ends TLS cannot be detected. */
export function checkProxies({ baseUrl, trustedProxies }: Config): Finding[] {
  if (trustedProxies.length > 0) return [ok('proxies', `${trustedProxies.join(', ')} are believed`)]
  if (!baseUrl.startsWith('https:')) return []
  return [
    warning(
      'proxies',
      'BASE_URL is https, and TRUSTED_PROXIES is not set: all clients share the limits of one address',
      'Set TRUSTED_PROXIES to the ranges from which your proxy connects',
    ),
  ]
}

/** Checks the file store by writing, reading and deleting a file. */
export async function checkFiles(config: Config): Promise<Finding> {
  const { filesS3, dataFolder } = config
  const where = filesS3
    ? `the bucket ${filesS3.bucket} at ${filesS3.endpoint}`
    : path.join(dataFolder, 'files')
  if (!filesS3 && !(await stat(dataFolder).catch(() => null))) {
    return ok('files', `${where}: created at the first start`)
  }
  const store = openFileStore(config, createClock())
  try {
    await checkStore(store, randomUUID())
    return ok('files', `${where}: wrote, read and deleted a test file`)
  } catch (error) {
    const remedy = filesS3
      ? 'Check the FILES_S3_… settings; the key needs permission to put, get and delete'
      : 'Check that this user can write there and that the disk is not full'
    return fault('files', `${where}: ${messageOf(error)}`, remedy)
  } finally {
    await store.close()
  }
}

const ANSWER_BYTES = 4_096

/** Requests the health of a service. `isOurs` is true when the response has the form of this service's. */
function ask(url: URL, ca: string[] | undefined): Promise<{ status: number; isOurs: boolean }> {
  return new Promise((resolve, reject) => {
    const options = { signal: AbortSignal.timeout(DOCTOR.checkMs / 2), agent: false as const, ca }
    const asking = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options)
    asking.once('error', reject)
    asking.once('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
        if (text.length > ANSWER_BYTES) answer.destroy()
      })
      answer.once('error', reject)
      answer.once('close', () => {
        const isOurs =
          answer.statusCode === 200 &&
          text === '{"status":"ok"}' &&
          String(answer.headers['x-request-id']).startsWith('req_')
        resolve({ status: answer.statusCode ?? 0, isOurs })
      })
    })
    asking.end()
  })
}

const GIGABYTE = 1_073_741_824

/** Checks the free space of the data folder, or of its nearest existing parent. */
export async function checkDisk(
  { dataFolder, databaseUrl }: Config,
  databaseBytes: number | null,
): Promise<Finding> {
  let folder = dataFolder
  while (!(await stat(folder).catch(() => null)) && path.dirname(folder) !== folder) {
    folder = path.dirname(folder)
  }
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const size = databaseBytes === null ? '' : `; the database uses ${inGigabytes(databaseBytes)}`
  const where = databaseUrl ? `${folder} (the server of DATABASE_URL has its own disk)` : folder
  const detail = `${inGigabytes(free)} free at ${where}${size}`
  const remedy = 'Free some space: with a full disk, the database cannot store anything'
  if (free < DOCTOR.diskFaultBytes) return fault('disk', detail, remedy)
  return free < DOCTOR.diskWarningBytes ? warning('disk', detail, remedy) : ok('disk', detail)
}

const inGigabytes = (bytes: number) => `${(bytes / GIGABYTE).toFixed(2)} GB`
