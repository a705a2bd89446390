/** Signing in and out, the first set-up, and the person's own sessions and password. */
import { acceptInvitation, readInvitation } from '../../accounts/accept-invitation.ts'
import { changePassword, confirmPassword } from '../../accounts/change-password.ts'
import { endOtherSessions, endSession } from '../../accounts/end-sessions.ts'
import { listSessions } from '../../accounts/list-sessions.ts'
import { setUp } from '../../accounts/set-up.ts'
import { signIn } from '../../accounts/sign-in.ts'
import { switchAccount } from '../../accounts/switch-account.ts'
import { viewSession } from '../../accounts/view-session.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import {
  AcceptInvitation,
  ChangePassword,
  ConfirmPassword,
  EnterDemonstration,
  ReadInvitation,
  SetUp,
  SignIn,
  SwitchAccount,
} from '../../contract/dashboard/session.ts'
import { ROLES } from '../../vocabulary/accounts.ts'
import { open, signedIn } from './access.ts'
import { deviceOf, handOver, readVisitor } from './answer-session.ts'
import { routes } from './env.ts'
import { body, query, readId } from './read-input.ts'
import { clearSessionCookie } from './session-cookie.ts'

export const sessionRoutes = routes()
  .post('/setup', open(), body(SetUp), async (c) => {
    const input = c.req.valid('json')
    const visitor = readVisitor(c, input.client)
    const tokens = await setUp(c.var.context, visitor, input)
    return c.json(handOver(c, visitor.carrier, tokens), 201)
  })
  .post('/session', open(), body(SignIn), async (c) => {
    const input = c.req.valid('json')
    const visitor = readVisitor(c, input.client)
    const tokens = await signIn(c.var.context, visitor, input)
    return c.json(handOver(c, visitor.carrier, tokens), 201)
  })
  .post('/demonstration/session', open(), body(EnterDemonstration), async (c) => {
    const visitor = readVisitor(c, 'browser')
    const { token } = c.req.valid('json')
    const tokens = await c.var.context.demonstrationLink.enter(visitor, token)
    return c.json(handOver(c, visitor.carrier, tokens), 201)
  })
  .post('/invitations/read', open(), body(ReadInvitation), async (c) =>
    c.json(await readInvitation(c.var.context, c.req.valid('json'))),
  )
  .post('/invitations/accept', open(), body(AcceptInvitation), async (c) => {
    const input = c.req.valid('json')
    const visitor = readVisitor(c, input.client)
    const tokens = await acceptInvitation(c.var.context, visitor, input)
    return c.json(handOver(c, visitor.carrier, tokens), 201)
  })
  .get('/session', signedIn(...ROLES), async (c) =>
    c.json(await viewSession(c.var.context, c.var.session)),
  )
  .delete('/session', signedIn(...ROLES), async (c) => {
    const { context, session } = c.var
    await endSession(context, session, session.id)
    clearSessionCookie(c, context.publicUrl())
    return c.body(null, 204)
  })
  .post('/session/confirm-password', signedIn(...ROLES), body(ConfirmPassword), async (c) => {
    const { context, session } = c.var
    return c.json(await confirmPassword(context, session, c.req.valid('json')))
  })
  .post('/session/password', signedIn(...ROLES), body(ChangePassword), async (c) => {
    const { context, session } = c.var
    const input = { device: deviceOf(c), ...c.req.valid('json') }
    return c.json(handOver(c, session.carrier, await changePassword(context, session, input)))
  })
  .post('/session/account', signedIn(...ROLES), body(SwitchAccount), async (c) => {
    const { context, session } = c.var
    const switched = await switchAccount(context, session, c.req.valid('json'))
    return c.json(handOver(c, session.carrier, switched))
  })
  .get('/sessions', signedIn(...ROLES), query(PageQuery), async (c) =>
    c.json(await listSessions(c.var.context, c.var.session, c.req.valid('query'))),
  )
  .delete('/sessions', signedIn(...ROLES), async (c) =>
    c.json(await endOtherSessions(c.var.context, c.var.session)),
  )
  .delete('/sessions/:sessionId', signedIn(...ROLES), async (c) => {
    await endSession(c.var.context, c.var.session, readId(c.req.param('sessionId')))
    return c.body(null, 204)
  })
