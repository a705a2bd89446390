import { describe, expect, test } from 'vitest'
import type { AuditView } from '../../src/contract/dashboard/account.ts'
import type {
  InvitationView,
  MemberView,
  OpenInvitationView,
} from '../../src/contract/dashboard/member.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import type { Role } from '../../src/core/vocabulary/accounts.ts'
import { apiRequest, signedIn, type Member } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { addAccount } from '../support/records/accounts.ts'
import { makeDemonstrationsOwner } from '../support/records/members.ts'
import { PASSWORD, sessionOf } from '../support/set-up.ts'

const world = await openWorld()

/** Returns the Owner of a new account. */
async function newOwner() {
  const accountId = await addAccount(world)
  return { accountId, ...(await signedIn(world, { accountId })) }
}

const post = <Body = { code: string }>(path: string, json: unknown) =>
  apiRequest<Body>(world.url, 'POST', path, { json })

const listOf = async <Item>(by: Member, path: string) =>
  (await by.ask<Page<Item>>('GET', path)).body.items
const membersOf = (by: Member) => listOf<MemberView>(by, '/members')
const invitationsOf = (by: Member) => listOf<InvitationView>(by, '/invitations')

type Invited = { invitation: InvitationView; token: string }
const invite = (by: Member, email: string, role: Role) =>
  by.ask<Invited & { code: string }>('POST', '/invitations', { email, role })
const accept = (token: string, change: Record<string, unknown> = {}) =>
  post<{ token: string; code: string; errors: { field: string }[] }>('/invitations/accept', {
    token,
    name: 'Noura',
    password: PASSWORD,
    client: 'program',
    ...change,
  })

describe('inviting', () => {
  test('an invited person reads the invitation, accepts it once and is signed in with the role', async () => {
    const owner = await newOwner()
    const { body: invited, status } = await invite(owner, 'noura@example.com', 'admin')
    expect(status).toBe(201)
    const read = await post<OpenInvitationView>('/invitations/read', { token: invited.token })
    expect(read.body).toMatchObject({
      email: 'noura@example.com',
      role: 'admin',
      accountName: 'Shop',
      isNewPerson: true,
    })
    const accepted = await accept(invited.token)
    expect(accepted.status).toBe(201)
    const session = await sessionOf(world, accepted.body.token)
    expect(session).toMatchObject({ person: { name: 'Noura' }, role: 'admin' })
    expect((await accept(invited.token)).body.code).toBe('not_found')
    expect((await membersOf(owner)).map(({ email, role }) => [email, role])).toEqual([
      [owner.email, 'owner'],
      ['noura@example.com', 'admin'],
    ])
  })

  test('a new person needs a name', async () => {
    const { token } = (await invite(await newOwner(), 'nameless@example.com', 'agent')).body
    const answer = await accept(token, { name: undefined })
    expect([answer.status, answer.body.errors[0]!.field]).toEqual([422, 'name'])
  })

  test('concurrent acceptances of one invitation make one member', async () => {
    const owner = await newOwner()
    const { token } = (await invite(owner, 'twice@example.com', 'agent')).body
    const answers = await Promise.all([accept(token), accept(token), accept(token)])
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await membersOf(owner)).toHaveLength(2)
  })

  test('an invitation is valid for 7 days', async () => {
    const owner = await newOwner()
    const { token } = (await invite(owner, 'late@example.com', 'agent')).body
    world.clock.advance(7 * DAY_MS)
    expect((await accept(token)).body.code).toBe('not_found')
    expect(await invitationsOf(await signedIn(world, { accountId: owner.accountId }))).toEqual([])
  })

  test('a second invitation of an address replaces the first, and can be withdrawn', async () => {
    const owner = await newOwner()
    const first = (await invite(owner, 'again@example.com', 'agent')).body
    const second = (await invite(owner, 'Again@example.com', 'admin')).body
    expect((await accept(first.token)).body.code).toBe('not_found')
    expect(await invitationsOf(owner)).toEqual([second.invitation])
    const { status } = await owner.ask('DELETE', `/invitations/${second.invitation.id}`)
    expect(status).toBe(204)
    expect(await invitationsOf(owner)).toEqual([])
    expect((await accept(second.token)).body.code).toBe('not_found')
  })

  test('an invitation ends when the member who made it is removed', async () => {
    const owner = await newOwner()
    const hired = (await invite(owner, 'hired@example.com', 'agent')).body
    const other = await signedIn(world, { accountId: owner.accountId, role: 'admin' })
    const back = (await invite(other, 'back@example.com', 'admin')).body
    expect((await owner.ask('DELETE', `/members/${other.memberId}`)).status).toBe(204)
    expect((await accept(back.token)).body.code).toBe('not_found')
    expect(await invitationsOf(owner)).toEqual([hired.invitation])
    const audit = await listOf<AuditView>(owner, '/audit?limit=2')
    const actions = audit.map(({ action }) => action).toSorted()
    expect(actions).toEqual(['invitation.withdrawn', 'member.removed'])
  })

  test('inviting a member is a conflict', async () => {
    const owner = await newOwner()
    expect((await invite(owner, owner.email.toUpperCase(), 'agent')).body.code).toBe('conflict')
  })
})

describe('roles', () => {
  async function staff() {
    const owner = await newOwner()
    const { accountId } = owner
    const admin = await signedIn(world, { accountId, role: 'admin' })
    const agent = await signedIn(world, { accountId, role: 'agent' })
    return { accountId, owner, admin, agent }
  }
  const setRole = (by: Member, of: Member, role: Role) =>
    by.ask<MemberView & { code: string }>('PATCH', `/members/${of.memberId}`, { role })
  const remove = (by: Member, of: Member) => by.ask('DELETE', `/members/${of.memberId}`)

  test('the last Owner can be neither demoted nor removed', async () => {
    const { owner, admin } = await staff()
    expect((await setRole(owner, owner, 'admin')).body.code).toBe('conflict')
    expect((await remove(owner, owner)).body.code).toBe('conflict')
    expect((await setRole(owner, admin, 'owner')).body.role).toBe('owner')
    expect((await remove(owner, owner)).status).toBe(204)
    expect((await owner.ask('GET', '/session')).status).toBe(401)
  })

  async function demonstrationsOwner(accountId: string) {
    const shown = await signedIn(world, { accountId })
    await makeDemonstrationsOwner(world, shown.personId)
    return shown
  }

  test('the last Owner stays even if the demonstration has an Owner, who can be demoted and removed', async () => {
    const { accountId, owner } = await staff()
    const shown = await demonstrationsOwner(accountId)
    expect((await setRole(owner, owner, 'admin')).body.code).toBe('conflict')
    expect((await remove(owner, owner)).body.code).toBe('conflict')
    expect((await setRole(owner, shown, 'admin')).body.role).toBe('admin')
    expect((await setRole(owner, shown, 'owner')).body.role).toBe('owner')
    expect((await remove(owner, shown)).status).toBe(204)
    const alone = await demonstrationsOwner(await addAccount(world))
    expect((await remove(alone, alone)).body.code).toBe('conflict')
  })

  test('an Admin can neither change nor remove Owners, nor make anyone an Owner', async () => {
    const { owner, admin, agent } = await staff()
    expect((await setRole(admin, owner, 'agent')).body.code).toBe('forbidden')
    expect((await remove(admin, owner)).body.code).toBe('forbidden')
    expect((await setRole(admin, agent, 'owner')).body.code).toBe('forbidden')
    expect((await setRole(admin, admin, 'owner')).body.code).toBe('forbidden')
    expect((await invite(admin, 'boss@example.com', 'owner')).body.code).toBe('forbidden')
    const { invitation } = (await invite(owner, 'boss@example.com', 'owner')).body
    const withdrawn = await admin.ask('DELETE', `/invitations/${invitation.id}`)
    expect(withdrawn.body.code).toBe('forbidden')
    expect((await invite(owner, 'boss@example.com', 'owner')).status).toBe(201)
    expect((await setRole(admin, agent, 'admin')).status).toBe(200)
  })

  test('an Admin cannot replace an Owner’s invitation', async () => {
    const { owner, admin } = await staff()
    const { token } = (await invite(owner, 'chief@example.com', 'owner')).body
    const overwritten = await invite(admin, 'CHIEF@example.com', 'agent')
    expect([overwritten.status, overwritten.body.code]).toEqual([403, 'forbidden'])
    const read = await post<OpenInvitationView>('/invitations/read', { token })
    expect(read.body.role).toBe('owner')
    expect((await invite(admin, 'staff@example.com', 'agent')).status).toBe(201)
    expect((await invite(admin, 'staff@example.com', 'admin')).status).toBe(201)
  })

  test('demoting a member ends only those of their invitations that are above the new role', async () => {
    const { accountId, owner, admin } = await staff()
    const second = await signedIn(world, { accountId, role: 'owner' })
    const chief = (await invite(second, 'chief@example.com', 'owner')).body
    const lead = (await invite(second, 'lead@example.com', 'admin')).body
    const theirs = (await invite(owner, 'partner@example.com', 'owner')).body
    expect((await setRole(owner, second, 'admin')).status).toBe(200)
    expect((await accept(chief.token)).body.code).toBe('not_found')
    expect(await invitationsOf(owner)).toEqual([theirs.invitation, lead.invitation])
    expect((await setRole(admin, second, 'agent')).status).toBe(200)
    expect(await invitationsOf(owner)).toEqual([theirs.invitation])
    expect(await listOf(owner, '/audit?action=invitation.withdrawn')).toHaveLength(2)
  })

  test('an Agent sees neither members nor invitations nor the audit', async () => {
    const { agent } = await staff()
    for (const path of ['/members', '/invitations', '/audit']) {
      expect((await agent.ask('GET', path)).body.code).toBe('forbidden')
    }
  })

  test('a changed role ends the member’s sessions in this account', async () => {
    const { owner, agent } = await staff()
    await setRole(owner, agent, 'agent')
    expect((await agent.ask('GET', '/session')).status).toBe(200)
    await setRole(owner, agent, 'admin')
    expect((await agent.ask('GET', '/session')).status).toBe(401)
  })

  test('a member of another account is not found', async () => {
    const [here, there] = [await staff(), await staff()]
    expect((await setRole(here.owner, there.agent, 'admin')).body.code).toBe('not_found')
    expect((await remove(here.owner, there.agent)).body.code).toBe('not_found')
    expect((await here.owner.ask('DELETE', '/members/not-an-id')).body.code).toBe('not_found')
  })

  test('every change is in the audit with its actor, newest first and without tokens', async () => {
    const { owner, admin, agent } = await staff()
    const { token } = (await invite(owner, 'audited@example.com', 'agent')).body
    await accept(token)
    await setRole(owner, agent, 'admin')
    await remove(owner, agent)
    const audit = await listOf<AuditView>(admin, '/audit')
    expect(audit.map(({ action, person }) => [action, person?.email])).toEqual([
      ['member.removed', owner.email],
      ['member.role_changed', owner.email],
      ['invitation.accepted', 'audited@example.com'],
      ['invitation.created', owner.email],
    ])
    expect(audit[1]!.detail).toEqual({ email: agent.email, from: 'agent', to: 'admin' })
    expect(JSON.stringify(audit)).not.toContain(token)
    expect(world.logged.join('\n')).not.toContain(token)
  })
})
