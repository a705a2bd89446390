/** The person and the accounts that an invited e-mail address belongs to, with and without proof of the mailbox. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { emailCounter } from '../../src/modules/accounts/throttle-sign-in.sql.ts'
import { waitUntilBlocked } from '../support/blocked.ts'
import { resetPassword } from '../../src/modules/accounts/reset-password.ts'
import type { NewInvitation, OpenInvitationView } from '../../src/contract/dashboard/member.ts'
import type { Mail } from '../../src/infra/mail/mailer.ts'
import { apiRequest, itemsOf, type Member, signedIn } from '../support/dashboard.ts'
import { addAccount } from '../support/records/accounts.ts'
import { addPerson } from '../support/records/members.ts'
import { createWorld, type World } from '../support/test-service.ts'
import { sessionOf } from '../support/set-up.ts'
import type { WorldOptions } from '../support/world.ts'
import { systemTest } from '../support/system-tests.ts'

const VICTIM = 'victim@example.com'
const HERS = 'a password of her own'
const THEIRS = 'a password of the inviter'

let world: World
afterEach(() => world.close())

const mails: Mail[] = []
let mailFault: Error | null = null
const mailer: WorldOptions['mailer'] = {
  send(mail) {
    if (mailFault) return Promise.reject(mailFault)
    mails.push(mail)
    return Promise.resolve([])
  },
}
beforeEach(() => {
  mails.length = 0
  mailFault = null
})

async function newOwner(): Promise<Member & { accountId: string }> {
  const accountId = await addAccount(world, { name: 'متجر Shop' })
  return { ...(await signedIn(world, { accountId })), accountId }
}

type Body = { code: string; token: string }
const invite = (by: Member, email = VICTIM) =>
  by.ask<NewInvitation & { code: string }>('POST', '/invitations', { email, role: 'agent' })
const post = <T = Body>(path: string, json: unknown) =>
  apiRequest<T>(world.url, 'POST', path, { json })
const accept = (token: string, password: string) =>
  post('/invitations/accept', { token, name: 'Someone', password, client: 'program' })
const signIn = (password: string) =>
  post('/session', { email: VICTIM, password, client: 'program' })

const accountsOf = async ({ body }: { body: Body }) =>
  (await sessionOf(world, body.token)).accounts.map(({ id }) => id)
/** Invites the victim where the inviter sees the link, and accepts with this password. */
const takeAddress = async (by: Member, password: string) =>
  accept((await invite(by)).body.token!, password)
const tokenIn = (mail: Mail) => /invitation#([\w-]{43})/.exec(mail.text)![1]!

describe('when the inviter is shown the link', () => {
  beforeEach(async () => {
    world = await createWorld()
  })

  test('accepting it gives the address no way into other accounts that use the same address', async () => {
    const [thief, honest] = [await newOwner(), await newOwner()]
    await takeAddress(thief, THEIRS)
    const { token } = (await invite(honest)).body
    const read = await post<OpenInvitationView>('/invitations/read', { token })
    expect(read.body.isNewPerson).toBe(true)
    // The other account's password is not asked for, and does not open this account.
    const accepted = await accept(token!, HERS)
    expect(accepted.status).toBe(201)
    expect(await accountsOf(accepted)).toEqual([honest.accountId])
    expect(await accountsOf(await signIn(HERS))).toEqual([honest.accountId])
    expect(await accountsOf(await signIn(THEIRS))).toEqual([thief.accountId])
  })

  systemTest(
    'a person who accepts can sign in, and at most four accounts claim an address',
    async () => {
      const owners = [await newOwner(), await newOwner(), await newOwner(), await newOwner()]
      for (const [index, owner] of owners.entries()) {
        expect((await takeAddress(owner, `${THEIRS} ${index}`)).status).toBe(201)
      }
      const fifth = await newOwner()
      const { token } = (await invite(fifth)).body
      const refused = await accept(token!, HERS)
      expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
      // The fifth place is reserved for an invitation that proves the mailbox.
      await world.database.db.kysely.updateTable('invitation').set({ isMailed: true }).execute()
      expect((await accept(token!, HERS)).status).toBe(201)
      expect(await accountsOf(await signIn(HERS))).toEqual([fifth.accountId])
      for (const [index, { accountId }] of owners.entries()) {
        world.clock.advance(15 * 60_000)
        expect(await accountsOf(await signIn(`${THEIRS} ${index}`))).toEqual([accountId])
      }
    },
  )

  test('a password that is replaced while it is being checked is refused', async () => {
    await takeAddress(await newOwner(), HERS)
    const { db } = world.service.context
    const key = emailCounter(VICTIM).key.readBigInt64BE().toString()
    const holder = await db.pool.connect()
    let given: ReturnType<typeof signIn>
    try {
      await holder.query('select pg_advisory_lock($1::bigint)', [key])
      given = signIn(HERS)
      await waitUntilBlocked('the sign-in, with the hash of the old password', db.pool, holder)
      await resetPassword(world.service.context, { email: VICTIM })
    } finally {
      await holder.query('select pg_advisory_unlock_all()')
      holder.release()
    }
    expect((await given).body.code).toBe('sign_in_failed')
  })

  test('an address that the same account invites again is proved with its password', async () => {
    const owner = await newOwner()
    expect((await takeAddress(owner, HERS)).status).toBe(201)
    const members = await owner.ask<{ items: { id: string; email: string }[] }>('GET', '/members')
    const { id } = members.body.items.find(({ email }) => email === VICTIM)!
    await owner.ask('DELETE', `/members/${id}`)
    const { token } = (await invite(owner)).body
    expect((await accept(token!, THEIRS)).body.code).toBe('sign_in_failed')
    expect((await accept(token!, HERS)).status).toBe(201)
  })

  test('the right password of a person who took the address does not reset the count of wrong guesses', async () => {
    const [thief, honest] = [await newOwner(), await newOwner()]
    await takeAddress(honest, HERS)
    await takeAddress(thief, THEIRS)
    for (let n = 0; n < 4; n += 1) {
      expect((await signIn('a guess at her password')).status).toBe(401)
    }
    // The thief's own password is right, but the count of wrong guesses stays.
    expect((await signIn(THEIRS)).status).toBe(201)
    expect((await signIn('a guess at her password')).status).toBe(401)
    expect((await signIn('a guess at her password')).status).toBe(429)
  })

  test('the operator resets the password of the person whose account is named', async () => {
    const [one, two] = [await newOwner(), await newOwner()]
    await takeAddress(one, HERS)
    const { context } = world.service
    const { password } = await resetPassword(context, { email: VICTIM })
    expect(await accountsOf(await signIn(password))).toEqual([one.accountId])
    await takeAddress(two, THEIRS)
    const params = { accounts: expect.arrayContaining([two.accountId]) }
    await expect(resetPassword(context, { email: VICTIM })).rejects.toMatchObject({
      reason: { code: 'email_believed_in', params },
    })
    const reset = await resetPassword(context, { email: VICTIM, accountId: two.accountId })
    expect(await accountsOf(await signIn(reset.password))).toEqual([two.accountId])
    expect(await accountsOf(await signIn(password))).toEqual([one.accountId])
  })
})

describe('when there is a mail server', () => {
  beforeEach(async () => {
    world = await createWorld({ mailer })
  })

  test('the link goes to the address alone, in Arabic and in English', async () => {
    const owner = await newOwner()
    const { status, body } = await invite(owner)
    expect([status, body.token]).toEqual([201, null])
    expect(body.invitation.isMailed).toBe(true)
    expect(mails).toHaveLength(1)
    expect(mails[0]!.to).toEqual([VICTIM])
    const { subject, text } = mails[0]!
    expect(subject).toMatch(
      /^You’re invited to join "متجر Shop" \| دعوة للانضمام إلى حساب «متجر Shop» في وصلة$/,
    )
    expect(text).toContain('The owner')
    expect(text).toContain('join as Agent')
    expect(text).toContain('بدور موظف')
    const token = tokenIn(mails[0]!)
    expect(text).toContain(`${world.url}/invitation#${token}`)
    const list = await owner.ask('GET', '/invitations')
    for (const seen of [body, list.body, world.logged]) {
      expect(JSON.stringify(seen)).not.toContain(token)
    }
    expect(await accountsOf(await accept(token, HERS))).toEqual([owner.accountId])
  })

  test('a person who accepts has proved the address, and every account knows them by it', async () => {
    const [one, two] = [await newOwner(), await newOwner()]
    await invite(one)
    await accept(tokenIn(mails[0]!), HERS)
    await invite(two)
    const token = tokenIn(mails[1]!)
    const read = await post<OpenInvitationView>('/invitations/read', { token })
    expect(read.body.isNewPerson).toBe(false)
    expect((await accept(token, THEIRS)).body.code).toBe('sign_in_failed')
    expect(await accountsOf(await accept(token, HERS))).toEqual([one.accountId, two.accountId])
  })

  systemTest('an address that another person had taken is its owner’s again', async () => {
    const [thief, honest] = [await newOwner(), await newOwner()]
    // The thief took the address while there was no mail server.
    await addPerson(world, { email: VICTIM, unverifiedInAccountId: thief.accountId })
    await invite(honest)
    const accepted = await accept(tokenIn(mails[0]!), HERS)
    expect(await accountsOf(accepted)).toEqual([honest.accountId])
  })

  test('an e-mail that the mail server rejects leaves no invitation, and the inviter sees the failure', async () => {
    const owner = await newOwner()
    mailFault = new Error('the mail server did not take it: EENVELOPE 550')
    const refused = await invite(owner)
    expect([refused.status, refused.body.code]).toEqual([502, 'provider_failed'])
    expect(await itemsOf<unknown>(owner, '/invitations')).toEqual([])
    mailFault = null
    expect((await invite(owner)).status).toBe(201)
  })

  systemTest('an account mails ten invitations a minute', async () => {
    const owner = await newOwner()
    for (let n = 0; n < 10; n += 1) {
      expect((await invite(owner, `someone${n}@example.com`)).status).toBe(201)
    }
    expect((await invite(owner)).status).toBe(429)
    world.clock.advance(60_000)
    expect((await invite(owner)).status).toBe(201)
    expect(mails).toHaveLength(11)
  })
})
