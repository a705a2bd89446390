import type { AccountFacts } from '../../core/facts/accounts.ts'
import { counted } from '../counted.ts'
import { inEnglish } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

export const EN_ACCOUNTS: Catalog<AccountFacts> = {
  no_such_company: () => 'No company with this ID in this account.',
  projects_used_up: ({ max }) =>
    `The account can have at most ${max} projects. Ask the operator of this service to raise the limit (PROJECTS_PER_ACCOUNT).`,
  no_such_account: ({ account }) => `No account with the ID ${inEnglish(account)}.`,
  no_such_member: () => 'No member with this ID in this account.',
  no_such_session: () => 'No session with this ID.',
  no_such_invitation: () => 'No invitation with this ID.',
  no_such_notice: () => 'No notification with this ID in this account.',
  not_your_account: () => 'You aren’t a member of this account.',
  no_membership: () => 'You aren’t a member of any account.',
  invitation_over: () =>
    'This invitation has already been used, was revoked or has expired. Ask for a new one.',
  invitation_not_mailed: () =>
    'The invitation email couldn’t be sent, so the invitation wasn’t created. Try again in a few minutes.',
  invitations_a_minute: ({ max }) =>
    `You can send at most ${max} invitations a minute. Try again in a minute.`,
  already_member: () => 'They’re already a member of this account.',
  only_owners_over_owners: () => 'Only an Owner can change or remove an Owner.',
  keep_one_owner: () => 'An account needs at least one Owner. Make someone else an Owner first.',
  password_needed: () => 'Enter your password again to do this.',
  too_many_sign_ins: () => 'Too many people are signing in right now. Try again in a minute.',
  email_or_password_wrong: () => 'The email address or password is incorrect.',
  too_many_tries: ({ minutes }) =>
    `Too many attempts. Try again in ${counted(minutes, 'minute', 'minutes')}.`,
  sign_in_code_wrong: ({ left }) =>
    left > 0
      ? `This code is incorrect or has already been used. ${counted(left, 'attempt', 'attempts')} left.`
      : 'This code is incorrect or has already been used. Sign in again.',
  sign_in_over: () => 'This sign-in has expired. Sign in again with your password.',
  set_up_second_factor: () =>
    'This account requires two-factor authentication. Set it up to continue.',
  second_factor_on: () => 'Two-factor authentication is already on.',
  second_factor_not_begun: () => 'Start setting up two-factor authentication first.',
  second_factor_off: ({ email }) => `${inEnglish(email)} doesn’t use two-factor authentication.`,
  second_factor_of_your_own: () =>
    'Set up two-factor authentication for yourself first, so you don’t lock yourself out.',
  password_reset_by_operator: () =>
    'This service can’t send email. Ask its operator to set a new password with "reset-password".',
  password_reset_over: () =>
    'This link has already been used, was replaced by a newer one or has expired. Request a new one.',
  set_up_over: () => 'Setup is already complete. Ask an Owner to invite you.',
  set_up_token_wrong: () =>
    'The setup token is incorrect. Use the one printed when the service last started.',
  demonstration_link_wrong: () =>
    'This demo link is from an earlier start, or the demo is off. Open the link printed when the service last started.',
  email_just_used: () => 'This email address was just used by someone else. Try again.',
  email_in_several_accounts: () =>
    'This email address is used in several accounts and isn’t confirmed. Use another address, or get the invitation by email.',
  email_known: ({ email }) =>
    `${inEnglish(email)} is already registered here. Ask an Owner of the account to invite them, or use "reset-password" to set a new password.`,
  email_unknown: ({ email, account }) =>
    `No one is registered with ${inEnglish(email)}${account === null ? '' : ` in account ${inEnglish(account)} alone`}.`,
  email_believed_in: ({ email, accounts }) =>
    `${inEnglish(email)} is used in several accounts. Add the ID of one of them: ${accounts.join(', ')}`,
}
