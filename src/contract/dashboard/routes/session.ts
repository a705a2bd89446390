import type { OpenInvitationView } from '../member.ts'
import type { Page, PageQuery } from '../page.ts'
import type {
  AcceptInvitation,
  ChangePassword,
  ChooseNewPassword,
  ConfirmPassword,
  EnterDemonstration,
  FinishSignIn,
  ListedSessionView,
  NewSession,
  OpenPasswordResetView,
  ReadInvitation,
  ReadPasswordReset,
  RequestPasswordReset,
  SecondFactorNeeded,
  SessionView,
  SetUp,
  SignIn,
  SignInView,
  SwitchAccount,
} from '../session.ts'
import type { Route } from './route.ts'

export interface SessionRoutes {
  '/setup': { post: Route<NewSession, { json: typeof SetUp }> }
  '/session': {
    post: Route<NewSession | SecondFactorNeeded, { json: typeof SignIn }>
    get: Route<SessionView>
    delete: Route<null>
  }
  '/sign-in': { get: Route<SignInView> }
  '/session/second-factor': { post: Route<NewSession, { json: typeof FinishSignIn }> }
  '/password-reset': { post: Route<null, { json: typeof RequestPasswordReset }> }
  '/password-reset/read': { post: Route<OpenPasswordResetView, { json: typeof ReadPasswordReset }> }
  '/password-reset/choose': { post: Route<null, { json: typeof ChooseNewPassword }> }
  '/demonstration/session': { post: Route<NewSession, { json: typeof EnterDemonstration }> }
  '/invitations/read': { post: Route<OpenInvitationView, { json: typeof ReadInvitation }> }
  '/invitations/accept': {
    post: Route<NewSession | SecondFactorNeeded, { json: typeof AcceptInvitation }>
  }
  '/session/confirm-password': {
    post: Route<{ passwordEnteredAt: string }, { json: typeof ConfirmPassword }>
  }
  '/session/password': { post: Route<NewSession, { json: typeof ChangePassword }> }
  '/session/account': { post: Route<NewSession, { json: typeof SwitchAccount }> }
  '/sessions': {
    get: Route<Page<ListedSessionView>, { query: typeof PageQuery }>
    delete: Route<{ ended: number }>
  }
  '/sessions/:sessionId': { delete: Route<null> }
}
