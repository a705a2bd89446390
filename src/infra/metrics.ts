/**
 * The operator's metrics: counters that modules increment, and gauges that are read at a scrape. Each service has its
 * own registry. Labels carry only words of the vocabulary, never a token, URL, phone or name.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { SIGN_IN_FAILURES, type SignInFailure } from '../core/vocabulary/accounts.ts'
import { ATTEMPT_ERRORS, type AttemptError } from '../core/vocabulary/deliveries.ts'
import { GUARD_FAULTS, type GuardOutcome } from '../core/vocabulary/reply-guard.ts'
import { HOOK_STATUSES, type HookStatus } from '../core/vocabulary/hooks.ts'

/** Counters of the delivery engine. Times are in milliseconds. */
export type DeliveryMeter = {
  /** Counts a recorded attempt. `sinceDueMs` is null for retries and tests. */
  attempted(attempt: {
    error: AttemptError | null
    durationMs: number
    sinceClaimMs: number
    sinceDueMs: number | null
  }): void
  /** Counts an attempt whose claim had expired before its outcome was recorded. */
  recordedStale(): void
  /** Counts claims that were released because their workers died or were stuck. */
  leasesExpired(count: number): void
}

/** Values that a scrape reads from the database. Ages in seconds, null when there is none. */
export type WaitingFigures = {
  oldestSeconds: { due: number | null; postponed: number | null; held: number | null }
  counts: { due: number; scheduled: number; held: number }
}

type Sockets = { sockets: number; idle: number; waiting: number }

/** The functions from which a scrape reads gauges. */
export type GaugeSources = {
  /** Rejects when the database does not answer in time: its gauges are then left out. */
  readWaiting(): Promise<WaitingFigures>
  deliveriesInFlight(): number
  runsInFlight(): number
  /** Sockets by the name of the outbound client. */
  outbound: Record<string, () => Sockets>
}

/** The metrics of one service. */
export type Metrics = {
  deliveries: DeliveryMeter
  /** Counts a response of a hook URL. `address_limited` is a refusal in plain text, before any check. */
  hookAnswered(status: HookStatus | 'address_limited'): void
  signInFailed(failure: SignInFailure): void
  /** Counts a checked text of the assistant's model. */
  guarded(outcome: GuardOutcome): void
  /** Reads the gauges and writes everything in the text format of Prometheus. */
  write(sources: GaugeSources): Promise<string>
  contentType: string
  stop(): void
}

const DELAY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
const LAG_RESOLUTION_MS = 20
const NANOSECONDS = 1e9

const RESOLUTION_S = LAG_RESOLUTION_MS / 1_000

/** Creates the registry with all counters and gauges. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const waiting = gaugeWaiting(registry)
  const inProcess = gaugeProcess(registry)
  return {
    deliveries: countDeliveries(registry),
    ...countAnswers(registry),
    async write(sources) {
      await waiting.read(sources.readWaiting)
      inProcess.read(sources)
      return registry.metrics()
    },
    contentType: registry.contentType,
    stop: inProcess.stop,
  }
}

function countDeliveries(registry: Registry): Metrics['deliveries'] {
  const registers = [registry]
  const histogram = (name: string, help: string) =>
    new Histogram({ name, help, buckets: DELAY_SECONDS, registers })
  const attempts = new Counter({
    name: 'wasla_delivery_attempts_total',
    help: 'Attempts that were recorded, by the word of the delivery log; none: delivered',
    labelNames: ['outcome', 'error'],
    registers,
  })
  const attemptSeconds = histogram('wasla_delivery_attempt_seconds', 'How long an attempt took')
  const claimSeconds = histogram(
    'wasla_delivery_claim_to_send_seconds',
    'From the claim of a delivery to the start of its attempt',
  )
  const commitSeconds = histogram(
    'wasla_delivery_commit_to_first_attempt_seconds',
    'From the commit of an event, or the release of a held one, to the first attempt',
  )
  const leaseExpiries = new Counter({
    name: 'wasla_delivery_lease_expiries_total',
    help: 'Claims that ended before their attempt was recorded',
    registers,
  })
  const staleOutcomes = new Counter({
    name: 'wasla_delivery_late_settles_total',
    help: 'Attempts that ended after their claim had gone to another worker',
    registers,
  })
  // Series begin at 0, so that a first failure is seen as an increase.
  attempts.inc({ outcome: 'delivered', error: 'none' }, 0)
  for (const error of ATTEMPT_ERRORS) attempts.inc({ outcome: outcomeOf(error), error }, 0)
  return {
    attempted({ error, durationMs, sinceClaimMs, sinceDueMs }) {
      attempts.inc({ outcome: outcomeOf(error), error: error ?? 'none' })
      attemptSeconds.observe(durationMs / 1_000)
      claimSeconds.observe(Math.max(0, sinceClaimMs) / 1_000)
      if (sinceDueMs !== null) commitSeconds.observe(Math.max(0, sinceDueMs) / 1_000)
    },
    recordedStale: () => staleOutcomes.inc(),
    leasesExpired: (count) => leaseExpiries.inc(count),
  }
}

function countAnswers(
  registry: Registry,
): Pick<Metrics, 'hookAnswered' | 'signInFailed' | 'guarded'> {
  const registers = [registry]
  const hookAnswers = new Counter({
    name: 'wasla_hook_answers_total',
    help: 'Answers of hook URLs, by the status of the answer',
    labelNames: ['status'],
    registers,
  })
  const signInFailures = new Counter({
    name: 'wasla_sign_in_failures_total',
    help: 'Sign-ins that failed, by the code of the answer',
    labelNames: ['failure'],
    registers,
  })
  const guarded = new Counter({
    name: 'wasla_guard_total',
    help: 'Texts of models that were checked, by the outcome and the fault; none: nothing was wrong',
    labelNames: ['verdict', 'fault'],
    registers,
  })
  for (const status of [...HOOK_STATUSES, 'address_limited']) hookAnswers.inc({ status }, 0)
  for (const failure of SIGN_IN_FAILURES) signInFailures.inc({ failure }, 0)
  guarded.inc({ verdict: 'sent', fault: 'none' }, 0)
  for (const fault of GUARD_FAULTS) guarded.inc({ verdict: 'repaired', fault }, 0)
  return {
    hookAnswered: (status) => hookAnswers.inc({ status }),
    signInFailed: (failure) => signInFailures.inc({ failure }),
    guarded: ({ verdict, fault }) => guarded.inc({ verdict, fault: fault ?? 'none' }),
  }
}

function gaugesOf(registry: Registry) {
  return <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
}

/** Registers gauges of waiting deliveries, read from the database at a scrape. Returns their reader. */
function gaugeWaiting(registry: Registry) {
  const gauge = gaugesOf(registry)
  const oldest = gauge(
    'wasla_deliveries_oldest_seconds',
    'Age of the oldest delivery that is due; postponed: due, but its endpoint fails and has one slot; held: its endpoint is off',
    ['state'],
  )
  const waiting = gauge(
    'wasla_deliveries_waiting',
    'Deliveries that wait, counted up to 100,000; scheduled: their next attempt is due later',
    ['state'],
  )
  const databaseRead = gauge(
    'wasla_database_read',
    '1 when the gauges of waiting deliveries could be read at this scrape',
  )
  return {
    async read(readWaiting: GaugeSources['readWaiting']): Promise<void> {
      oldest.reset()
      waiting.reset()
      databaseRead.set(0)
      const read = await readWaiting().catch(() => null)
      if (read === null) return
      databaseRead.set(1)
      for (const [state, seconds] of Object.entries(read.oldestSeconds)) {
        oldest.set({ state }, seconds ?? 0)
      }
      for (const [state, count] of Object.entries(read.counts)) waiting.set({ state }, count)
    },
  }
}

/** Registers gauges of this process's load. Returns their reader. */
function gaugeProcess(registry: Registry) {
  const gauge = gaugesOf(registry)
  const inFlight = gauge('wasla_deliveries_in_flight', 'Attempts in progress in this process')
  const runs = gauge('wasla_runs_in_flight', 'Advances of runs in progress in this process')
  const sockets = gauge(
    'wasla_outbound_sockets',
    'Connections to merchants, by outbound client; waiting: calls that wait for one',
    ['client', 'state'],
  )
  const memory = gauge('wasla_process_memory_bytes', 'Memory of this process', ['kind'])
  const lag = gauge(
    'wasla_event_loop_lag_seconds',
    'How late the event loop was since the last scrape',
    ['quantile'],
  )
  const loop = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
  loop.enable()
  return {
    read({ deliveriesInFlight, runsInFlight, outbound }: GaugeSources): void {
      inFlight.set(deliveriesInFlight())
      runs.set(runsInFlight())
      for (const [client, read] of Object.entries(outbound)) {
        const now = read()
        sockets.set({ client, state: 'open' }, now.sockets)
        sockets.set({ client, state: 'idle' }, now.idle)
        sockets.set({ client, state: 'waiting' }, now.waiting)
      }
      const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
      memory.set({ kind: 'resident' }, rss)
      memory.set({ kind: 'heap_used' }, heapUsed)
      memory.set({ kind: 'heap_total' }, heapTotal)
      memory.set({ kind: 'external' }, external)
      // The monitor includes its own interval; the excess is the lag.
      const late = (nanoseconds: number) =>
        Math.max(0, (Number.isFinite(nanoseconds) ? nanoseconds : 0) / NANOSECONDS - RESOLUTION_S)
      lag.set({ quantile: '0.5' }, late(loop.percentile(50)))
      lag.set({ quantile: '0.99' }, late(loop.percentile(99)))
      lag.set({ quantile: '1' }, late(loop.max))
      loop.reset()
    },
    stop: () => void loop.disable(),
  }
}

function outcomeOf(error: AttemptError | null): 'delivered' | 'gone' | 'failed' {
  if (error === null) return 'delivered'
  return error === 'gone' ? 'gone' : 'failed'
}
