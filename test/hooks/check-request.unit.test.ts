import { expect, test } from 'vitest'
import type { AccountHold } from '../../src/core/vocabulary/accounts.ts'
import { checkHook, type HookState } from '../../src/modules/hooks/check-request.ts'

const MINUTE = /^This account is being moved to another server\. Try again in a minute\.$/

test.each<[AccountHold, string, RegExp]>([
  ['leaving', 'service_unavailable', MINUTE],
  ['arrived', 'service_unavailable', MINUTE],
  ['moved', 'account_moved', /^This account has moved to another server\./],
])('an account that is %s starts nothing, before any other check: %s', (hold, status, detail) => {
  const hook = { hold } as HookState['hook']
  const state = {
    isPaused: false,
    hook,
    urlRequest: 9_999,
    companyRequest: 9_999,
    definition: null,
  }
  const request = { token: 't', idempotencyKey: undefined, body: new Uint8Array() }
  expect(checkHook(request, state)).toEqual({
    result: { id: null, status, detail: expect.stringMatching(detail) },
    json: null,
  })
})
