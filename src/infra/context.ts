/** What every room is given: the store, the time, new ids and the log. Made once, in `service.ts`. */
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
