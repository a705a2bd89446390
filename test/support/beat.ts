/** In each worker, for each file: tells the watchdog which file it is, and that the worker lives. */
import { utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, inject } from 'vitest'
import { BEAT_MS } from './watchdog.ts'

const beating = globalThis as { waslaBeat?: NodeJS.Timeout }

const place = path.join(inject('beats'), String(process.pid))
writeFileSync(place, expect.getState().testPath ?? 'a file that has no name')
// A worker that goes on to the next file begins anew.
clearInterval(beating.waslaBeat)
beating.waslaBeat = setInterval(() => {
  try {
    utimesSync(place, new Date(), new Date())
  } catch {
    // The run is over, and the watchdog with it.
  }
}, BEAT_MS).unref()
