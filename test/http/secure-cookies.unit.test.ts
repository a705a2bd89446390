import { Hono } from 'hono'
import { expect, test } from 'vitest'
import {
  writeDeviceCookie,
  writeSessionCookie,
} from '../../src/http/dashboard-api/session-cookie.ts'
import { writeSecurityHeaders } from '../../src/http/security-headers.ts'

async function answerAt(publicUrl: string) {
  const app = new Hono().get('/', (c) => {
    writeSecurityHeaders(c, publicUrl)
    writeSessionCookie(c, publicUrl, 'session')
    writeDeviceCookie(c, publicUrl, 'device')
    return c.text('')
  })
  const { headers } = await app.request('/')
  return { cookies: headers.getSetCookie(), transport: headers.get('strict-transport-security') }
}

test('At an HTTPS address a browser sends its cookies, and all requests, over HTTPS alone', async () => {
  const { cookies, transport } = await answerAt('https://wasla.example')
  expect(cookies).toEqual([
    '__Host-sid=session; Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=Lax',
    '__Host-device=device; Max-Age=15552000; Path=/; HttpOnly; Secure; SameSite=Lax',
  ])
  expect(transport).toBe('max-age=31536000')
})

test('On plain HTTP of this machine it sends them too', async () => {
  const { cookies, transport } = await answerAt('http://127.0.0.1:4080')
  expect(cookies).toEqual([
    'sid=session; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax',
    'device=device; Max-Age=15552000; Path=/; HttpOnly; SameSite=Lax',
  ])
  expect(transport).toBeNull()
})
