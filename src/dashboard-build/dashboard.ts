/** The state of the dashboard: the served build, a build in progress, or the reason why there is none. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import type { Logger } from 'pino'
import { readBuildStep, type BuildStep } from './build-steps.ts'
import { hashSources } from './hash-sources.ts'
import { placesOf } from './places.ts'
import { readBuild, type Build } from './read-build.ts'

/** The dashboard as it can be served now. */
export type DashboardState =
  | { kind: 'ready'; build: Build }
  | { kind: 'preparing'; step: BuildStep | null }
  /** `why` is one line for the operator, null if no build was tried. */
  | { kind: 'missing'; why: string | null }

/** The dashboard of a project folder. */
export type Dashboard = {
  state(): Promise<DashboardState>
  /** Builds a stale dashboard in a child process. Never rejects; failures are logged. */
  prepare(): Promise<void>
  /** Ends a build in progress. */
  stop(): Promise<void>
}

/** The priority (nice value) of a build, below that of the service. */
const NICE = 10
/** Length of the end of a failed build's output that is logged. */
const MAX_OUTPUT_CHARS = 4_000
const NO_OUTPUT = 'It ended without a word.'

/** Creates the access to the dashboard's build, which it rebuilds when the sources have changed. */
export function createDashboard({ project, log }: { project: string; log: Logger }): Dashboard {
  const places = placesOf(project)
  let opening: Promise<DashboardState> | null = null
  let state: DashboardState | null = null
  let child: ChildProcess | null = null
  let isStopping = false

  async function look(why: string | null): Promise<DashboardState> {
    try {
      const build = await readBuild(places.build)
      return build ? { kind: 'ready', build } : { kind: 'missing', why }
    } catch (error) {
      return { kind: 'missing', why: error instanceof Error ? error.message : String(error) }
    }
  }

  async function open(): Promise<DashboardState> {
    opening ??= look(null)
    state ??= await opening
    return state
  }

  async function runBuild(): Promise<{ isBuilt: boolean; output: string }> {
    const program = path.join(places.project, 'scripts/build-dashboard.ts')
    const started = spawn(process.execPath, [program], {
      cwd: places.project,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    let output = ''
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-MAX_OUTPUT_CHARS)
        if (state?.kind === 'preparing') state.step = readBuildStep(output) ?? state.step
      })
    }
    try {
      if (started.pid !== undefined) os.setPriority(started.pid, NICE)
    } catch {
      // The child has ended already, or the system has no priorities.
    }
    try {
      const [code] = (await once(started, 'close')) as [number | null]
      return { isBuilt: code === 0, output }
    } catch (error) {
      return { isBuilt: false, output: String(error) }
    } finally {
      child = null
    }
  }

  async function prepare(): Promise<void> {
    const found = await open()
    const wanted = await hashSources(places.project)
    if (found.kind === 'ready' && (wanted === null || found.build.sources === wanted)) return
    if (wanted === null || isStopping) return
    state = { kind: 'preparing', step: null }
    const { isBuilt, output } = await runBuild()
    if (isStopping) return
    const why = isBuilt ? null : (output.trim().split('\n').at(-1) ?? NO_OUTPUT)
    state = await look(why)
    if (isBuilt) return
    log.error({ why, output }, 'dashboard build failed')
    if (state.kind === 'ready') log.warn('dashboard served as it was built before')
  }

  return {
    async state() {
      const known = await open()
      // A person may have run the build meanwhile.
      if (known.kind === 'missing') {
        const found = await look(known.why)
        // Meanwhile a build may have begun.
        if (state === known) state = found
      }
      return state ?? known
    },
    prepare: () =>
      prepare().catch((error: unknown) => {
        log.error({ err: error }, 'dashboard build failed to start')
        state = { kind: 'missing', why: null }
      }),
    async stop() {
      isStopping = true
      const ending = child
      if (!ending) return
      const ended = once(ending, 'close')
      ending.kill('SIGTERM')
      await ended
    },
  }
}
