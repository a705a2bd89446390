/** Starts the watchdog over the workers before all tests, and stops it after the last one. */
import type { TestProject } from 'vitest/node'
import { startWatchdog } from './watchdog.ts'

/** The longest time-out of a test, for a hundred kills, ends before. */
const WATCHDOG_LIMITS = { silentMs: 60_000, fileMs: 40 * 60_000 }

export default function setUp(project: TestProject): () => void {
  const watchdog = startWatchdog(WATCHDOG_LIMITS)
  project.provide('beats', watchdog.beats)
  return watchdog.stop
}
