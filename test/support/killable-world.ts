/**
 * A world that provides the database and the receiver, and whose own service does no work. Services in separate
 * processes do the work, and a test kills and restarts them. Everything is closed after the last test of the
 * file.
 */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll } from 'vitest'
import { makeFolder } from './own-folder.ts'
import { apiRequest, type Answer, type Member } from './dashboard.ts'
import { startSimulators, type WhatsAppOptions } from '../../simulators/index.ts'
import { freePort } from './free-port.ts'
import { createKillableService } from './killable-service.ts'
import { openWorld } from './open-world.ts'
import { connectionUrl, type World } from './test-service.ts'
import { waitUntil } from './wait.ts'

type Lives = {
  lives: number
  waitMs: number
  laterMs: number
  afterStart?: () => Promise<unknown>
}

/** Returns the settings by which a process finds a world's database and receiver; its files are in the folder. */
export function settingsOfProcess(
  world: World,
  folder: string,
  { port, encryptionKeys }: { port: number; encryptionKeys: string },
): Record<string, string> {
  const caFile = path.join(folder, 'ca.pem')
  writeFileSync(caFile, world.receiver.certificate)
  return {
    DATABASE_URL: connectionUrl(world.database.connection),
    DATABASE_POOL: '8',
    DATA_FOLDER: path.join(folder, String(port)),
    DEMONSTRATION: 'off',
    EGRESS_ALLOW: '127.0.0.0/8',
    EXTRA_CA_FILE: caFile,
    ENCRYPTION_KEYS: encryptionKeys,
    PORT: String(port),
    TRUSTED_PROXIES: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  }
}

type Program = Parameters<typeof createKillableService>[1]

export async function openKillableWorld(options: Parameters<typeof openWorld>[0] = {}) {
  const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`
  const world = await openWorld({ encryptionKeys, ...options })
  const folder = makeFolder('killable', afterAll)
  return {
    world,
    /** A service with these settings besides, which is not started yet. */
    async serve(more: Record<string, string> = {}, program?: Program) {
      const port = await freePort()
      const settings = settingsOfProcess(world, folder, { port, encryptionKeys })
      const service = createKillableService({ ...settings, ...more }, program)
      afterAll(() => service.stop())
      let aheadMs = 0
      /** Starts it again with its clock moved ahead by this time. */
      async function startLater(byMs = 0) {
        aheadMs += byMs
        await service.start({ CLOCK_AHEAD_MS: String(aheadMs) })
      }
      return {
        ...service,
        url: `http://127.0.0.1:${port}`,
        startLater,
        /**
         * Waits until `isSo` returns true. Until then it kills the process and restarts it with a later clock,
         * at most `lives` times. Rows that a killed process had claimed are due only when their leases have
         * ended.
         */
        async restartUntil(
          isSo: () => Promise<boolean>,
          { lives, waitMs, laterMs, afterStart }: Lives,
        ) {
          const comesSo = () =>
            waitUntil('it is over', isSo, { withinMs: waitMs, everyMs: 50 }).then(
              () => true,
              () => false,
            )
          for (let life = 0; !(await comesSo()) && life < lives; life += 1) {
            await service.kill()
            await startLater(laterMs)
            await afterStart?.()
          }
        },
      }
    },
  }
}

type KillableWorld = Awaited<ReturnType<typeof openKillableWorld>>
export type ServiceProcess = Awaited<ReturnType<KillableWorld['serve']>>

/** Starts the simulator of WhatsApp on the machine's clock, which the processes use too. It has no numbers yet. */
export async function openSimulator(options: WhatsAppOptions = {}) {
  const clock = { now: () => new Date() }
  const play = { whatsApp: { stepMs: 0, ...options } }
  const { whatsApp, close } = await startSimulators({ clock }, play)
  afterAll(close)
  return whatsApp
}

/**
 * Returns a member who repeats a request until it is answered without a fault, as people do whose server is
 * unavailable for a moment.
 */
export function insistentMember(service: { url: string }, { token }: Member): Pick<Member, 'ask'> {
  return {
    async ask<Body>(method: string, route: string, json?: unknown) {
      const asked = { json, headers: { authorization: `Bearer ${token}` } }
      let answer: Answer<Body> | null = null
      const isAnswered = async () => {
        answer = await apiRequest<Body>(service.url, method, route, asked).catch(() => null)
        return answer !== null && answer.status < 500
      }
      await waitUntil(`an answer to ${method} ${route}`, isAnswered, {
        withinMs: 60_000,
        everyMs: 20,
      })
      return answer!
    },
  }
}
