import type { None } from './none.ts'

/** Reasons why signing in and changes to accounts, members, invitations and companies are refused. */
export type AccountFacts = {
  no_such_company: None
  projects_used_up: { max: number }
  no_such_account: { account: string }
  no_such_member: None
  no_such_session: None
  no_such_invitation: None
  no_such_notice: None
  not_your_account: None
  no_membership: None
  invitation_over: None
  invitation_not_mailed: None
  invitations_a_minute: { max: number }
  already_member: None
  only_owners_over_owners: None
  keep_one_owner: None
  password_needed: None
  too_many_sign_ins: None
  email_or_password_wrong: None
  too_many_tries: { minutes: number }
  /** `left` more codes may be tried before the sign-in starts again. */
  sign_in_code_wrong: { left: number }
  sign_in_over: None
  set_up_second_factor: None
  second_factor_on: None
  second_factor_not_begun: None
  second_factor_off: { email: string }
  second_factor_of_your_own: None
  password_reset_by_operator: None
  password_reset_over: None
  set_up_over: None
  set_up_token_wrong: None
  demonstration_link_wrong: None
  email_just_used: None
  email_in_several_accounts: None
  email_known: { email: string }
  email_unknown: { email: string; account: string | null }
  email_believed_in: { email: string; accounts: string[] }
}
