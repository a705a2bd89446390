import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HOOK_LIMITS } from '../../src/core/limits/hooks.ts'
import { endWhenSlow } from '../../src/http/slow-requests.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Returns whether a request that never arrives completely is ended after its time. */
function isEnded(method: string, url: string): boolean {
  const end = vi.fn()
  const request = Object.assign(new EventEmitter(), { method, url, complete: false })
  Object.assign(request, { socket: { end, destroySoon: () => {} } })
  endWhenSlow(request as unknown as IncomingMessage, {} as ServerResponse)
  vi.advanceTimersByTime(HOOK_LIMITS.requestMs)
  request.emit('close')
  return end.mock.calls.length > 0
}

test.each([
  '/api/companies/1/files?name=menu.pdf',
  '/api/companies/1/knowledge/files?name=menu.pdf',
  '/api/companies/1/contact-imports?name=all.csv',
  '/widget/v1/uploads',
])('a file that is posted to %s may take longer than other requests', (url) => {
  expect(isEnded('POST', url)).toBe(false)
})

test.each([
  ['POST', '/hooks/a'],
  ['PATCH', '/api/companies/1/files'],
  ['POST', '/api/companies/1/contact-imports/2/check'],
  ['POST', '/api/companies/1/flows?of=/files'],
  ['POST', '/a/widget/v1/uploads'],
])('%s %s is ended when it has not arrived in its time', (method, url) => {
  expect(isEnded(method, url)).toBe(true)
})
