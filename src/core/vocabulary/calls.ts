import { REQUEST_FAILURES } from './request-failures.ts'

/** Methods of a call to the merchant's API. Spec: Calls › HTTP steps. */
export const CALL_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type CallMethod = (typeof CALL_METHODS)[number]

/** How an API connection proves itself. Spec: Calls › Connections. */
export const CONNECTION_AUTH_KINDS = ['none', 'bearer', 'basic', 'header', 'query'] as const
export type ConnectionAuthKind = (typeof CONNECTION_AUTH_KINDS)[number]

/** What an AI action may know its customer by. Spec: Calls › AI actions. */
export const ACTION_IDENTITIES = ['none', 'phone', 'email', 'contact_id'] as const
export type ActionIdentity = (typeof ACTION_IDENTITIES)[number]

/** On which channels an AI action is offered: all, or those that verify who writes. Spec: Calls › AI actions. */
export const ACTION_CHANNELS = ['all', 'verified'] as const
export type ActionChannels = (typeof ACTION_CHANNELS)[number]

/** Who makes a call to the merchant's API. */
export const CALL_SOURCES = ['step', 'action', 'test'] as const

/** Why a call to the merchant's API was not made: nothing was sent, nothing is counted. */
export const CALLS_NOT_MADE = [
  'connection_deleted',
  'connection_off',
  'credential_unreadable',
  'not_in_plan',
  'allowance_used_up',
  'no_time_left',
  'not_wanted',
  'path_refused',
  'path_value_refused',
  'path_too_long',
  'header_refused',
  'body_refused',
  'body_too_large',
] as const
export type CallNotMade = (typeof CALLS_NOT_MADE)[number]

/** Why a call failed. Spec: Errors › Failed calls. */
export const CALL_FAILURES = [
  ...CALLS_NOT_MADE,
  ...REQUEST_FAILURES,
  'answer_too_large',
  'answer_unreadable',
] as const
export type CallFailure = (typeof CALL_FAILURES)[number]

/** Why a proposal can no longer be agreed to. Spec: States › Proposal of an AI action. */
export const PROPOSAL_WITHDRAWALS = [
  'refused',
  'unclear',
  'too_late',
  'replaced',
  'not_stated',
  'taken_over',
  'opted_out',
  'action_changed',
  'connection_changed',
  'appointment_changed',
  'customer_changed',
] as const
export type ProposalWithdrawal = (typeof PROPOSAL_WITHDRAWALS)[number]

/** By what an action is known that takes something back, folded: "cancel" is then no refusal of it. */
export const CANCELLING_WORDS = ['cancel', 'الغاء', 'الغي', 'يلغي', 'تلغي', 'نلغي', 'كنسل'] as const
