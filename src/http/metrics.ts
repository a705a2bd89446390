/**
 * `GET /metrics` in the text format of Prometheus, for clients with the operator's token. For all others, and where
 * no token is configured, the address does not exist.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { METRICS_LIMITS } from '../core/limits/deliveries.ts'
import type { Metrics, GaugeSources, WaitingFigures } from '../infra/metrics.ts'
import type { Context } from '../infra/context.ts'
import { measureWaiting } from '../modules/deliveries/measure-waiting.sql.ts'
import { within } from './within.ts'

/** The dependencies of `/metrics`. */
export type MetricsDeps = {
  metrics: Metrics
  /** The token that a scrape must send. Null while the metrics are switched off. */
  metricsToken: string | null
  /** Values that a scrape reads from the process. */
  sources: Omit<GaugeSources, 'readWaiting'>
}

/** Creates the handler of `/metrics`, which returns null when the client may not read it. */
export function createMetricsPage({
  db,
  clock,
  metrics,
  metricsToken,
  sources,
}: Pick<Context, 'db' | 'clock'> & MetricsDeps) {
  let reading: Promise<WaitingFigures> | null = null

  /** Reads once at a time, however many scrapes wait while the database is slow. */
  function readWaiting(): Promise<WaitingFigures> {
    reading ??= measureWaiting(db, clock.now()).finally(() => {
      reading = null
    })
    return within(reading, METRICS_LIMITS.withinMs)
  }

  return async function writeMetrics(authorization: string | undefined): Promise<string | null> {
    if (metricsToken === null || !hasToken(authorization, metricsToken)) return null
    return metrics.write({ ...sources, readWaiting })
  }
}

/**
 * Returns whether the header has the token. It compares digests, so that the time reveals nothing about the token, not
 * even its length.
 */
function hasToken(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
