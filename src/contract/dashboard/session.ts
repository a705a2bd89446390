import { z } from 'zod'
import { isCommonPassword } from '../../rules/accounts/common-password.ts'
import { fact } from '../../core/facts/fact.ts'
import { DASHBOARD_LIMITS } from '../../core/limits/http.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { countCodePoints } from '../../rules/text/json-text.ts'
import type { AccountHold, Plan, Role } from '../../core/vocabulary/accounts.ts'
import { failsWith } from '../../schemas/broken-rule.ts'
import { type MeView, personName } from './me.ts'
import type { SecondFactorView } from './second-factor.ts'
import { formText } from '../../schemas/form-text.ts'
import { typedEmail } from '../../schemas/email-input.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import type { OpenInvitationView } from './member.ts'
import type { Page, PageQuery } from './page.ts'
import type { Route } from './route.ts'

/** A password exactly as sent: it is not truncated, trimmed or normalized. */
const sentPassword = z
  .string()
  .refine((text) => new TextEncoder().encode(text).length <= SIGN_IN_LIMITS.passwordBytes, {
    ...failsWith(fact('too_big', { max: SIGN_IN_LIMITS.passwordBytes, unit: 'bytes' })),
    abort: true,
  })

/** A new password, which must not be short or common. */
const newPassword = sentPassword
  .refine(
    (text) => {
      const count = countCodePoints(text)
      return count >= SIGN_IN_LIMITS.minPasswordChars && count <= SIGN_IN_LIMITS.maxPasswordChars
    },
    {
      ...failsWith(
        fact('wrong_length', {
          min: SIGN_IN_LIMITS.minPasswordChars,
          max: SIGN_IN_LIMITS.maxPasswordChars,
        }),
      ),
      abort: true,
    },
  )
  .refine((text) => !isCommonPassword(text), failsWith(fact('password_common')))

const token = z.string().max(SIGN_IN_LIMITS.tokenChars)

/** The kind of client: a browser gets its session as a cookie, a program as a token in the answer. */
const client = z.enum(['browser', 'program']).default('browser')

export const SignIn = z.strictObject({
  email: formText(1, DASHBOARD_LIMITS.emailChars),
  password: sentPassword,
  client,
})

export const SetUp = z.strictObject({
  setupToken: token,
  email: typedEmail,
  name: personName,
  password: newPassword,
  accountName: formText(1, DASHBOARD_LIMITS.accountNameChars),
  client,
})
export type SetUp = z.output<typeof SetUp>

/** An Owner that the operator creates, with the rules of the set-up. */
export const NewOwner = SetUp.pick({ email: true, name: true, password: true, accountName: true })
export type NewOwner = z.output<typeof NewOwner>

export const ConfirmPassword = z.strictObject({ password: sentPassword })
export const ChangePassword = z.strictObject({ currentPassword: sentPassword, newPassword })
export const SwitchAccount = z.strictObject({ accountId: uuidInput })

export const FinishSignIn = z.strictObject({
  secondFactorToken: token,
  /** A code of the authenticator app in any digits, or a recovery code. */
  code: z.string().max(SIGN_IN_LIMITS.codeChars),
  client,
})

/** The token of a new session, for a program; null for a browser, which has it as a cookie. */
export type NewSession = { token: string | null }

/** The answer in place of a session: the password is right, and a code is required. */
export type SecondFactorNeeded = {
  status: 'second_factor_needed'
  secondFactorToken: string
  expiresAt: string
}

/** The facts that the pages before the sign-in show. */
export type SignInView = {
  /** The first Owner does not exist yet. The token that the service printed at its start creates it. */
  isSetUpOpen: boolean
  /** Links to choose a new password are mailed; else the operator gives one. */
  canResetPassword: boolean
}

export const RequestPasswordReset = SignIn.pick({ email: true })
export const ReadPasswordReset = z.strictObject({ token })
export const ChooseNewPassword = z.strictObject({ token, newPassword })

export type OpenPasswordResetView = { email: string; expiresAt: string }

export const ReadInvitation = z.strictObject({ token })
export const AcceptInvitation = z.strictObject({
  token,
  /** Needed when the e-mail address is new here. */
  name: personName.optional(),
  password: newPassword,
  client,
})
export type AcceptInvitation = z.output<typeof AcceptInvitation>

export const EnterDemonstration = z.strictObject({ token })

/** The signed-in person and the company. */
export type SessionView = {
  id: string
  person: MeView
  account: {
    id: string
    name: string | null
    plan: Plan
    needsSecondFactor: boolean
    /** The reason for which nothing can be changed: a move to another server. Null while the account works. */
    hold: AccountHold | null
    /** The features of the plan. The operator may set another number of templates. */
    features: { developer: boolean; automations: boolean; flows: number; templatesPerDay: number }
  }
  role: Role
  secondFactor: SecondFactorView
  /** The account's own and its projects, oldest first, at most 100. */
  companies: { id: string; name: string | null; isProject: boolean; timeZone: string }[]
  hasMoreCompanies: boolean
  /** Invitations and links to choose a password go out by e-mail. */
  hasMail: boolean
  /** The person signed in with the link of a start. There is no password, and no route requires one. */
  isDemonstration: boolean
  /** Every account that the person is a member of. */
  accounts: { id: string; name: string | null; role: Role }[]
  passwordEnteredAt: string
  expiresAt: string
}

/** One of the person's sessions, wherever it is used. */
export type ListedSessionView = {
  id: string
  isThisOne: boolean
  kind: 'browser' | 'program'
  userAgent: string | null
  createdAt: string
  lastSeenAt: string
  expiresAt: string
}

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
