/** The dependencies of every module: database, clock, ids and log. `create-service.ts` creates them once. */
import type { Logger } from 'pino'
import type { Clock } from '../core/clock.ts'
import type { Database } from './database/connect.ts'
import type { Ids } from '../core/ids.ts'

export type Context = {
  db: Database
  clock: Clock
  ids: Ids
  log: Logger
}
