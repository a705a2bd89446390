import type { AccountFacts } from '../../facts/accounts.ts'
import { counted } from '../counted.ts'
import { inEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

export const EN_ACCOUNTS: Sentences<AccountFacts> = {
  no_such_company: () => 'This account has no such company.',
  projects_used_up: ({ most }) =>
    `The account has its ${most} projects. Ask the operator of the service for more (PROJECTS_PER_ACCOUNT).`,
  no_such_account: ({ account }) => `There is no account ${inEnglish(account)}.`,
  no_such_member: () => 'This account has no such member.',
  no_such_session: () => 'You have no such session.',
  no_such_invitation: () => 'There is no such invitation.',
  no_such_notice: () => 'This account has no such notice.',
  not_your_account: () => 'You are not a member of such an account.',
  no_membership: () => 'You are not a member of any account.',
  invitation_over: () => 'This invitation was used, withdrawn, or is over.',
  invitation_not_mailed: () =>
    'The invitation could not be mailed, so there is none. Try again in a few minutes.',
  invitations_a_minute: ({ most }) => `At most ${most} invitations a minute are mailed.`,
  already_member: () => 'They are a member of this account already.',
  only_owners_over_owners: () => 'Only an Owner has a say over Owners.',
  keep_one_owner: () => 'An account keeps at least one Owner: make another first.',
  password_needed: () => 'Enter your password again to do this.',
  too_many_sign_ins: () => 'Too many people sign in now. Try again in a minute.',
  email_or_password_wrong: () => 'The e-mail address or the password is wrong.',
  too_many_tries: ({ minutes }) =>
    `Too many tries. Try again in ${counted(minutes, 'minute', 'minutes')}.`,
  sign_in_code_wrong: ({ left }) =>
    left > 0
      ? `This code is wrong, or was used already. ${counted(left, 'try is', 'tries are')} left.`
      : 'This code is wrong, or was used already. Sign in again.',
  sign_in_over: () => 'This sign-in is over: begin again with your password.',
  set_up_second_factor: () =>
    'This account wants a second factor of every member: set yours up to go on.',
  second_factor_on: () => 'Your second factor is on already.',
  second_factor_not_begun: () => 'Begin to set up your second factor first.',
  second_factor_off: ({ email }) => `${inEnglish(email)} has no second factor.`,
  second_factor_of_your_own: () =>
    'Set up a second factor of your own first, so that you can go on yourself.',
  password_reset_by_operator: () =>
    'No e-mail is sent from here: whoever runs the service gives you a new password with "reset-password".',
  password_reset_over: () =>
    'This link was used, replaced by a newer one, or is over. Ask for another.',
  set_up_over: () => 'Set-up is over: ask an Owner to invite you.',
  set_up_token_wrong: () =>
    'The set-up token is wrong. The newest start of the service printed the right one.',
  demonstration_link_wrong: () =>
    'This link into the demonstration is of an earlier start, or there is no demonstration. Open the one that the last start printed.',
  email_just_used: () => 'This e-mail address has just been used. Try again.',
  email_in_several_accounts: () =>
    'This e-mail address is used in several accounts, and nobody has proved that it is theirs: be invited with another one, or by e-mail.',
  email_known: ({ email }) =>
    `${inEnglish(email)} is known here already: an Owner of the account invites them; "reset-password" gives them a new password.`,
  email_unknown: ({ email, account }) =>
    `Nobody has the e-mail address ${inEnglish(email)}${account === null ? '' : ` in account ${inEnglish(account)} alone`}.`,
  email_believed_in: ({ email, accounts }) =>
    `The address ${inEnglish(email)} is believed in each of these accounts: name one too. ${accounts.join(', ')}`,
}
