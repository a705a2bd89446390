/** Signing in and out, the first set-up, and the person's own sessions and password. */
import { acceptInvitation, readInvitation } from '../../modules/accounts/accept-invitation.ts'
import { finishSignIn } from '../../modules/accounts/begin-session.ts'
import { changePassword, confirmPassword } from '../../modules/accounts/change-password.ts'
import { endOtherSessions, endSession } from '../../modules/accounts/end-sessions.ts'
import {
  chooseNewPassword,
  readPasswordReset,
  requestPasswordReset,
} from '../../modules/accounts/forgot-password.ts'
import { listSessions } from '../../modules/accounts/list-sessions.ts'
import { setUp } from '../../modules/accounts/set-up.ts'
import { signIn } from '../../modules/accounts/sign-in.ts'
import { switchAccount } from '../../modules/accounts/switch-account.ts'
import { viewSession } from '../../modules/accounts/view-session.ts'
import { viewSignIn } from '../../modules/accounts/view-sign-in.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import {
  AcceptInvitation,
  ChangePassword,
  ChooseNewPassword,
  ConfirmPassword,
  FinishSignIn,
  EnterDemonstration,
  ReadInvitation,
  ReadPasswordReset,
  RequestPasswordReset,
  SetUp,
  SignIn,
  SwitchAccount,
  type SessionRoutes,
} from '../../contract/dashboard/session.ts'
import { ROLES, SIGN_IN_FAILURES, type SignInFailure } from '../../core/vocabulary/accounts.ts'
import { open, signedIn, signedInWithoutSecondFactor } from './access.ts'
import { answer } from './answer.ts'
import {
  countedAddressOf,
  deviceOf,
  sendTokens,
  sendSignIn,
  readSignInClient,
} from './session-response.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'
import { clearSessionCookie } from './session-cookie.ts'
import {
  recordFailedSignIn,
  type SignInTried,
} from '../../modules/accounts/record-failed-sign-in.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { HttpDeps } from '../http-deps.ts'

/**
 * Runs a sign-in. A failure is counted and logged and, where it concerns an account, written to its audit. The row is
 * written after the response, because the response time would reveal who is a member.
 */
async function runSignIn<T>(
  context: Pick<HttpDeps, 'db' | 'ids' | 'clock' | 'log' | 'metrics' | 'finishBeforeStop'>,
  { address, requestId, tried }: { address: string; requestId: string; tried: SignInTried },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    const failure = thrown instanceof ServiceError ? thrown.code : null
    if (isFailure(failure)) {
      const reason = (thrown as ServiceError).reason.code
      context.metrics.signInFailed(failure)
      context.log.warn({ requestId, address, failure, reason }, 'sign-in failed')
      if (failure === 'sign_in_failed') {
        const recorded = recordFailedSignIn(context, tried, { address, reason })
        context.finishBeforeStop(
          recorded.catch((error: unknown) => {
            context.log.warn({ err: error, requestId }, 'failed sign-in not recorded')
          }),
        )
      }
    }
    throw thrown
  }
}

const isFailure = (code: string | null): code is SignInFailure =>
  (SIGN_IN_FAILURES as readonly (string | null)[]).includes(code)

export const sessionRoutes = routes<SessionRoutes>()
  .post('/setup', open(), body(SetUp), async (c) => {
    const input = c.req.valid('json')
    const client = readSignInClient(c, input.client)
    const tokens = await setUp(c.var.context, client, input)
    return c.json(sendTokens(c, client.carrier, tokens), 201)
  })
  .post('/session', open(), body(SignIn), async (c) => {
    const input = c.req.valid('json')
    const client = readSignInClient(c, input.client)
    const begun = await runSignIn(
      c.var.context,
      { ...client, requestId: c.var.requestId, tried: input },
      () => signIn(c.var.context, client, input),
    )
    const [view, status] = sendSignIn(c, client.carrier, begun)
    return c.json(view, status)
  })
  .get('/sign-in', open(), async (c) => c.json(await viewSignIn(c.var.context)))
  .post('/session/second-factor', open(), body(FinishSignIn), async (c) => {
    const input = c.req.valid('json')
    const client = readSignInClient(c, input.client)
    const tokens = await runSignIn(
      c.var.context,
      { ...client, requestId: c.var.requestId, tried: input },
      () => finishSignIn(c.var.context, client, input),
    )
    return c.json(sendTokens(c, client.carrier, tokens), 201)
  })
  .post('/password-reset', open(), body(RequestPasswordReset), async (c) => {
    const input = { ...c.req.valid('json'), address: countedAddressOf(c) }
    const afterwards = await requestPasswordReset(c.var.context, input)
    c.var.context.finishBeforeStop(afterwards())
    return c.body(null, 204)
  })
  .post('/password-reset/read', open(), body(ReadPasswordReset), answer(readPasswordReset))
  .post('/password-reset/choose', open(), body(ChooseNewPassword), answer(chooseNewPassword))
  .post('/demonstration/session', open(), body(EnterDemonstration), async (c) => {
    const client = readSignInClient(c, 'browser')
    const { context, language } = c.var
    const entering = { ...c.req.valid('json'), language }
    const tokens = await context.demonstrationLink.enter(client, entering)
    return c.json(sendTokens(c, client.carrier, tokens), 201)
  })
  .post('/invitations/read', open(), body(ReadInvitation), answer(readInvitation))
  .post('/invitations/accept', open(), body(AcceptInvitation), async (c) => {
    const input = c.req.valid('json')
    const client = readSignInClient(c, input.client)
    const begun = await acceptInvitation(c.var.context, client, input)
    const [view, status] = sendSignIn(c, client.carrier, begun)
    return c.json(view, status)
  })
  .get('/session', signedInWithoutSecondFactor(...ROLES), async (c) =>
    c.json(await viewSession(c.var.context, c.var.session)),
  )
  .delete('/session', signedInWithoutSecondFactor(...ROLES), async (c) => {
    const { context, session } = c.var
    await endSession(context, session, session.id)
    clearSessionCookie(c, context.publicUrl())
    return c.body(null, 204)
  })
  .post(
    '/session/confirm-password',
    signedInWithoutSecondFactor(...ROLES),
    body(ConfirmPassword),
    async (c) => {
      const { context, session } = c.var
      return c.json(await confirmPassword(context, session, c.req.valid('json')))
    },
  )
  .post('/session/password', signedIn(...ROLES), body(ChangePassword), async (c) => {
    const { context, session } = c.var
    const input = { device: deviceOf(c), ...c.req.valid('json') }
    return c.json(sendTokens(c, session.carrier, await changePassword(context, session, input)))
  })
  .post(
    '/session/account',
    signedInWithoutSecondFactor(...ROLES),
    body(SwitchAccount),
    async (c) => {
      const { context, session } = c.var
      const switched = await switchAccount(context, session, c.req.valid('json'))
      return c.json(sendTokens(c, session.carrier, switched))
    },
  )
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
