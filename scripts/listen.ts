/**
 * Passes the demonstration's events on to another receiver on this machine:
 *
 *   npm run listen -- http://localhost:8080/webhooks
 *
 * The service delivers only to public https addresses. This program takes the place of the demonstration's receiver:
 * it listens on loopback with that receiver's certificate, registers an additional endpoint, and deletes it at its
 * end. It works only in the demonstration.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pino } from 'pino'
import { createKeyRing } from '../src/infra/secrets/key-ring.ts'
import { loadKeys } from '../src/infra/secrets/load-keys.ts'
import { createClock } from '../src/core/clock.ts'
import { readConfig, type Config } from '../src/app/config.ts'
import { openDatabaseForCommand } from '../src/infra/database/open-for-command.ts'
import { transaction } from '../src/infra/database/transaction.ts'
import { DEMONSTRATION_COMPANY, removeEndpointsAt } from '../demonstration/create-demonstration.ts'
import { demonstrationFiles, readLine, writePrivately } from '../demonstration/files.ts'
import { createIds, systemRandom } from '../src/core/ids.ts'
import { createLog } from '../src/infra/log.ts'
import { isLoopbackHost } from '../src/http/dashboard-api/own-origin.ts'
import { stopOnSignals } from '../src/app/stop-signals.ts'
import { EVENT_TYPES } from '../src/core/vocabulary/events.ts'
import { createEndpoint } from '../src/modules/endpoints/create-endpoint.ts'
import { startForwarder, type Forwarded } from './listen/forward.ts'

const PATH = '/listen'
const ASK_MS = 5_000

/**
 * Returns the URL that the command line names.
 * @throws Error when it is no http URL of this machine.
 */
function readTarget(words: readonly string[]): URL {
  const [word = ''] = words
  const target = URL.parse(word)
  const usage = 'Usage: npm run listen -- http://localhost:8080/webhooks'
  if (words.length !== 1 || target === null) throw new Error(usage)
  if (target.protocol !== 'http:' || !isLoopbackHost(target.hostname)) {
    throw new Error(
      `"${word}" must start with http:// and name this machine (localhost, 127.0.0.1 or [::1]).\n${usage}`,
    )
  }
  return target
}

/**
 * Checks that a service runs here with its demonstration.
 * @throws Error when no service runs here with a demonstration.
 */
async function requireDemonstration(config: Config): Promise<void> {
  if (!config.demonstration.isOn) {
    throw new Error(
      'npm run listen is for the demonstration, which is off here: DEMONSTRATION=off or NODE_ENV=production. Elsewhere, register an https endpoint.',
    )
  }
  const settings = 'Run both with the same settings (PORT, SIMULATOR_PORT, DATA_FOLDER).'
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host
  const service = `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`
  if ((await statusOf(`${service}/healthz`)) !== 200) {
    throw new Error(
      `Wasla does not run at ${service}. Start it in another terminal with npm start. ${settings}`,
    )
  }
  const page = `http://127.0.0.1:${config.demonstration.simulatorPort}/simulator`
  if (
    (await statusOf(page)) !== 200 ||
    !existsSync(demonstrationFiles(config.dataFolder).keyFile)
  ) {
    throw new Error(`The demonstration of ${service} was not found next to it. ${settings}`)
  }
}

async function statusOf(url: string): Promise<number | null> {
  // oxlint-disable-next-line no-restricted-globals -- a program beside the service, not a part of it
  const answer = await fetch(url, { signal: AbortSignal.timeout(ASK_MS) }).catch(() => null)
  return answer?.status ?? null
}

/**
 * Starts the forwarding server and registers it as an endpoint. Returns the endpoint's secret, and a function that
 * deletes the endpoint and stops the server.
 */
async function listen(config: Config, target: URL) {
  const files = demonstrationFiles(config.dataFolder)
  const clock = createClock()
  const forwarder = await startForwarder(
    {
      certificate: readFileSync(files.certificateFile, 'utf8'),
      key: readFileSync(files.keyFile, 'utf8'),
    },
    target,
    (forwarded) => console.log(lineOf(clock.now(), forwarded)),
  )
  const keyRing = createKeyRing(loadKeys(config, systemRandom), systemRandom)
  const { database, close } = await openDatabaseForCommand(config, createLog(pino, 'warn'))
  // The secret stays the same at every start, so that the receiver can keep running.
  const known = readLine(files.listenSecretFile)
  const { secret } = await transaction(database, async (tx) => {
    const now = clock.now()
    // A killed process has left its endpoint behind.
    await removeEndpointsAt(tx, now, PATH)
    return createEndpoint(
      tx,
      { ids: createIds(clock, systemRandom), keyRing, now },
      {
        companyId: DEMONSTRATION_COMPANY,
        name: `npm run listen, for ${target.host}`,
        url: `https://127.0.0.1:${forwarder.port}${PATH}`,
        eventTypes: EVENT_TYPES,
        ...(known ? { secret: known } : {}),
      },
    )
  })
  writePrivately(files.listenSecretFile, secret)
  return {
    secret,
    async stop() {
      forwarder.close()
      await transaction(database, (tx) => removeEndpointsAt(tx, clock.now(), PATH))
      await close()
    },
  }
}

function lineOf(at: Date, { type, eventId, outcome, durationMs }: Forwarded): string {
  const time = at.toTimeString().slice(0, 8)
  return `${time}  ${type.padEnd(22)}  ${eventId}  ${outcome}  ${durationMs.toFixed(0)} ms`
}

const projectFolder = path.join(import.meta.dirname, '..')
const envFile = path.join(projectFolder, '.env')
if (existsSync(envFile)) process.loadEnvFile(envFile)

try {
  const target = readTarget(process.argv.slice(2))
  const config = readConfig(process.env, [], projectFolder)
  await requireDemonstration(config)
  const listening = await listen(config, target)
  // Registered before anything is printed, because a reader may press Ctrl-C immediately.
  stopOnSignals(() => listening.stop())
  console.log(
    [
      `Every event of the demo shop is now forwarded to ${target.href}, signed with`,
      '',
      `  ${listening.secret}`,
      '',
      'The service sees the responses of your receiver. Press Ctrl-C to stop.',
      '',
    ].join('\n'),
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
