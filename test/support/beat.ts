/**
 * Runs in each worker, for each file: writes down which file the worker runs, and that the worker lives, for
 * the watchdog.
 */
import { utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, inject } from 'vitest'
import { BEAT_MS } from './watchdog.ts'

const beating = globalThis as { waslaBeat?: NodeJS.Timeout }

const place = path.join(inject('beats'), String(process.pid))
writeFileSync(place, expect.getState().testPath ?? 'a file that has no name')
// The timer of the previous file of this worker ends here.
clearInterval(beating.waslaBeat)
beating.waslaBeat = setInterval(() => {
  try {
    utimesSync(place, new Date(), new Date())
  } catch {
    // The run is over, and the watchdog with it.
  }
}, BEAT_MS).unref()
