import { expect, test } from 'vitest'
import { validateHeaderName } from '../../../src/rules/calls/call-headers.ts'

const OF_PROXIES = `Via X-Real-IP CF-Connecting-IP CF-IPCountry True-Client-IP X-Client-IP Forwarded
  X-Forwarded-For X-Forwarded-Anything X-Original-URL X-Rewrite-URL Fastly-Client-IP X-Cluster-Client-IP CDN-Loop
  X-Envoy-External-Address`.split(/\s+/)

test.each(OF_PROXIES)(
  '%s identifies the caller or the destination of a request, and cannot be set',
  (name) => {
    expect(validateHeaderName(name)).toBe('not_settable')
    expect(validateHeaderName(name.toLowerCase())).toBe('not_settable')
  },
)

const SETTABLE = ['X-Api-Key', 'X-Shop', 'Accept', 'X-Request-Id', 'CFO-Name', 'X-Via']
test.each(SETTABLE)('%s can be set', (name) => {
  expect(validateHeaderName(name)).toBeNull()
})
