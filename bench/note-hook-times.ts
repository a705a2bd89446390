/**
 * Preloaded into the service: writes down each hook's time, from reading its head to writing the end of its response,
 * and how busy the process was in each second.
 */
import { subscribe } from 'node:diagnostics_channel'
import { renameSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'

/**
 * Times and loads, each with the time of recording in ms since 1970. `busy` is the share of time that the event loop
 * worked.
 */
export type NotedTimes = { hooks: [at: number, ms: number][]; busy: [at: number, share: number][] }

const file = process.env.HOOK_TIMES_FILE!
const noted: NotedTimes = { hooks: [], busy: [] }
const began = new WeakMap<object, number>()
subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage }
  if (request.url?.startsWith('/hooks/')) began.set(request, performance.now())
})
subscribe('http.server.response.finish', (message) => {
  const at = began.get((message as { request: IncomingMessage }).request)
  if (at !== undefined) noted.hooks.push([Date.now(), performance.now() - at])
})
let before = performance.eventLoopUtilization()
setInterval(() => {
  const now = performance.eventLoopUtilization()
  noted.busy.push([Date.now(), performance.eventLoopUtilization(now, before).utilization])
  before = now
  writeFileSync(`${file}.new`, JSON.stringify(noted))
  renameSync(`${file}.new`, file)
}, 1_000).unref()
