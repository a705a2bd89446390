/**
 * `GET /metrics` in the text format of Prometheus, for who bears the operator's token. For anybody
 * else, and where no token is configured, there is nothing at this address.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { MEASURE } from '../core/limits/deliveries.ts'
import type { Metrics, Sources, Waiting } from '../infra/metrics.ts'
import type { Context } from '../infra/context.ts'
import { measureWaiting } from '../modules/deliveries/measure-waiting.sql.ts'

export type MetricsDeps = {
  metrics: Metrics
  /** Null: nobody may read them. */
  metricsToken: string | null
  /** What is read from the process at a scrape. */
  sources: Omit<Sources, 'readWaiting'>
}

/** Returns what to answer, or null when there is nothing here for the one who asks. */
export function createMetricsPage({
  db,
  clock,
  metrics,
  metricsToken,
  sources,
}: Pick<Context, 'db' | 'clock'> & MetricsDeps) {
  let reading: Promise<Waiting> | null = null

  /** One reading at a time, however many ask while the database is slow. */
  function readWaiting(): Promise<Waiting> {
    reading ??= measureWaiting(db, clock.now()).finally(() => {
      reading = null
    })
    return within(reading, MEASURE.withinMs)
  }

  return async function writeMetrics(authorization: string | undefined): Promise<string | null> {
    if (metricsToken === null || !bears(authorization, metricsToken)) return null
    return metrics.write({ ...sources, readWaiting })
  }
}

/** Compares digests, so that the time tells nothing about the token, not even its length. */
function bears(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}

function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the database did not answer in time')), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
