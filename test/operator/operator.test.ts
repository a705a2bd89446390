import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { isPassword } from '../../src/modules/accounts/password.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { freePort } from '../support/free-port.ts'
import { OPERATOR_KEYS, runOperator, settingsFor, startOperator } from '../support/operator.ts'
import { signedIn } from '../support/dashboard.ts'
import { createShop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'
import { auditLog } from '../support/records/audit.ts'
import { deliveriesOf, putDeliveries } from '../support/records/deliveries.ts'
import { personWith } from '../support/records/members.ts'
import { putRun, runsOf } from '../support/records/runs.ts'
import { waysInOf } from '../support/records/ways-in.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld({ encryptionKeys: OPERATOR_KEYS })
const shop = await createShop(world)
const env = settingsFor(world.database.connection, tmpdir())

async function operator(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runOperator(env, words)
  if (code !== 0) throw new Error(stderr)
  return stdout
}

describe('the operator', () => {
  systemTest(
    'types a command: its process prints, and ends with 0, or with 1 and the reason',
    async () => {
      const type = async (...words: string[]) => {
        const child = startOperator(env, words)
        const [[code], printed, complaint] = await Promise.all([
          once(child, 'exit'),
          text(child.stdout!),
          text(child.stderr!),
        ])
        return { code, printed, complaint }
      }
      const [status, nothing, wrong] = await Promise.all([
        type('status'),
        type(),
        type('set-plan', shop.accountId, 'gold'),
      ])
      expect(status).toMatchObject({ code: 0, complaint: '' })
      expect(status.printed).toMatch(/^hooks +running$/m)
      expect(nothing).toMatchObject({ code: 1, printed: '' })
      expect(nothing.complaint).toMatch(/^Commands:\n {2}status\n/)
      expect(wrong).toMatchObject({ code: 1, printed: '' })
      expect(wrong.complaint).toBe(
        '"gold" is not a plan. Use one of: free, starter, pro, business.\n',
      )
    },
  )

  test('pauses the hooks of the running service, sees it, and lets them go on', async () => {
    expect(await operator('status')).toMatch(/^hooks +running$/m)
    expect(await operator('pause-hooks')).toContain('paused')
    expect(await postHook(shop.hookUrl)).toMatchObject({ http: 503, status: 'service_unavailable' })
    expect(await operator('status')).toMatch(/^hooks +paused since \d{4}-\d\d-\d\dT.*Z$/m)
    const since = await operator('status')
    await operator('pause-hooks')
    expect(await operator('status')).toBe(since)
    expect(await operator('resume-hooks')).toContain('running')
    expect(await postHook(shop.hookUrl)).toMatchObject({ http: 202, status: 'accepted' })
  })

  test('sees what waits and since when', async () => {
    const [run] = await runsOf(world, shop)
    await putRun(world, run!.id, { dueAt: new Date('2020-01-02T03:04:05.000Z') })
    const [first, ...others] = (await deliveriesOf(world, shop)).map(({ id }) => id)
    await putDeliveries(world, [first!], { state: 'held', dueAt: null })
    await putDeliveries(world, others, { dueAt: new Date('2020-02-01T00:00:00.000Z') })
    const status = await operator('status')
    expect(status).toMatch(/^accounts +1$/m)
    expect(status).toMatch(/^companies +1$/m)
    expect(status).toMatch(/^runs due +1$/m)
    expect(status).toMatch(/^deliveries pending +1$/m)
    expect(status).toMatch(/^deliveries held +1$/m)
    expect(status).toMatch(/^oldest due +2020-01-02T03:04:05.000Z$/m)
  })

  test('gives an account its own number of templates a day, and its plan’s again', async () => {
    const { accountId } = shop
    const ask = async () => {
      const phone = '+966501239999'
      const body = { ...ORDER, customer: { ...ORDER.customer, phone } }
      return (await postHook(shop.hookUrl, body)).status
    }
    await operator('set-templates-per-day', accountId, '0')
    expect(await ask()).toBe('not_in_plan')
    await operator('set-templates-per-day', accountId, 'plan')
    expect(await ask()).toBe('accepted')
    const byService = { accountId, actorKind: 'service', actorId: null }
    expect(await auditLog(world, { action: 'account.templates_per_day_changed' })).toMatchObject([
      { ...byService, detail: { from: null, to: 0 } },
      { ...byService, detail: { from: 0, to: null } },
    ])
    await expect(operator('set-templates-per-day', accountId, 'many')).rejects.toThrow(
      '"many" is not valid. Use a whole number, or "plan"',
    )
  })

  test('puts an account on another plan', async () => {
    await operator('set-plan', shop.accountId, 'starter')
    expect(await operator('list-accounts')).toContain(`${shop.accountId}  starter`)
    expect((await postHook(shop.hookUrl)).status).toBe('not_in_plan')
    await operator('set-plan', shop.accountId, 'business')
    expect(await auditLog(world, { action: 'account.plan_changed' })).toHaveLength(2)
  })

  test('gives a person a password that is shown once: their sessions end and the audit says so', async () => {
    const { accountId } = shop
    const sara = await signedIn(world, { accountId, email: 'Sara@example.com' })
    const { personId } = sara
    const told = await operator('reset-password', 'sara@EXAMPLE.com')
    const [, password] = /^ {2}(\S{22})$/m.exec(told)!
    const { passwordHash } = await personWith(world, sara.email)
    expect(await isPassword(passwordHash, password!)).toBe(true)
    expect((await waysInOf(world, sara)).session).toEqual([])
    const audit = await auditLog(world, { action: 'password.reset' })
    expect(audit).toMatchObject([{ accountId, actorKind: 'service', subjectId: personId }])
    expect(JSON.stringify(audit)).not.toContain(password)
    await expect(operator('reset-password', 'nobody@example.com')).rejects.toThrow(
      'No one is registered with nobody@example.com.',
    )
  })

  test('reads why the database cannot be reached, whatever the command is', async () => {
    const databaseUrl = `postgres://wasla:hush@localhost:${await freePort()}/none`
    const away = { ...env, DATABASE_URL: databaseUrl }
    for (const words of [['status'], ['backup', tmpdir()], ['doctor']]) {
      const { code, stdout, stderr } = await runOperator(away, words)
      expect(code).toBe(1)
      expect(stdout + stderr).toMatch(/DATABASE_URL leads to localhost:\d+\/none: nothing listens/)
      expect(stdout + stderr).not.toContain('hush')
    }
  })

  test('sees the list of commands when the command is unknown', async () => {
    for (const word of ['pause', 'statu', '', 'constructor', '__proto__', 'toString']) {
      await expect(operator(word)).rejects.toThrow(/Commands:\n {2}status\n/)
    }
  })
})
